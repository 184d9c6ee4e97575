import { hireCourier } from './courier';
import { CLOCK, Lanes } from './lanes';
import type { Transport } from './transport';

/** The network of one poll: its calls take their turn with those of all executions, and are sent once. */
export interface GovernedNetwork extends Pick<Transport, 'send'> {
	/** Leaves the lines; to be called when all is over. */
	close(): void;
}

/**
 * Governs the free calls of a poll. What fails is not sent again: the next poll asks again.
 * @param cap calls that may be under way at once
 * @param patienceMs longest wait for a turn, in milliseconds, asked for at each call
 */
export function govern(
	transport: Transport,
	cap: number,
	patienceMs: () => number,
): GovernedNetwork {
	const lanes = new Lanes(transport.crossingTo, cap);
	const pause = async () => undefined;
	const courier = hireCourier({ transport, clock: CLOCK, lanes, pause });
	return {
		async send(request, timeoutMs) {
			const terms = { timeoutMs, patienceMs: patienceMs(), isFree: true, isSentOnce: true };
			const { reply = { kind: 'cancelled' } } = await courier.deliver(request, terms);
			// A turn that comes too late has no status, and nothing was sent
			return reply.kind === 'throttled' && reply.status === undefined
				? { ...reply, reason: 'the service has asked for a pause that outlasts this poll' }
				: reply;
		},
		close: () => lanes.close(),
	};
}
