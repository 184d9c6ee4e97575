import type {
	AnswerRecord,
	Given,
	Outcome,
	ServiceRequest,
} from '../../../nodes/LookupMessaging/engine/operation';
import { magic, type Product } from '../../sandbox';

const { PHONE, EMAIL, IP } = magic;

/** One kind of answer of one endpoint. Adding an endpoint to the catalog is adding its rows here. */
export interface Row {
	/** `resource.value` of the operation. */
	of: string;
	title: string;
	given: Given;
	/** The request, without the key. */
	sends: ServiceRequest;
	/** Whose key is sent; the main account's unless said. */
	key?: 'empty' | 'wrong';
	/** A body that the sandbox answers with instead of its own, after doing its work. */
	answered?: object;
	/** The outcome, or the scope of the refusal. */
	says: Outcome | 'account' | 'question';
	/** Fields of the record; for a positive all that are not null. */
	record?: AnswerRecord;
	/** The reason, where there is one to give. */
	reason?: string | RegExp;
	/** Credits that the call takes, or that the body under `answered` stands for; none unless said. */
	debits?: Partial<Record<Product, number>>;
}

const get = (
	service: ServiceRequest['service'],
	path: string,
	query: Record<string, string> = {},
): ServiceRequest => ({ service, method: 'GET', path, query });

const validate = (body: Record<string, string>): ServiceRequest => ({
	service: 'lookup',
	method: 'POST',
	path: '/phonevalidation',
	body,
});

const LONDON = '+44 20 7946 0123';
/** Lies with the same thousand numbers, so it has the same carrier, place and time zones. */
const LONDON_RECORD = {
	phoneNumber: '+442079460123',
	lineType: 'landline',
	countryCode: 'GB',
	location: 'London',
	timezone: 'Europe/London',
	timezones: ['Europe/London'],
	countryName: 'United Kingdom',
	callingCode: 44,
	nationalFormat: '020 7946 0123',
	internationalFormat: '+44 20 7946 0123',
};
const BUSY = 'Service temporarily unavailable, please try again.';
const NO_REASON = 'the service refused the request and gave no reason';

