import type { IDataObject } from 'n8n-workflow';
import type { Exchange, OpenResponse, ServiceRequest, Wire } from '../../engine/client';
import { whenAborted } from '../../engine/gate';
import { LOST_REASONS, NetworkFailure } from '../../engine/network/networkErrors';
import {
	MAX_CHARACTERS,
	parseJson,
	readRetryAfter,
	TOO_DEEP,
	TOO_LARGE,
} from '../../engine/network/parseReply';
import { lostFailure } from '../../engine/operation';
import { hasTooManyParts, isObject, type Sliced } from '../../engine/plan/values';
import type { Reply } from '../../engine/results';
import { EventParser } from './eventParser';
import type { MessageMeaning } from './jsonRpc';

/** Reads a reply as it arrives: a body, or a stream of events with the messages of a server (SPEC §4.3, Streamable HTTP). */

/**
 * Reads the messages of a reply: the one JSON body, or server-sent events with one message each (WHATWG HTML §9.2). All functions
 * are pure.
 */
export interface MessageReader {
	/** The meaning of a message; undefined for one that can be ignored. */
	read(message: IDataObject): MessageMeaning | undefined;
	/** Text of a non-JSON error body; undefined if the HTTP status says the same. */
	readText?(text: string): IDataObject | undefined;
	/**
	 * Requests the events after the one with this ID, after the stream has broken off.
	 * @param headers of the stream
	 */
	resume(lastEventId: string, headers: Record<string, string>): ServiceRequest;
	/** Tells the server that the reply is no longer needed. */
	cancel?: ServiceRequest;
}

type Head = Pick<OpenResponse, 'statusCode'>;

const ENDED = lostFailure('the stream ended before the answer arrived');
const BROKEN = lostFailure(LOST_REASONS.ECONNRESET);
/** How a body of events begins. */
const EVENTS = /^(?:data|event|id|retry)?:/;
/** The pause before a stream is requested again, in milliseconds, if the server names none; it grows up to the longest. */
const RESUME_MS = 1_000;
const LONGEST_RESUME_MS = 30_000;
/** The shortest such pause, whatever the server names, and how often a call requests again. */
const LEAST_RESUME_MS = 500;
const MAX_RESUMES = 500;
/** Only such an ID can be sent in a header unchanged. */
const CAN_BE_SENT = /^[\x21-\x7e]+$/;
/** Minimum time between two log entries about progress, in milliseconds. */
const LOG_EVERY_MS = 1_000;
/** Maximum number of answers to requests of the server in one call. */
const MAX_ANSWERS = 100;
/** Longest wait for a server to notice that a call is over, in milliseconds. */
const CANCEL_MS = 2_000;
/** Number of messages that are read without a pause. */
const MESSAGES = 256;

/** The exchange of a call whose reply may have several messages. */
export function exchangeOf(reader: MessageReader): Exchange {
	return async (request, wire) => {
		let isAnswered = false;
		try {
			const first = await wire.post(request);
			const reply = await new Conversation(reader, wire).read(first);
			isAnswered = reply.status !== undefined;
			return reply;
		} finally {
			const { aborted, reason } = wire.signal;
			// Not if Stop has ended it
			const isTimedOut = aborted && (reason as Error).name === 'TimeoutError';
			if (!isAnswered && isTimedOut && reader.cancel) await tell(wire, reader.cancel, CANCEL_MS);
		}
	};
}

/** Sends a request whose reply is ignored. */
async function tell(wire: Wire, request: ServiceRequest, timeoutMs?: number): Promise<void> {
	await wire.post(request, timeoutMs).then(
		({ close }) => close(),
		() => undefined,
	);
}

/** Reads the body of a response as text. A body that is too large is cut off after the longest text. */
async function readText(response: OpenResponse, signal: AbortSignal): Promise<string> {
	const pieces: string[] = [];
	let length = 0;
	for await (const text of textOf(response, signal)) {
		pieces.push(text);
		length += text.length;
		if (length > MAX_CHARACTERS) break;
	}
	return pieces.join('').replace(/^\ufeff/, '');
}

/**
 * The text of a response as it arrives. Closes the response.
 * @throws NetworkFailure when it breaks off, and at the signal
 */
async function* textOf({ body, close }: OpenResponse, signal: AbortSignal): AsyncGenerator<string> {
	signal.addEventListener('abort', close);
	if (signal.aborted) close();
	const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
	try {
		for await (const chunk of body) yield decoder.decode(chunk, { stream: true });
		yield decoder.decode();
	} catch (error) {
		await Promise.reject(new NetworkFailure(error));
	} finally {
		signal.removeEventListener('abort', close);
		close();
	}
}

