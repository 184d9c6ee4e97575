import { isFullRun } from '../fullRun';
import { asAlpha2 } from '../../models/numbers/countries';
import { EXAMPLES, type KnownNumber } from '../../models/numbers/knownNumbers';
import { internationalFormat, nationalFormat } from '../../models/numbers/oracle';
import { PHONE_READERS } from '../../models/numbers/phoneReaders';
import { validNumbers } from '../../models/numbers/writings';

/** Slashes in phone numbers, between the groups of one and between several; and digits beside a number that are no part of it. */

/** Canada's of seven digits are the start of longer ones. */
const NUMBERS = [...EXAMPLES, ...validNumbers(1)].filter(
	({ e164 }, index) => (isFullRun || index % 12 === 0) && !/^\+1\d{7}$/.test(e164),
);
const SLASHES = ['/', '\\', ' / '];
const MAX_MS = 600_000;
/** What is shorter may be an area code. */
const FEWEST_DIGITS = 7;

/** A number as the groups that its plan has. */
interface Groups {
	/** What the first group follows, such as `+46 `. */
	before: string;
	groups: string[];
	country?: string;
}

const GROUPED = NUMBERS.flatMap(({ e164, callingCode, region }: KnownNumber): Groups[] => {
	const [code, ...groups] = internationalFormat(e164).split(/[ -]/);
	return [
		{ before: `+${callingCode} `, groups },
		{ before: '', groups: [code, ...groups] },
		...(region === undefined
			? []
			: [
					{
						before: '',
						groups: nationalFormat(e164).split(/[ -]/),
						country: asAlpha2(region).written,
					},
				]),
	];
});

const read = (text: string, country: string | undefined, index: number) => {
	const asked = PHONE_READERS[index % PHONE_READERS.length].read(text, country);
	return 'local' in asked ? undefined : asked.number;
};

/** Whether no group can be a number without its area code, or another ending of what is before it. */
function isInSmallGroups(groups: string[]): boolean {
	const sizes = groups.map((group) => group.replace(/\D/g, '').length).slice(1);
	return sizes.every((size, index) => size <= 3 && size >= (sizes[index - 1] ?? 0));
}

test(
	'a number with slashes between all its groups is read as if they were spaces, or not at all',
	() => {
		const astray: string[] = [];
		const unread: string[] = [];
		let tried = 0;
		let refused = 0;
		for (const [index, { before, groups, country }] of GROUPED.entries()) {
			const meant = read(before + groups.join(' '), country, index);
			if (meant === undefined) continue;
			for (const slash of SLASHES) {
				const text = before + groups.join(slash);
				const found = read(text, country, index);
				tried += 1;
				if (found === undefined) refused += 1;
				else if (found !== meant) astray.push(`${text} ${country}: ${found}, not ${meant}`);
				if (found === undefined && isInSmallGroups(groups)) unread.push(`${text} ${country}`);
			}
		}
		expect(tried).toBeGreaterThan(NUMBERS.length * 6);
		expect(astray).toEqual([]);
		expect(unread).toEqual([]);
		// What is left has groups that may be numbers without their area code
		expect(refused / tried).toBeLessThan(0.015);
	},
	MAX_MS,
);

/** The last digits of another number. */
const ending = (groups: string[], digits: number) =>
	[...groups.join('').replace(/\D/g, '').slice(-digits)]
		.map((digit) => String((Number(digit) + 1) % 10))
		.join('');

/** Several numbers; the first is a whole one. */
function severalOf({ before, groups }: Groups, slash: string): string[] {
	const whole = before + groups.join(' ');
	const [area, ...rest] = groups;
	const subscriber = rest.join('').replace(/\D/g, '');
	const last = groups[groups.length - 1].replace(/\D/g, '').length;
	const shorter = (most: number) =>
		Array.from({ length: Math.max(0, Math.min(3, most)) }, (_, index) => ending(groups, index + 1));
	return [
		...[whole, whole.replace(/^\+/, '')].map((other) => whole + slash + other),
		...shorter(3).map((end) => whole + slash + end),
		...(groups.length > 2
			? shorter(last - 1).map((end) => before + groups.join(slash) + slash + end)
			: []),
		...(rest.length > 0 && subscriber.length > 3
			? [...shorter(3), ending(groups, subscriber.length)].map(
					(end) => before + [area, subscriber, end].join(slash),
				)
			: []),
	];
}

