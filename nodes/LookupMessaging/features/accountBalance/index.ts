import type { FeatureOpener } from '../../engine/feature';
import { sharedAccountOf } from './sharedAccount';
import { checkBalance as balances } from '../../operations/account/balances';
import { compareBalances } from './balanceCheck';
import { aboveFloors } from './layer';
import { proofOf } from './proof';
import { RunAccount } from './runAccount';
import { readSpending } from './settings';

/**
 * Check Balance and Minimum Balance: they watch the balances before, during and after a run. A run without either is watched too,
 * since the floor of another run depends on its spending.
 */
export const accountBalance: FeatureOpener = ({ options }) => {
	const { checkBalance, floors, problem } = readSpending(options);
	const tells = checkBalance !== 'off';
	let account: RunAccount | undefined;
	return {
		problem,
		open({ account: name, clock, read, pause }) {
			const shared = sharedAccountOf(name, clock);
			const own = new RunAccount(shared, floors, async () => await read(balances), pause);
			account = own;
			return { layer: aboveFloors(own), stop: () => own.stop(), close: () => own.close() };
		},
		...((tells || floors.size > 0) && {
			async beforeRun(estimate) {
				if (!account || estimate.lookups === 0) return {};
				return await compareBalances(estimate, account, floors, tells);
			},
		}),
		...(checkBalance === 'beforeAndAfter' && {
			afterRun: async () => proofOf(await account?.lookBack()),
		}),
	};
};
