import { read } from './judge';
import { tolerates, type Failed, type Talk } from './talk';
import type { Transport } from './transport';

/**
 * Leads one talk of free calls to its end, outside of any run: nothing is booked or waited for.
 * @param transport what sends: the door itself, or a governed network
 * @param timeoutMs longest wait for each reply, in milliseconds
 */
export async function leadAlone<Result>(
	talk: Talk<Result>,
	transport: Pick<Transport, 'send'>,
	timeoutMs: number,
): Promise<Failed | Result> {
	let step = talk.next();
	while (!step.done) {
		if (!('exchange' in step.value)) {
			step = talk.next();
			continue;
		}
		const { exchange } = step.value;
		const reply = await transport.send(exchange.request, exchange.timeoutMs ?? timeoutMs);
		const heard = read(exchange, reply);
		if ('failure' in heard && !tolerates(exchange, heard.failure)) return heard;
		step = talk.next('failure' in heard ? heard : heard.result);
	}
	return step.value;
}
