import type { IExecuteFunctions } from 'n8n-workflow';
import type { FeatureOpener, FeatureSettings } from '../engine/feature';
import { takesStoredResults } from '../engine/operation';
import { rawOf } from '../engine/plan/parameters';
import { isObject } from '../engine/plan/values';
import { accountBalance } from './accountBalance';
import { COST_LOG, costLog } from './costLog';
import { emptyFields } from './emptyFields';
import { equalRuns } from './equalRuns';
import { flatColumns } from './flatColumns';
import { paidLookupsPerDay } from './paidLookupsPerDay';
import { recheckInconclusive } from './recheckInconclusive';
import { skipCatchAll } from './skipCatchAll';
import { storedResults } from './storedResults';

/**
 * The features that are on for a run. The order matters: the first layer is outermost, and outputs come in the order of
 * editor/outputs.ts. Skip Catch-All is outside of Recheck Inconclusive Emails, so a pause ends once another mailbox has shown what the
 * domain does. Stored Results is inside of both, so each check first looks for what another execution has learned meanwhile.
 */
export function featuresOf(run: FeatureSettings): FeatureOpener[] {
	const { context, operation, isForModel, options } = run;
	const { free, groupOption = '', refunds } = operation;
	const mayStore = !isForModel && takesStoredResults(operation);
	const isStoring = mayStore && run.drawn('storedResults');
	const listed = [
		!free && accountBalance,
		!free && paidLookupsPerDay,
		options[groupOption] === true && skipCatchAll,
		refunds && options.recheckInconclusiveEmails === true && recheckInconclusive,
		isStoring && storedResults,
		!free && !isForModel && hasCostLog(context) && costLog,
		mayStore && !isStoring && equalRuns,
		run.parameter('output', 'simplified') === 'flatColumns' && flatColumns,
		// A field that a model leaves out is no mistake in the workflow
		!isForModel && emptyFields,
	];
	return listed.filter((open) => typeof open === 'function');
}

/** Whether the limits have a tag. Read in the same way as by the editor, which draws the output. */
function hasCostLog(context: IExecuteFunctions): boolean {
	const limits = rawOf(context, 'spendingLimits');
	return isObject(limits) && limits[COST_LOG.name] !== undefined;
}
