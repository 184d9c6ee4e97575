import type { GenericValue, IDataObject } from 'n8n-workflow';
import { FORBIDDEN_NAME, MOST_LEVELS } from './depth';

const PLACEHOLDER = '[API key]';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Shorter keys have hexadecimal and base64 spellings that other texts may hold by chance. */
const LEAST_ENCODED = 8;

/**
 * Makes a function that cleans a reply body of what must not go on. That is the API key, wherever the service repeats it: in
 * texts, names and numbers, plain, percent-encoded, escaped as in JSON, in hexadecimal or base64; and the name `__proto__`.
 * Otherwise bodies come back as they are, or undefined where they are nested too deeply.
 */
export function redactor(apiKey: string): (body: object) => IDataObject | undefined {
	const pattern = apiKey === '' ? undefined : patternOf(apiKey);
	const inBytes = pattern && patternOf(Buffer.from(apiKey, 'utf8').toString('latin1'), apiKey);
	const clean = (text: string) =>
		pattern && inBytes && text.length >= apiKey.length
			? cleanBase64(text, inBytes).replace(pattern, PLACEHOLDER)
			: text;

	let isTooDeep = false;
	const cleanValue = (value: GenericValue, level: number): GenericValue => {
		if (typeof value === 'string') return clean(value);
		if (typeof value === 'number') return String(value) === apiKey ? PLACEHOLDER : value;
		if (typeof value !== 'object' || value === null) return value;
		if (level >= MOST_LEVELS) {
			isTooDeep = true;
			return null;
		}
		if (Array.isArray(value)) return value.map((entry) => cleanValue(entry, level + 1));
		return cleanObject(value, level + 1);
	};
	const cleanObject = (body: object, level: number): IDataObject =>
		Object.fromEntries(
			Object.entries(body)
				.filter(([name]) => name !== FORBIDDEN_NAME)
				.map(([name, value]) => [clean(name), cleanValue(value, level)]),
		);

	return (body) => {
		isTooDeep = false;
		const cleaned = cleanObject(body, 1);
		return isTooDeep ? undefined : cleaned;
	};
}

/** Files come as base64 (SPEC §4.3): one that holds the key comes out with the placeholder in its place. */
function cleanBase64(text: string, inBytes: RegExp): string {
	if (text.length % 4 !== 0 || !BASE64.test(text)) return text;
	const bytes = Buffer.from(text, 'base64').toString('latin1');
	const cleaned = bytes.replace(inBytes, PLACEHOLDER);
	return cleaned === bytes ? text : Buffer.from(cleaned, 'latin1').toString('base64');
}

/** Every spelling of the key in a text; `encoded` is the key where the text shows its bytes. */
function patternOf(apiKey: string, encoded = apiKey): RegExp {
	const bytes = Buffer.from(encoded, 'utf8');
	const isLong = apiKey.length >= LEAST_ENCODED;
	return new RegExp(
		[
			[...apiKey].map(spellingsOf).join(''),
			...(isLong ? [[...bytes].map(hexOf).join(''), ...base64Of(bytes)] : []),
		].join('|'),
		'g',
	);
}

/** A character as it is, as the percent-encoding of its UTF-8 bytes, or escaped as in JSON, in either case. */
function spellingsOf(character: string): string {
	const percent = [...Buffer.from(character, 'utf8')].map((byte) => `%${hexOf(byte)}`).join('');
	const json = Array.from(
		{ length: character.length },
		(_, n) => `\\\\+u${hexOf(character.charCodeAt(n) >> 8)}${hexOf(character.charCodeAt(n) & 255)}`,
	).join('');
	const plain = asPattern(character);
	const escape = /["\\/]/.test(character) ? `|\\\\+${plain}` : '';
	return `(?:${plain}|${percent}|${json}${escape}${character === ' ' ? '|\\+' : ''})`;
}

function hexOf(byte: number): string {
	return byte
		.toString(16)
		.padStart(2, '0')
		.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** What base64 has for the bytes, by how they lie in its groups of three: all but the digits shared with their neighbours. */
function base64Of(bytes: Buffer): string[] {
	return [0, 1, 2].map((before) => {
		const text = Buffer.concat([Buffer.alloc(before), bytes])
			.toString('base64')
			.replace(/=+$/, '');
		const whole = text.slice(
			Math.ceil((before * 4) / 3),
			Math.floor(((before + bytes.length) * 4) / 3),
		);
		return [...whole].map(base64Digit).join('');
	});
}

/** Digits 62 and 63 are written in two ways (RFC 4648 §5). */
function base64Digit(digit: string): string {
	if (digit === '+' || digit === '-') return '[+-]';
	return digit === '/' || digit === '_' ? '[/_]' : digit;
}

function asPattern(character: string): string {
	return character.replace(/[.*+?^${}()|[\]\\/-]/, '\\$&');
}
