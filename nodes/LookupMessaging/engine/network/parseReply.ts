import type { IDataObject } from 'n8n-workflow';
import { inOneGo, isObject, SLICE, type Sliced, textOf } from '../plan/values';

/** Finds the JSON in the text of a reply, whose integers keep their digits, and the pause in its headers. */

/** Longest text that is read as an answer. */
export const MAX_CHARACTERS = 64 * 2 ** 20;
export const TOO_LARGE = 'the answer is larger than 64 MB';
export const TOO_DEEP = 'the answer is nested too deeply to read';

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

/** Integers that JavaScript would round: IDs beyond 2^53 keep their digits as text. Raw shows them so, too. */

const LARGEST = `${Number.MAX_SAFE_INTEGER}`;
const LONG_RUN = new RegExp(`\\d{${LARGEST.length},}`);
const QUOTE_OR_LONG_RUN = new RegExp(`"|${LONG_RUN.source}`);
/** Signs before or after the digits of a fraction or an exponent. */
const OF_FRACTION = /[.eE]/;

/** JSON with all integers that would be rounded as strings. It looks at each character once, and pauses at each `yield`. */
export function* withExactIntegers(json: string): Sliced<string> {
	if (!LONG_RUN.test(json)) return json;
	const next = new RegExp(QUOTE_OR_LONG_RUN, 'g');
	let exact = '';
	let copied = 0;
	let paused = 0;
	let isInString = false;
	for (let at = 0; at < json.length; ) {
		if (isInString) {
			const quote = json.indexOf('"', at);
			isInString = quote !== -1 && isEscaped(json, at, quote);
			at = quote === -1 ? json.length : quote + 1;
		} else {
			next.lastIndex = at;
			const found = next.exec(json);
			if (!found) break;
			at = next.lastIndex;
			isInString = found[0] === '"';
			const start = json[found.index - 1] === '-' ? found.index - 1 : found.index;
			if (!isInString && !isSafe(found[0]) && !isFraction(json, start, at)) {
				exact += `${json.slice(copied, start)}"${json.slice(start, at)}"`;
				copied = at;
			}
		}
		if (at - paused < SLICE) continue;
		paused = at;
		yield;
	}
	return exact + json.slice(copied);
}

/** Like JSON.parse, but integers keep their digits. */
export function parseExactly(json: string, revive?: Parameters<typeof JSON.parse>[1]): unknown {
	return JSON.parse(inOneGo(withExactIntegers(json)), revive);
}

function isSafe(digits: string): boolean {
	return digits.length === LARGEST.length && digits <= LARGEST;
}

function isFraction(json: string, start: number, end: number): boolean {
	return OF_FRACTION.test(`${json[start - 1] ?? ''}${json[end] ?? ''}`) || json[start - 1] === '+';
}

/** Whether the quote at `end` belongs to the string. @param start of the string, or behind its last quote */
function isEscaped(json: string, start: number, end: number): boolean {
	let before = end;
	while (before > start && json[before - 1] === '\\') before -= 1;
	return (end - before) % 2 === 1;
}

/** Seconds, also as a fraction, which is not in RFC 9110 but in use. */
const SECONDS = /^\d+(?:\.\d+)?$/;
/** Begins like an HTTP date in one of its three spellings (RFC 9110 §5.6.7), or like one of ISO 8601. */
const DATE = /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? |\d{4}-\d\d-\d\dT)/;
const HAS_ZONE = /(?:GMT|UTC|Z|[+-]\d\d:?\d\d)$/;

/**
 * The pause of a Retry-After header (RFC 9110 §10.2.3).
 * @param now the present time, in milliseconds since the epoch
 * @returns milliseconds; undefined if the header names no future time: a past date, a sign, a list, nonsense
 */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
	const text = header?.trim() ?? '';
	const ms = SECONDS.test(text) ? Math.ceil(Number(textOf(text)) * 1_000) : msUntil(text, now);
	return ms >= 0 && Number.isFinite(ms) ? ms : undefined;
}

/** Milliseconds until a future date, otherwise NaN. The oldest spelling names no zone and means GMT. */
function msUntil(text: string, now: number): number {
	const ms = DATE.test(text) ? Date.parse(HAS_ZONE.test(text) ? text : `${text} GMT`) - now : NaN;
	return ms > 0 ? ms : NaN;
}
