import { asciiDigits } from '../../../nodes/LookupMessaging/operations/shared/asciiDigits';

describe('digits of other scripts', () => {
	/** As far as the platform knows a script by its digits alone: ten characters, not Roman or Chinese numerals. */
	const systems = Intl.supportedValuesOf('numberingSystem')
		.map((system): [system: string, digits: string] => {
			const format = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false });
			return [system, [...'0123456789'].map((digit) => format.format(Number(digit))).join('')];
		})
		.filter(([, digits]) => /^\p{Nd}{10}$/u.test(digits));

	test('exist in at least 50 scripts', () => {
		expect(systems.length).toBeGreaterThan(50);
	});

	test.each(systems)('(%s: %s) become ASCII digits', (_, digits) => {
		expect(asciiDigits(`a${digits}b${[...digits].reverse().join('')}`)).toBe(
			'a0123456789b9876543210',
		);
	});

	test('each have their value, wherever a row of digits begins', () => {
		const all = Array.from({ length: 0x1100 }, (_, block) => {
			const codePoints = Array.from({ length: 0x100 }, (__, n) => block * 0x100 + n);
			return String.fromCodePoint(...codePoints).match(/\p{Nd}/gu) ?? [];
		}).flat();
		expect(all.length).toBeGreaterThan(600);
		expect(asciiDigits(all.join(''))).toBe('0123456789'.repeat(all.length / 10));
	});

	test.each(['²', '₂', '①', '⒈', 'Ⅱ', '½', '二', '૱', '+(x) #'])('%s remains', (text) => {
		expect(asciiDigits(text)).toBe(text);
	});
});
