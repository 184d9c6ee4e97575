import { inShort, textOf } from '../../../nodes/LookupMessaging/engine/plan/values';

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
		[circle, '(a value that cannot be written down)'],
		[{ a: 1n }, '(a value that cannot be written down)'],
	])('%p is written as %j', (value, text) => {
		expect(textOf(value)).toBe(text);
	});

	test('is cut to a length, without half characters', () => {
		expect(inShort('abc', 3)).toBe('abc');
		expect(inShort('abcd', 3)).toBe('ab…');
		expect(inShort('a😀b', 3)).toBe('a\ufffd…');
	});
});
