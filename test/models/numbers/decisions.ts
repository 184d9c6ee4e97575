import { readPhoneMetadata } from '../../../scripts/generate/phoneMetadata';
import type { Permitted } from './expectation';
import { withAsciiDigits, withoutInvisibleMarks, withPlainMarks } from './marks';
import {
	callingCodeOf,
	isE164,
	isLine,
	isOfLargest,
	isDialledInArea,
	isShorterThanExamples,
	isShorterThanUsual,
	isShortMobile,
	isUsualLength,
	isValid,
	leadingCallingCode,
	lacksAreaCode,
	matchesPlan,
	NETWORK_CODES,
	matchesPlanOf,
	neighborsOf,
	numbersWrittenNationally,
	readByLibphonenumber,
	trunkPrefixOf,
	writesZero,
	type Reading,
} from './oracle';

/** A text with the region of libphonenumber that its Country means. */
export interface Text {
	text: string;
	region?: string;
}

/** A region for each prefix for calls abroad. */
const DIALLING_REGIONS = [
	...new Map(
		readPhoneMetadata()
			.filter(({ region }) => region !== '001')
			.map(({ internationalPrefix, region }) => [internationalPrefix, region]),
	).values(),
];

/** One way in which a number is read otherwise than by libphonenumber. */
export interface Decision {
	name: string;
	why: string;
	/** The text that libphonenumber is given in place of this one. Undefined where the decision does not apply. */
	rewrite?: (given: Text) => string | undefined;
	/** What may be asked in place of libphonenumber's reading. Undefined where the decision does not apply. */
	permit?: (given: Text, reading: Reading | undefined) => Permitted | undefined;
}

/**
 * Every difference between the package's reading and libphonenumber's. Rewrites come first and add up; of the rest, the first
 * one that applies decides.
 */
