import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { redactor as sliced } from '../../engine';
import { keyLeakSearch } from '../../harness/keyLeakSearch';
import { KEY_SPELLINGS } from '../../models/keySpellings';
import { inOneGo } from '../fakes/inOneGo';

const redactor = (key: string) => (body: object) => inOneGo(sliced(key)(body));
const base64 = (bytes: string) => Buffer.from(bytes, 'latin1').toString('base64');

describe('the redactor', () => {
	const KEY = 'live-k3y/+=?&';
	const ODD = 'odd k:e y/+=$,(x)\'~*!%41&@"<\\>';
	const LONG = 'x'.repeat(100_000);

	test('removes the key from every text and name, and from the bytes of files, and keeps the rest', () => {
		const body = {
			...{ error: `Bad key ${KEY} (${KEY}${KEY})`, [KEY]: 1, [`x-${KEY}`]: 2 },
			a: { b: { c: KEY, n: 1, t: true, z: null } },
			list: [KEY, [`${KEY}!`, { b: [KEY] }], 7, null],
			url: `https://api.example.com/?api_key=${encodeURIComponent(KEY)}&number=%2B1`,
			blob: base64(`\u00ff\u0000 ${KEY}\u0080 ${KEY}`),
			others: [base64('\u00ff\u0000\u0080 picture'), 'abcdabcdabcdabcd'],
		};
		expect(redactor(KEY)(body)).toEqual({
			...{ error: 'Bad key [API key] ([API key][API key])', '[API key]': 1, 'x-[API key]': 2 },
			a: { b: { c: '[API key]', n: 1, t: true, z: null } },
			list: ['[API key]', ['[API key]!', { b: ['[API key]'] }], 7, null],
			url: 'https://api.example.com/?api_key=[API key]&number=%2B1',
			blob: base64('\u00ff\u0000 [API key]\u0080 [API key]'),
			others: [base64('\u00ff\u0000\u0080 picture'), 'abcdabcdabcdabcd'],
		});
	});

	test('finds a key with spaces and letters of more than one byte, form-encoded', () => {
		const key = 'a b&c=d%20+/?#\u00e9"\\<>x9';
		const echo = `${new URLSearchParams({ key }).toString()}&n=1`;
		expect(redactor(key)({ echo })).toEqual({ echo: 'key=[API key]&n=1' });
	});

	test.each(
		Object.entries(KEY_SPELLINGS).flatMap(([spelling, spell]) =>
			['sk-main-0123456789abcdef', KEY, ODD].map((key) => ({ spelling, key, spell })),
		),
	)('removes $key, $spelling, from texts and names of any length', ({ key, spell }) => {
		const text = spell(key);
		const names = { [text]: 1 };
		const body = { text, list: [`${LONG} ${text}`, `${text}, ${LONG}`], names };
		expect(keyLeakSearch(key).search(body)).toHaveLength(3);
		const cleaned = redactor(key)(body) ?? {};
		expect(keyLeakSearch(key).search(cleaned)).toEqual([]);
		expect(Object.keys(cleaned)).toEqual(['text', 'list', 'names']);
	});

	/** Ways to write a character of a key, and what may stand between two. */
	const WRITINGS: Array<(character: string, code: number) => string> = [
		(character) => character,
		(character) => character.toUpperCase(),
		(character) => character.toLowerCase(),
		(_, code) => `%${code.toString(16)}`,
		(_, code) => `%2525${code.toString(16).toUpperCase()}`,
		(_, code) => `&#${code};`,
		(_, code) => `&amp;#X${code.toString(16)};`,
		(_, code) => `\\u00${code.toString(16)}`,
		(_, code) => `\\\\x${code.toString(16)}`,
	];
	const BETWEEN = ['', '', '', '\n', '\r\n\t', '\0', '\\n', '\\r\\n'];
	const BEFORE = ['', 'Bad key ', '"', '%', '&', '{"a":"', 'x'.repeat(65_530)];

	test('removes a key of any length, with its characters in any mix of spellings, over any lines', () => {
		const random = fc.record({
			key: fc.stringMatching(/^[A-Za-z0-9_-]{8,1000}$/, { size: 'max' }),
			writings: fc.array(fc.nat(WRITINGS.length - 1), { minLength: 1, maxLength: 7 }),
			between: fc.array(fc.constantFrom(...BETWEEN), { minLength: 1, maxLength: 11 }),
			before: fc.constantFrom(...BEFORE),
		});
		const property = fc.property(random, ({ key, writings, between, before }) => {
			const text = [...key].map((character, n) => {
				const gap = n === 0 ? '' : between[n % between.length];
				return gap + WRITINGS[writings[n % writings.length]](character, character.charCodeAt(0));
			});
			const cleaned = redactor(key)({ text: `${before}${text.join('')}" is wrong` });
			expect(cleaned).toEqual({ text: `${before}[API key]" is wrong` });
		});
		fc.assert(property, { seed: 31, numRuns: 300 });
	});

	test.each([65_530, 65_536, 65_540, 131_070])('finds the key %d characters into a text', (at) => {
		const escaped = [...KEY].map((each) => WRITINGS[7](each, each.charCodeAt(0))).join('');
		const text = `${'x'.repeat(at)} ${escaped} ${LONG}`;
		expect(redactor(KEY)({ text })).toEqual({ text: `${'x'.repeat(at)} [API key] ${LONG}` });
	});

	test.each(['', 'a', 'ab', 'user:'])('finds the key in base64 that begins with %j', (before) => {
		for (const alphabet of ['base64', 'base64url'] as const) {
			const token = Buffer.from(`${before}${KEY}:1`).toString(alphabet);
			const { text } = redactor(KEY)({ text: `Basic ${token}.` }) ?? {};
			expect(text).toContain('[API key]');
			expect(String(text).length).toBeLessThan(token.length - KEY.length + 8 + '[API key]'.length);
		}
	});

	test('does not search for a short key in hexadecimal or base64 text, and takes none for a pattern', () => {
		expect(redactor('abc')({ a: 'abc', b: '616263', c: 'YWJj' })).toEqual({
			...{ a: '[API key]', b: '616263', c: 'W0FQSSBrZXld' },
		});
		expect(redactor('k.y$')({ a: 'k.y$ and kay$' })).toEqual({ a: '[API key] and kay$' });
	});

	test.each([KEY, '', 'a key that is not there', '$&', '.*'])(
		'keeps a body without the key %j unchanged, in its order',
		(key) => {
			const harmless: IDataObject = {
				...{ status: true, name: 'live-k3y', range: [1.5, -2, 0], empty: '', nothing: null },
				...{ more: { list: [], object: {} }, constructor: 'x' },
			};
			const text = JSON.stringify(harmless);
			expect(JSON.stringify(redactor(key)(harmless))).toBe(text);
		},
	);

	test('removes the name __proto__', () => {
		const body = JSON.parse('{"a":{"__proto__":{"polluted":true},"b":1},"__proto__":{}}') as object;
		expect(JSON.stringify(redactor(KEY)(body))).toBe('{"a":{"b":1}}');
	});

	test('returns nothing for a body that is nested too deeply to be copied', () => {
		const nested = (levels: number, [open, close] = ['{"a":', '}']) =>
			JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`) as object;
		expect(redactor(KEY)(nested(500))).toEqual(nested(500));
		expect(redactor(KEY)(nested(501))).toBeUndefined();
		expect(redactor(KEY)({ list: nested(500, ['[', ']']) })).toBeUndefined();
	});
});
