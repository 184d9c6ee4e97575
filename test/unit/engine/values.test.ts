import {
	asciiDigits,
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

describe('digits of other scripts', () => {
	/** As far as the platform knows a script by its digits alone: ten characters, not Roman or Chinese numerals. */
	const systems = Intl.supportedValuesOf('numberingSystem')
		.map((system): [system: string, digits: string] => {
			const format = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false });
			return [system, [...'0123456789'].map((digit) => format.format(Number(digit))).join('')];
		})
		.filter(([, digits]) => /^\p{Nd}{10}$/u.test(digits));

	test('are those of at least 50 scripts', () => {
		expect(systems.length).toBeGreaterThan(50);
	});

	test.each(systems)('(%s: %s) become ASCII digits', (_, digits) => {
		expect(asciiDigits(`a${digits}b${[...digits].reverse().join('')}`)).toBe(
			'a0123456789b9876543210',
		);
	});

	test('are each a digit of its value, wherever a row of digits begins', () => {
		const all = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint)
			.filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
			.map((codePoint) => String.fromCodePoint(codePoint))
			.filter((character) => /\p{Nd}/u.test(character));
		expect(all.length).toBeGreaterThan(600);
		expect(asciiDigits(all.join(''))).toBe('0123456789'.repeat(all.length / 10));
	});

	test.each(['²', '₂', '①', '⒈', 'Ⅱ', '½', '二', '૱', '+(x) #'])('%s stays', (text) => {
		expect(asciiDigits(text)).toBe(text);
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
		expect(readText(value, 'Email', 'an email address')).toEqual({
			...{ local: 'empty', field: 'Email', reason: 'is empty' },
		});
	});

	test.each([0, false, 'x', ' \u200b.', '0', {}, [''], [null], new Date(0), '\ud83d'])(
		'%j is not empty',
		(value) => {
			expect(isEmpty(value)).toBe(false);
			const empty = { local: 'empty', field: 'Email', reason: 'is empty' };
			expect(readText(value, 'Email', 'an email address')).not.toEqual(empty);
		},
	);

	test('is neither a function nor a symbol, and a function still has no text', () => {
		expect([isEmpty(() => 1), isEmpty(Symbol('x'))]).toEqual([false, false]);
		expect(readText(() => 1, 'Email', 'an email address')).toMatchObject({ local: 'empty' });
	});
});
