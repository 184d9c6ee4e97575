import type { RunAccount, CallCost } from '../billing/runAccount';
import type { Result } from '../results';
import { isFailed } from '../operation';
import type { Layer } from './layers';
import { LOST_REASONS } from './networkErrors';

/**
 * Holds a paid call until there is room for it above the floors of Leave at Least, and takes note of what it came to. Outside of
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

/** After these, nobody waits for a service that may go on and charge later: our Timeout, Stop, or that of a proxy. */
const GAVE_UP = new Set([LOST_REASONS.ETIMEDOUT, LOST_REASONS.ERR_CANCELED]);
const GAVE_UP_STATUSES = new Set([408, 502, 503, 504]);

function costOf(result: Result): CallCost {
	if (!isFailed(result)) return { end: 'answered', charged: result.charged };
	const { mayHaveCost, cause, reason, status = 0 } = result.failure;
	if (!mayHaveCost) return { end: 'notCharged' };
	const goesOn = cause === 'lost' && (GAVE_UP.has(reason) || GAVE_UP_STATUSES.has(status));
	return { end: 'open', goesOn };
}
