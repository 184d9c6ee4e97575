import type { GenericValue, INodeProperties } from 'n8n-workflow';
import type { LocalAnswer, Params, Part } from '../../engine/operation';
import { textOf } from '../../engine/plan/values';
import { countryField } from '../shared/phone/country';
import { phoneNumberField, readPhoneNumber, type AskedNumber } from '../shared/phone/phoneNumber';

/** SPEC §8: at most so many numbers in one batch. */
export const MAX_NUMBERS = 1000;
/** Most entries of a list in one field: those of ten full batches. Each becomes an item, which may have the field beside it. */
const MAX_ENTRIES = 10 * MAX_NUMBERS;

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
		description: 'Where the numbers come from',
	},
	{
		...phoneNumberField,
		description:
			'The phone number of the item, in any format. Set Country if it has no country code.',
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
			'The phone numbers, separated by commas or line breaks. An expression can return an array.',
		displayOptions: { show: { numbersFrom: ['list'] } },
	},
	countryField,
];

/** A tool has one input item. */
export const NUMBERS_OF_TOOL = { numbersFrom: 'list' };

/** The numbers of one item: its own, or those of its list, each read for itself. */
export function readNumbers(
	params: Params,
): AskedNumber | LocalAnswer | { parts: Iterable<Part<AskedNumber>> } {
	const read = (value: GenericValue) => readPhoneNumber(value, params.country);
	if (params.numbersFrom !== 'list') return read(params.phoneNumber);

	const field = 'Phone Numbers';
	const empty: LocalAnswer = { local: 'empty', field, reason: 'is empty' };
	return partsOf(params.phoneNumbers, field, read) ?? empty;
}

/**
 * The entries of a list, each with its question, made when it is asked for; undefined for an empty list.
 * @param field display name of the field, for a list that is too long
 * @param isWanted whether an entry is read
 */
export function partsOf<Question>(
	value: GenericValue,
	field: string,
	read: ReadEntry<Question>,
	isWanted: (entry: GenericValue) => boolean = () => true,
): LocalAnswer | { parts: Iterable<Part<Question>> } | undefined {
	const entries = readList(value);
	if (typeof entries === 'string') return { local: 'parameter', field, reason: entries };
	return entries.length === 0 ? undefined : { parts: eachOf(entries.filter(isWanted), read) };
}

type ReadEntry<Question> = (entry: GenericValue) => Part<Question>['question'];

function* eachOf<Question>(
	entries: GenericValue[],
	read: ReadEntry<Question>,
): Generator<Part<Question>> {
	for (const input of entries) yield { input, question: read(input) };
}

/** The entries of a list, or why it has too many, as a predicate of its field. It is known before anything is made of an entry. */
export function readList(value: GenericValue): GenericValue[] | string {
	const entries = entriesIn(value);
	if (entries.length <= MAX_ENTRIES) return entries;
	const [found, most] = [entries.length, MAX_ENTRIES].map((count) => count.toLocaleString('en-US'));
	return `has ${found} entries, more than the ${most} that one field takes. Split it into several items`;
}

/** An array, or text with commas, semicolons or line breaks. */
function entriesIn(value: GenericValue): GenericValue[] {
	if (Array.isArray(value)) return value;
	if (typeof value === 'object' && value !== null) return [value];
	const given = textOf(value).trim();
	const text = /^\[.*\]$/s.test(given) ? given.slice(1, -1).replace(/"/g, '') : given;
	const entries = text.split(/[,;\r\n]+/).map((entry) => entry.trim());
	return entries.filter((entry) => entry !== '');
}

export function canonicalNumber({ number }: AskedNumber): AskedNumber {
	return { number };
}

/** The digits that a number and its row share, since a service may drop the +. */
export function digitsOf(number: unknown): string {
	return textOf(number).replace(/\D/g, '');
}
