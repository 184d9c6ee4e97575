import type { IDataObject } from 'n8n-workflow';
import { magic } from '../../sandbox';
import { canonicalAddress, endpoint, type EndpointName } from './endpoints';
import {
	addresses,
	brands,
	contacts,
	emails,
	isNamed,
	isOnWhatsApp,
	magicNumber,
	numbers,
	onlyInFirst,
	type Section,
	type Subject,
} from './lookupSubjects';

/** The operations that chaos runs, each with values to look up. */

export type OperationName = keyof typeof OPERATIONS;

interface ChaosOperation {
	parameters: IDataObject;
	/** The paid endpoints that it calls; the first is the one that it is about. */
	endpoints: EndpointName[];
	/** The fault rules' name for a free one. */
	freePath?: string;
	/** Equal questions have one answer, malformed ones a local one, and there are outputs to route to. */
	isLookup: boolean;
	/** It waits for a job, so Max Wait must not be half an hour. */
	isWaiting?: true;
	/** Its output does not say what was looked up. */
	hasNoInput?: true;
	/** Its items have files. */
	hasFiles?: true;
	/** @param execution which of several; the values of two of them have nothing in common */
	subjects: (execution: number) => Subject[];
	/** What no call is made for. */
	malformed: string[];
	/** What the answer says that it is about; undefined where it does not say. */
	aboutOf: (result: IDataObject) => unknown;
}

/** No number, two numbers, and a number whose country nobody names. */
const NOT_ASKED = [
	...['abc', '', '12', '+44 20 7946 0018 or +44 20 7946 0019'],
	...['020 7946 0018', '4.42079E+11'],
];
const digitsOf = (text: unknown) => (typeof text === 'string' ? text.replace(/\D/g, '') : text);
const phoneOf = ({ phoneNumber }: IDataObject) => digitsOf(phoneNumber);
const emailOf = ({ email }: IDataObject) =>
	typeof email === 'string' ? email.toLowerCase() : email;
const addressOf = ({ ipAddress }: IDataObject) => ipAddress && canonicalAddress(ipAddress);
const brandOf = ({ brandName }: IDataObject) =>
	typeof brandName === 'string' ? brandName.toLowerCase() : brandName;

const phoneNumber = '={{ $json.value }}';
const detailed = { responseDetail: 'detailed' };
const send = { resource: 'whatsApp', operation: 'sendMessage', phoneNumber };
const audit = {
	...{ resource: 'audit', brandName: '={{ $json.value }}' },
	...{ brandUrl: 'https://brand.example', competitors: '' },
};

/** Numbers of no plan are refused. */
const recipients = (execution: number): Subject[] => [
	...numbers(execution, isOnWhatsApp).slice(0, 12),
	...onlyInFirst(execution, [
		magicNumber(magic.PHONE.sendRefused, 'negative', { isRefused: true }),
	]),
];

