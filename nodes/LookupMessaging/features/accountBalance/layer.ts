import type { RunAccount, CallCost } from './runAccount';
import type { Result } from '../../engine/results';
import { isFailed } from '../../engine/operation';
import type { Layer } from '../../engine/network/layers';

/**
 * Holds a paid call until there is room for it above the floors of Minimum Balance, and takes note of what it came to. Outside of
 * the rate limit: while a call waits for a look at the balances, the look needs the permit.
 */
export function aboveFloors(account: Pick<RunAccount, 'admit'>): Layer {
	return async (call, next) => {
		const { credits } = call.endpoint;
		if (!credits) return await next(call);
		const { service, method, path } = call.request;
		const admitted = await account.admit(credits, `${method} ${service} ${path}`);
		if (isFailed(admitted)) return admitted;
		let cost: CallCost = { end: 'open' };
		try {
			const result = await next(call);
			cost = costOf(result);
			return result;
		} finally {
			admitted.end(cost);
		}
	};
}

function costOf(result: Result): CallCost {
	if (!isFailed(result)) return { end: 'answered', charged: result.charged, left: result.left };
	const { mayHaveCost, cause } = result.failure;
	if (!mayHaveCost) return { end: 'notCharged' };
	// A broken connection or a gateway's error does not say that the service behind it has ended
	return { end: 'open', goesOn: cause === 'lost' };
}
