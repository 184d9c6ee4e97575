import { isBase64 } from '../plan/values';
import { keyPattern } from './keyPattern';
import { SLICE, type Sliced } from './slices';

export const PLACEHOLDER = '[API key]';
/** Longest spelling of the key that is found where a slice ends, too. */
const REACH = 16_384;

/** Makes a function that removes the key from a text. Of a long text it returns the work, to be done in slices. */
export function keyRemover(apiKey: string): (text: string) => Sliced<string> | string {
	if (apiKey === '') return (text) => text;
	const pattern = keyPattern(apiKey);
	const asBytes = Buffer.from(apiKey, 'utf8').toString('latin1');
	const inBytes = asBytes === apiKey ? pattern : keyPattern(asBytes, apiKey);

	function* removeInSlices(text: string): Sliced<string> {
		if (!isBase64(text)) return yield* replace(text, pattern);
		const bytes = yield* bytesOf(text);
		const cleaned = yield* replace(bytes, inBytes);
		return cleaned === bytes
			? yield* replace(text, pattern)
			: Buffer.from(cleaned, 'latin1').toString('base64');
	}

	return (text) => {
		if (text.length < apiKey.length) return text;
		if (text.length > SLICE || isBase64(text)) return removeInSlices(text);
		return text.replace(pattern, PLACEHOLDER);
	};
}

/** Replaces a pattern in a text of any length. */
function* replace(text: string, pattern: RegExp): Sliced<string> {
	const parts: string[] = [];
	let done = 0;
	for (let start = 0; start < text.length; start += SLICE) {
		if (start > 0) yield;
		// The pattern looks at the character before
		const before = Math.max(start - 1, 0);
		const window = text.slice(before, start + SLICE + REACH);
		pattern.lastIndex = Math.max(done, start) - before;
		let match = pattern.exec(window);
		for (; match && before + match.index < start + SLICE; match = pattern.exec(window)) {
			parts.push(text.slice(done, before + match.index), PLACEHOLDER);
			done = before + pattern.lastIndex;
		}
	}
	return parts.length === 0 ? text : parts.join('') + text.slice(done);
}

/** The bytes of base64, as characters up to U+00FF. */
function* bytesOf(base64: string): Sliced<string> {
	const parts: string[] = [];
	let rest = '';
	for (let start = 0; start < base64.length; start += SLICE) {
		if (start > 0) yield;
		const digits = rest + base64.slice(start, start + SLICE).replace(/\s+/g, '');
		const whole = digits.length - (digits.length % 4);
		parts.push(Buffer.from(digits.slice(0, whole), 'base64').toString('latin1'));
		rest = digits.slice(whole);
	}
	return parts.join('') + Buffer.from(rest, 'base64').toString('latin1');
}