const validatePhone: Row[] = [
	{
		title: 'a landline',
		given: { phoneNumber: LONDON, responseDetail: 'detailed', countryHint: '' },
		sends: validate({ phone_number: LONDON }),
		says: 'positive',
		record: { ...LONDON_RECORD, rateLimitRemaining: 4999, rateLimitResetSeconds: 60 },
		debits: { phone: 1 },
	},
	{
		title: 'a local number with its country',
		given: { phoneNumber: '(020) 7946-0123', countryHint: ' gb ' },
		sends: validate({ phone_number: '(020) 7946-0123', country_code: 'GB' }),
		says: 'positive',
		record: { ...LONDON_RECORD, rateLimitRemaining: 4999, rateLimitResetSeconds: 60 },
		debits: { phone: 1 },
	},
	{
		title: 'a number that does not exist',
		given: { phoneNumber: '+1 (555) 010-0100', responseDetail: 'detailed' },
		sends: validate({ phone_number: '+1 (555) 010-0100' }),
		says: 'negative',
		record: {},
	},
	{
		title: 'a status that SPEC does not know',
		given: { phoneNumber: LONDON },
		sends: validate({ phone_number: LONDON }),
		answered: { status: 'VALID_UNCONFIRMED', carrier: 'Example', countrycode: 'GB' },
		says: 'unknown',
		record: { carrier: 'Example', countryCode: 'GB' },
		reason: /"VALID_UNCONFIRMED"/,
	},
	{
		title: 'a validation that names no error',
		given: { phoneNumber: LONDON },
		sends: validate({ phone_number: LONDON }),
		answered: { status: 'VALID_CONFIRMED', formatted_number: LONDON, error: null },
		says: 'positive',
		record: { phoneNumber: '+442079460123' },
		debits: { phone: 1 },
	},
	{
		title: 'a body without a status',
		given: { phoneNumber: LONDON },
		sends: validate({ phone_number: LONDON }),
		answered: {},
		says: 'unknown',
	},
	{
		title: 'a wrong key',
		given: { phoneNumber: LONDON },
		sends: validate({ phone_number: LONDON }),
		key: 'wrong',
		says: 'account',
		reason: 'Invalid API key.',
	},
	{
		title: 'no credits',
		given: { phoneNumber: LONDON },
		sends: validate({ phone_number: LONDON }),
		key: 'empty',
		says: 'account',
		reason: 'Insufficient phone API credits.',
	},
	{
		title: 'a refusal of the question',
		given: { phoneNumber: LONDON },
		sends: validate({ phone_number: LONDON }),
		answered: { error: 'phone_number is required.' },
		says: 'question',
		reason: 'phone_number is required.',
	},
	{
		title: 'a landline, in short',
		given: { phoneNumber: '0044 20 7946 0123', responseDetail: 'basic' },
		sends: get('main', '/checkapi', { number: '+44 20 7946 0123' }),
		says: 'positive',
		record: { phoneNumber: '+442079460123', lineType: 'landline', countryCode: 'GB' },
		debits: { phone: 1 },
	},
	{
		title: 'a national number completed, in short',
		given: { phoneNumber: '020 7946 0123', responseDetail: 'basic', defaultCallingCode: '+44' },
		sends: get('main', '/checkapi', { number: '+442079460123' }),
		says: 'positive',
		record: { phoneNumber: '+442079460123', lineType: 'landline', countryCode: 'GB' },
		debits: { phone: 1 },
	},
	{
		title: 'a number that does not exist, in short',
		given: { phoneNumber: '+1 555 010 0100', responseDetail: 'basic', countryHint: 'GB' },
		sends: get('main', '/checkapi', { number: '+1 555 010 0100' }),
		says: 'negative',
		record: { phoneNumber: '+15550100100', lineType: 'unknown', countryCode: null },
	},
	{
		title: 'a short record without its verdict',
		given: { phoneNumber: LONDON, responseDetail: 'basic' },
		sends: get('main', '/checkapi', { number: LONDON }),
		answered: { status: true, number: '+442079460123', carrier: 'Example', line_type: 'voip' },
		says: 'unknown',
		record: { phoneNumber: '+442079460123', carrier: 'Example', lineType: 'voip' },
		reason: /did not say whether the number is valid/,
	},
	{
		title: 'a refusal of the question, in short',
		given: { phoneNumber: LONDON, responseDetail: 'basic' },
		sends: get('main', '/checkapi', { number: LONDON }),
		answered: { status: false, error: 'number is required.' },
		says: 'question',
		reason: 'number is required.',
	},
	{
		title: 'a refusal without words, in short',
		given: { phoneNumber: LONDON, responseDetail: 'basic' },
		sends: get('main', '/checkapi', { number: LONDON }),
		answered: { status: false },
		says: 'question',
		reason: NO_REASON,
	},
	{
		title: 'a wrong key, in short',
		given: { phoneNumber: LONDON, responseDetail: 'basic' },
		sends: get('main', '/checkapi', { number: LONDON }),
		key: 'wrong',
		says: 'account',
		reason: 'Invalid API key.',
	},
	{
		title: 'no credits, in short',
		given: { phoneNumber: LONDON, responseDetail: 'basic' },
		sends: get('main', '/checkapi', { number: LONDON }),
		key: 'empty',
		says: 'account',
		reason: 'Insufficient phone API credits.',
	},
].map((row) => ({ of: 'phone.validate', ...row }) as Row);

const caller = (number: string) => get('lookup', '/calleridvalidation', { phone_number: number });

