/**
 * The spellings in which a service or a framework may echo an API key. The redaction in the nodes and the search for leaked keys
 * share no code: both are held to this list. Each spelling is made by hand.
 */

const bytes = (text: string) => Buffer.from(text, 'utf8');
const hex = (text: string) => bytes(text).toString('hex');
const inLines = (text: string, width: number, end: string) =>
	(text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(end);
const each = (key: string, spell: (code: number, character: string) => string) =>
	[...key].map((character) => spell(character.charCodeAt(0), character)).join('');
const twoDigits = (code: number) => code.toString(16).padStart(2, '0');
const fourDigits = (code: number) => code.toString(16).padStart(4, '0');
const lowerCase = (encoded: string) => encoded.replace(/%../g, (code) => code.toLowerCase());
const MARKUP: Record<string, string> = {
	...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
};
const forHtml = (key: string) => each(key, (_, character) => MARKUP[character] ?? character);

export const KEY_SPELLINGS: Record<string, (key: string) => string> = {
	plain: (key) => key,
	'in upper case': (key) => key.toUpperCase(),
	'in lower case, in a sentence': (key) => `Bad key "${key.toLowerCase()}".`,
	'over lines': (key) => inLines(key, 8, '\n'),
	'over lines, indented': (key) => `Key:\r\n\t${inLines(key, 11, '\r\n\t')}\r\n`,
	'over lines, as JSON': (key) => JSON.stringify(inLines(key, 5, '\r\n')),
	'in upper case, percent-encoded': (key) => encodeURIComponent(key.toUpperCase()),
	'in upper case, escaped for HTML': (key) => forHtml(key.toUpperCase()),
	'in base64 over lines, in upper case': (key) =>
		inLines(bytes(key).toString('base64'), 10, '\n').toUpperCase(),
	'in a sentence': (key) => `Bad key "${key}".`,
	'URL-encoded': (key) => encodeURIComponent(key),
	'URL-encoded in lower case': (key) => lowerCase(encodeURIComponent(key)),
	'URL-encoded twice': (key) => encodeURIComponent(encodeURIComponent(key)),
	'URL-encoded three times': (key) =>
		encodeURIComponent(encodeURIComponent(encodeURIComponent(key))),
	'form-encoded': (key) => new URLSearchParams({ key }).toString(),
	'percent-encoded throughout': (key) => hex(key).replace(/../g, (pair) => `%${pair}`),
	'percent-encoded throughout, twice': (key) => hex(key).replace(/../g, (pair) => `%25${pair}`),
	'in a URL': (key) => `https://api.example.com/v1?api_key=${encodeURIComponent(key)}&n=1`,
	hexadecimal: (key) => hex(key),
	'hexadecimal in upper case': (key) => `0x${hex(key).toUpperCase()}`,
	'as escaped bytes': (key) => each(key, (code) => `\\x${twoDigits(code)}`),
	'as escaped bytes, in upper case': (key) =>
		each(key, (code) => `\\x${twoDigits(code).toUpperCase()}`),
	base64: (key) => bytes(key).toString('base64'),
	'base64 without its end': (key) => bytes(key).toString('base64').replace(/=+$/, ''),
	base64url: (key) => bytes(key).toString('base64url'),
	'base64, one byte further on': (key) => bytes(`:${key}`).toString('base64'),
	'base64, two bytes further on': (key) => `Basic ${bytes(`ab${key}: more`).toString('base64')}`,
	'base64 in a URL': (key) =>
		`?auth=${encodeURIComponent(bytes(`ab${key}: more`).toString('base64'))}`,
	'base64 with line breaks': (key) =>
		inLines(bytes(`User ${key}: more than a line`).toString('base64'), 20, '\r\n'),
	'base64 with line breaks, in a sentence': (key) =>
		`Bad: ${inLines(bytes(`u:${key}`).toString('base64'), 8, '\n')}.`,
	'base64 with line breaks, as JSON': (key) =>
		JSON.stringify(inLines(bytes(`u:${key}`).toString('base64'), 12, '\r\n')),
	'UTF-16': (key) => Buffer.from(key, 'utf16le').toString('latin1'),
	'UTF-16, the other way round': (key) => Buffer.from(key, 'utf16le').swap16().toString('latin1'),
	'UTF-16, as JSON': (key) => JSON.stringify(Buffer.from(key, 'utf16le').toString('latin1')),
	'UTF-16 in base64': (key) => Buffer.from(key, 'utf16le').toString('base64'),
	'as JSON': (key) => JSON.stringify({ key }),
	'as JSON in JSON': (key) => JSON.stringify(JSON.stringify({ key })),
	'split by JSON escapes': (key) => each(key, (code) => `\\u${fourDigits(code)}`),
	'split by JSON escapes, in upper case': (key) =>
		each(key, (code) => `\\u${fourDigits(code).toUpperCase()}`),
	'escaped for HTML': forHtml,
	'escaped for HTML twice': (key) => forHtml(forHtml(key)),
	'as decimal entities': (key) => each(key, (code) => `&#${code};`),
	'as decimal entities with leading zeros': (key) =>
		each(key, (code) => `&#${String(code).padStart(7, '0')};`),
	'as hexadecimal entities': (key) => each(key, (code) => `&#x${code.toString(16)};`),
	'as hexadecimal entities in upper case': (key) =>
		each(key, (code) => `&#X${twoDigits(code).toUpperCase().padStart(6, '0')};`),
	// A digit after the number would belong to it
	'as entities without semicolons': (key) =>
		[...key]
			.map((character, index) =>
				/\W/.test(character)
					? `&#${character.charCodeAt(0)}${/^\d/.test(key.slice(index + 1)) ? ';' : ''}`
					: character,
			)
			.join(''),
};
