import { expand, setOf, type DigitSets } from '../../../scripts/generate/digitPatterns';
import { readPhoneMetadata } from '../../../scripts/generate/phoneMetadata';

const digitsOf = (set: number) => [...'0123456789'].filter((digit) => set & setOf(digit)).join('');

describe("libphonenumber's patterns", () => {
	const plans = readPhoneMetadata();
	const patterns = plans.flatMap(({ region, general, types }) =>
		[general, ...types].map((kind) => ({ region, ...kind })),
	);

	/** A text that the sets match; another seed takes other members. */
	const textOf = (sets: DigitSets, seed: number) =>
		sets
			.map(digitsOf)
			.map((digits, place) => digits[(seed * 7 + place * 3) % digits.length])
			.join('');

	test('can all be read, and so can the first digits of the writings', () => {
		const leading = plans.flatMap(({ writingRules }) => writingRules.map((r) => r.leadingDigits));
		const unreadable = [...patterns.map(({ pattern }) => pattern), ...leading].filter((pattern) => {
			try {
				return expand(pattern).length === 0;
			} catch {
				return true;
			}
		});
		expect(patterns.length).toBeGreaterThan(700);
		expect(unreadable).toEqual([]);
	});

	test('match nothing but their expansions, and all of them', () => {
		const astray = patterns.flatMap(({ region, pattern, example }) => {
			const regExp = new RegExp(`^(?:${pattern})$`);
			const sequences = expand(pattern);
			const isFound = (text: string) =>
				sequences.some(
					(sets) =>
						sets.length === text.length && sets.every((set, place) => set & setOf(text[place])),
				);
			const made = sequences.map(textOf);
			// Numbers that differ in one digit are as often of the plan as not
			const near = made.map((text, index) => {
				const place = index % Math.max(text.length, 1);
				return text.slice(0, place) + String(index % 10) + text.slice(place + 1);
			});
			return [...made, ...near, ...(example ? [example] : [])]
				.filter((text) => regExp.test(text) !== isFound(text))
				.concat(made.filter((text) => !regExp.test(text)))
				.map((text) => ({ region, pattern, text }));
		});
		expect(astray).toEqual([]);
	});
});