const lookUpCallerId: Row[] = [
	{
		title: 'a named number',
		given: { phoneNumber: LONDON, responseDetail: 'detailed' },
		sends: caller(LONDON),
		says: 'positive',
		record: { ...LONDON_RECORD, name: 'Sandbox Subscriber 0123' },
		debits: { callerinfo: 1 },
	},
	{
		title: 'a number without a name',
		given: { phoneNumber: PHONE.noName },
		sends: caller(PHONE.noName),
		says: 'unknown',
		record: { name: null, phoneNumber: PHONE.noName, countryCode: 'US' },
		reason: /knows no name/,
		debits: { callerinfo: 1 },
	},
	{
		title: 'an invalid number',
		given: { phoneNumber: '+1202' + '000' },
		sends: caller('+1202000'),
		says: 'negative',
		reason: 'Invalid phone number',
		debits: { callerinfo: 1 },
	},
	{
		title: 'an invalid number in a record of its own',
		given: { phoneNumber: LONDON },
		sends: caller(LONDON),
		answered: { success: true, number: LONDON, name: null, valid: 'INVALID' },
		says: 'negative',
		record: { name: null, phoneNumber: '+442079460123' },
		debits: { callerinfo: 1 },
	},
	{
		title: 'a failed lookup',
		given: { phoneNumber: PHONE.callerLookupFails },
		sends: caller(PHONE.callerLookupFails),
		says: 'unknown',
		reason: 'Caller lookup failed',
		debits: { callerinfo: 1 },
	},
	{
		title: 'a failure without a message',
		given: { phoneNumber: LONDON },
		sends: caller(LONDON),
		answered: { success: false },
		says: 'unknown',
		reason: 'the lookup failed',
		debits: { callerinfo: 1 },
	},
	{
		title: 'a wrong key',
		given: { phoneNumber: LONDON },
		sends: caller(LONDON),
		key: 'wrong',
		says: 'account',
		reason: 'Invalid API key.',
	},
	{
		title: 'no credits',
		given: { phoneNumber: LONDON },
		sends: caller(LONDON),
		key: 'empty',
		says: 'account',
		reason: 'Insufficient callerinfo API credits.',
	},
	{
		title: 'no credits, told as a failure',
		given: { phoneNumber: LONDON },
		sends: caller(LONDON),
		answered: { success: false, message: 'Insufficient callerinfo API credits.' },
		says: 'account',
		reason: 'Insufficient callerinfo API credits.',
	},
	{
		title: 'a refusal of the question',
		given: { phoneNumber: LONDON },
		sends: caller(LONDON),
		answered: { error: 'phone_number is required.' },
		says: 'question',
		reason: 'phone_number is required.',
	},
	{
		title: 'a named number, in short',
		given: { phoneNumber: LONDON, responseDetail: 'basic' },
		sends: get('main', '/check', { number: LONDON }),
		says: 'positive',
		record: {
			name: 'Sandbox Subscriber 0123',
			phoneNumber: '+442079460123',
			lineType: 'landline',
			location: 'London',
		},
		debits: { callerinfo: 1 },
	},
	{
		title: 'a number without a name, in short',
		given: { phoneNumber: PHONE.noName, responseDetail: 'basic' },
		sends: get('main', '/check', { number: PHONE.noName }),
		says: 'unknown',
		record: { name: null, phoneNumber: PHONE.noName },
		reason: /knows no name/,
		debits: { callerinfo: 1 },
	},
	{
		title: 'an invalid number, in short',
		given: { phoneNumber: '1202000', responseDetail: 'basic' },
		sends: get('main', '/check', { number: '1202000' }),
		says: 'negative',
		reason: 'Invalid phone number',
		debits: { callerinfo: 1 },
	},
	{
		title: 'a failed lookup, in short',
		given: { phoneNumber: PHONE.callerLookupFails, responseDetail: 'basic' },
		sends: get('main', '/check', { number: PHONE.callerLookupFails }),
		says: 'question',
		reason: 'Caller lookup failed',
		debits: { callerinfo: 1 },
	},
	{
		title: 'a wrong key, in short',
		given: { phoneNumber: LONDON, responseDetail: 'basic' },
		sends: get('main', '/check', { number: LONDON }),
		key: 'wrong',
		says: 'account',
		reason: 'Invalid API key.',
	},
	{
		title: 'no credits, in short',
		given: { phoneNumber: LONDON, responseDetail: 'basic' },
		sends: get('main', '/check', { number: LONDON }),
		key: 'empty',
		says: 'account',
		reason: 'Insufficient callerinfo API credits.',
	},
].map((row) => ({ of: 'callerId.lookUp', ...row }) as Row);

const whatsApp = (number: string) => get('main', '/checkwanumber', { number });