export const DECISIONS: Decision[] = [
	{
		name: 'digits of every script',
		why: "libphonenumber's port to JavaScript knows four sets of digits, the original in Java knows all",
		rewrite: ({ text }) => changed(text, withAsciiDigits(text)),
	},
	{
		name: 'invisible marks',
		why: 'web pages, word processors and address books put them into what is copied, and libphonenumber knows three of them',
		rewrite: ({ text }) => changed(text, withoutInvisibleMarks(text)),
	},
	{
		name: 'spaces and dashes of every kind',
		why: 'typographers set numbers with thin and no-break spaces, which libphonenumber does not take for spaces',
		rewrite: ({ text }) => changed(text, withPlainMarks(text)),
	},
	{
		name: 'decimals of a spreadsheet',
		why: 'a column that was read as numbers is written with ".0", and libphonenumber takes the zero for a digit',
		rewrite: ({ text }) => changed(text, text.replace(/^([^.,]*\d{5,}|\d{4})[.,]0{1,2}$/, '$1')),
	},
	{
		name: 'labels beside a number',
		why: 'libphonenumber dials three letters or more, wherever they are; the word for a place is no part of a number',
		rewrite: ({ text }) => changed(text, text.replace(/(\d)\s+office$/, '$1')),
	},
	{
		name: 'plus before a zero',
		why: 'no calling code starts with 0: with Country this is a national number, and 00 leads abroad; libphonenumber gives up',
		rewrite: ({ text, region }) => {
			const isRead = region ? /^\D*[+\uff0b]\D*0/ : /^\D*[+\uff0b]\D*0\D*0/;
			return isRead.test(text) ? text.replace(/[+\uff0b]/, '') : undefined;
		},
	},
	{
		name: 'scientific notation',
		why: 'the last digits are lost, and what is left is the number of somebody else',
		permit: ({ text }) => (/^\D*\d(?:[.,]\d+)?e\+?\d+$/i.test(text) ? NOTHING : undefined),
	},
	{
		name: 'texts in place of a number',
		why: '0000000000 in a required field, a date and an IP address of a server are no phone numbers, whatever plan has such digits',
		permit: ({ text }, reading) => {
			const isRepeated = reading && hasPlus(text) && /^(\d)\1{6,}$/.test(nationalAfterPlus(text));
			const isNone = isRepeated && !matchesPlan(reading.e164);
			return isInPlace(text) || isNone ? NOTHING : undefined;
		},
	},
	{
		name: 'a trunk prefix after plus',
		why: 'Russians write +8 (495) 123-45-67 for 8 (495) 123-45-67; libphonenumber reads a number in Vietnam. Only the caller knows',
		permit: ({ text, region }, reading) => {
			const prefix = region === undefined ? '' : trunkPrefixOf(region);
			const [, group, rest] = /^\D*[+\uff0b]\D*(\d+)(\D.*)$/.exec(text) ?? [];
			if (!region || prefix === '' || group !== prefix || group.startsWith('0')) return undefined;
			const national = `+${callingCodeOf(region)}${rest.replace(/\D/g, '')}`;
			if (national === reading?.e164 || !matchesPlan(national)) return undefined;
			return isShorterThanUsual(national)
				? { readings: reading ? [reading.e164] : [], mayBeLocal: true }
				: NOTHING;
		},
	},
	{
		name: 'a plus before a number of Country',
		why: 'people write +98765 43210 for a number in India; libphonenumber reads one of eight digits in Iran, which has none',
		permit: ({ text, region }, reading) => {
			if (!region || !hasPlus(text) || (reading && isLine(reading.e164))) return undefined;
			const alone = readByLibphonenumber(text.replace(/[+\uff0b]/, ''), region);
			if (!isAskable(alone) || !isOfPlan(alone) || alone.e164 === reading?.e164) return undefined;
			return { readings: reading ? [reading.e164] : [], mayBeLocal: true };
		},
	},
	{
		name: 'a calling code twice',
		why: '+966 966501234567 has the calling code of the form and that of the number; Saudi Arabia has no number of twelve digits',
		permit: ({ text }, reading) => {
			if (!reading || !hasPlus(text) || matchesPlan(reading.e164)) return undefined;
			const rest = nationalAfterPlus(text);
			const once = readByLibphonenumber(`+${rest}`);
			const code = leadingCallingCode(rest);
			const isTwice = code !== undefined && text.replace(/\D/g, '').startsWith(code + code);
			return isTwice && isAskable(once) && isOfPlan(once) ? NOTHING : undefined;
		},
	},
	{
		name: 'another calling code after 00',
		why: '+49 0043 664 1234567 has the calling code of a form before a number of Austria; libphonenumber drops one 0',
		permit: ({ text }) => {
			const [, abroad] = (hasPlus(text) && /^00(.+)$/.exec(nationalAfterPlus(text))) || [];
			const other = abroad === undefined ? undefined : readByLibphonenumber(`+${abroad}`);
			if (abroad === undefined || !isAskable(other) || !isOfPlan(other)) return undefined;
			const code = leadingCallingCode(text.replace(/\D/g, ''));
			return matchesPlan(`+${code}00${abroad}`) ? undefined : NOTHING;
		},
	},
	{
		name: 'a slash after a whole number',
		why: '030 1234567/8 stands for two numbers; read as one it has a digit too many, and is the number of somebody else',
		permit: ({ text, region }) => {
			const parts = text.split('/');
			const isWhole = parts.slice(1).some((_, index) => {
				const before = parts.slice(0, index + 1).join('');
				const reading = readByLibphonenumber(before, region);
				const isNational = region && matchesPlanOf(region, before.replace(/\D/g, ''));
				return isNational || (isAskable(reading) && matchesPlan(reading.e164));
			});
			if (isWhole) return { readings: readingsOf(text, region), mayBeLocal: true };
			const isAsked =
				parts.length === 1 || hasPlus(text) || isAskable(readByLibphonenumber(text, region));
			return isAsked ? undefined : { ...NOTHING, mayBeNational: true };
		},
	},
	{
		name: 'several numbers',
		why: 'one item asks about one number, and joined digits can be the number of somebody else',
		permit: ({ text, region }) => {
			const parts = text.split(/\s*(?:[;,\n]|\s\/\s|\sor\s)\s*/).filter((part) => part !== '');
			const isNumber = (part: string) =>
				isAskable(readByLibphonenumber(part, region)) || /^\d{3}-\d{4}$/.test(part);
			return parts.filter(isNumber).length > 1 ? NOTHING : undefined;
		},
	},
	{
		name: '00 or the start of a longer prefix',
		why: '00116561234567 without Country is +1 1656…, or +65 6123 4567 as Australia dials it: only the caller knows',
		permit: ({ text, region }) => {
			const digits = text.replace(/\D/g, '');
			if (region || !/^[^+\uff0b\d]*0\D*0/.test(text)) return undefined;
			const dialled = DIALLING_REGIONS.map((from) => readByLibphonenumber(digits, from)?.e164);
			const isOther = dialled.some(
				(e164) =>
					e164 &&
					e164 !== `+${digits.slice(2)}` &&
					digits.endsWith(e164.slice(1)) &&
					matchesPlan(e164),
			);
			const reading = readByLibphonenumber(`+${digits.slice(2)}`);
			if (!isOther || !isAskable(reading)) return undefined;
			return { readings: [reading.e164], mayBeLocal: true };
		},
	},
	{
		name: '00 that a general pattern has',
		why: "the general patterns of Japan, Indonesia and South Korea have nearly all digits after 00, so libphonenumber reads +62006591234567 for Singapore's 0065 9123 4567; only those of a type exist, and they may be foreign as well",
		permit: ({ text, region }, reading) => {
			const digits = text.replace(/\D/g, '');
			if (!region || !/^[^+\uff0b\d]*0\D*0/.test(text) || !matchesPlanOf(region, digits)) {
				return undefined;
			}
			const after00 = readByLibphonenumber(`+${digits.slice(2)}`);
			const isWhole = isAskable(after00) && matchesPlan(after00.e164);
			const national = `+${callingCodeOf(region)}${digits}`;
			if (isValid(national)) {
				const isOther = isWhole && !isHomeAfter00(digits, region);
				return isOther ? { readings: [], mayBeLocal: true, mayBeNational: true } : undefined;
			}
			if (isAskable(reading) && reading.hasCallingCode && matchesPlan(reading.e164)) {
				return undefined;
			}
			if (isWhole) return only(after00);
			const inside = readByLibphonenumber(national);
			const readings = [after00, reading, inside].filter(isAskable).map(({ e164 }) => e164);
			return { readings, mayBeLocal: true, mayBeNational: true };
		},
	},
	{
		name: '00 of a national number',
		why: "Qatar's plan has toll-free numbers that start with 0080, and Qatar dials 00 abroad: libphonenumber reads the prefix, and then no number",
		permit: ({ text, region }, reading) => {
			const digits = text.replace(/\D/g, '');
			if (!region || !/^[^+\uff0b\d]*0\D*0/.test(text) || !matchesPlanOf(region, digits)) {
				return undefined;
			}
			if (isHomeAfter00(digits, region)) return undefined;
			const national = readByLibphonenumber(`+${callingCodeOf(region)}${digits}`);
			return isAskable(reading) || !isAskable(national) ? undefined : only(national);
		},
	},
	{
		name: 'two ways abroad',
		why: '0063… from Thailand is a call by a carrier to one country, or 00 and another country: only the caller knows',
		permit: ({ text, region }, reading) => {
			const digits = /^[^+\uff0b\d]*0\D{0,2}0(.*)$/.exec(text)?.[1];
			if (digits === undefined || !region || !reading?.hasCallingCode) return undefined;
			const other = readByLibphonenumber(`+${digits}`);
			const isWhole = isAskable(other) && isOfPlan(other);
			if (
				!isWhole ||
				!hasAllDigits(other.e164, digits.replace(/\D/g, '')) ||
				other.e164 === reading.e164
			) {
				return undefined;
			}
			return isAskable(reading) && isOfPlan(reading)
				? { readings: [], mayBeLocal: true, mayBeNational: true }
				: undefined;
		},
	},
	{
		name: '00 in every country',
		why: 'lists from abroad have 00 whatever their reader dials; libphonenumber takes it only with a country that dials 00',
		permit: ({ text, region }, reading) => {
			const digits = /^[^+\uff0b\d]*0\D{0,2}0(.*)$/.exec(text)?.[1];
			if (digits === undefined) return undefined;
			const international = readByLibphonenumber(`+${digits}`);
			if (!international || !isE164(international.e164)) return undefined;
			const isBetter = international.isPossible && isOfPlan(international);
			const isHome = region !== undefined && isHomeAfter00(text.replace(/\D/g, ''), region);
			// Japan has numbers such as 0037 33267 76989, too long for E.164 and not in Moldova
			if (region && !isHome && matchesPlanOf(region, text.replace(/\D/g, ''))) return undefined;
			const isOwn =
				isAskable(reading) &&
				!lacksAreaCode(reading.e164) &&
				(reading.hasCallingCode || matchesPlan(reading.e164));
			const own = isOwn ? [reading.e164] : [];
			if (isOwn && !(isBetter && (isHome || !matchesPlan(reading.e164)))) {
				return undefined;
			}
			const mayBeRefused = !international.isPossible || lacksAreaCode(international.e164);
			return {
				readings: [international.e164, ...own],
				mayBeLocal: mayBeRefused,
				mayBeNational: mayBeRefused,
			};
		},
	},
	{
		name: 'a zero in brackets',
		why: 'people write (0) after the calling code of countries without a trunk prefix too; it is never dialled from abroad',
		rewrite: ({ text, region }) => {
			const without = text.replace(/^(\+\d{1,3}) \(0\)/, '$1 ');
			if (without === text) return undefined;
			const [kept, dropped] = [text, without].map((each) => readByLibphonenumber(each, region));
			const isBetter = dropped && matchesPlan(dropped.e164) && !(kept && matchesPlan(kept.e164));
			return isBetter ? without : undefined;
		},
	},
	{
		name: 'a lost 0 that belongs to the number',
		why: '331123456 in Italy is a mobile with a digit less than usual, or 0331 123456 after a spreadsheet; 11 5551234 is of no type, and 011 5551234 is',
		permit: ({ text, region }, reading) => {
			const digits = text.replace(/\D/g, '');
			if (!region || hasPlus(text) || !isAskable(reading)) return undefined;
			const code = callingCodeOf(region);
			const isOneGroup = /^\D*\d+\D*$/.test(text);
			const isSame = reading.e164 === `+${code}${digits}`;
			const isNone = matchesPlan(reading.e164) && !isValid(reading.e164);
			const isShort = isOneGroup && isShortMobile(reading.e164, region);
			const with0 = readByLibphonenumber(`0${digits}`, region);
			const isOther = with0?.e164 === `+${code}0${digits}` && isOfPlan(with0);
			if (!isSame || !isOther || !isUsualLength(digits, region)) return undefined;
			const isLost = isNone && trunkPrefixOf(region) === '';
			if (isShort || (isLost && isLine(with0.e164))) return NOTHING;
			return isLost ? { readings: [reading.e164], mayBeLocal: true } : undefined;
		},
	},
	{
		name: 'half of a trunk prefix',
		why: 'a spreadsheet drops the 0 of 06 in Hungary; libphonenumber takes the 6 for a digit of the number',
		permit: ({ text, region }, reading) => {
			const digits = text.replace(/\D/g, '');
			if (!region || hasPlus(text) || !digits.startsWith('6') || trunkPrefixOf(region) !== '06') {
				return undefined;
			}
			const rest = readByLibphonenumber(`+${callingCodeOf(region)}${digits.slice(1)}`);
			if (!isAskable(rest) || !isOfPlan(rest) || reading?.hasCallingCode) return undefined;
			const foreign = readByLibphonenumber(`+${digits}`);
			const isForeign = isAskable(foreign) && isOfPlan(foreign) && foreign.e164 === `+${digits}`;
			return isForeign || (isAskable(reading) && isOfPlan(reading)) ? NOTHING : only(rest);
		},
	},
	{
		name: 'bare digits that have their calling code',
		why: 'lists with a country column hold numbers whose + a spreadsheet has dropped; libphonenumber reads 491713920012 as a number in Leer, and 447911123456 in Germany as one that no exchange has. Where Country has no such number, or the first group is the calling code and the 0 of the country is missing, only the caller knows which mistake it is',
		permit: ({ text, region }, reading) => {
			const digits = text.replace(/\D/g, '');
			if (!region || /[+\uff0b]/.test(text) || !/^[^\d]*[1-9]/.test(text)) return undefined;
			const other = readByLibphonenumber(`+${digits}`);
			if (!isAskable(other) || !isOfPlan(other)) return undefined;
			if (!hasAllDigits(other.e164, digits)) return undefined;
			const isHome = other.e164.startsWith(`+${callingCodeOf(region)}`);
			const isNational =
				isAskable(reading) && isOfPlan(reading) && !lacksTrunkPrefix(text, region, reading);
			if (!isHome && !isNational) return NOTHING;
			const [firstGroup] = text.match(/\d+(?=\D+\d)/) ?? [];
			const showsCode = firstGroup === leadingCallingCode(digits) && other.e164 === `+${digits}`;
			const isOfNoCountry = NETWORK_CODES.some((code) => digits.startsWith(String(code)));
			const isAsWritten =
				isAskable(reading) && reading.e164 === `+${callingCodeOf(region)}${digits}`;
			const cut = isAskable(reading)
				? digits.length - (reading.e164.length - 1 - callingCodeOf(region).length)
				: 0;
			const isPrefix = cut > 1 || (cut === 1 && showsCode && !isOfNoCountry);
			if (!isHome && isAskable(reading) && !reading.hasCallingCode && isPrefix)
				return { readings: [reading.e164], mayBeLocal: true };
			const isLong = !isUsualLength(digits, region) && !isOfNoCountry;
			if (!isHome && showsCode && isAsWritten && (isLong || writesZero(region, reading.e164)))
				return { readings: [reading.e164], mayBeLocal: true };
			const isNone = !isAskable(reading) || !isValid(reading.e164);
			if (!isHome && other.e164 !== `+${digits}` && !isNone) return undefined;
			if (!isAskable(reading))
				return { readings: [other.e164], mayBeLocal: true, mayBeNational: true };
			if (reading.e164 === other.e164 || reading.hasCallingCode) return undefined;
			// The general patterns of some plans have more than their numbers
			if (!isHome && !isValid(reading.e164)) {
				return { readings: [reading.e164], mayBeLocal: true };
			}
			if (isUsualLength(digits, region) && !isHome) return undefined;
			return { readings: [other.e164, reading.e164], mayBeLocal: true };
		},
	},
	{
		name: 'the number of a line',
		why: '2 030 123456 is the second number of a list in Germany, and 1 98765 43210 the first of one in India; libphonenumber takes the 2 and the 1 for digits',
		permit: ({ text, region }, reading) => {
			const rest = /^[^+\uff0b\d]*[1-9]\d?\D+(\d.*)$/.exec(text)?.[1];
			if (!region || rest === undefined) return undefined;
			const isSigned = /^[^+\uff0b\d]*(?:\p{Ps}\d\p{Pe}|\d(?:\s?[:/]|\s\p{Pd})\s)/u.test(text);
			const isPlain = !rest.startsWith('0') && !isSigned;
			if (isPlain && reading && isLine(reading.e164)) return undefined;
			const alone = readByLibphonenumber(rest, region);
			if (!isAskable(alone) || !isOfPlan(alone) || alone.e164 === reading?.e164) return undefined;
			return { readings: readingsOf(text, region), mayBeLocal: true };
		},
	},
	{
		name: '0 before the own calling code',
		why: '0971 50 123 4567 in the Emirates has a 0 in place of 00; libphonenumber reads a number of twelve digits that no exchange has',
		permit: ({ text, region }, reading) => {
			const digits = text.replace(/\D/g, '');
			if (!region || hasPlus(text) || !digits.startsWith(`0${callingCodeOf(region)}`))
				return undefined;
			const own = readByLibphonenumber(`+${digits.slice(1)}`);
			if (!isAskable(own) || !isOfPlan(own) || reading?.hasCallingCode) return undefined;
			if (!isAskable(reading) || !isOfPlan(reading)) return only(own);
			const national = reading.e164.slice(1 + callingCodeOf(region).length);
			return isUsualLength(national, region) ? undefined : NOTHING;
		},
	},
	{
		name: 'a number of a neighbor',
		why: 'people in France write 0692 12 34 56 for a number in Réunion, as they do there; in France itself nobody has it, though the general pattern does',
		permit: ({ text, region }, reading) => {
			if (!region || hasPlus(text) || !isAskable(reading) || reading.hasCallingCode)
				return undefined;
			const national = reading.e164.slice(1 + callingCodeOf(region).length);
			const isPlaceless = isValid(reading.e164) && !isLine(reading.e164);
			const isOwn = isLine(reading.e164) && !isOfLargest(region);
			const others = neighborsOf(region).map((code) => `+${code}${national}`);
			if (isPlaceless || isOwn) return undefined;
			if (others.some(isLine)) {
				return { ...NOTHING, mayBeNational: !matchesPlan(reading.e164) };
			}
			// The first digits alone may decide that it is none of Country's
			const mayBeOther = !isValid(reading.e164) && others.some(matchesPlan);
			return mayBeOther && matchesPlan(reading.e164)
				? { readings: [reading.e164], mayBeLocal: true }
				: undefined;
		},
	},
	{
		name: 'a 0 that the plan does not have',
		why: 'Poland had a 0 before 22 123 45 67 until 2010; libphonenumber takes it for a digit. The number may also be one of another country',
		permit: ({ text, region }, reading) => {
			const digits = text.replace(/\D/g, '');
			if (!region || hasPlus(text) || !/^0[1-9]/.test(digits)) return undefined;
			if (isAskable(reading) && matchesPlan(reading.e164)) return undefined;
			const national = digits.slice(1);
			const isUsual = isUsualLength(national, region) && !isShorterThanExamples(national, region);
			const isWhole = isUsual && matchesPlan(`+${callingCodeOf(region)}${national}`);
			return isWhole ? NOTHING : undefined;
		},
	},
	{
		name: 'digits that fit no pattern of their plan',
		why: 'libphonenumber takes the length alone: 15 5512-3456 in Argentina lacks its area code, and 555-123-4567 is a number of films',
		permit: ({ text, region }, reading) => {
			if (!region || hasPlus(text) || !isAskable(reading) || matchesPlan(reading.e164)) {
				return undefined;
			}
			const digits = text.replace(/\D/g, '');
			if (reading.hasCallingCode && !digits.startsWith(callingCodeOf(region))) return undefined;
			const mustBeNational = !reading.hasCallingCode && !digits.startsWith('00');
			return { ...NOTHING, mayBeNational: true, mustBeNational };
		},
	},
	{
		name: 'digits without their area code',
		why: "Australia has numbers of eight digits, so libphonenumber takes 9374 4000 for one; it's a fixed line without its area code, which nobody can call from abroad. China has short fixed lines, too, but only after a 0. In Berlin, people dial eight digits, which are whole lines elsewhere in Germany",
		permit: ({ text, region }, reading) => {
			if (!region || hasPlus(text) || !isAskable(reading)) return undefined;
			const isLocal = lacksAreaCode(reading.e164) || lacksTrunkPrefix(text, region, reading);
			if (!isLocal) return undefined;
			const mustBeNational = !reading.hasCallingCode && !/^\D*0\D*0|\//.test(text);
			return { ...NOTHING, mayBeNational: true, mustBeNational };
		},
	},
	{
		name: 'bare digits without Country',
		why: 'spreadsheets drop the plus; the digits are asked as international where they can be nothing else, and never elsewhere',
		permit: ({ text, region }) => {
			if (region || !/^[^+\uff0b\d]*[1-9]/.test(text) || /\p{L}/u.test(text)) return undefined;
			const reading = readByLibphonenumber(`+${text.replace(/^\D+/, '')}`);
			if (!isAskable(reading) || !matchesPlan(reading.e164)) return NOTHING;
			const written = numbersWrittenNationally(text.replace(/\D/g, ''));
			if (written.some((e164) => e164 !== reading.e164)) return NOTHING;
			return { readings: [reading.e164], mayBeLocal: true };
		},
	},
	{
		name: 'an impossible length after plus',
		why: 'a number with its calling code is whole, and plans gain lengths before tables do: the service decides',
		permit: ({ text }, reading) =>
			reading && !reading.isPossible && hasPlus(text) && isE164(reading.e164)
				? only(reading)
				: undefined,
	},
	{
		name: 'more than 15 digits, or fewer than 6',
		why: 'E.164 ends at 15 digits; libphonenumber knows national services that nobody abroad can call',
		permit: (_, reading) =>
			reading?.isPossible && !isE164(reading.e164)
				? { readings: [], mayBeLocal: true, mayBeNational: true }
				: undefined,
	},
];

