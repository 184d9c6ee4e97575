import type { FeatureOpener } from '../engine/feature';
import { accountBalance } from './accountBalance';
import { costLog } from './costLog';
import { equalRuns } from './equalRuns';
import { storedResults } from './storedResults';

/** The features of the node. Their outputs come in this order, as in editor/outputs.ts. */
export const features: FeatureOpener[] = [accountBalance, storedResults, costLog, equalRuns];