const checkWhatsApp: Row[] = [
	{
		title: 'a number on WhatsApp',
		given: { phoneNumber: PHONE.onWhatsApp },
		sends: whatsApp(PHONE.onWhatsApp),
		says: 'positive',
		record: { phoneNumber: PHONE.onWhatsApp, onWhatsApp: true },
		debits: { whatsapp: 1 },
	},
	{
		title: 'a bare ten-digit number completed',
		given: { phoneNumber: '(202) 555-0102', defaultCallingCode: 1 },
		sends: whatsApp('+12025550102'),
		says: 'positive',
		record: { phoneNumber: '+12025550102', onWhatsApp: true },
		debits: { whatsapp: 1 },
	},
	{
		title: 'a number not on WhatsApp',
		given: { phoneNumber: PHONE.notOnWhatsApp },
		sends: whatsApp(PHONE.notOnWhatsApp),
		says: 'negative',
		record: { phoneNumber: PHONE.notOnWhatsApp, onWhatsApp: false },
		debits: { whatsapp: 1 },
	},
	{
		title: 'an answer without its verdict',
		given: { phoneNumber: PHONE.onWhatsApp },
		sends: whatsApp(PHONE.onWhatsApp),
		answered: { status: true, number: PHONE.onWhatsApp, whatsapp: null },
		says: 'unknown',
		record: { phoneNumber: PHONE.onWhatsApp, onWhatsApp: null },
		reason: /did not say whether the number is on WhatsApp/,
	},
	{
		title: 'a check that failed',
		given: { phoneNumber: PHONE.whatsAppFails },
		sends: whatsApp(PHONE.whatsAppFails),
		says: 'question',
		reason: 'WhatsApp lookup failed, please try again.',
	},
	{
		title: 'a wrong key',
		given: { phoneNumber: PHONE.onWhatsApp },
		sends: whatsApp(PHONE.onWhatsApp),
		key: 'wrong',
		says: 'account',
		reason: 'Invalid API key.',
	},
	{
		title: 'no credits',
		given: { phoneNumber: PHONE.onWhatsApp },
		sends: whatsApp(PHONE.onWhatsApp),
		key: 'empty',
		says: 'account',
		reason: 'Insufficient WA API credits.',
	},
].map((row) => ({ of: 'whatsApp.checkNumber', ...row }) as Row);

const email = (
	address: string,
	row: Omit<Row, 'given' | 'of' | 'sends' | 'title'> & { title: string },
): Row => ({
	of: 'email.verify',
	given: { email: address },
	sends: get('main', '/checkemail', { email: address }),
	...row,
});

const verifyEmail: Row[] = [
	email('first.last+tag@shop.example', {
		title: 'a deliverable address',
		says: 'positive',
		record: {
			email: 'first.last+tag@shop.example',
			verdict: 'deliverable',
			reasonCode: 'mailbox_accepted',
			mailboxExists: true,
			catchAll: false,
			formatValid: true,
			creditsLeft: 999_999,
		},
		reason: 'mailbox_accepted',
		debits: { email: 1 },
	}),
	email(`${EMAIL.missing}@shop.example`, {
		title: 'an undeliverable address',
		says: 'negative',
		record: { verdict: 'undeliverable', mailboxExists: false, catchAll: false },
		reason: 'mailbox_not_found',
		debits: { email: 1 },
	}),
	email('"quoted part"@shop.example', {
		title: 'an address that the service finds malformed',
		says: 'negative',
		record: { verdict: 'invalid_format', formatValid: false },
		reason: 'invalid_syntax',
		debits: { email: 1 },
	}),
	email(`any@${EMAIL.catchAllDomain}`, {
		title: 'a catch-all server',
		says: 'unknown',
		record: { verdict: 'unknown', mailboxExists: true, catchAll: true },
		reason: 'catch_all',
		debits: { email: 1 },
	}),
	email(`${EMAIL.greylisted}@shop.example`, {
		title: 'a reason that SPEC does not know',
		says: 'unknown',
		record: { verdict: 'unknown', reasonCode: 'greylisted', catchAll: false },
		reason: 'greylisted',
		debits: { email: 1 },
	}),
	email('name@shop.example', {
		title: 'a verdict that SPEC does not know',
		answered: { balance: 1, status: true, email: 'name@shop.example', verdict: 'risky' },
		says: 'unknown',
		record: { verdict: 'risky', catchAll: null },
		reason: 'the service gave no verdict',
		debits: { email: 1 },
	}),
	email(`${EMAIL.timeout}@shop.example`, {
		title: 'an inconclusive check, refunded',
		says: 'unknown',
		record: { email: `${EMAIL.timeout}@shop.example`, reasonCode: 'network_timeout' },
		reason: `${BUSY} (credit refunded)`,
	}),
	email('name@shop.example', {
		title: 'a failure at the provider with a code of its own',
		answered: { status: false, error: 'Lookup failed', reason_code: 'provider_error' },
		says: 'question',
		reason: 'Lookup failed',
	}),
	email(`${EMAIL.declared}@shop.example`, {
		title: 'a valid address in the declared shape',
		says: 'positive',
		record: {
			email: `${EMAIL.declared}@shop.example`,
			verdict: 'deliverable',
			mailboxExists: true,
			disposable: false,
			mxFound: true,
		},
		debits: { email: 1 },
	}),
	email(`${EMAIL.declaredMissing}@shop.example`, {
		title: 'an invalid address in the declared shape',
		says: 'negative',
		record: { verdict: 'undeliverable', mailboxExists: false },
		debits: { email: 1 },
	}),
	email(`${EMAIL.declaredDisposable}@shop.example`, {
		title: 'a disposable address in the declared shape',
		says: 'positive',
		record: {
			email: `${EMAIL.declaredDisposable}@shop.example`,
			verdict: 'deliverable',
			mailboxExists: true,
			disposable: true,
			mxFound: true,
		},
		debits: { email: 1 },
	}),
	email('name@shop.example', {
		title: 'a wrong key',
		key: 'wrong',
		says: 'account',
		reason: 'Invalid API key.',
	}),
	email('name@shop.example', {
		title: 'no credits',
		key: 'empty',
		says: 'account',
		reason: 'Please recharge',
	}),
];

