/** The spellings in which a service or a framework may echo the API key, as one pattern. test/models/keySpellings.ts lists them. */

/** Texts may contain the hexadecimal or base64 form of a shorter key by chance. */
const MIN_ENCODED_LENGTH = 8;

/**
 * Matches every spelling of the key, in time that grows with the text. Backslashes are repeated where JSON is text in JSON. A
 * run of them is entered at its beginning only, and belongs to one character: entered anywhere, or shared between characters in
 * each possible way, it would be gone through again and again.
 * @param encoded the key itself, if `apiKey` is the text of its bytes
 */
export function keyPattern(apiKey: string, encoded = apiKey): RegExp {
	const bytes = Buffer.from(encoded, 'utf8');
	let run = '(?<!\\\\)\\\\+';
	let spelling = '';
	for (const character of apiKey) {
		if (spelling !== '') spelling += `(?:\\0|${run}u0000|${run}x00)?`;
		spelling += `(?:${spellingsOf(character, run).join('|')})`;
		// The backslashes before the next character may have been taken for this one
		run = character === '\\' ? '\\\\*' : '\\\\+';
	}
	const spellings = [spelling];
	if (apiKey.length >= MIN_ENCODED_LENGTH) {
		spellings.push([...bytes].map(hexOf).join(''), ...base64Of(bytes));
		spellings.push(...base64Of(Buffer.from(bytes.toString('utf8'), 'utf16le')));
	}
	return new RegExp(spellings.join('|'), 'g');
}

const ENTITIES: Record<string, string> = {
	...{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' },
};

/**
 * A character percent-encoded (a percent sign may be encoded itself), as an HTML entity (an ampersand may be one itself), behind
 * backslashes (as in JSON, as bytes, or escaped), or as it is.
 * @param run matches the backslashes before it
 */
function spellingsOf(character: string, run: string): string[] {
	const bytes = [...Buffer.from(character, 'utf8')];
	const units = character.split('').map((unit) => unit.charCodeAt(0));
	const plain = character.replace(/[.*+?^${}()|[\]\\/-]/, '\\$&');
	const code = character.codePointAt(0) ?? 0;
	const numbers = `#[xX]0*${digitsOf(code.toString(16))}|#0*${code}`;
	const names = character in ENTITIES ? `|${ENTITIES[character]}` : '';
	const behindRun = [
		units.map((unit) => `u${hexOf(unit >> 8)}${hexOf(unit & 255)}`),
		bytes.map((byte) => `x${hexOf(byte)}`),
		...(code > 127 && code < 256 ? [[`x${hexOf(code)}`]] : []),
		...(/["'/]/.test(character) ? [[plain]] : []),
	];
	return [
		bytes.map((byte) => `%(?:25)*${hexOf(byte)}`).join(''),
		`&(?:amp;)*(?:${numbers}${names});?`,
		...behindRun.map((parts) => run + parts.join('\\\\+')),
		...(character === ' ' ? ['\\+'] : []),
		// Last: an ampersand also begins its entity
		character === '\\' ? `${run}(?!\\\\)` : plain,
	];
}

function hexOf(byte: number): string {
	return digitsOf(byte.toString(16).padStart(2, '0'));
}

/** Hexadecimal digits in either case. */
function digitsOf(hex: string): string {
	return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** Line breaks within base64, as they are or escaped. */
const BREAKS = '(?:\\s|\\\\+[rn])*';
/** Digits 62 and 63 have two spellings (RFC 4648 §5), of which a URL or JSON may encode one. */
const DIGITS: Record<string, string> = {
	'+': '(?:[+-]|%(?:25)*2[bB])',
	'/': '(?:[/_]|%(?:25)*2[fF]|(?<!\\\\)\\\\+\\/)',
};

/** The bytes in base64, at each offset in its groups of three, without the digits that depend on the neighbours. */
function base64Of(bytes: Buffer): string[] {
	return [0, 1, 2].map((offset) => {
		const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
		const end = Math.floor(((offset + bytes.length) * 4) / 3);
		const whole = text.slice(Math.ceil((offset * 4) / 3), end);
		return [...whole].map((digit) => DIGITS[digit] ?? digit).join(BREAKS);
	});
}
