import type { IDataObject } from 'n8n-workflow';
import type { ServiceRequest } from '../client';
import { inShort, isEmpty, isObject, textOf } from '../plan/values';
import { errorText, isAboutPace, OF_CALL, withoutAsked } from './refusal';

/** Which replies say that what was asked for has been done, whatever else they say. A side effect is then not repeated. */

/** What is looked at of a body and of an object in it. */
const MAX_ENTRIES = 100;
/** Flags, states and IDs by which a service has taken a request that does something. */
const FLAG_DONE =
	/^(?:is_?|was_?)?(?:accepted|charged|delivered|ok|queued|sent|stat(?:e|us)|submitted|success)$/i;
const IS_DONE =
	/^\s{0,9}(?:1|accepted|created|delivered|complete|ok|pending|processing|queued|scheduled|sent|started|submitted|success(?:ful)?|true|yes)\s{0,9}$/i;
const ID_OF_DONE = /^(?:(?:audit|batch|job|message|msg|task)_?)?id$/i;
/** A shorter ID may be a code. */
const SHORTEST_ID = 4;
/** Words that say it, unless some before them deny it, or it is a limit. */
const SAYS_DONE =
	/\b(?:accepted|charged|delivered|dispatched|(?:en)?queued|pending|processed|scheduled|sent|submitted)\b(?! (?:in the last|per|this|today|within)\b)|\b(?:in|into|to) (?:a |the )?queue\b|\bwill (?:be )?(?:deliver|process|queue|retried|send)/g;
const DENIES_DONE =
	/(?:\b(?:before|cannot|could|fail(?:ed|s|ure)?|if|never|no|not|once|requests are|too many(?: [\w-]+){0,2}(?=\s?$)|unable|unless|until)\b|n['’]t\b)[^.!;]*$/;

/** Fields of a refusal for calls that come too fast. Any other may name what has been taken. */
const OF_PACE =
	/^(?:balance|credits?(?!_?(?:charged|deducted|used))\w{0,20}|doc\w{0,20}|exception|file|instance|jsonrpc|limit|line|link|max\w{0,20}|more_?info|path|period|plan|quota\w{0,20}|(?:x-)?rate_?\w{0,20}|remaining|reset\w{0,20}|retry\w{0,20}|title|trace|type|url|wait\w{0,20}|window)$/i;

/** Whether a reply says no more than that the call came too fast, so that nothing was done. */
export function isRefusedForPace(
	body: IDataObject,
	words: string,
	request: ServiceRequest,
): boolean {
	const isOfRefusal = ([name, value]: [string, unknown]) =>
		[OF_CALL, OF_PACE, FLAG_DONE, ID_OF_DONE].some((names) => names.test(name)) || isEmpty(value);
	return (
		isAboutPace(words, request) &&
		Object.entries(body).every(isOfRefusal) &&
		!saysDone(body, request)
	);
}

/** Whether a reply says that the service has done what was asked, or will do it, whatever else it says. It looks near the top. */
export function saysDone(body: IDataObject, request: ServiceRequest): boolean {
	const { data, result, response } = body;
	return [body, data, result, response].filter(isObject).some((part) =>
		Object.entries(part)
			.slice(0, MAX_ENTRIES)
			.some(([name, value]) => {
				if (FLAG_DONE.test(name)) return value === true || IS_DONE.test(inShort(textOf(value)));
				if (ID_OF_DONE.test(name)) return isNewId(value, request);
				return OF_CALL.test(name) && wordsSayDone(value, request);
			}),
	);
}

function isNewId(value: unknown, request: ServiceRequest): boolean {
	const id = typeof value === 'object' ? '' : textOf(value).trim();
	return id.length >= SHORTEST_ID && !textOf(request).includes(id);
}

function wordsSayDone(value: unknown, request: ServiceRequest): boolean {
	const words = withoutAsked(
		errorText({ error: value, message: value } as IDataObject) ?? '',
		request,
	);
	return [...words.matchAll(SAYS_DONE)].some(
		({ index }) => !DENIES_DONE.test(words.slice(0, index)),
	);
}
