import type { IPollFunctions } from 'n8n-workflow';
import type { Failure } from '../LookupMessaging/engine/results';
import {
	compose,
	Connections,
	Flows,
	rateLimit,
	type Send,
} from '../LookupMessaging/engine/network/layers';
import { openTransport } from '../LookupMessaging/engine/network/transport';
import { requestRateOf } from '../LookupMessaging/engine/pacing/requestRate';
import { CLOCK } from '../LookupMessaging/engine/clock';

/** The network of a poll: the engine's layers, without those for paid calls. */

const LONG_PAUSE_OF_POLL: Failure = {
	cause: 'throttled',
	reason:
		'a pause of the service, or the wait for Max Requests per Minute, is longer than this poll',
	scope: 'question',
};

/** The limits of one poll. The waits are functions, since they shrink with the poll's time budget. */
interface PollNetworkOptions {
	/** Maximum number of calls in flight. */
	cap: number;
	/** Longest wait for a permit, in milliseconds. */
	maxQueueWaitMs(): number;
	/** Longest wait for a reply, in milliseconds. */
	timeoutMs(): number;
}

/** Opens the network of one poll of the trigger. Its calls are free, and the next poll repeats those that fail. */
export async function openPollNetwork(
	context: IPollFunctions,
	{ cap, maxQueueWaitMs, timeoutMs }: PollNetworkOptions,
): Promise<{ send: Send; insecure: ReadonlySet<string>; close(): Promise<void> }> {
	const transport = await openTransport(context);
	const rate = requestRateOf(transport.accountName());
	const flows = new Flows((service) => transport.queueFor(service).open(cap, rate, true));
	const connections = new Connections();
	const limits = { flows, clock: CLOCK, maxQueueWaitMs: Infinity, tooLate: LONG_PAUSE_OF_POLL };
	const send = compose([connections.layer, rateLimit(limits)], transport.over(timeoutMs));
	return {
		send: async (call) => await send({ ...call, startBy: CLOCK.now() + maxQueueWaitMs() }),
		insecure: transport.insecure,
		close: async () => {
			await connections.close();
			flows.close();
		},
	};
}
