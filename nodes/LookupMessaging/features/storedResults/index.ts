import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { FeatureOpener } from '../../engine/feature';
import { hasExpression, rawOf } from '../../engine/plan/parameters';
import { DEFAULT_MAX_AGE_DAYS, MAX_AGE, readMaxAge } from './maxAge';
import { answerOriginOf } from './origin';
import { answerRowsHints, newResults } from './outputs';
import { StoredResults, StoredRows } from './storedResults';

/** Stored Results: answers of earlier executions from a second input, and new ones at an additional output. */
export const storedResults: FeatureOpener = ({ context, operation, ...settings }) => {
	const ofNothing = hasExpression(rawOf(context, MAX_AGE.name)) ? null : DEFAULT_MAX_AGE_DAYS;
	const { maxAgeDays, problem } = readMaxAge(settings.parameter(MAX_AGE.name, ofNothing));
	const showsResponse = settings.parameter('output', 'simplified') === 'raw';
	const results = new StoredResults({ maxAgeDays, showsResponse });
	return {
		problem,
		source: results,
		remember({ shared, credential }) {
			const ofExecution = shared('storedResults', () => new StoredRows());
			results.open(ofExecution, answerOriginOf(credential));
		},
		beforePlan: async () => await results.read(rowsOf(context)),
		hints: () => answerRowsHints(results, context.getNode()),
		output: async (plan, slices) => await newResults(operation, plan, results, slices),
		delivered: () => results.forgetSent(),
	};
};

/** The rows of the second input, which n8n may not have set. */
function rowsOf(context: IExecuteFunctions): IDataObject[] {
	try {
		return context.getInputData(1).map(({ json }) => json);
	} catch {
		return [];
	}
}
