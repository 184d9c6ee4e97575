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
		'Country of numbers written without +. Takes a code (GB, GBR), an English name (United Kingdom) or a calling code (+44).',
};

/**
 * Reads the field Country.
 * @returns the plan; undefined where it is empty; for anything else what is wrong with it, as a predicate of the field
 */
export function readCountry(value: unknown): NumberingPlan | string | undefined {
	const text = textOf(value).normalize('NFKC').trim();
	if (text === '' || /^none$/i.test(text)) return undefined;
	const callingCode = /^(?:\+|00)?\s*([1-9][\d\s-]*)$/.exec(text)?.[1].replace(/\D/g, '');
	const plan = callingCode === undefined ? planOfCountry(text) : callingCodePlan(callingCode);
	return (
		plan ??
		`(${quote(text)}) is no country that has phone numbers; use a code such as GB, an English name, or a calling code such as +44`
	);
}

/** Of "1", or of "1 876": countries of North America are known by their area codes. */
function callingCodePlan(digits: string): NumberingPlan | undefined {
	return (
		planOfCallingCode(digits) ?? (/^1\d{3}$/.test(digits) ? planOfCallingCode('1') : undefined)
	);
}