/** Whether the digits are a number of the region's own calling code after 00. */
function isHomeAfter00(digits: string, region: string): boolean {
	const reading = readByLibphonenumber(`+${digits.slice(2)}`);
	if (!isAskable(reading) || !matchesPlan(reading.e164)) return false;
	return reading.e164.startsWith(`+${callingCodeOf(region)}`);
}

function readingsOf(text: string, region?: string): string[] {
	const reading = readByLibphonenumber(text, region);
	return isAskable(reading) ? [reading.e164] : [];
}

/** Whether a number has all of the digits, with or without a 0 after its calling code. */
function hasAllDigits(e164: string, digits: string): boolean {
	if (e164 === `+${digits}`) return true;
	const code = leadingCallingCode(digits);
	return code !== undefined && digits === `${code}0${e164.slice(1 + code.length)}`;
}

/** Dates and addresses as their own rules have them, and one digit throughout. */
function isInPlace(text: string): boolean {
	if (/^(\d)(?:\D{0,2}\1)+$/.test(text)) return true;
	const bytes = text.split('.');
	if (bytes.length === 4 && bytes.every((byte) => byte === String(Number(byte) & 255))) {
		// Groups of two may be a number
		return !/^\d\d\.\d{2,3}\.\d\d\.\d\d$/.test(text);
	}
	const parts = /^(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})$/.exec(text)?.slice(1);
	if (parts === undefined) return false;
	const [first, second, last] = parts.map(Number);
	const isDate = (year: number, ...days: number[]) =>
		year >= 1900 && year < 2100 && Math.min(...days) >= 1 && Math.max(...days) <= 31;
	const isYearFirst = first > 31;
	const days = isYearFirst ? [second, last] : [first, second];
	return (
		isDate(isYearFirst ? first : last, ...days) && (isYearFirst ? second : Math.min(...days)) <= 12
	);
}

