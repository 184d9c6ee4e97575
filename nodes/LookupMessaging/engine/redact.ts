import type { GenericValue, IDataObject } from 'n8n-workflow';
import { FORBIDDEN_NAME, MOST_LEVELS } from './depth';

const PLACEHOLDER = '[API key]';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Makes a function that cleans a reply body of what must not go on. That is the API key, wherever the service repeats it: in
 * texts, names and numbers, each character plain or percent-encoded, whatever the encoder leaves plain; and the name
 * `__proto__`. Otherwise bodies come back as they are, or undefined where they are nested too deeply.
 */
export function redactor(apiKey: string): (body: object) => IDataObject | undefined {
	const pattern = apiKey === '' ? undefined : new RegExp(spellingsOf(apiKey), 'g');
	const clean = (text: string) =>
		pattern ? cleanBase64(text.replace(pattern, PLACEHOLDER), apiKey) : text;

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
function cleanBase64(text: string, apiKey: string): string {
	if (text.length < apiKey.length || text.length % 4 !== 0 || !BASE64.test(text)) return text;
	const bytes = Buffer.from(text, 'base64').toString('latin1');
	const key = Buffer.from(apiKey, 'utf8').toString('latin1');
	if (!bytes.includes(key)) return text;
	return Buffer.from(bytes.split(key).join(PLACEHOLDER), 'latin1').toString('base64');
}

/** A pattern for each character of the key as it is, or as the percent-encoding of its UTF-8 bytes, in either case. */
function spellingsOf(apiKey: string): string {
	return [...apiKey]
		.map((character) => {
			const hex = [...Buffer.from(character, 'utf8')].map((byte) =>
				byte
					.toString(16)
					.padStart(2, '0')
					.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`),
			);
			const plain = character.replace(/[.*+?^${}()|[\]\\/-]/, '\\$&');
			return `(?:${plain}|${hex.map((byte) => `%${byte}`).join('')}${character === ' ' ? '|\\+' : ''})`;
		})
		.join('');
}