/** One call whose reply may have several messages. */
export class Conversation {
	private readonly parser = new EventParser();
	private answers = Promise.resolve();
	private answered = 0;
	private loggedAt = -Infinity;
	/** Headers of the reply to the call itself, which may name a session. */
	private headers: OpenResponse['headers'] = {};
	/** Whether the last stream broke off. */
	private isBroken = false;
	/** An error or a long text without an ID. It may belong to another message, so it counts only if no other reply arrives. */
	private unmatched?: Reply;
	/** Tries in a row without a new event. */
	private emptyTries = 0;
	private resumes = 0;
	/** Resolves at the signal of the wire; made for the first pause, since a listener keeps the signal alive. */
	private aborted?: Promise<unknown>;

	constructor(
		private readonly reader: MessageReader,
		private readonly wire: Wire,
	) {}

	/**
	 * Reads until the reply to the call has arrived, whatever else the stream does. If a stream breaks off, the server is asked
	 * for the rest of it; the call is never sent again.
	 * @throws NetworkFailure if a body that is no stream of events breaks off
	 */
	async read(first: OpenResponse): Promise<Reply> {
		this.headers = first.headers;
		let response: OpenResponse | undefined = first;
		while (response) {
			if (!isEventStream(response)) return await this.readBody(response);
			const before = this.parser.lastEventId;
			const reply = await this.readEvents(response);
			if (reply) return reply;
			response = await this.resume(before !== this.parser.lastEventId);
		}
		return this.ending();
	}

	private async readBody(response: OpenResponse): Promise<Reply> {
		const { wire, parser, reader } = this;
		const { statusCode: status } = response;
		const text = await readText(response, wire.signal);
		const raw = { ...response, body: text };
		if (status >= 300) return await wire.classify(raw, reader.readText?.(text));
		// Some servers do not name the type of their events
		if (EVENTS.test(text)) {
			const events = await wire.finish(parser.push(text));
			return (await this.takeAll([...events, parser.end() ?? ''], response)) ?? this.ending();
		}
		const isTooMuch = await wire.finish(hasTooManyParts([text]));
		const isRead = text.length <= MAX_CHARACTERS && !isTooMuch;
		const messages = !isRead ? [] : await wire.finish(parseMessages(text));
		const found = await wire.finish(replyAmong(messages, reader));
		if (found || messages.length === 0) return await wire.classify(raw, found);
		return lostFailure('the answer belongs to another request', status);
	}

	/** The reply among the events of a stream; undefined if the stream ends or breaks off before it. */
	private async readEvents(response: OpenResponse): Promise<Reply | undefined> {
		const { parser, wire } = this;
		const { statusCode: status } = response;
		const texts = textOf(response, wire.signal);
		this.isBroken = false;
		try {
			for (;;) {
				const next = await texts.next().catch(() => undefined);
				this.isBroken = next === undefined;
				if (!next || next.done) break;
				const events = await wire.finish(parser.push(next.value));
				const reply = await this.takeAll(events, response);
				if (reply) return reply;
				if (parser.pending > MAX_CHARACTERS) return lostFailure(TOO_LARGE, status);
			}
		} finally {
			await texts.return(undefined);
		}
		return await this.takeAll([parser.end() ?? ''], response);
	}

	private async takeAll(events: string[], head: Head): Promise<Reply | undefined> {
		for (const data of events) {
			// A server may send any number of messages at once
			await this.wire.giveWay();
			const reply = data === '' ? undefined : await this.take(data, head);
			if (reply) return reply;
		}
		return undefined;
	}

	/** Handles the messages of an event. Returns the reply. */
	private async take(data: string, head: Head): Promise<Reply | undefined> {
		const { wire, reader, headers } = this;
		const { statusCode: status } = head;
		if (await wire.finish(hasTooManyParts([data]))) {
			const outline = outlineOf(data);
			const meaning = reader.read(outline);
			if (meaning !== 'reply') {
				if (meaning) this.react(meaning);
				return undefined;
			}
			// It is returned as text
			const reply = await wire.classify({ statusCode: status, headers, body: data });
			if (outline.id !== undefined) return reply;
			this.unmatched = reply;
			return undefined;
		}
		for (const message of await wire.finish(parseMessages(data))) {
			await wire.giveWay();
			const clean = await wire.redact(message);
			const meaning = reader.read(clean ?? message);
			if (meaning === 'reply') {
				if (!clean) return lostFailure(TOO_DEEP, status);
				const reply: Reply = { kind: 'ok', status, headers, body: clean, size: data.length };
				if (clean.id !== null) return reply;
				this.unmatched = reply;
			} else if (clean && meaning) this.react(meaning);
		}
		return undefined;
	}

