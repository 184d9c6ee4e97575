import { inOneGo } from './values';

/** Integers that JavaScript would round: IDs beyond 2^53 keep their digits as text. Raw shows them so, too. */

const LARGEST = String(Number.MAX_SAFE_INTEGER);
const LONG_RUN = new RegExp(`\\d{${LARGEST.length},}`);
const QUOTE_OR_LONG_RUN = new RegExp(`"|${LONG_RUN.source}`);
/** Signs before or after the digits of a fraction or an exponent. */
const OF_FRACTION = /[.eE]/;
/** Number of characters that are read without a pause. */
const SLICE = 100_000;

/** JSON with all integers that would be rounded as strings. It looks at each character once, and pauses at each `yield`. */
export function* withExactIntegers(json: string): Generator<undefined, string> {
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
