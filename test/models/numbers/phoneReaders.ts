import type { GenericValue } from 'n8n-workflow';
import {
	type AnyOperation,
	type Client,
	equalityKey,
	isLocalAnswer,
	type LocalAnswer,
	type Params,
	type Part,
	type ServiceRequest,
	type WorkflowOperation,
} from '../../engine';
import { checkManyNumbers } from '../../../nodes/LookupMessaging/operations/batch/checkMany';
import { submitNumbers } from '../../../nodes/LookupMessaging/operations/batch/submit';
import { lookUpCallerId } from '../../../nodes/LookupMessaging/operations/callerId/lookUp';
import { enrichContact } from '../../../nodes/LookupMessaging/operations/contact/enrich';
import { validatePhone } from '../../../nodes/LookupMessaging/operations/phone/validate';
import { checkWhatsAppNumber } from '../../../nodes/LookupMessaging/operations/whatsApp/checkNumber';
import { sendWhatsAppMessage } from '../../../nodes/LookupMessaging/operations/whatsApp/sendMessage';

/** Everything that reads a phone number: what it sends for what is in the fields Phone Number and Country. */
export interface PhoneReader {
	name: string;
	operation: AnyOperation;
	/** Whether its endpoint takes a national number with its country, too (SPEC §4.2); else only E.164. */
	takesNational?: true;
	read: (phoneNumber: GenericValue, country?: GenericValue) => Asked;
}

/** What is sent, and the key that equal questions share; or the local answer. */
export type Asked = { local: LocalAnswer } | { number: string; hint?: string; key: string };

export const PHONE_READERS: PhoneReader[] = [
	{
		...reader('Phone, Validate, Detailed', validatePhone, { responseDetail: 'detailed' }),
		takesNational: true,
	},
	reader('Phone, Validate, Basic', validatePhone, { responseDetail: 'basic' }),
	reader('Caller ID, Detailed', lookUpCallerId, { responseDetail: 'detailed' }),
	reader('Caller ID, Basic', lookUpCallerId, { responseDetail: 'basic' }),
	reader('WhatsApp, Check Number', checkWhatsAppNumber),
	reader('WhatsApp, Send Message', sendWhatsAppMessage, { message: 'Hello' }),
	reader('Batch, Submit, item', submitNumbers, { numbersFrom: 'items' }),
	reader('Batch, Submit, list', submitNumbers, { numbersFrom: 'list' }),
	reader('Batch, Check Many, item', checkManyNumbers, { numbersFrom: 'items' }),
	reader('Batch, Check Many, list', checkManyNumbers, { numbersFrom: 'list' }),
	{
		...reader('Contact, Phone Validation', enrichContact, { lookups: ['phone'] }),
		takesNational: true,
	},
	reader('Contact, others', enrichContact, { lookups: ['callerId', 'whatsApp'] }),
];

function reader(name: string, operation: AnyOperation, params: Params = {}): PhoneReader {
	const isList = params.numbersFrom === 'list';
	return {
		...{ name, operation },
		read: (phoneNumber, country) => {
			const given = isList ? { phoneNumbers: [phoneNumber] } : { phoneNumber };
			const prepared = operation.prepare({ ...params, ...given, country });
			const { parts } = prepared as { parts?: Iterable<Part<unknown>> };
			const question = parts ? [...parts][0].question : prepared;
			return isLocalAnswer(question) ? { local: question } : askedBy(operation, question);
		},
	};
}

/** The requests about the number that are known before the first reply, and the keys of their answers. */
function askedBy(operation: AnyOperation, question: unknown): Asked {
	if (!('run' in operation))
		return sentIn([operation.request(question)], equalityKey(operation, question));
	const lookups = operation.lookups?.(question, () => undefined) ?? [];
	if (lookups.length === 0)
		return sentIn([firstRequest(operation, question)], equalityKey(operation, question));
	const keys = lookups.map((each) => equalityKey(each.lookup, each.question));
	return sentIn(
		lookups.map((each) => each.lookup.request(each.question)),
		keys.join(),
	);
}

function firstRequest(operation: WorkflowOperation<unknown>, question: unknown): ServiceRequest {
	const requests: ServiceRequest[] = [];
	const endless = async () => await new Promise<never>(() => undefined);
	const client: Client = {
		call: async ({ request }) => {
			requests.push(request);
			return await endless();
		},
		attempt: endless,
		lookUp: endless,
		willMake: endless,
		sleep: endless,
		map: endless,
		isStored: () => false,
		skip: () => undefined,
		reportJob: () => undefined,
		warn: () => undefined,
	};
	void operation.run([question], client);
	return requests[0];
}

/** SPEC §4: the parameters that hold a number. */
function sentIn(requests: ServiceRequest[], key: string): Asked {
	const all = requests.map(({ query, body }) => {
		const { number, phone_number, phone_numbers, country_code: hint } = { ...query, ...body };
		const sent = Array.isArray(phone_numbers) ? phone_numbers[0] : (number ?? phone_number);
		return { number: String(sent), ...(hint !== undefined && { hint: String(hint) }) };
	});
	const numbers = new Set(all.map(({ number }) => number));
	return { ...all[0], number: [...numbers].join(' and '), key };
}
