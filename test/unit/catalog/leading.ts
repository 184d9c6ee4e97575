import { judge } from '../../../nodes/LookupMessaging/engine/judge';
import { parseAnyReply, parseReply } from '../../../nodes/LookupMessaging/engine/parse';
import type { Failure } from '../../../nodes/LookupMessaging/engine/failure';
import {
	isRefusal,
	talkAbout,
	type AnyOperation,
	type Reading,
	type ServiceRequest,
} from '../../../nodes/LookupMessaging/engine/operation';
import {
	isFailed,
	tolerates,
	type Consulted,
	type Exchange,
	type Failed,
	type Job,
} from '../../../nodes/LookupMessaging/engine/talk';
import type { Reply } from '../../../nodes/LookupMessaging/engine/transport';
import type { Sandbox } from '../../sandbox';
import { send } from './asking';

/** What a talk came to, and what it asked for on the way. */
export interface Led {
	/** One per question; undefined where the talk ended in a failure. */
	readings?: Array<Failed | Reading>;
	failure?: Failure;
	requests: ServiceRequest[];
	/** Milliseconds, in order. */
	waits: number[];
	jobs: Job[];
}

/** The other side of a talk. */
export interface LeadOptions {
	key?: string;
	/** Called instead of waiting. */
	onWait?(waitMs: number, count: number): void;
	/** Bytes of the files that requests name, by binary property. */
	files?: Record<string, Uint8Array>;
}

/**
 * Leads the talk of an operation against the sandbox as the engine does, but with no clock: what it waits for is written
 * down, and `onWait` lets the test move the sandbox on.
 */
export async function lead(
	sandbox: Sandbox,
	operation: AnyOperation,
	questions: unknown[],
	{ key = sandbox.keys.main, onWait, files }: LeadOptions = {},
): Promise<Led> {
	const led: Led = { requests: [], waits: [], jobs: [] };
	const talk = talkAbout(operation, questions);
	let step = talk.next();
	while (!step.done) {
		if ('job' in step.value) led.jobs.push(step.value.job);
		if ('waitMs' in step.value) {
			led.waits.push(step.value.waitMs);
			onWait?.(step.value.waitMs, led.waits.length);
		}
		if ('consult' in step.value) {
			const told: Array<Consulted | Failed> = [];
			for (const each of step.value.consult) {
				const aside = await lead(sandbox, each.operation, [each.question], { key });
				led.requests.push(...aside.requests);
				told.push(consulted(aside));
			}
			step = talk.next(told);
			continue;
		}
		if (!('exchange' in step.value)) {
			step = talk.next();
			continue;
		}
		const { exchange } = step.value;
		led.requests.push(exchange.request);
		const heard = judge(exchange, await replyTo(sandbox, exchange, key, files));
		if ('failure' in heard && !tolerates(exchange, heard.failure))
			return { ...led, failure: heard.failure };
		step = talk.next('failure' in heard ? heard : heard.result);
	}
	return { ...led, readings: step.value };
}

/** What another operation answered, as the engine hands it to the talk. */
function consulted({ failure, readings = [] }: Led): Consulted | Failed {
	const [reading] = readings;
	if (failure) return { failure };
	if (isFailed(reading) || isRefusal(reading))
		throw new Error('a one-call operation fails by its call');
	return { answer: reading, response: reading.response ?? {}, source: 'service' };
}

/** The reply as the engine's door would classify it; the door itself is tested on n8n. */
async function replyTo(
	sandbox: Sandbox,
	{ request }: Exchange<unknown>,
	key: string,
	files: LeadOptions['files'],
): Promise<Reply> {
	const response = await send(sandbox, request, key, files);
	const { status } = response;
	const headers = Object.fromEntries(response.headers);
	const parse = request.takesAnyBody ? parseAnyReply : parseReply;
	const body = parse(await response.text(), headers['content-type']);
	if (status === 429) return { kind: 'throttled', status, reason: 'too fast' };
	if (status >= 500) return { kind: 'lost', status, reason: 'the service failed' };
	if (status >= 300) return { kind: 'refused', status, headers, ...(body && { body }) };
	return body
		? { kind: 'ok', status, headers, body }
		: { kind: 'lost', status, reason: 'no JSON object' };
}
