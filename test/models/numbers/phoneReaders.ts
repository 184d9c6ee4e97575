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
	/** Whether its endpoint takes national numbers. */
	takesNational?: true;
	read: (phoneNumber: GenericValue, country?: string) => Asked;
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
	reader('Contact, WhatsApp', enrichContact, { lookups: ['whatsApp'] }),
];

function reader(name: string, operation: AnyOperation, params: Params = {}): PhoneReader {
	const isList = params.numbersFrom === 'list';
	return {
		name,
		read: (phoneNumber, country) => {
			const given = isList ? { phoneNumbers: [phoneNumber] } : { phoneNumber };
			const prepared = operation.prepare({ ...params, ...given, country });
			const { parts } = prepared as { parts?: Iterable<Part<unknown>> };
			const question = parts ? [...parts][0].question : prepared;
			return isLocalAnswer(question) ? { local: question } : askedBy(operation, question);
		},
	};
}

/** The first request about the number, and the key of its answer. */
function askedBy(operation: AnyOperation, question: unknown): Asked {
	if (!('run' in operation))
		return sentIn(operation.request(question), equalityKey(operation, question));
	const [lookup] = operation.lookups?.(question, () => undefined) ?? [];
	if (lookup) {
		return sentIn(
			lookup.lookup.request(lookup.question),
			equalityKey(lookup.lookup, lookup.question),
		);
	}
	return sentIn(firstRequest(operation, question), equalityKey(operation, question));
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
function sentIn({ query, body }: ServiceRequest, key: string): Asked {
	const { number, phone_number, phone_numbers, country_code: hint } = { ...query, ...body };
	const [first] = Array.isArray(phone_numbers) ? phone_numbers : [number ?? phone_number];
	return { number: String(first), ...(hint !== undefined && { hint: String(hint) }), key };
}
