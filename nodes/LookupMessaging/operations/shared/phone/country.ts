import type { INodeProperties } from 'n8n-workflow';
import { quote, textOf } from '../../../engine/plan/values';
import { planOfCallingCode, planOfCountry, type NumberingPlan } from './numberingPlans';

export const countryField: INodeProperties = {
	displayName: 'Country',
	name: 'country',
	type: 'string',
	default: '',
	placeholder: 'e.g. GB',
	description:
		"Country of numbers without a country code: a code (GB, GBR), an English name (United Kingdom) or a calling code (+44). Numbers with + don't need it.",
};

/** What lists and forms hold where no country is known. */
const NO_COUNTRY = /^(?:none|null|undefined|unknown|n\/a|#n\/a|n\.a\.|[-–—?])$/i;

/**
 * Reads the field Country.
 * @returns the plan; undefined where it is empty; for anything else what is wrong with it, as a predicate of the field
 */
export function readCountry(value: unknown): NumberingPlan | string | undefined {
	const text = textOf(value).normalize('NFKC').trim();
	if (text === '' || NO_COUNTRY.test(text)) return undefined;
	const callingCode = /^(?:\+|00)?\s*([1-9][\d\s-]*)(?:\.0+)?$/.exec(text)?.[1].replace(/\D/g, '');
	const plan = callingCode === undefined ? planOfCountry(text) : planOfCallingCode(callingCode);
	return (
		plan ??
		`(${quote(text)}) isn't recognized as a country. Use a code such as GB, the English name, or a calling code such as +44`
	);
}