const locateIp: Row[] = [
	{
		title: 'an IPv4 address',
		given: { ipAddress: ' 8.8.8.8 ', responseDetail: 'detailed' },
		sends: get('geoip', '/', { ip: '8.8.8.8' }),
		says: 'positive',
		record: {
			ipAddress: '8.8.8.8',
			countryCode: 'BR',
			countryName: 'Brazil',
			region: 'São Paulo',
			city: 'São Paulo',
			timezone: 'America/Sao_Paulo',
			latitude: -23.5505,
			longitude: -46.6333,
			isp: 'Sandbox Net BR',
			organization: 'Sandbox Network BR',
			asn: 64497,
			asnOrganization: 'Sandbox Network BR',
			postalCode: '01000',
			regionCode: 'SP',
		},
		debits: { geoip: 1 },
	},
	{
		title: 'an IPv6 address in brackets, of which only the country is known',
		given: { ipAddress: `[${IP.countryOnly[1]}]` },
		sends: get('geoip', '/', { ip: IP.countryOnly[1] }),
		says: 'positive',
		record: {
			ipAddress: IP.countryOnly[1],
			countryCode: 'KE',
			countryName: 'Kenya',
			timezone: 'Africa/Nairobi',
			latitude: -1.2864,
			longitude: 36.8172,
			isp: 'Sandbox Net KE',
			organization: 'Sandbox Network KE',
			asn: 64505,
			asnOrganization: 'Sandbox Network KE',
		},
		debits: { geoip: 1 },
	},
	{
		title: 'an address that belongs to no known place',
		given: { ipAddress: IP.unresolved[0] },
		sends: get('geoip', '/', { ip: IP.unresolved[0] }),
		says: 'negative',
		record: { ipAddress: IP.unresolved[0], countryCode: null },
		reason: 'the service could not locate this address',
	},
	{
		title: 'a record without a place',
		given: { ipAddress: '8.8.8.8' },
		sends: get('geoip', '/', { ip: '8.8.8.8' }),
		answered: { status: true, ip: '8.8.8.8', isp: 'Example', city: '' },
		says: 'unknown',
		record: { ipAddress: '8.8.8.8', isp: 'Example', city: null },
		reason: 'the service named no place',
	},
	{
		title: "the service's own trouble",
		given: { ipAddress: '8.8.8.8' },
		sends: get('geoip', '/', { ip: '8.8.8.8' }),
		answered: { status: false, error: BUSY },
		says: 'unknown',
		reason: BUSY,
	},
	{
		title: 'a pace that was too fast',
		given: { ipAddress: '8.8.8.8' },
		sends: get('geoip', '/', { ip: '8.8.8.8' }),
		answered: { status: false, error: 'Too many requests' },
		says: 'unknown',
		reason: 'Too many requests',
	},
	{
		title: 'a refusal of the question',
		given: { ipAddress: '8.8.8.8' },
		sends: get('geoip', '/', { ip: '8.8.8.8' }),
		answered: { error: 'ip is required.' },
		says: 'question',
		reason: 'ip is required.',
	},
	{
		title: 'a wrong key',
		given: { ipAddress: '8.8.8.8' },
		sends: get('geoip', '/', { ip: '8.8.8.8' }),
		key: 'wrong',
		says: 'account',
		reason: 'Invalid Api Key',
	},
	{
		title: 'no credits',
		given: { ipAddress: '8.8.8.8' },
		sends: get('geoip', '/', { ip: '8.8.8.8' }),
		key: 'empty',
		says: 'account',
		reason: 'Insufficient geoip API credits.',
	},
	{
		title: 'an IPv6 address, in short',
		given: { ipAddress: '2001:4860:4860::8888', responseDetail: 'basic' },
		sends: get('main', '/checkgeoip', { ip: '2001:4860:4860::8888' }),
		says: 'positive',
		record: {
			ipAddress: '2001:4860:4860::8888',
			countryName: 'Spain',
			region: 'Catalonia',
			city: 'Barcelona',
			timezone: 'Europe/Madrid',
			latitude: 41.3874,
			longitude: 2.1686,
			isp: 'Sandbox Net ES',
		},
		debits: { geoip: 1 },
	},
	{
		title: 'an IPv4 address, in short',
		given: { ipAddress: '8.8.8.8', responseDetail: 'basic' },
		sends: get('main', '/checkgeoip', { ip: '8.8.8.8' }),
		says: 'positive',
		record: {
			ipAddress: '8.8.8.8',
			countryName: 'Brazil',
			region: 'São Paulo',
			city: 'São Paulo',
			timezone: 'America/Sao_Paulo',
			latitude: -23.5505,
			longitude: -46.6333,
			isp: 'Sandbox Net BR',
		},
		debits: { geoip: 1 },
	},
	{
		title: 'an address that belongs to no known place, in short',
		given: { ipAddress: IP.unresolved[1], responseDetail: 'basic' },
		sends: get('main', '/checkgeoip', { ip: IP.unresolved[1] }),
		says: 'negative',
		record: { ipAddress: IP.unresolved[1], countryName: null },
		reason: 'IP address could not be resolved.',
	},
	{
		title: 'a record without a place, in short',
		given: { ipAddress: '8.8.8.8', responseDetail: 'basic' },
		sends: get('main', '/checkgeoip', { ip: '8.8.8.8' }),
		answered: { status: true, ip: '8.8.8.8' },
		says: 'unknown',
		reason: 'the service named no place',
	},
	{
		title: 'a wrong key, in short',
		given: { ipAddress: '8.8.8.8', responseDetail: 'basic' },
		sends: get('main', '/checkgeoip', { ip: '8.8.8.8' }),
		key: 'wrong',
		says: 'account',
		reason: 'Invalid API key.',
	},
	{
		title: 'no credits, in short',
		given: { ipAddress: '8.8.8.8', responseDetail: 'basic' },
		sends: get('main', '/checkgeoip', { ip: '8.8.8.8' }),
		key: 'empty',
		says: 'account',
		reason: 'Insufficient geoip API credits.',
	},
].map((row) => ({ of: 'geoIp.locate', ...row }) as Row);

