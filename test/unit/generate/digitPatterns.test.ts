import {
	beginningWith,
	expand,
	setOf,
	type DigitSets,
} from '../../../scripts/generate/digitPatterns';
import { readPhoneMetadata } from '../../../scripts/generate/phoneMetadata';

const digitsOf = (set: number) => [...'0123456789'].filter((digit) => set & setOf(digit)).join('');
/** `1[03]` as "1 03". */
const shown = (sets: DigitSets) => sets.map(digitsOf).join(' ');
const ANY = '0123456789';

describe('a pattern is expanded to all of its sequences of digit sets', () => {
	test.each<[pattern: string, sequences: string[]]>([
		['', ['']],
		['7', ['7']],
		['12', ['1 2']],
		[String.raw`\d`, [ANY]],
		['[5]', ['5']],
		['[03-69]', ['034569']],
		['[0-9]', [ANY]],
		['1|23', ['1', '2 3']],
		['(?:1|23)4', ['1 4', '2 3 4']],
		['(1)2', ['1 2']],
		['1(?:2(?:3|4)|5)', ['1 2 3', '1 2 4', '1 5']],
		['1?2', ['2', '1 2']],
		['(?:12)?3', ['3', '1 2 3']],
		['[1-3]?', ['', '123']],
		['1{3}', ['1 1 1']],
		[String.raw`1\d{2}`, [`1 ${ANY} ${ANY}`]],
		['1{1,3}', ['1', '1 1', '1 1 1']],
		['1{0,1}2', ['2', '1 2']],
		['(?:1|2){2}', ['1 1', '1 2', '2 1', '2 2']],
		['(?:|1)2', ['2', '1 2']],
		['(?:1|)2', ['1 2', '2']],
	])('%s', (pattern, sequences) => {
		expect(expand(pattern).map(shown)).toEqual(sequences);
	});

	test.each([
		['.', 0],
		['1+', 1],
		['1*', 1],
		['1{2,}', 1],
		['^1', 0],
		['1$', 1],
		['[^1]', 0],
		['[a-f]', 0],
		['[1', 0],
		['[]', 0],
		['[5-3]', 0],
		['[1-]', 0],
		['(1', 2],
		['1)2', 1],
		['(?!1)2', 1],
		['(?=1)2', 1],
		[String.raw`\D`, 0],
		[String.raw`(1)\1`, 3],
		['1-2', 1],
		['a', 0],
		['12 ', 2],
	])('unless it is too complex: %s cannot be read at %i', (pattern, at) => {
		expect(() => expand(pattern)).toThrow(`cannot read ${pattern} at ${at}`);
	});
});

describe('a sequence that begins with another one is found', () => {
	const both = (pattern: string, beginning: string) => {
		const found = beginningWith(expand(pattern)[0], expand(beginning)[0]);
		return found && shown(found);
	};

	test.each<[pattern: string, beginning: string, both: string | undefined]>([
		['123', '', '1 2 3'],
		['123', '12', '1 2 3'],
		['123', '13', undefined],
		['12', '123', undefined],
		['[1-5][2-7]3', '[4-9]', '45 234567 3'],
		['[1-5]3', '[4-9][12]', undefined],
	])('%s, beginning with %j: %j', (pattern, beginning, expected) => {
		expect(both(pattern, beginning)).toBe(expected);
	});
});

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
