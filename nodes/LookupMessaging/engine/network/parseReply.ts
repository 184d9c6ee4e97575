import type { IDataObject } from 'n8n-workflow';
import { withExactIntegers } from '../plan/exactIntegers';
import { isObject } from '../plan/values';
import type { Sliced } from '../redaction/slices';

/** Finds the JSON in the text of a reply. */

/** Longest text that is read as an answer. */
export const MAX_CHARACTERS = 64 * 2 ** 20;
export const TOO_LARGE = 'the answer is larger than 64 MB';
export const TOO_DEEP = 'the answer is nested too deeply to read';

/** The JSON object in a reply body. */
export function* parseReply(body: unknown): Sliced<IDataObject | undefined> {
	if (typeof body !== 'string') return isObject(body) ? body : undefined;
	const json = yield* parseJson(withoutNotice(body), /^\ufeff?\s*\{/);
	return isObject(json) ? json : undefined;
}

/** A text without the notices that a server such as PHP writes before its object or after it. A page ends with a tag. */
function withoutNotice(text: string): string {
	const [start, end] = [text.indexOf('{'), text.lastIndexOf('}') + 1];
	const [before, after] = [text.slice(0, Math.max(0, start)).trim(), text.slice(end).trim()];
	const isBefore = after === '' && (before.endsWith('>') || text[start - 1] === '\n');
	const isBehind = before === '' && after.startsWith('<');
	return start < end && (isBefore || isBehind) ? text.slice(start, end) : text;
}

/** Like parseReply, for endpoints that need only the status: other text becomes `{ text }`, and no content `{}`. */
export function* parseAnyReply(body: unknown): Sliced<IDataObject> {
	const json = yield* parseReply(body);
	if (json) return json;
	const text = typeof body === 'string' ? body.trim() : '';
	return text === '' ? {} : { text };
}

/** @param start the beginning of the text, if the caller needs it */
export function* parseJson(text: string, start: RegExp): Sliced<unknown> {
	if (!start.test(text)) return undefined;
	try {
		const exact = yield* withExactIntegers(text.replace(/^\ufeff/, ''));
		return JSON.parse(exact) as unknown;
	} catch {
		return undefined;
	}
}
