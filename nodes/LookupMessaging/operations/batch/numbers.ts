import type { GenericValue, INodeProperties } from 'n8n-workflow';
import { isLocalAnswer, type LocalAnswer, type Params, type Part } from '../../engine/operation';
import { textOf } from '../../engine/plan/values';
import { phoneNumberField, readNumber, withoutFormatting } from '../shared/phoneNumber';

/** SPEC §8: at most so many numbers in one batch. */
export const MOST_NUMBERS = 1000;

/** A number of a batch, as it will be submitted. */
export interface BatchNumber {
	number: string;
}

/** Where the numbers of a batch come from: the parameters that Submit and Check Many Numbers share. */
export const numbersFields: INodeProperties[] = [
	{
		displayName: 'Numbers From',
		name: 'numbersFrom',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Each Input Item',
				value: 'items',
				description: 'One number per input item',
			},
			{
				name: 'List',
				value: 'list',
				description: 'Several numbers in one field',
			},
		],
		default: 'items',
		description: 'Where the numbers are',
	},
	{
		...phoneNumberField,
		description: 'The phone number of the item, with its country code',
		displayOptions: { show: { numbersFrom: ['items'] } },
	},
	{
		displayName: 'Phone Numbers',
		name: 'phoneNumbers',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. +44 20 7946 0018, +1 202 555 0143',
		description:
			'The phone numbers with their country codes: separated by commas or line breaks, or an expression that gives an array',
		displayOptions: { show: { numbersFrom: ['list'] } },
	},
];

/** A tool has one input item. */
export const NUMBERS_OF_TOOL = { numbersFrom: 'list' };

/** The numbers of one item: its own, or those of its list, each read for itself. */
export function readNumbers(
	params: Params,
): BatchNumber | LocalAnswer | { parts: Array<Part<BatchNumber>> } {
	const read = (value: GenericValue) => {
		const number = readNumber(value, params.defaultCallingCode, true);
		return isLocalAnswer(number) ? number : { number };
	};
	if (params.numbersFrom !== 'list') return read(params.phoneNumber);

	const list = splitList(params.phoneNumbers);
	if (list.length === 0) {
		return { local: 'empty', field: 'Phone Numbers', reason: 'is empty' };
	}
	return { parts: list.map((input) => ({ input, question: read(input) })) };
}

/** The spelling that all equal numbers share. */
export function canonicalNumber({ number }: BatchNumber): BatchNumber {
	return { number: withoutFormatting(number) };
}

/** The entries of a list that people may give as an array, or as text with commas, semicolons or line breaks. */
export function splitList(value: GenericValue): GenericValue[] {
	if (Array.isArray(value)) return value;
	if (typeof value === 'object' && value !== null) return [value];
	const text = textOf(value).trim();
	if (/^\[.*\]$/s.test(text)) return splitList(text.slice(1, -1).replace(/"/g, ''));
	return text
		.split(/[,;\r\n]+/)
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}
