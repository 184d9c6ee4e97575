import type { GenericValue } from 'n8n-workflow';

/** Values that users, spreadsheets, forms and attackers put into a field. */

/** A value that an item of n8n can hold. */
export type HostileValue = [name: string, value: GenericValue];

const CANARY = 'polluted';

/** Texts of many scripts, of none, and texts with a meaning elsewhere, such as in a URL. */
export const TEXTS: HostileValue[] = [
	['empty', ''],
	['spaces', '  \t\u00a0\u3000 '],
	['NUL', 'a\u0000b'],
	['control characters', '\u0001\u0007\u001b[31m\u007f\u0085'],
	['newline', 'a\nb'],
	['a header after CRLF', 'x\r\nX-Injected: 1\r\n\r\nGET /api/v1/evil HTTP/1.1'],
	['line separators', 'a\u2028b\u2029c'],
	['a lone high surrogate', 'a\ud83d'],
	['a lone low surrogate', '\ude00b'],
	['surrogates the wrong way round', 'a\ude00\ud83db'],
	['emoji of several parts', '👩‍👩‍👧‍👦🏳️‍🌈'],
	['right to left', 'שלום \u202eabc\u202c مرحبا'],
	['combining marks', `Z${'\u0335\u0489'.repeat(40)}algo`],
	['full-width', '＋４４２０７９４６０１２３＠ｅ．ｃｏｍ'],
	['beyond the basic plane', '𝟙𝟚𝟛 𠜎𠜱 𓀀'],
	['noncharacters', '\ufffe\uffff\u{10ffff}'],
	['a byte order mark', '\ufeffvalue'],
	['a path upwards', '../../checkbalance'],
	['a path upwards, encoded', '%2e%2e%2f%2e%2e/checkbalance'],
	['two dots', '..'],
	['two dots, encoded', '%2e%2e'],
	['a path in backslashes', '..\\..\\checkbalance'],
	['a query', 'x?api_key=mine&number=1'],
	['a fragment', 'x#fragment'],
	['more parameters', '1&api_key=mine&number=2;ip=3'],
	['percent signs', '100%&%zz%%00%0d%0a'],
	['another address', '//evil.example/@evil.example'],
	['a URL of another scheme', 'javascript:alert(1)'],
	['a URL with a password', 'https://user:secret@example.com/p?q=1#f'],
	['markup', '<script>alert("1")</script>&amp;'],
	['an expression', '={{ $json.v }}{{ 7*7 }}${7*7}'],
	['a query of a database', `'; DROP TABLE users; --`],
	['a formula', '=cmd|"/c calc"!A1'],
	['__proto__', '__proto__'],
	['constructor', 'constructor'],
	['prototype', 'prototype'],
	['toString', 'toString'],
	['JSON with __proto__', `{"__proto__":{"${CANARY}":true}}`],
	['JSON with __proto__ in escapes', `{"\\u005f_proto__":{"${CANARY}":true}}`],
	['JSON with constructor', `{"constructor":{"prototype":{"${CANARY}":true}}}`],
	['JSON that is cut off', '{"a":[1,2'],
	['JSON that is deep', '['.repeat(20_000)],
	['JSON that is deep and whole', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
	['the word null', 'null'],
	['not a number', 'NaN'],
	['a huge number', '1e309'],
	['hexadecimal', '0x7f000001'],
];

/** Values of other types where a text belongs. */
export const OTHERS: HostileValue[] = [
	['null', null],
	['true', true],
	['false', false],
	['zero', 0],
	['a negative number', -1],
	['a fraction', 0.1],
	['a number beyond all', 1e308],
	['a large integer', 2 ** 53],
	['a list', ['+442079460123', null, {}]],
	['an empty list', []],
	['a list of lists', [[['a']]]],
	['an object', { a: 1 }],
	['an empty object', {}],
	['an object that is no text', { toString: 1, valueOf: 2 }],
	['a list of what is no text', [{ toString: null }]],
	['an object with __proto__', JSON.parse(`{"__proto__":{"${CANARY}":true}}`) as GenericValue],
	['an object with constructor', { constructor: { prototype: { [CANARY]: true } } }],
	['a deep object', deep(500)],
	['a locator', { __rl: true, mode: 'list', value: null }],
];

/** Values that only an expression can return. */
export const EXPRESSIONS: Array<[name: string, expression: string]> = [
	['nothing', 'undefined'],
	['a date', 'new Date(0)'],
	['an invalid date', 'new Date("x")'],
	['a Luxon date', '$now'],
	['not a number', '0/0'],
	['infinity', '1/0'],
	['a big integer', 'BigInt("12345678901234567890")'],
	['a symbol', 'Symbol.iterator'],
	['a function', '(() => 1)'],
	['a pattern', '/a/g'],
	['a map', 'new Map([[1, 2]])'],
	['a set', 'new Set([1])'],
	['bytes', 'new Uint8Array([1, 2, 3])'],
	['a promise', 'Promise.resolve(1)'],
	['an error', 'new Error("x")'],
	['an object without a prototype', 'Object.create(null)'],
	['a circle', '(() => { const a = {}; a.self = a; return a; })()'],
	['a circle of lists', '(() => { const a = []; a.push(a); return a; })()'],
	['a depth', '(() => { let a = {}; for (let i = 0; i < 20000; i++) a = { a }; return a; })()'],
	['what throws', '(() => { throw new Error("no"); })()'],
	['all items', '$input.all()'],
	['the item', '$json'],
];

const BIG = 10 * 1024 * 1024;
/** Texts of 10 MB. */
export const HUGE: HostileValue[] = ['a', '1', ':', '"', ' ', '😀', 'a@', '../'].map((piece) => [
	`10 MB of ${JSON.stringify(piece)}`,
	piece.repeat(BIG / Buffer.byteLength(piece)),
]);

/** Names that were added to every object since the start. There should be none. */
export function pollution(): string[] {
	const probes: object[] = [{}, [], () => undefined, ''.constructor.prototype as object];
	return probes.flatMap((probe) => (CANARY in probe ? [CANARY] : [])).concat(strangers());
}

const known = new Set(Reflect.ownKeys(Object.prototype));

function strangers(): string[] {
	return Reflect.ownKeys(Object.prototype)
		.filter((name) => !known.has(name))
		.map(String);
}

function deep(levels: number): GenericValue {
	let value: GenericValue = {};
	for (let level = 0; level < levels; level += 1) value = { a: value };
	return value;
}
