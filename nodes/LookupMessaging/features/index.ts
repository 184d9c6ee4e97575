import type { FeatureOpener } from '../engine/feature';
import { accountBalance } from './accountBalance';
import { costLog } from './costLog';
import { equalRuns } from './equalRuns';
import { paidLookupsPerDay } from './paidLookupsPerDay';
import { recheckInconclusive } from './recheckInconclusive';
import { skipCatchAll } from './skipCatchAll';
import { storedResults } from './storedResults';

/**
 * The features of the node. The order matters: of layers the first is outermost, and outputs come as in editor/outputs.ts.
 * Skip Catch-All is outside of Recheck Inconclusive Emails, so a pause ends where another mailbox has shown what the domain does.
 */
export const features: FeatureOpener[] = [
	...[accountBalance, storedResults, costLog],
	paidLookupsPerDay,
	...[skipCatchAll, recheckInconclusive, equalRuns],
];
