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
	const reason = listProblem(value);
	if (reason) return { local: 'parameter', field, reason };
	const list = splitList(value);
	const first = list.next();
	return first.done ? undefined : { parts: eachOf(first.value, list, read, isWanted) };
}

/** Why a list has too many entries, as a predicate of its field. It is known before anything is made of an entry. */
export function listProblem(value: GenericValue): string | undefined {
	const count = Array.isArray(value) ? value.length : entriesIn(value);
	if (count <= MAX_ENTRIES) return undefined;
	const [found, most] = [count, MAX_ENTRIES].map((entries) => entries.toLocaleString('en-US'));
	return `has ${found} entries, more than the ${most} that one field takes. Split it into several items`;
}

/** How many entries a text has. */
function entriesIn(value: GenericValue): number {
	if (typeof value !== 'string') return 1;
	let entries = 0;
	let isBetween = true;
	for (let at = 0; at < value.length; at += 1) {
		const mark = value[at];
		if (MARKS.includes(mark)) isBetween = true;
		else if (isBetween && mark.trim() !== '') {
			entries += 1;
			isBetween = false;
		}
	}
	return entries;
}

type ReadEntry<Question> = (entry: GenericValue) => Part<Question>['question'];

function* eachOf<Question>(
	first: GenericValue,
	others: Iterable<GenericValue>,
	read: ReadEntry<Question>,
	isWanted: (entry: GenericValue) => boolean,
): Generator<Part<Question>> {
	if (isWanted(first)) yield { input: first, question: read(first) };
	for (const input of others) if (isWanted(input)) yield { input, question: read(input) };
}

/** The sent form of a number. */
export function canonicalNumber({ number }: AskedNumber): AskedNumber {
	return { number };
}

/** The digits that a number and its row share, since a service may drop the +. */
export function digitsOf(number: unknown): string {
	return textOf(number).replace(/\D/g, '');
}

/** Separators of the entries of a list in a text. */
const MARKS = ',;\r\n';
const BETWEEN = new RegExp(`[${MARKS}]+`, 'g');

/** The entries of a list: an array, or text with commas, semicolons or line breaks. Each is read on demand. */
export function* splitList(value: GenericValue): Generator<GenericValue> {
	if (Array.isArray(value)) return yield* value;
	if (typeof value === 'object' && value !== null) return yield value;
	const given = textOf(value).trim();
	const text = /^\[.*\]$/s.test(given) ? given.slice(1, -1).replace(/"/g, '') : given;
	let start = 0;
	for (const { 0: marks, index } of text.matchAll(BETWEEN)) {
		const entry = text.slice(start, index).trim();
		start = index + marks.length;
		if (entry !== '') yield entry;
	}
	const last = text.slice(start).trim();
	if (last !== '') yield last;
}
