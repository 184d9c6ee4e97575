import { hasTooManyParts, inShort, isEmpty, readText, textOf } from '../../engine';
import { inOneGo } from '../fakes/inOneGo';

describe('any value as text', () => {
	const circle: { self?: unknown } = {};
	circle.self = circle;
	test.each<[value: unknown, text: string]>([
		[undefined, ''],
		[null, ''],
		[0, '0'],
		[false, 'false'],
		[10n, '10'],
		[Symbol('x'), 'Symbol(x)'],
		['a', 'a'],
		[[1, null], '[1,null]'],
		[{ toString: 1 }, '{"toString":1}'],
		[Object.create(null), '{}'],
		[new Date(0), '1970-01-01T00:00:00.000Z'],
		[() => 1, ''],
		[circle, "(a value that can't be shown)"],
	])('%p is written as %j', (value, text) => {
		expect(textOf(value)).toBe(text);
	});

	test('is shortened to a length, without half characters', () => {
		expect(inShort('abc', 3)).toBe('abc');
		expect(inShort('abcd', 3)).toBe('ab…');
		expect(inShort('a😀b', 3)).toBe('a\ufffd…');
	});
});

describe('an empty value', () => {
	test.each([
		undefined,
		null,
		'',
		' \t\r\n',
		'\u00a0\u3000',
		'\u200b\ufeff',
		'\u00ad\u200d\u0000',
		[],
	])('may be %j', (value) => {
		expect(isEmpty(value)).toBe(true);
		expect(readText(value, 'Email', 'an email address', 100)).toEqual({
			...{ local: 'empty', field: 'Email', reason: 'is empty' },
		});
	});

	test.each([0, false, 'x', ' \u200b.', '0', {}, [''], [null], new Date(0), '\ud83d'])(
		'is not %j',
		(value) => {
			expect(isEmpty(value)).toBe(false);
			const empty = { local: 'empty', field: 'Email', reason: 'is empty' };
			expect(readText(value, 'Email', 'an email address', 100)).not.toEqual(empty);
		},
	);

	test('is neither a function nor a symbol, and a function still has no text', () => {
		expect([isEmpty(() => 1), isEmpty(Symbol('x'))]).toEqual([false, false]);
		expect(readText(() => 1, 'Email', 'an email address', 100)).toMatchObject({ local: 'empty' });
	});
});

describe('the objects and lists of a text', () => {
	const isTooMuch = (...texts: string[]) => inOneGo(hasTooManyParts(texts));
	const names = (count: number) =>
		`{${Array.from({ length: count }, (_, n) => `"${n}n":1`).join(',')}}`;
	const row = (characters: number) => `{"a":"${'x'.repeat(characters - 8)}"}`;

	test.each<[string, boolean, string[]]>([
		['10,000', false, [`[${'{},'.repeat(9_998)}{}]`]],
		['more', true, [`[${'{},'.repeat(9_999)}{}]`]],
		['more, of 17 characters each', false, [`[${`${row(16)},`.repeat(20_000)}{}]`]],
		['more, of fewer characters', true, [`[${`${row(13)},`.repeat(20_000)}{}]`]],
		['more, all of them lists in lists', true, ['['.repeat(10_001)]],
		['none, in a text full of brackets', false, [`["${'[{'.repeat(20_000)}"]`]],
		['none, in a text full of quotes', false, [`["${'\\"[\\\\'.repeat(20_000)}"]`]],
		['more in several texts together', true, [`[${'{},'.repeat(6_000)}{}]`, '[{},'.repeat(2_000)]],
		['200,000 names', false, [names(199_999)]],
		['more names, each of its own', true, [names(200_001)]],
		['1,000,001 values', false, [`[${'1,'.repeat(1_000_000)}1]`]],
		['more values', true, [`[${'1,'.repeat(1_000_001)}1]`]],
		['none, in a text full of commas and colons', false, [`["${',:'.repeat(1_000_000)}"]`]],
		['none behind a text that does not end', false, ['["[[[', '"'.repeat(10_000), 'x']],
	])('are too many or not: %s', (_, isMore, texts) => {
		expect(isTooMuch(...texts)).toBe(isMore);
	});

	test('are counted with pauses in between', () => {
		const text = `["${'\\\\'.repeat(5_000_000)}"]`;
		expect([...hasTooManyParts([text])].length).toBeGreaterThan(90);
	});
});
