import { isLocalAnswer } from '../../../engine/operation';
import { textOf } from '../../../engine/plan/values';
import { asciiForms } from '../readText';
import { ofOther } from '../decisions';
import { planByLeadingCallingCode, planOfCountry } from './numberingPlans';
import { readPhoneNumber } from './phoneNumber';

/** Whether a reply is about the number of the question, in any format. */

/** Fewer digits name no number, and a longer text names more than one. */
const FEWEST_DIGITS = 5;
const LONGEST = 1_000;

/**
 * Numbers that have two forms: abroad or in WhatsApp, one with a digit that the other has not; in Benin and Ivory Coast, where
 * numbers became longer, a new one and an old one.
 */
const TWO_FORMS: Array<[form: RegExp, other: string]> = [
	[/^22901(?=\d{8}$)/, '229'],
	[/^225(?:01|05|07|2[157])(?=\d{8}$)/, '225'],
	[/^521(?=\d{10}$)/, '52'],
	[/^549(?=\d{10}$)/, '54'],
	[/^(55\d\d)9(?=[6-9]\d{7}$)/, '$1'],
];

/** The spelling that both forms of a number share, in digits. */
function shortForm(digits: string): string {
	return TWO_FORMS.reduce((form, [pattern, other]) => form.replace(pattern, other), digits);
}

/**
 * Whether a reply names another number. The same number has the same digits, with its calling code or, as a national one, without
 * it; or the node would look up the same number for it.
 */
export function isOtherNumber(said: unknown, asked: string, country = ''): boolean {
	if (said === asked || (typeof said !== 'string' && typeof said !== 'number')) return false;
	const given = textOf(said);
	if (given.length > LONGEST) return true;
	const text = asciiForms(given).trim();
	const digits = digitsOf(text);
	if (digits.length < FEWEST_DIGITS) return false;
	const own = digitsOf(asked);
	// The service has completed a national number
	if (!asked.startsWith('+')) {
		const national = own.replace(/^0+/, '');
		const code = digits.slice(0, -national.length).replace(/^0+/, '');
		const expected = planOfCountry(country)?.callingCode ?? code;
		return !digits.endsWith(national) || (code !== '' && !code.startsWith(expected));
	}
	const isOwn = (other: string) => shortForm(other) === shortForm(own);
	if (isOwn(digits.replace(/^00/, ''))) return false;
	const plan = planByLeadingCallingCode(own);
	if (!plan) return true;
	const national = own.slice(plan.callingCode.length);
	if (!text.startsWith('+') && (digits === national || digits === `0${national}`)) return false;
	const read = readPhoneNumber(text, plan.region);
	return isLocalAnswer(read) || !isOwn(digitsOf(read.number));
}

/** Calling codes of other countries that numbers of a country have, too. */
const SHARED: Record<string, string[]> = {
	FR: ['262', '508', '590', '594', '596', '681', '687', '689'],
	PS: ['972'],
	RS: ['383'],
};

/**
 * Whether a reply names a country, by its code or its calling code, that has another calling code than the number.
 * @param country that of a national number
 */
export function isOtherCountry(said: unknown, asked: string, country = ''): boolean {
	const own = digitsOf(asked);
	const isWhole = asked.startsWith('+');
	const plan = isWhole ? planByLeadingCallingCode(own) : planOfCountry(country);
	const text = asciiForms(textOf(said).slice(0, LONGEST)).trim();
	if (!plan || text === '') return false;
	if (/^[A-Z]{2}$/i.test(text)) {
		const other = planOfCountry(text);
		if (other === undefined || other.callingCode === plan.callingCode) return false;
		return SHARED[other.region]?.includes(plan.callingCode) !== true;
	}
	const code = /^\+?([1-9]\d{0,3})$/.exec(text)?.[1];
	const isOwn = (text: string) =>
		text.startsWith(plan.callingCode) && (!isWhole || own.startsWith(text));
	return code !== undefined && !isOwn(code);
}

function digitsOf(text: string): string {
	return text.replace(/\D/g, '');
}

/** The row for a reply about another number than that of the question. */
export function anotherNumber(...fields: string[]) {
	return ofOther('number', fields, isOtherNumber);
}

/** The rows of anotherNumber, for a reply that has a country too. */
export function anotherNumberOrCountry(...fields: string[]) {
	return [
		ofOther('number', fields, isOtherNumber),
		anotherCountry('countrycode', 'countrycodenum'),
	];
}

/** The row for a reply about a number of another country. */
export function anotherCountry(...fields: string[]) {
	return ofOther('country', fields, isOtherCountry);
}
