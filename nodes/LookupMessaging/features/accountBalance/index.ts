import type { IDataObject } from 'n8n-workflow';
import type { Feature, FeatureOpener } from '../../engine/feature';
import type { Layer } from '../../engine/network/layers';
import { textOf } from '../../engine/plan/values';
import type { Answer, Result } from '../../engine/results';
import { checkBalance as balances } from '../../operations/account/balances';
import { compareBalances, readSpending } from './floors';
import { proofOf } from './proof';
import { RunAccount } from './runAccount';
import { type CallCost, sharedAccountOf } from './sharedAccount';

/** Check Balance and Minimum Balance: they watch the balances before, during and after a run. */
export const accountBalance: FeatureOpener = ({ options }) =>
	'checkBalance' in options || 'minimumBalance' in options ? watching(options) : COUNTING;

/** A run without either is counted, since the floor of another run depends on its spending. */
const COUNTING: Feature = {
	open({ account, clock }) {
		const shared = sharedAccountOf(account, clock);
		const run = {};
		return { layer: aboveFloors({ admit: async (price) => shared.begin(price, run) }) };
	},
};

function watching(options: IDataObject): Feature {
	const { floors, problem } = readSpending(options);
	const { checkBalance = 'off' } = options;
	const tells = checkBalance !== 'off';
	let account: RunAccount | undefined;
	return {
		problem,
		open({ account: name, clock, read, pause }) {
			const shared = sharedAccountOf(name, clock);
			const own = new RunAccount(shared, floors, async () => await read(balances), pause);
			account = own;
			return {
				layer: aboveFloors(own),
				stop: () => shared.stop(own),
				close: () => shared.close(own),
			};
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
}

/**
 * Delays a paid call until there is room for it above the floors of Minimum Balance, and records its cost. It is outside of the
 * rate limit: while a call waits for a reading of the balances, the reading needs the permit.
 */
export function aboveFloors(account: Pick<RunAccount, 'admit'>): Layer {
	return (next) => async (call) => {
		const { credits } = call.endpoint;
		if (!credits) return await next(call);
		const { service, method, path } = call.request;
		const admitted = await account.admit(credits, `${method} ${service} ${path}`);
		if ('failure' in admitted) return admitted;
		let cost: CallCost = { how: 'open' };
		try {
			const result = await next(call);
			cost = costOf(result);
			return result;
		} finally {
			admitted.end(cost);
		}
	};
}

/** Words of a service that has not ended. */
const GOES_ON = /\b(?:in progress|pending|processing|queued|(?:being|still) \w{1,20}(?:ed|ing))\b/i;

function costOf(result: Result): CallCost {
	const { charge } = result;
	if (!charge) return { how: 'notCharged' };
	// A broken connection or a gateway's error does not say that the service behind it has ended
	if ('failure' in result) {
		const { cause, reason } = result.failure;
		return { how: 'open', goesOn: cause === 'lost' || GOES_ON.test(reason) };
	}
	if (charge.charged === 'perhaps') {
		const { reason } = Object(result.value) as Partial<Answer>;
		return { how: 'open', goesOn: GOES_ON.test(textOf(reason)) };
	}
	return { how: 'answered', charged: charge.credits ?? undefined, left: result.left };
}