test(
	'several numbers with slashes between them are never read as one',
	() => {
		const joined: string[] = [];
		let tried = 0;
		for (const [index, number] of GROUPED.entries()) {
			const { before, groups, country } = number;
			const whole = before + groups.join(' ');
			const isWhole = read(whole, country, index) !== undefined;
			if (!isWhole || whole.replace(/\D/g, '').length < FEWEST_DIGITS) continue;
			const slash = SLASHES[index % SLASHES.length];
			for (const text of severalOf(number, slash)) {
				tried += 1;
				const found = read(text, country, index);
				if (found !== undefined) joined.push(`${text} ${country}: ${found}`);
			}
		}
		expect(tried).toBeGreaterThan(NUMBERS.length * 10);
		expect(joined).toEqual([]);
	},
	MAX_MS,
);

/** The number of a line, before a number. */
const LIST_MARKS = ['1) ', '1)', '2. ', '12.) ', '#1 ', '#3: ', 'Tel. 4) ', 'No. #5 ', '7] '];
const HOURS_IN_BRACKETS = [
	...[' (9-17)', ' (09\u201317)', ' (9 - 17)', ' (9am-5pm)', '(8.30-17.00)', ' (9-17 h)'],
];
const HOURS = [' 9-5', ' 08-16', ' 9 - 17', ' 8\u201318', ' 9-17 Uhr', ' 9am-5pm', ' 9.30-17.00'];

test(
	'a line number before a number, and hours after it, are never read as part of it',
	() => {
		const joined: string[] = [];
		let tried = 0;
		for (const [index, { before, groups, country }] of GROUPED.entries()) {
			const whole = before + groups.join(' ');
			const isKnown = read(whole, country, index) !== undefined;
			const isWhole = isKnown && whole.replace(/\D/g, '').length >= FEWEST_DIGITS;
			const texts = [
				...LIST_MARKS.map((mark) => mark + whole),
				...HOURS_IN_BRACKETS.map((hours) => whole + hours),
				...(isWhole ? HOURS.map((hours) => whole + hours) : []),
			];
			for (const text of texts) {
				tried += 1;
				const found = read(text, country, index);
				if (found !== undefined) joined.push(`${text} ${country}: ${found}`);
			}
		}
		expect(tried).toBeGreaterThan(NUMBERS.length * 40);
		expect(joined).toEqual([]);
	},
	MAX_MS,
);

/** What may be the number of a line, before a number that begins with 0, before any other and after any. */
const BEFORE_0 = ['2 - ', '(1) ', '1 ', '3: ', 'Tel2 ', 'Tel 3 ', 'Phone 2: '];
const BEFORE_ANY = ['(2) ', '[3] ', '№4 ', '2 - '];
const AT_END = [' (2)', ' (12)', ' - 2', ' 1.'];

test(
	'what may be a line number is never read as a digit of a number that is whole without it',
	() => {
		const joined: string[] = [];
		let tried = 0;
		for (const [index, { before, groups, country }] of GROUPED.entries()) {
			const whole = before + groups.join(' ');
			const meant = read(whole, country, index);
			if (!meant?.startsWith('+') || whole.replace(/\D/g, '').length < FEWEST_DIGITS) continue;
			const texts = [
				...(whole.startsWith('0') ? BEFORE_0 : BEFORE_ANY).map((mark) => mark + whole),
				...AT_END.map((mark) => whole + mark),
			];
			for (const text of texts) {
				tried += 1;
				const found = read(text, country, index);
				if (found?.startsWith('+') && found !== meant) joined.push(`${text} ${country}: ${found}`);
			}
		}
		expect(tried).toBeGreaterThan(NUMBERS.length * 10);
		expect(joined).toEqual([]);
	},
	MAX_MS,
);
