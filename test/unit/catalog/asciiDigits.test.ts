import { asciiDigits } from '../../../nodes/LookupMessaging/operations/shared/readText';

describe('digits of other scripts', () => {
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
