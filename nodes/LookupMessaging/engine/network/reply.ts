import type { IDataObject, Logger } from 'n8n-workflow';
import type { Endpoint, QuestionFacts, ServiceRequest } from '../client';
import type {
	Answer,
	Answered,
	Charge,
	Failed,
	Failure,
	FailureOf,
	RawResponse,
	Refusal,
	Reply,
	Result,
	Success,
} from '../results';
import {
	MAX_CHARACTERS,
	parseAnyReply,
	parseJson,
	parseReply,
	readRetryAfter,
	TOO_DEEP,
	TOO_LARGE,
} from './parseReply';
import { asItCame, isLost, isRefusal, lostFailure } from '../operation';
import type { Redact } from '../redaction/redactor';
import { hasTooManyParts, inShort, quote, type Sliced, textOf } from '../plan/values';
import { notEnough } from '../billing/ledger';
import {
	ACCOUNT_STATUSES,
	accountPartIn,
	describeRefusal,
	isAboutCredits,
	isAboutMissingPath,
	isAboutMissingValue,
	isAccountRefusal,
	isSpecOnCredits,
	NO_PATH,
	PROXY_STATUS,
	refusalText,
	refuses,
	saysForbidden,
	scopeOf,
	UNREAD_STATUSES,
} from '../refusals/refusal';
import { isRefusedForPace, saysDone } from '../refusals/done';

/** Classifies replies by HTTP status and body, then lets the endpoint interpret them. */

/** Logs an exception in this package's own code. */
export type LogFault = (where: string, error: Error) => void;

export function logFault(logger: Pick<Logger, 'error'>, where: string, { message, stack }: Error) {
	logger.error(`Bug in the Lookup & Messaging package while ${where}: ${message}`, { stack });
}

/** The failure of a call that was not sent because of an earlier failure. */
export function notSent(because: Failure): FailureOf<'notSent'> {
	if (because.cause === 'notSent') return because;
	const reason = `skipped after an earlier failure: ${because.reason}`;
	return { cause: 'notSent', reason, scope: because.scope };
}

export function refusalFailure(reason: string, scope: Failure['scope']): FailureOf<'refused'> {
	return { cause: 'refused', reason, scope };
}

/** The result of a call whose reply this package's own code could not process. The exception is logged, with its stack. */
export function faultOf(endpoint: Endpoint<unknown>, error: Error, log: LogFault) {
	const { request, credits } = endpoint;
	log(`reading the answer of ${request.path || 'the base URL'}`, error);
	const failure = faultFailure(credits !== undefined);
	return { failure, charge: withCharge(endpoint, { failure }).charge };
}

/** What an item shows of an answer. An answer that this package's own code cannot present is returned unchanged. */
export function presented<Question>(
	{ resource, value, present }: Pick<QuestionFacts<Question>, 'present' | 'resource' | 'value'>,
	{ answer, response }: Answered,
	question: Question,
	log: LogFault,
): Answer {
	if (answer.isAsItCame) return answer;
	try {
		return present?.(answer, question) ?? answer;
	} catch (error) {
		log(`presenting an answer of ${resource}.${value}`, error);
		return { ...asItCame(FAULT), response: answer.response ?? response };
	}
}

export const FAULT = "this node couldn't process the service's answer";

/** The failure of an exception in this package's own code. */
export function faultFailure(mayHaveCost: boolean): FailureOf<'fault'> {
	return { cause: 'fault', reason: FAULT, scope: 'question', mayHaveCost };
}

