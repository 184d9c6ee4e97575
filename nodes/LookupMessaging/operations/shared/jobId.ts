import { isLocalAnswer, type LocalAnswer } from '../../engine/operation';
import { quote, textOf } from '../../engine/plan/values';
import { readText } from './readText';

/**
 * The ID of a batch or an audit: one definition for the replies that name it and for the fields that accept it, so that paid jobs
 * can be fetched. SPEC §2.4 has UUIDs for batches, and shows no audit ID. Any text is accepted that can be sent unchanged and is no placeholder.
 */

const LONGEST = 200;
/** Steps that lead to another path (WHATWG URL, dot segments), or might if a slash is decoded early. */
const DOTS = /(?:^|[/\\])\.{1,2}(?:$|[/\\])/;

/** Reads the ID of a user or an item. @param origin what the field should contain: "the ID from Submit" */
export function readJobId(value: unknown, field: string, origin: string): LocalAnswer | string {
	const malformed = (reason: string): LocalAnswer => ({ local: 'malformed', field, reason });
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		return malformed('is a number that has lost its last digits. Enter the ID as text');
	}
	const id = readText(value, field, origin, LONGEST);
	if (isLocalAnswer(id)) return id;
	if (/^[[{]\s*["\]}]/.test(id))
		return malformed(`(${quote(id)}) is JSON. Enter only the ID in it`);
	if (/\p{Cc}/u.test(id)) return malformed(`(${quote(id)}) contains a control character`);
	return DOTS.test(id)
		? malformed(`(${quote(id)}) can't be sent, because a URL reads it as a path`)
		: id;
}

/** The ID in a reply: the first value that is a valid one; `unusable` if it could not be sent back. */
export function jobIdAmong(values: unknown[]): { id: string } | { unusable: string } | undefined {
	const named = values.find(
		(value) => typeof value === 'number' || (value && typeof value === 'string'),
	);
	if (named === undefined) return undefined;
	const id = textOf(named);
	return readJobId(named, '', '') === id ? { id } : { unusable: quote(id) };
}