const account: Row[] = [
	{
		of: 'account.getBalance',
		title: 'the balances',
		given: {},
		sends: get('main', '/checkbalance'),
		says: 'positive',
		record: { whatsApp: 1_000_000, email: 1_000_000, geoIp: 1_000_000, phone: 1_000_000 },
	},
	{
		of: 'account.getBalance',
		title: 'empty balances as 0',
		given: {},
		sends: get('main', '/checkbalance'),
		key: 'empty',
		says: 'positive',
		record: { whatsApp: 0, email: 0, geoIp: 0, phone: 0 },
	},
	{
		of: 'account.getBalance',
		title: 'a wrong key',
		given: {},
		sends: get('main', '/checkbalance'),
		key: 'wrong',
		says: 'account',
		reason: 'Invalid API key.',
	},
	{
		of: 'account.getBalance',
		title: "the service's own trouble",
		given: {},
		sends: get('main', '/checkbalance'),
		answered: { status: false, error: BUSY },
		says: 'question',
		reason: BUSY,
	},
	{
		of: 'account.getStatus',
		title: 'a service that is up',
		given: {},
		sends: get('main', '/status'),
		key: 'wrong',
		says: 'positive',
		record: { available: true, message: 'System is operational' },
	},
	{
		of: 'account.getStatus',
		title: 'a service that is down',
		given: {},
		sends: get('main', '/status'),
		answered: { status: false, message: 'Maintenance' },
		says: 'negative',
		record: { available: false, message: 'Maintenance' },
	},
	{
		of: 'account.getStatus',
		title: 'an answer without a status',
		given: {},
		sends: get('main', '/status'),
		answered: { message: 'Hello' },
		says: 'unknown',
		record: { available: null, message: 'Hello' },
		reason: 'the service did not say whether it is up',
	},
];

/** Every kind of answer of every endpoint of the catalog. */
export const rows: Row[] = [
	...account,
	...lookUpCallerId,
	...verifyEmail,
	...locateIp,
	...validatePhone,
	...checkWhatsApp,
];