export const OPERATIONS = {
	verifyEmail: {
		parameters: { resource: 'email', operation: 'verify', email: '={{ $json.value }}' },
		...{ endpoints: ['checkemail'], isLookup: true, subjects: emails, aboutOf: emailOf },
		malformed: ['no address', '', '@mail.example', 'a@b@'],
	},
	validatePhone: {
		parameters: {
			...{ resource: 'phone', operation: 'validate', phoneNumber },
			...{ ...detailed, country: '' },
		},
		...{ endpoints: ['phonevalidation'], isLookup: true, aboutOf: phoneOf },
		subjects: (execution) => numbers(execution, () => 'positive'),
		malformed: NOT_ASKED,
	},
	lookUpCallerId: {
		parameters: { resource: 'callerId', operation: 'lookUp', phoneNumber, ...detailed },
		...{ endpoints: ['calleridvalidation'], isLookup: true, aboutOf: phoneOf },
		subjects: (execution) => [
			...numbers(execution, isNamed),
			...onlyInFirst(execution, [
				magicNumber(magic.PHONE.noName, 'unknown'),
				magicNumber(magic.PHONE.callerLookupFails, 'unknown'),
			]),
		],
		malformed: NOT_ASKED,
	},
	checkWhatsApp: {
		parameters: { resource: 'whatsApp', operation: 'checkNumber', phoneNumber },
		...{ endpoints: ['checkwanumber'], isLookup: true, aboutOf: phoneOf },
		subjects: (execution) => [
			...numbers(execution, isOnWhatsApp),
			...onlyInFirst(execution, [
				magicNumber(magic.PHONE.whatsAppBusiness, 'positive'),
				magicNumber(magic.PHONE.whatsAppFails, 'unknown', { isRefused: true }),
			]),
		],
		malformed: NOT_ASKED,
	},
	checkMany: {
		parameters: { resource: 'batch', operation: 'checkMany', phoneNumber },
		...{ endpoints: ['batch'], isLookup: true, isWaiting: true, aboutOf: phoneOf },
		freePath: '/api/v1/wavalidation/batch/:batch_id',
		subjects: (execution) => [
			...numbers(execution, isOnWhatsApp),
			...onlyInFirst(execution, [
				magicNumber(magic.PHONE.batchRowFails, 'unknown', { isRefused: true }),
				magicNumber(magic.PHONE.batchRowLost, 'unknown'),
				magicNumber(magic.PHONE.batchRowWordless, 'unknown'),
				magicNumber(magic.PHONE.batchRowInactive, 'negative'),
			]),
		],
		malformed: NOT_ASKED,
	},
	sendMessage: {
		parameters: { ...send, message: '={{ $json.text }}' },
		...{ endpoints: ['sendwasms', 'checkwanumber'], isLookup: false, aboutOf: phoneOf },
		...{ subjects: recipients, malformed: NOT_ASKED },
	},
	sendFile: {
		parameters: { ...send, message: '={{ $json.text }}', media: 'binaryField' },
		...{ endpoints: ['sendwasms', 'checkwanumber'], isLookup: false, aboutOf: phoneOf },
		...{ subjects: recipients, malformed: NOT_ASKED, hasFiles: true },
	},
	locateIp: {
		parameters: {
			...{ resource: 'geoIp', operation: 'locate', ipAddress: '={{ $json.value }}', ...detailed },
		},
		...{ endpoints: ['geoip'], isLookup: true, subjects: addresses, aboutOf: addressOf },
		malformed: ['300.1.1.1', '', '10.0.0.7', 'localhost'],
	},
	runAudit: {
		parameters: { ...audit, operation: 'run' },
		...{ endpoints: ['audit_run'], isLookup: false, aboutOf: brandOf, malformed: [''] },
		subjects: (execution) => brands(execution, 'positive'),
	},
	runAuditAndWait: {
		parameters: { ...audit, operation: 'runAndWait' },
		...{ endpoints: ['audit_run'], isLookup: false, aboutOf: brandOf, malformed: [''] },
		...{ freePath: 'audit', isWaiting: true },
		subjects: (execution) => brands(execution, 'negative'),
	},
	callTool: {
		parameters: {
			...{ resource: 'toolServer', operation: 'callTool', argumentsMode: 'json' },
			tool: { __rl: true, mode: 'name', value: 'verify_email' },
			argumentsJson: '={{ JSON.stringify($json.value === "" ? [] : { email: $json.value }) }}',
		},
		...{ endpoints: ['tool'], isLookup: false, hasNoInput: true, malformed: [''] },
		// A tool that gets no mailbox has answered, too; one that gave its credit back looks like one that had none
		subjects: (execution) =>
			emails(execution)
				.filter(({ isRefunded }) => !isRefunded)
				.map(({ spellings, ...rest }) => ({
					...{ ...rest, spellings: spellings.slice(0, 1), expectedOutcomes: ['positive'] },
				})),
		aboutOf: ({ result }) => emailOf((result ?? {}) as IDataObject),
	},
	enrichContact: {
		parameters: {
			...{ resource: 'contact', operation: 'enrich', phoneNumber, country: '' },
			...{ email: '={{ $json.email }}', ipAddress: '={{ $json.ip }}', contactName: '' },
			lookups: ['callerId', 'email', 'geoIp', 'phone', 'whatsApp'],
		},
		endpoints: ['phonevalidation', 'calleridvalidation', 'checkwanumber', 'checkemail', 'geoip'],
		...{ isLookup: true, subjects: contacts, malformed: NOT_ASKED, aboutOf: () => undefined },
	},
} satisfies Record<string, ChaosOperation>;

export function operationOf(name: OperationName): ChaosOperation {
	return OPERATIONS[name];
}

/** The section of a contact that an endpoint answers, and what its answer says that it is about. */
export const SECTIONS: Record<
	Section,
	{ endpoint: EndpointName; aboutOf: ChaosOperation['aboutOf'] }
> = {
	phone: { endpoint: 'phonevalidation', aboutOf: phoneOf },
	callerId: { endpoint: 'calleridvalidation', aboutOf: phoneOf },
	whatsApp: { endpoint: 'checkwanumber', aboutOf: phoneOf },
	email: { endpoint: 'checkemail', aboutOf: emailOf },
	geoIp: { endpoint: 'geoip', aboutOf: addressOf },
};

/** The request of an endpoint for a subject. */
export function partFor(subject: Subject, name: EndpointName): Subject {
	const { parts } = subject;
	if (!parts) return subject;
	const sections = Object.keys(SECTIONS) as Section[];
	const section = sections.find((each) => SECTIONS[each].endpoint === name);
	return section ? parts[section] : subject;
}

/** A subject in the one spelling that chaos goes by. */
export function canonicalOf(subject: Subject, name: EndpointName): string {
	return endpoint(name).canonical(partFor(subject, name).spellings[0]);
}