const TOO_MANY_PARTS = 'the answer has more parts than this node takes apart';
const NO_OBJECT = "the answer isn't a JSON object";
/** The ID of a job or a message in a reply (SPEC §2.1, §2.4). */
const JOB_ID = /"(audit|batch|message)_?id"\s{0,9}:\s{0,9}"?([^\s",[\]{}]{1,200})(["\s,\]}]?)/i;
/** The job or message in a text that its request does not name: the service has taken it, whatever the HTTP status is. Empty if cut off. */
function takenIn(body: unknown, request: ServiceRequest): string | undefined {
	const [, noun, id = 'null', end] =
		(typeof body === 'string' && JOB_ID.exec(inShort(body, 100_000))) || [];
	if (id === 'null' || textOf(request).includes(id)) return undefined;
	return end ? `${noun.toLowerCase()} ${quote(id)}` : '';
}

/** The reason with what an unreadable reply names, so that a job that was paid for can be fetched. */
function* withTaken(reason: string, taken: string | undefined, redact: Redact): Sliced<string> {
	const shown = taken && textOf((yield* redact({ taken }))?.taken);
	return shown ? `${reason}. It names the ${shown}` : reason;
}

/** A list in JSON that has something in it. */
const LIST = /^\ufeff?\s*\[\s*[^\s\]]/;

/**
 * @param redact removes the API key from a body; returns undefined for a body that is nested too deeply
 * @param given the object in the body, if the body has more than that. Its caller has counted the parts of the text
 */
export function* classify(
	{ statusCode: status, headers, body }: RawResponse,
	redact: Redact,
	request: ServiceRequest,
	given?: IDataObject,
): Sliced<Reply> {
	const isTooLarge = typeof body === 'string' && body.length > MAX_CHARACTERS;
	const isUnread =
		isTooLarge || (!given && typeof body === 'string' && (yield* hasTooManyParts([body])));
	const parse = request.takesAnyBody ? parseAnyReply : parseReply;
	const json = given ?? (isUnread ? undefined : yield* parse(body));
	const retryAfterMs = readRetryAfter(headers['retry-after'], Date.now());
	const isTaken = status >= 400 && takenIn(body, request) !== undefined;
	const words = (status >= 400 && refusalText(json ?? {})) || '';
	const asksForPause =
		status === 429
			? !isAboutCredits(words, request, retryAfterMs !== undefined)
			: status === 503 && retryAfterMs !== undefined;
	if (asksForPause && !isTaken) {
		const reason = `the service is limiting the request rate (HTTP ${status})`;
		const isInWords = isRefusedForPace(json ?? {}, words, request) || undefined;
		return { cause: 'throttled', scope: 'question', status, reason, retryAfterMs, isInWords };
	}
	const lost = (reason: string) => lostFailure(reason, status);
	const naming = (reason: string) => withTaken(reason, takenIn(body, request), redact);
	if (status === 408 && !isTaken) return lost('the service gave up waiting (HTTP 408)');
	if (status >= 500 && !isTaken) return lost(`the service failed (HTTP ${status})`);
	if (isTaken && !json) return lost(yield* naming(`${NO_OBJECT} (HTTP ${status})`));
	const clean = json && (yield* redact(json));
	if (status >= 300) return { kind: 'httpError', status, headers, ...(clean && { body: clean }) };
	if (isTooLarge) return lost(yield* naming(TOO_LARGE));
	const isTooDeep = json !== undefined && !clean && !given;
	const reason = isUnread ? TOO_MANY_PARTS : isTooDeep ? TOO_DEEP : NO_OBJECT;
	const mayBeList = !isUnread && !json && typeof body === 'string';
	const isList = mayBeList && Array.isArray(yield* parseJson(body, LIST));
	if (typeof body === 'string' && (isUnread || isTooDeep || isList)) {
		const [text, told] = [(yield* redact({ text: body })) ?? {}, yield* naming(reason)];
		return { kind: 'asText', status, reason: told, body: text, size: body.length };
	}
	if (!json) return lost(yield* naming(`${NO_OBJECT} (HTTP ${status})`));
	if (!clean) return lost(TOO_DEEP);
	const size = typeof body === 'string' ? body.length : undefined;
	return { kind: 'ok', status, headers, body: clean, size };
}

/**
 * Lets the endpoint read a reply, and adds its charge. An exception in the endpoint's `read` is a fault of this package: it is
 * logged with its stack and never retried.
 */
export function interpret(endpoint: Endpoint<unknown>, reply: Reply, logFault: LogFault): Result {
	try {
		const mayBeUnasked = NO_PATH.has(reply.status ?? 0);
		return withCharge(endpoint, resultOf(endpoint, reply), mayBeUnasked);
	} catch (error) {
		const fault = faultOf(endpoint, error, logFault);
		if ('cause' in reply || reply.kind !== 'ok' || !endpoint.credits) return fault;
		return { ...fault, failure: { ...fault.failure, reply: reply.body } };
	}
}

/**
 * The charge of a call. It is decided only here; ledger, rows and limits use it as it is.
 * @param mayBeUnasked whether the HTTP status may be that of a host that doesn't know the path
 */
function withCharge(
	endpoint: Endpoint<unknown>,
	result: Failed | Success,
	mayBeUnasked = false,
): Result {
	const { credits } = endpoint;
	if (!credits) return result;
	if ('failure' in result) {
		const { failure } = result;
		if (!mayHaveCost(failure, endpoint)) return result;
		const most = 'atMost' in credits ? credits.atMost : null;
		return {
			failure: { ...failure, mayHaveCost: true },
			charge: { charged: 'perhaps', credits: most },
		};
	}
	const { body } = result;
	// A call that failed in the service's words may be free there
	const answer = answerIn(result.value);
	const isUnknown = answer?.outcome === 'unknown';
	const mayBeFree = mayBeUnasked || (answer?.isUnclear && !affirms(body));
	if (!('charged' in credits)) {
		const isOpen = isUnknown && (endpoint.effect === 'acts' || refuses(body));
		return { ...result, charge: { charged: isOpen ? 'perhaps' : 'yes', credits: null } };
	}
	const stated = credits.charged(body);
	const cost = isUnknown && mayBeFree && stated !== 0 ? undefined : stated;
	const charged = cost === undefined ? 'perhaps' : cost > 0 ? 'yes' : 'no';
	const charge: Charge = { charged, credits: cost ?? credits.atMost };
	return { ...result, charge, left: credits.left?.(body) };
}

/**
 * Whether a failed call to a paid endpoint may have been charged. SPEC does not say what a refusal costs. A redirect of a GET
 * names the location of the answer (RFC 9110 §15.4). After a side effect, another method, or as 303 See Other, the service may
 * already have done its work.
 */
function mayHaveCost(
	failure: Failure,
	{ effect, request: { method } }: Endpoint<unknown>,
): failure is FailureOf<'fault' | 'lost' | 'refused'> {
	if (failure.cause !== 'refused') return isLost(failure);
	const { scope, refusal, status = 0 } = failure;
	if (failure.mayHaveCost || refusal?.jobId !== undefined) return true;
	if (UNREAD_STATUSES.has(status)) return false;
	// A firewall that looks at replies blocks them after the work was done
	if (effect === 'acts' && status === 403 && saysForbidden(refusal?.reason ?? '')) return true;
	if (isRedirect(status)) return effect === 'acts' || method !== 'GET' || status === 303;
	return refusal?.mayHaveCost ?? scope === 'question';
}

function resultOf(endpoint: Endpoint<unknown>, reply: Reply): Failed | Success {
	if ('cause' in reply) {
		const isPlain = reply.cause !== 'throttled' || reply.isInWords;
		if (endpoint.effect !== 'acts' || isPlain) return { failure: reply };
		// A gateway may send such a page after the service behind it has acted
		const reason = `the service returned HTTP ${reply.status}, which doesn't say whether it did the work`;
		return { failure: lostFailure(reason, reply.status) };
	}
	if (reply.kind !== 'asText') {
		const result = readAnswer(endpoint, reply);
		if (endpoint.effect !== 'acts' || !('failure' in result) || !reply.body) return result;
		const { failure } = result;
		const isDone = failure.cause === 'refused' && saysDone(reply.body, endpoint.request);
		return isDone ? { failure: { ...failure, mayHaveCost: true } } : result;
	}
	const { status, reason, body, size } = reply;
	// A poll asks again
	if (reason.startsWith(NO_OBJECT) && !endpoint.credits)
		return { failure: lostFailure(reason, status) };
	const refusal: Refusal = { scope: 'question', reason, isOwn: true, mayHaveCost: true };
	const failure = { ...refusalFailure(reason, 'question'), status, refusal };
	return { failure: { ...failure, reply: body, size } };
}

/** With an HTTP error, a body can still mean "invalid number" or "lookup failed", but never a positive or unclear answer. */
function readAnswer(
	endpoint: Endpoint<unknown>,
	reply: Extract<Reply, { kind: 'httpError' | 'ok' }>,
): Failed | Success {
	const { status, body, headers } = reply;
	const { request, credits, isPathKnown } = endpoint;
	if (!body && status === PROXY_STATUS && headers['proxy-authenticate'] !== undefined)
		return { failure: failureUnder(endpoint, status, PROXY_REFUSES) };
	if (!body || isRedirect(status)) return { failure: failureOfStatus(endpoint, status) };
	const head = { status, headers, request, isPathKnown };
	const value = endpoint.read(withFewNames(body), head);
	const isOfPath = credits && !isPathKnown && NO_PATH.has(status);
	if (isRefusal(value) && !(isOfPath && isAboutMissingPath(value.reason))) {
		const isDoubted = value.scope === 'account' && affirms(body);
		const refusal: Refusal = isDoubted ? { ...value, scope: 'question' } : value;
		return { failure: failureOfRefusal(endpoint, status, refusal) };
	}
	const answer = answerIn(value);
	// Beside other fields, or what was done, words about credits may be a warning
	const hasMore = () => Object.keys(body).some((name) => !HEAD_FIELDS.has(name));
	const saysNo = refuses(body) || (endpoint.effect !== 'acts' && !hasMore());
	const isRefused = credits && answer?.isUnclear && saysNo && isAccountRefusal(body, head);
	if (reply.kind === 'ok' && !isRefusal(value) && !isRefused) {
		const isTooEarly = credits && status === ACCEPTED && answer?.outcome === 'negative';
		return { value: isTooEarly ? { ...answer, ...LATER } : value, body, size: reply.size };
	}
	const isClear = answer && !answer.isUnclear;
	const isOfAccount = ACCOUNT_STATUSES.has(status);
	const mayAnswer = !credits || answer?.outcome === 'unknown' || NO_STATUSES.has(status);
	const isPlain = isClear && answer.outcome !== 'positive' && mayAnswer && !isOfAccount;
	if (isPlain) return { value, body };
	// Unlike the page of a framework, an answer of the service says how the call went
	const isAnswered = isClear && (affirms(body) || typeof body.status === 'string');
	const known = { ...endpoint, isPathKnown: isPathKnown || isAnswered };
	return { failure: failureOfStatus(known, status, refusalText(body)) };
}

/** A proxy passes nothing on before it knows who asks, and says how to tell it (RFC 9110 §15.5.8). */
const PROXY_REFUSES: Refusal = {
	scope: 'account',
	reason: `the proxy of n8n wants a user name and password (HTTP ${PROXY_STATUS})`,
};
/** The service has taken the request, and has not done its work yet (RFC 9110 §15.3.3). */
const ACCEPTED = 202;
const LATER = {
	outcome: 'unknown',
	reason: `the service has taken the request, and hasn't answered it yet (HTTP ${ACCEPTED})`,
} as const;

/** HTTP statuses of a no (RFC 9110 §15.5). Under another one, the service has not looked. */
const NO_STATUSES = new Set([400, 404, 410, 422]);

/** Most names of a body that are read. Each row of a decision table may go over them. */
const MAX_NAMES = 1_000;

function withFewNames(body: IDataObject): IDataObject {
	const entries = Object.entries(body);
	return entries.length > MAX_NAMES ? Object.fromEntries(entries.slice(0, MAX_NAMES)) : body;
}

function answerIn(value: unknown): Answer | undefined {
	// A poll has its answer beside what its operation notes
	const { answer = value } = (value ?? {}) as { answer?: unknown };
	const isAnswer = typeof answer === 'object' && answer !== null && 'outcome' in answer;
	return isAnswer ? (answer as Answer) : undefined;
}

/** Whether a body says that the call succeeded, so that its words do not count as a refusal. */
export function affirms({ status, success }: IDataObject): boolean {
	return status === true || success === true;
}

/** Fields of a reply about the call itself. */
const HEAD_FIELDS = new Set(['code', 'error', 'message', 'status', 'success']);

/** The failure for an HTTP status and the words with it. If the path does not exist, all paid calls of the run would fail. */
function failureOfStatus(endpoint: Endpoint<unknown>, status: number, words?: string): Failure {
	const { credits, request, isPathKnown } = endpoint;
	if (isRedirect(status)) {
		const reason = `the service redirects to another address (HTTP ${status})`;
		return failureUnder(endpoint, status, { scope: 'account', reason });
	}
	const scope = scopeOf(words, { status, request, isPathKnown });
	const mayBeNoPath = NO_PATH.has(status);
	const isOfValue = mayBeNoPath && credits && (isPathKnown || isAboutMissingValue(words));
	const said = words ?? (isOfValue ? `HTTP ${status}` : undefined);
	// Of a path that is not there, most words only say so
	if (said !== undefined && (scope === 'account' || !mayBeNoPath || isOfValue))
		return failureOfRefusal(endpoint, status, { scope, reason: said });
	const reason = `the service refused the request (HTTP ${status})`;
	const ofPath = credits && mayBeNoPath ? 'account' : scope;
	return failureUnder(endpoint, status, { scope: ofPath, reason });
}

/** The failure for a refusal in words. */
function failureOfRefusal(endpoint: Endpoint<unknown>, status: number, refusal: Refusal) {
	const { scope, reason: words } = refusal;
	const { credits, request } = endpoint;
	const about = scope === 'account' ? accountPartIn(words, request, status) : undefined;
	const isShort = about === 'credits' && isSpecOnCredits(words);
	const reason = isShort ? notEnough(credits?.balance) : describeRefusal(refusal);
	const failure = failureUnder(endpoint, status, { reason, scope });
	return { ...failure, refusal: about ? { ...refusal, about } : refusal };
}

function failureUnder(
	{ request: { service } }: Endpoint<unknown>,
	status: number,
	{ reason, scope }: Refusal,
): FailureOf<'refused'> {
	// The URL may be wrong
	return { ...refusalFailure(reason, scope), status, ...(NO_PATH.has(status) && { service }) };
}

function isRedirect(status: number): boolean {
	return status >= 300 && status < 400;
}
