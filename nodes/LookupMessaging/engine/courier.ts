import type { IDataObject } from 'n8n-workflow';
import type { WindowReport } from './governor';
import { inMinutes } from './failure';
import type { Clock, Lanes, Turn } from './lanes';
import type { ServiceRequest, ServiceRoot } from './operation';
import type { Reply, Transport } from './transport';

/**
 * Brings requests to the service: each waits for its turn, and is sent again only where it certainly was not charged
 * (DESIGN §4.4), or costs nothing.
 */

/** How a request is to be delivered. */
export interface Terms {
	/** Longest wait for the whole reply, in milliseconds. */
	timeoutMs: number;
	/** Longest wait for a turn, in milliseconds. */
	patienceMs: number;
	/** Costs nothing, so it may be sent again after a lost reply too. */
	isFree: boolean;
	/** Whoever asked sends it again himself, at his own pace: a poll. */
	isSentOnce?: boolean;
	/** What the body of an answer tells of the rate-limit window of its endpoint. */
	window?: (body: IDataObject) => WindowReport | undefined;
	/** Asked when the turn has come: whether the request is not wanted any more. */
	isOff?: () => boolean;
}

export interface Delivery {
	/** `undefined` when the request was off by the time its turn came. */
	reply?: Reply;
	/** How often it was sent again. */
	retries: number;
}

export interface Courier {
	deliver(request: ServiceRequest, terms: Terms): Promise<Delivery>;
}

/** How often one request is sent at most: where the service asks for a slower pace, and where no connection is made. */
const MOST_TRIES = { throttled: 8, unreachable: 4, lost: 3 };
/** Pause before another try for a connection: full jitter up to this, doubled each time. */
const BACK_OFF_MS = 500;

type Repeatable = keyof typeof MOST_TRIES;

/** The network of one execution, as the courier needs it. */
export interface Network {
	transport: Transport;
	clock: Clock;
	lanes: Pick<Lanes, 'to'>;
	/** Waits, until the execution is stopped at the latest. */
	pause(ms: number): Promise<void>;
}

export function hireCourier({ transport, clock, lanes, pause }: Network): Courier {
	/** Roots that no connection could be made to, however often it was tried; until one is. */
	const down = new Set<ServiceRoot>();

	return {
		async deliver(request, terms) {
			const { service, path } = request;
			const deadline = clock.now() + terms.patienceMs;
			let retries = 0;
			for (let tries = 1; ; tries += 1) {
				const admission = await lanes.to(service).enter(`${service} ${path}`, deadline);
				if (admission === 'closed') return { reply: { kind: 'cancelled' }, retries };
				if ('notBefore' in admission) {
					return { reply: tooLate(admission.notBefore, terms), retries };
				}
				const { turn } = admission;
				if (terms.isOff?.()) {
					turn.ignored();
					return { retries };
				}
				retries = tries - 1;
				const reply = await sendInTurn(turn, request, terms);
				if (reply.kind !== 'unreachable') down.delete(service);
				if (!isRepeatable(reply, terms)) return { reply, retries };
				const isLast = tries >= MOST_TRIES[reply.kind];
				if (reply.kind === 'unreachable' && isLast) down.add(service);
				if (isLast || down.has(service)) return { reply, retries };
				// The pace that a refusal asks for is kept by the lane
				if (reply.kind !== 'throttled') await pause(backOffMs(tries, clock));
			}
		},
	};

	async function sendInTurn(turn: Turn, request: ServiceRequest, terms: Terms): Promise<Reply> {
		let reply: Reply = { kind: 'cancelled' };
		try {
			reply = await transport.send(request, terms.timeoutMs);
			return reply;
		} finally {
			tell(turn, reply, terms);
		}
	}
}

/** What a reply says of the pace. An error of the network or the server says nothing. */
function tell(turn: Turn, reply: Reply, { window }: Terms) {
	if (reply.kind === 'throttled') turn.refused(reply.retryAfterMs);
	else if (reply.kind === 'ok') turn.accepted(reportIn(reply.body, window));
	else if (reply.kind === 'refused') turn.accepted();
	else turn.ignored();
}

/** A body that cannot be made sense of reports nothing. */
function reportIn(body: IDataObject, window: Terms['window']): WindowReport | undefined {
	try {
		return window?.(body);
	} catch {
		return undefined;
	}
}

/** Whether the request may be sent again, and it may help. */
function isRepeatable(
	reply: Reply,
	{ isFree, isSentOnce }: Terms,
): reply is Extract<Reply, { kind: Repeatable }> {
	if (isSentOnce) return false;
	if (reply.kind === 'unreachable') return reply.isPassing === true;
	return reply.kind === 'throttled' || (reply.kind === 'lost' && isFree);
}

function backOffMs(tries: number, { random }: Clock): number {
	return random() * BACK_OFF_MS * 2 ** (tries - 1);
}

function tooLate(notBefore: number, { patienceMs }: Terms): Reply {
	const time = new Date(notBefore).toISOString().replace(/\.\d+Z$/, 'Z');
	return {
		kind: 'throttled',
		reason: `the service takes no such call before ${time}, which is further off than Max Wait (${inMinutes(patienceMs)})`,
	};
}
