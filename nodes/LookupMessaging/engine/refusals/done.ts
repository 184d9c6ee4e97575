import type { IDataObject } from 'n8n-workflow';
import type { ServiceRequest } from '../client';
import { inShort, isObject, textOf } from '../plan/values';
import { errorText, withoutAsked } from './refusal';

/** Which replies say that what was asked for has been done, whatever else they say. A side effect is then not repeated. */

/** What is looked at of a body and of an object in it. */
const MAX_ENTRIES = 100;
/** Flags, states and IDs by which a service has taken a request that does something. */
const FLAG_DONE =
	/^(?:is_?|was_?)?(?:accepted|charged|delivered|ok|queued|sent|stat(?:e|us)|submitted|success)$/i;
const IS_DONE =
	/^\s{0,9}(?:accepted|created|delivered|ok|processing|queued|scheduled|sent|started|submitted|success(?:ful)?|true|yes)\s{0,9}$/i;
const ID_OF_DONE = /^(?:(?:audit|batch|job|message|msg|task)_?)?id$/i;
/** A shorter ID may be a code. */
const SHORTEST_ID = 4;
/** Words that say it, unless some before them deny it, or it is a limit. */
const SAYS_DONE =
	/\b(?:accepted|charged|delivered|queued|scheduled|sent|submitted)\b(?! (?:in the last|per|this|today|within)\b)/g;
const DENIES_DONE =
	/(?:\b(?:before|cannot|could|fail(?:ed|s|ure)?|if|never|no|not|once|too many|unable|unless|until)\b|n['’]t\b)[^.!;]*$/;

/** Whether a reply says that the service has done what was asked, or will do it, whatever else it says. It looks near the top. */
export function saysDone(body: IDataObject, request: ServiceRequest): boolean {
	const { data, result, response } = body;
	return [body, data, result, response].filter(isObject).some((part) =>
		Object.entries(part)
			.slice(0, MAX_ENTRIES)
			.some(([name, value]) => {
				if (FLAG_DONE.test(name)) return value === true || IS_DONE.test(inShort(textOf(value)));
				if (ID_OF_DONE.test(name)) return isNewId(value, request);
				return ['error', 'message'].includes(name) && wordsSayDone(value, request);
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
