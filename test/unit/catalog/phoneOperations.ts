import type { GenericValue } from 'n8n-workflow';
import {
	type AnyOperation,
	equalityKey,
	isLocalAnswer,
	LOCAL_OUTCOME,
	type LocalAnswer,
	type LookupCall,
	type Params,
	type Part,
	type ServiceRequest,
} from '../../engine';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { answersByLookups } from '../../../scripts/generate/operationCosts';

/** An operation that looks up a phone number, with the parameters that change what it takes. */
interface PhoneOperation {
	/** `resource.value`. */
	of: string;
	given?: Params;
	/** Whether the service takes a national number with its country, too (SPEC §4.2); else only E.164. */
	takesNational?: true;
}

/** Each operation, in each way of asking. */
export const PHONE_OPERATIONS: Record<string, PhoneOperation> = {
	'Validate, Detailed': {
		of: 'phone.validate',
		given: { responseDetail: 'detailed' },
		takesNational: true,
	},
	'Validate, Basic': { of: 'phone.validate', given: { responseDetail: 'basic' } },
	'Caller ID, Detailed': { of: 'callerId.lookUp', given: { responseDetail: 'detailed' } },
	'Caller ID, Basic': { of: 'callerId.lookUp', given: { responseDetail: 'basic' } },
	'Check Number': { of: 'whatsApp.checkNumber' },
	'Send Message': {
		of: 'whatsApp.sendMessage',
		given: { message: 'Hello', media: 'none', checkNumberFirst: true },
	},
	'Submit Batch': { of: 'batch.submit', given: { numbersFrom: 'items' } },
	'Check Many Numbers': { of: 'batch.checkMany', given: { numbersFrom: 'items' } },
	'Enrich, validated': {
		of: 'contact.enrich',
		given: { lookups: ['phone'] },
		takesNational: true,
	},
	'Enrich, not validated': { of: 'contact.enrich', given: { lookups: ['callerId', 'whatsApp'] } },
};

/** All ways of asking, or only those that take national numbers, too. */
type Takers = 'all' | 'of national numbers';

const waysOf = (takers: Takers) =>
	Object.keys(PHONE_OPERATIONS).filter(
		(way) => takers === 'all' || PHONE_OPERATIONS[way].takesNational,
	);

/** Several spellings of a value in one text, between bars; any other value is one spelling. */
export const spelled = (spellings: GenericValue): GenericValue[] =>
	typeof spellings === 'string' ? spellings.split(/ \|\s+/) : [spellings];

/** The same value for each way of asking. */
export function inEach<Value>(value: Value): Record<string, Value> {
	return Object.fromEntries(waysOf('all').map((way) => [way, value]));
}

/** What each way of asking makes of a number: what is sent of it, or the outcome and the reason of its local answer. */
export function askEach(phoneNumber: GenericValue, country?: GenericValue): Record<string, string> {
	return Object.fromEntries(waysOf('all').map((way) => [way, ask(way, phoneNumber, country)]));
}

/** The key by which each way of asking knows equal questions. */
export function keyOfEach(
	phoneNumber: GenericValue,
	country?: GenericValue,
	takers: Takers = 'all',
): Record<string, string> {
	return Object.fromEntries(
		waysOf(takers).map((way) => {
			const { operation, question } = prepare(way, phoneNumber, country);
			if (isLocalAnswer(question)) throw new Error(`${way}: ${question.reason}`);
			const keys = lookupsOf(operation, question).map((each) =>
				equalityKey(each.lookup, each.question),
			);
			// A message is no lookup: it never shares an answer, only the check before it does
			return [way, keys.length > 0 ? keys.join() : equalityKey(operation, question)];
		}),
	);
}

/** As askEach, for one way of asking. */
export function ask(way: string, phoneNumber: GenericValue, country?: GenericValue): string {
	const { operation, question } = prepare(way, phoneNumber, country);
	if (isLocalAnswer(question)) return localText(question);
	const numbers = requestsOf(operation, question).map(numberIn);
	// What makes its requests in `run` sends the number of its question
	const isNumberOwn = 'run' in operation && !answersByLookups(operation);
	if (isNumberOwn) numbers.push((question as { number: string }).number);
	return [...new Set(numbers)].join(' and ');
}

function prepare(way: string, phoneNumber: GenericValue, country: GenericValue) {
	const { of, given } = PHONE_OPERATIONS[way];
	const operation = operations.find(({ resource, value }) => `${resource}.${value}` === of);
	if (!operation) throw new Error(`The catalog has no ${of}`);
	const prepared: unknown = operation.prepare({ ...given, phoneNumber, country });
	const parts = (prepared as { parts?: Iterable<Part<unknown>> }).parts;
	return { operation, question: parts ? [...parts][0].question : prepared };
}

/** The requests that are known before the first reply. */
function requestsOf(operation: AnyOperation, question: unknown): ServiceRequest[] {
	if (!('run' in operation)) return [operation.request(question)];
	return lookupsOf(operation, question).map((each) => each.lookup.request(each.question));
}

function lookupsOf(operation: AnyOperation, question: unknown): LookupCall[] {
	return ('run' in operation && operation.lookups?.(question, () => undefined)) || [];
}

/** "+442079460018", or "79460018 (GB)" with a hint. */
function numberIn({ query, body }: ServiceRequest): string {
	const { number, phone_number: phoneNumber, country_code: country } = { ...query, ...body };
	return `${String(number ?? phoneNumber)}${country ? ` (${String(country)})` : ''}`;
}

/** A contact has its local answers in its sections, where a reason of several sentences ends with a full stop. */
function localText({ local, field, reason, record }: LocalAnswer): string {
	const sections = Object.values(record ?? {}) as Array<{ outcome?: string; reason?: string }>;
	const section = sections.find((each) => each?.reason !== undefined);
	return section
		? `${section.outcome}: ${section.reason?.replace(/\.$/, '')}`
		: `${LOCAL_OUTCOME[local]}: ${field} ${reason}`;
}
