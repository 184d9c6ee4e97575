import type { FeatureOpener } from '../engine/feature';
import { accountBalance } from './accountBalance';
import { costLog } from './costLog';
import { emptyFields } from './emptyFields';
import { equalRuns } from './equalRuns';
import { flatColumns } from './flatColumns';
import { paidLookupsPerDay } from './paidLookupsPerDay';
import { recheckInconclusive } from './recheckInconclusive';
import { skipCatchAll } from './skipCatchAll';
import { storedResults } from './storedResults';

/**
 * The features of the node. The order matters: the first layer is outermost, and outputs come in the order of editor/outputs.ts.
 * Skip Catch-All is outside of Recheck Inconclusive Emails, so a pause ends once another mailbox has shown what the domain does.
 */
export const features: FeatureOpener[] = [
	...[accountBalance, storedResults, costLog],
	paidLookupsPerDay,
	...[skipCatchAll, recheckInconclusive, equalRuns],
	...[flatColumns, emptyFields],
];