const NOTHING: Permitted = { readings: [], mayBeLocal: true };

/** Whether a national number has neither its trunk 0 nor the length of usual fixed lines and mobiles. Where there is no 0, short lines have a type. */
function lacksTrunkPrefix(text: string, region: string, { e164, extension }: Reading): boolean {
	const all = text.replace(/\D/g, '');
	const digits = all.slice(0, all.length - extension.length);
	if (digits.startsWith('0') || e164 !== `+${callingCodeOf(region)}${digits}`) return false;
	if (isDialledInArea(e164, region)) return true;
	if (!isShorterThanUsual(e164)) return false;
	const keeps0 = matchesPlan(`+${callingCodeOf(region)}0${digits}`);
	return trunkPrefixOf(region) === '0' || (!isValid(e164) && !keeps0);
}

/** Whether a plan has numbers like this one, and it is not one without its area code. */
function isOfPlan({ e164 }: Reading): boolean {
	return matchesPlan(e164) && !lacksAreaCode(e164);
}

/** Whether libphonenumber's reading can be looked up. */
export function isAskable(reading: Reading | undefined): reading is Reading {
	return reading !== undefined && reading.isPossible && isE164(reading.e164);
}

function only({ e164 }: Reading): Permitted {
	return { readings: [e164], mayBeLocal: false };
}

/** Whether the calling code stands after a plus, of the number or of its RFC 3966 context. */
function hasPlus(text: string): boolean {
	return /^[^\d+\uff0b]*[+\uff0b]|;phone-context=\+/.test(text);
}

/** The digits after the calling code, where that stands after a plus. */
function nationalAfterPlus(text: string): string {
	const digits = text.replace(/\D/g, '');
	return digits.slice(leadingCallingCode(digits)?.length);
}

function changed(text: string, rewritten: string): string | undefined {
	return text === rewritten ? undefined : rewritten;
}
