import type { Connection, OpenConnection } from '../client';
import type { Failure } from '../results';
import { CLOCK } from '../clock';
import { catchFailed, plainCaller } from './caller';
import type { Call, Layer, Send } from './layers';

/** Latest start of what closes a connection, in milliseconds from the end of the run. */
const CLOSE_BY_MS = 1_000;

/** The connections of a network, such as sessions: opened at the first call that needs one, and closed with the network. */
export class Connections {
	private readonly opened = new Map<Connection, Promise<Opened>>();
	private send?: Send;

	/** @param around puts layers around the calls that open a connection */
	constructor(private readonly around: (send: Send) => Send = (send) => send) {}

	/** Makes a call over its connection. One that is over is opened anew, once for each call. */
	readonly layer: Layer = async (call, next) => {
		const { over } = call.endpoint;
		if (!over) return await next(call);
		this.send = next;
		for (let isNew = false; ; isNew = true) {
			const opened = await this.open(over, call, next);
			if ('failure' in opened) return { failure: opened.failure };
			const carried = callOver(opened.connection, call);
			const result = await next(carried);
			// Set once for all tries of the call
			call.startBy = carried.startBy;
			const failure = 'failure' in result ? result.failure : undefined;
			opened.isAtWork ||= failure?.cause === 'lost' && failure.status === undefined;
			// A server that looked at the call may have done it
			const isOver = failure && !failure.mayHaveCost && opened.connection.isOver(failure);
			if (!isOver || isNew) return result;
			await this.forget(over, opened);
		}
	};

	/** Closes all connections, but for one whose server may still be at work on a call. */
	async close(): Promise<void> {
		const { send } = this;
		const all = [...this.opened.values()];
		this.opened.clear();
		if (!send) return;
		// An open circuit breaker does not hold up what ends a run, and a pause is not worth waiting for
		const startBy = CLOCK.now() + CLOSE_BY_MS;
		const client = plainCaller(send, { isNextStep: true, startBy });
		await Promise.all(
			all.map(async (opening) => {
				const opened = await opening;
				if ('failure' in opened || opened.isAtWork) return;
				await opened.connection.close?.(client);
			}),
		);
	}

	private async open(over: Connection, call: Call, next: Send): Promise<Opened> {
		const known = this.opened.get(over);
		if (known) return await known;
		const { breaker, isNextStep, startBy } = call;
		const client = plainCaller(this.around(next), { breaker, isNextStep, startBy });
		const opening = catchFailed(async () => ({ connection: await over.open(client) })).then(
			(opened): Opened =>
				'failure' in opened ? { failure: notOpened(over, opened.failure) } : opened,
		);
		this.opened.set(over, opening);
		const opened = await opening;
		// The next call tries anew
		if ('failure' in opened && this.opened.get(over) === opening) this.opened.delete(over);
		return opened;
	}

	/** Has the next call open the connection anew, unless another call has done so. */
	private async forget(over: Connection, old: Opened) {
		const current = this.opened.get(over);
		const isOld = current !== undefined && (await current) === old;
		if (isOld && this.opened.get(over) === current) this.opened.delete(over);
	}
}

/** The call as it goes over a connection. That the connection is over is no failure of the call, so no breaker is to count it. */
function callOver(connection: OpenConnection, call: Call): Call {
	const { endpoint, isAttempt } = call;
	const { request, messages } = connection.carry(call.request);
	const tolerates = (failure: Failure) =>
		connection.isOver(failure) || (isAttempt === true && (endpoint.tolerates?.(failure) ?? true));
	return {
		...call,
		request,
		isAttempt: true,
		endpoint: { ...endpoint, request, messages, tolerates },
	};
}

/** `isAtWork`: a call has got no reply, so the server may still be at work on it. */
type Opened = { connection: OpenConnection; isAtWork?: boolean } | { failure: Failure };

/**
 * The failure of a call whose connection cannot be opened. The call was not sent, and every other one would fail alike. What helps
 * has been tried.
 */
function notOpened({ noun }: Connection, failure: Failure): Failure {
	const { cause, reason } = failure;
	const isOfAccount = cause === 'refused' && failure.scope === 'account';
	const isOfServer = cause === 'lost' || cause === 'refused' || cause === 'throttled';
	return {
		...failure,
		...(isOfServer && { reason: `the ${noun} couldn't be opened: ${reason}` }),
		cause: isOfServer && !isOfAccount ? 'unreachable' : cause,
		scope: isOfServer ? 'account' : failure.scope,
		isPassing: false,
		mayHaveCost: false,
	};
}