	/** The result of a call whose stream has ended for good. */
	private ending(): Reply {
		return this.unmatched ?? (this.isBroken ? BROKEN : ENDED);
	}

	private react(meaning: Exclude<MessageMeaning, 'reply'>) {
		const { wire } = this;
		if ('answer' in meaning) {
			this.answered += 1;
			if (this.answered > MAX_ANSWERS) return;
			const { answer } = meaning;
			this.answers = this.answers.then(async () => await this.answer(answer));
		} else if (wire.now() - this.loggedAt >= LOG_EVERY_MS) {
			this.loggedAt = wire.now();
			wire.log(meaning.progress);
		}
	}

	/** Sends an answer. If it gets lost, the server waits for it until the time-out. */
	private async answer(request: ServiceRequest): Promise<void> {
		await this.wire.pause(0);
		if (!this.wire.signal.aborted) await tell(this.wire, request);
	}

	/**
	 * Requests the events after the last one; undefined if the server does not allow that.
	 * @param isFurther whether the last stream had a new event
	 */
	private async resume(isFurther: boolean): Promise<OpenResponse | undefined> {
		const { parser, reader, wire } = this;
		if (isFurther) this.emptyTries = 0;
		let retryAfterMs = 0;
		while (CAN_BE_SENT.test(parser.lastEventId ?? '') && !wire.signal.aborted) {
			this.resumes += 1;
			if (this.resumes > MAX_RESUMES) break;
			const grown = Math.min(RESUME_MS * 1.5 ** this.emptyTries, LONGEST_RESUME_MS);
			const askedFor = Math.max(LEAST_RESUME_MS, parser.retryMs ?? RESUME_MS);
			const pauseMs = Math.max(askedFor, this.emptyTries === 0 ? 0 : grown, retryAfterMs);
			this.emptyTries += 1;
			this.aborted ??= whenAborted(wire.signal);
			await Promise.race([wire.pause(pauseMs), this.aborted]);
			if (wire.signal.aborted) break;
			const response = await wire
				.post(reader.resume(parser.lastEventId ?? '', this.headers))
				.catch(() => undefined);
			const { statusCode = 500, headers } = response ?? {};
			if (response && statusCode < 300) return response;
			response?.close();
			if (statusCode < 500 && statusCode !== 429) break;
			retryAfterMs = readRetryAfter(headers?.['retry-after'], wire.now()) ?? 0;
		}
		return undefined;
	}
}

/** The messages in a text: one, or a batch of them (JSON-RPC 2.0 §6). */
export function* parseMessages(text: string): Sliced<IDataObject[]> {
	const json = yield* parseJson(text, /^\ufeff?\s*[[{]/);
	if (isObject(json)) return [json];
	return Array.isArray(json) ? json.filter(isObject).filter((one) => 'jsonrpc' in one) : [];
}

/** Members of a message that show which request it belongs to. */
const OF_MESSAGE = /"(id|method)"\s*:\s*("[^"\\\p{Cc}]*"|(?:0|[1-9]\d*)(?!\d))/gu;
/** Number of characters at the beginning and at the end of a message that may contain them. */
const MAX_OF_OUTLINE = 1_000;

/** The members of an unparsed message before and after its result or parameters. Without an ID it may be a reply. */
function outlineOf(text: string): IDataObject {
	const inner = text.trim().slice(1, -1);
	const [head] = inner.slice(0, MAX_OF_OUTLINE).split(/[{[]/, 1);
	const tail = inner.slice(-MAX_OF_OUTLINE).replace(/^[^]*[}\]]/, '');
	const members = [...`${head},${tail}`.matchAll(OF_MESSAGE)];
	const said = members.map(([, name, value]) => [name, JSON.parse(value)] as const);
	return { error: {}, ...Object.fromEntries(said) };
}

/** The reply among the messages of a body. A body of another shape is the reply, too: its endpoint reports the problem. */
function* replyAmong(
	messages: IDataObject[],
	reader: MessageReader,
): Sliced<IDataObject | undefined> {
	for (const [index, message] of messages.entries()) {
		if (reader.read(message) === 'reply') return message;
		if (index % MESSAGES === MESSAGES - 1) yield;
	}
	const isOfOtherShape = ({ id, method }: IDataObject) => id === undefined && method === undefined;
	return messages.length === 1 ? messages.find(isOfOtherShape) : undefined;
}

function isEventStream({ statusCode, headers }: OpenResponse): boolean {
	return statusCode < 300 && /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
}
