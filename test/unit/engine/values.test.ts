import {
	inShort,
	isEmpty,
	readText,
	textOf,
} from '../../../nodes/LookupMessaging/engine/plan/values';

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
		[{ a: 1n }, "(a value that can't be shown)"],
	])('%p is written as %j', (value, text) => {
		expect(textOf(value)).toBe(text);
	});

	test('is cut to a length, without half characters', () => {
		expect(inShort('abc', 3)).toBe('abc');
		expect(inShort('abcd', 3)).toBe('ab…');
		expect(inShort('a😀b', 3)).toBe('a\ufffd…');
	});
});

describe('a value that holds nothing', () => {
	test.each([
		undefined,
		null,
		'',
		' \t\r\n',
		'\u00a0\u3000',
		'\u200b\ufeff',
		'\u00ad\u200d\u0000',
		[],
	])('%j is empty', (value) => {
		expect(isEmpty(value)).toBe(true);
		expect(readText(value, 'Email', 'an email address', 100)).toEqual({
			...{ local: 'empty', field: 'Email', reason: 'is empty' },
		});
	});

	test.each([0, false, 'x', ' \u200b.', '0', {}, [''], [null], new Date(0), '\ud83d'])(
		'%j is not empty',
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
