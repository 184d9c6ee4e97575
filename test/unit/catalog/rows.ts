import type { AnswerRecord, Outcome, Params, ServiceRequest } from '../../engine';
import { magic, type Product } from '../../sandbox';

const { PHONE, EMAIL, IP } = magic;

/** One kind of answer of one endpoint. Adding an endpoint to the catalog is adding its rows here. */
export interface Row {
	/** `resource.value` of the operation. */
	of: string;
	title: string;
	given: Params;
	/** The request, without the key. */
	sends: ServiceRequest;
	/** Whose key is sent; the main account's unless said. */
	key?: 'empty' | 'wrong';
	/** A body that the sandbox answers with instead of its own, after doing its work. */
	answered?: object;
	/** The HTTP status of that body, where it is not that of the sandbox's own. */
	under?: number;
	/** The outcome, or the scope of the refusal. */
	says: Outcome | 'account' | 'question';
	/** Fields of the answer's record; for a positive all that are not null. */
	record?: AnswerRecord;
	/** The reason, where there is one to give. */
	reason?: string | RegExp;
	/** Credits that the call takes, or that the body under `answered` stands for; none unless said. */
	debits?: Partial<Record<Product, number>>;
}

/** What differs from the other rows of an endpoint. */
interface Line extends Partial<Pick<Row, 'answered' | 'key' | 'reason' | 'record' | 'under'>> {
	/** The value that is looked up, and what is sent of it; the endpoint's own unless said. */
	asks?: string;
	sent?: string;
	/** Parameters besides the value. */
	with?: Params;
	/** The request, where it says more than the value. */
	sends?: ServiceRequest;
	/** Credits of the endpoint's product; none unless said. */
	costs?: number;
}
type Told = Pick<Row, 'says' | 'title'> & Line;

const said = (says: Row['says']) => (title: string, line: Line) => ({ title, says, ...line });
const [positive, negative, unknown] = [said('positive'), said('negative'), said('unknown')];
const [refusedAccount, refused] = [said('account'), said('question')];

interface Endpoint {
	of: string;
	/** The parameter with the value, the value, and what is sent of it. */
	takes: [name: string, asks: string, sent?: string];
	/** Parameters of its short form. */
	given?: Params;
	request: (sent: string) => ServiceRequest;
	product: Product;
	/** The words of a wrong key and of an account without credits. */
	refuses: [key: string, credits: string];
}

/** The rows of an endpoint: its own, and the refusals that every endpoint has. */
function rowsOf(
	{ of, takes: [name, own, ownSent = own], given, request, product, refuses }: Endpoint,
	lines: Told[],
): Row[] {
	const refusals: Told[] = [
		refusedAccount('a wrong key', { key: 'wrong', reason: refuses[0] }),
		refusedAccount('no credits', { key: 'empty', reason: refuses[1] }),
		refused('a failure by a word in place of an answer', {
			...{ answered: { status: 'error', message: BUSY, data: null }, reason: BUSY },
		}),
	];
	const suffix = given ? ', in short' : '';
	return [...lines, ...refusals].map(({ title, ...line }) => {
		const { asks, sent = asks ?? ownSent, with: others, sends, costs, ...row } = line;
		return {
			...{ of, title: title + suffix, ...row, sends: sends ?? request(sent) },
			given: { [name]: asks ?? own, ...given, ...others },
			...(costs !== undefined && { debits: { [product]: costs } }),
		};
	});
}

const get = (
	service: ServiceRequest['service'],
	path: string,
	query: Record<string, string> = {},
): ServiceRequest => ({ service, method: 'GET', path, query });

const BASIC = { responseDetail: 'basic' };
const DETAILED = { responseDetail: 'detailed' };
const WRONG_KEY = 'Invalid API key.';
/** As it is written, and as it is looked up. */
const LONDON = '+44 (0)20 7946 0123';
const LONDON_E164 = '+442079460123';
const IN_LONDON = { phoneNumber: LONDON_E164, lineType: 'landline', location: 'London' };
const LONDON_RECORD = {
	...{ ...IN_LONDON, countryCode: 'GB', countryName: 'United Kingdom', callingCode: 44 },
	...{ timezone: 'Europe/London', timezones: ['Europe/London'] },
	...{ nationalFormat: '020 7946 0123', internationalFormat: '+44 20 7946 0123' },
};
const LIMITED_RECORD = { ...LONDON_RECORD, rateLimitRemaining: 4999, rateLimitResetSeconds: 60 };
const BUSY = 'Service temporarily unavailable, please try again.';
const NO_REASON = 'the service refused the request and gave no reason';

const validate = (body: Record<string, string>): ServiceRequest => ({
	...{ service: 'lookup', method: 'POST', path: '/phonevalidation', body },
});
const NATIONAL = {
	...{ asks: '7946 0123', with: { country: 'GB' } },
	sends: validate({ phone_number: '79460123', country_code: 'GB' }),
};
const status = 'VALID_CONFIRMED';

const validatePhone = rowsOf(
	{
		...{ of: 'phone.validate', takes: ['phoneNumber', LONDON, LONDON_E164], product: 'phone' },
		request: (number) => validate({ phone_number: number }),
		refuses: [WRONG_KEY, 'Insufficient phone API credits.'],
	},
	[
		positive('a landline', {
			with: { ...DETAILED, country: '' },
			record: LIMITED_RECORD,
			costs: 1,
		}),
		positive('a line type in another spelling', {
			answered: { status, formatted_number: LONDON_E164, linetype: ' toll-free ' },
			...{ record: { phoneNumber: LONDON_E164, lineType: 'toll_free' }, costs: 1 },
		}),
		positive('a kind of VoIP', {
			answered: { status, formatted_number: LONDON_E164, linetype: 'nonFixedVoip' },
			...{ record: { phoneNumber: LONDON_E164, lineType: 'voip' }, costs: 1 },
		}),
		positive('a national number completed', {
			...{ asks: '(020) 7946-0123', sent: LONDON_E164, with: { country: 'United Kingdom' } },
			...{ record: LIMITED_RECORD, costs: 1 },
		}),
		negative('a national number that its country does not know', {
			...{ asks: '020 7946 01234', with: { country: 'GB' }, record: {} },
			sends: validate({ phone_number: '020794601234', country_code: 'GB' }),
		}),
		unknown('a number without its area code', {
			...{ ...NATIONAL, reason: /may lack its area code/, record: {} },
		}),
		unknown('a number that is shorter than usual', {
			...{
				asks: '3222-1234',
				with: { country: 'BR' },
				reason: /may lack its area code/,
				record: {},
			},
			sends: validate({ phone_number: '32221234', country_code: 'BR' }),
		}),
		positive('a national number that the service knows better', {
			...{ ...NATIONAL, answered: { status, formatted_number: LONDON_E164 } },
			...{ record: { phoneNumber: LONDON_E164 }, costs: 1 },
		}),
		...[{ formatted_number: '+4979460123' }, { countrycode: 'DE' }, { countrycodenum: 49 }].map(
			(said) =>
				unknown('a national number completed for another country', {
					...{ ...NATIONAL, answered: { status, ...said }, record: {} },
					...{ reason: /another (?:number|country)/, costs: 1 },
				}),
		),
		negative('a number that does not exist', {
			...{ asks: '+1 (555) 010-0100', sent: '+15550100100', with: DETAILED },
			record: { phoneNumber: '+15550100100' },
		}),
		unknown('a status that SPEC does not know', {
			answered: { status: 'VALID_UNCONFIRMED', carrier: 'Example', countrycode: 'GB' },
			record: { carrier: 'Example', countryCode: 'GB' },
			reason: /"VALID_UNCONFIRMED"/,
			// It may have been charged: too much is said rather than too little
			costs: 1,
		}),
		unknown('a body without a status', { answered: {}, costs: 1 }),
		refused('a refusal of the question', {
			...{ answered: { error: 'phone_number is required.' }, reason: 'phone_number is required.' },
		}),
		...(
			[
				['a failure beside a verdict', { status, error: 'Lookup failed' }, 'Lookup failed'],
				['another number', { status, formatted_number: '+44 20 7946 0999' }, /another number/],
				['another country', { status, countrycodenum: 49 }, /another country/],
				['a verdict that another field denies', { status, valid: false }, undefined],
				[
					'a no beside words of trouble',
					{ status: 'INVALID', message: 'Upstream timeout' },
					undefined,
					0,
				],
			] as const
		).map(([title, answered, reason, costs = 1]) =>
			unknown(title, { answered, reason, costs, record: { phoneNumber: LONDON_E164 } }),
		),
	],
);

const LONDON_SHORT = { phoneNumber: LONDON_E164, lineType: 'landline', countryCode: 'GB' };
const validatePhoneBasic = rowsOf(
	{
		...{ of: 'phone.validate', takes: ['phoneNumber', LONDON, LONDON_E164], given: BASIC },
		request: (number) => get('main', '/checkapi', { number }),
		...{ product: 'phone', refuses: [WRONG_KEY, 'Insufficient phone API credits.'] },
	},
	[
		positive('a landline', {
			asks: '0044 20 7946 0123',
			sent: LONDON_E164,
			record: LONDON_SHORT,
			costs: 1,
		}),
		positive('a national number completed', {
			...{ asks: '020 7946 0123', sent: LONDON_E164, with: { country: '+44' } },
			...{ record: LONDON_SHORT, costs: 1 },
		}),
		negative('a number that does not exist', {
			...{ asks: '+1 555 010 0100', sent: '+15550100100', with: { country: 'GB' } },
			record: { phoneNumber: '+15550100100', lineType: 'unknown', countryCode: null },
		}),
		unknown('a record without its verdict', {
			answered: { status: true, number: LONDON_E164, carrier: 'Example', line_type: 'voip' },
			record: { phoneNumber: LONDON_E164, carrier: 'Example', lineType: 'voip' },
			reason: /didn't say whether the number is valid/,
		}),
		refused('a refusal of the question', {
			...{
				answered: { status: false, error: 'number is required.' },
				reason: 'number is required.',
			},
		}),
		unknown('a failure beside a verdict', {
			...{ answered: { valid: true, error: 'Lookup failed' }, reason: 'Lookup failed' },
		}),
		...(
			[
				['another number', { number: '+12025550102' }, /another number/],
				['another country', { country: 'US' }, /another country/],
			] as const
		).map(([title, body, reason]) =>
			unknown(title, { answered: { valid: true, ...body }, reason }),
		),
	],
);

const NAME = 'Sandbox Subscriber 0123';
const NO_CALLER_CREDITS = 'Insufficient callerinfo API credits.';
const lookUpCallerId = rowsOf(
	{
		...{ of: 'callerId.lookUp', takes: ['phoneNumber', LONDON, LONDON_E164] },
		request: (number) => get('lookup', '/calleridvalidation', { phone_number: number }),
		...{ product: 'callerinfo', refuses: [WRONG_KEY, NO_CALLER_CREDITS] },
	},
	[
		positive('a named number', {
			...{ with: DETAILED, record: { ...LONDON_RECORD, name: NAME, valid: true }, costs: 1 },
		}),
		unknown('a number without a name', {
			asks: PHONE.noName,
			record: { name: null, valid: true, phoneNumber: PHONE.noName, countryCode: 'US' },
			...{ reason: /has no name/, costs: 1 },
		}),
		negative('an invalid number', {
			...{ asks: '+1202000', record: { phoneNumber: '+1202000', valid: false } },
			...{ reason: 'Invalid phone number', costs: 1 },
		}),
		negative('an invalid number in a record of its own', {
			answered: { success: true, number: LONDON_E164, name: null, valid: 'INVALID' },
			...{ record: { name: null, valid: false, phoneNumber: LONDON_E164 }, costs: 1 },
		}),
		...[422, 200].map((under) =>
			unknown(`a failed lookup under HTTP ${under}`, {
				...{ answered: { success: false, message: 'Caller lookup failed' }, under },
				...{ reason: 'Caller lookup failed', costs: 1 },
			}),
		),
		unknown('words that no lookup was made', {
			...{
				answered: { success: false, message: 'Unauthorized' },
				reason: 'Unauthorized',
				costs: 1,
			},
		}),
		unknown('a failure without a message', {
			...{ answered: { success: false }, reason: 'the lookup failed', costs: 1 },
		}),
		refusedAccount('no credits, with success false', {
			...{ answered: { success: false, message: NO_CALLER_CREDITS }, reason: NO_CALLER_CREDITS },
		}),
		refused('a refusal of the question', {
			...{ answered: { error: 'phone_number is required.' }, reason: 'phone_number is required.' },
		}),
		negative('a number that its words call invalid', {
			...{ answered: { error: ' INVALID phone number!' }, reason: /phone number/, costs: 1 },
		}),
		refused('another parameter that is invalid', {
			...{ answered: { error: 'Invalid number of parameters' }, reason: /of/, costs: 1 },
		}),
		...(
			[
				['another number', { number: '+12025550102', name: 'Ada' }, /another/],
				['a failure beside a name', { name: 'Ada', error: 'Half done' }, 'Half done'],
				['a name of an invalid number', { name: 'Ada', valid: 'INVALID' }, /names/],
				[
					'another country',
					{ name: 'Ada', countrycode: 'DE', countrycodenum: 49 },
					/another country/,
				],
			] as const
		).map(([title, body, reason]) =>
			unknown(title, { answered: { success: true, ...body }, reason, costs: 1 }),
		),
	],
);

const lookUpCallerIdBasic = rowsOf(
	{
		...{ of: 'callerId.lookUp', takes: ['phoneNumber', LONDON, LONDON_E164], given: BASIC },
		request: (number) => get('main', '/check', { number }),
		...{ product: 'callerinfo', refuses: [WRONG_KEY, NO_CALLER_CREDITS] },
	},
	[
		positive('a named number', { record: { ...IN_LONDON, name: NAME }, costs: 1 }),
		positive('a named number with an extension', {
			...{ asks: `${LONDON} x45`, sent: LONDON_E164 },
			answered: { status: true, name: 'Example Name' },
			record: { name: 'Example Name', phoneNumber: LONDON_E164, extension: '45' },
			reason: 'extension 45 was left out',
		}),
		unknown('a number without a name', {
			...{ asks: PHONE.noName, record: { name: null, phoneNumber: PHONE.noName } },
			...{ reason: /has no name/, costs: 1 },
		}),
		negative('an invalid number', { asks: '+1202000', reason: 'Invalid phone number', costs: 1 }),
		refused('a failed lookup', {
			...{ asks: PHONE.callerLookupFails, reason: 'Caller lookup failed', costs: 1 },
		}),
	],
);

const ON_WHATSAPP = { phoneNumber: PHONE.onWhatsApp, onWhatsApp: true };
const checkWhatsApp = rowsOf(
	{
		...{ of: 'whatsApp.checkNumber', takes: ['phoneNumber', PHONE.onWhatsApp] },
		request: (number) => get('main', '/checkwanumber', { number }),
		...{ product: 'whatsapp', refuses: [WRONG_KEY, 'Insufficient WA API credits.'] },
	},
	[
		positive('a number on WhatsApp', { record: ON_WHATSAPP, costs: 1 }),
		positive('a bare ten-digit number completed', {
			...{ asks: '(202) 555-0102', with: { country: 1 }, sent: '+12025550102' },
			...{ record: ON_WHATSAPP, costs: 1 },
		}),
		negative('a number not on WhatsApp', {
			asks: PHONE.notOnWhatsApp,
			...{ record: { phoneNumber: PHONE.notOnWhatsApp, onWhatsApp: false }, costs: 1 },
		}),
		unknown('an answer without its verdict', {
			answered: { status: true, number: PHONE.onWhatsApp, whatsapp: null },
			record: { phoneNumber: PHONE.onWhatsApp, onWhatsApp: null },
			reason: /didn't say whether the number is on WhatsApp/,
		}),
		refused('a check that failed', {
			...{ asks: PHONE.whatsAppFails, reason: 'WhatsApp lookup failed, please try again.' },
		}),
		unknown('another number', {
			answered: { status: true, number: '+14155550102', whatsapp: true },
			reason: /another/,
		}),
		refusedAccount('a wrong key beside a no', {
			answered: { status: false, whatsapp: false, error: 'Invalid API key.' },
		}),
	],
);

const SHOP = 'shop.example';
const CATCH_ALL = /accepts every address \(catch-all\)/;
const verifyEmail = rowsOf(
	{
		...{ of: 'email.verify', takes: ['email', `name@${SHOP}`], product: 'email' },
		request: (email) => get('main', '/checkemail', { email }),
		refuses: [WRONG_KEY, 'Please recharge'],
	},
	[
		positive('a deliverable address', {
			asks: `first.last+tag@${SHOP}`,
			record: {
				...{ email: `first.last+tag@${SHOP}`, verdict: 'deliverable', creditsLeft: 999_999 },
				...{
					reasonCode: 'mailbox_accepted',
					mailboxExists: true,
					catchAll: false,
					formatValid: true,
				},
			},
			...{ reason: 'the mail server accepts the mailbox', costs: 1 },
		}),
		negative('an undeliverable address', {
			asks: `${EMAIL.missing}@${SHOP}`,
			record: { verdict: 'undeliverable', mailboxExists: false, catchAll: false },
			...{ reason: "the mailbox doesn't exist", costs: 1 },
		}),
		negative('an address that the service finds malformed', {
			...{ asks: `"quoted part"@${SHOP}`, reason: "the address isn't valid", costs: 1 },
			record: { verdict: 'invalid_format', formatValid: false },
		}),
		positive('a mailbox of Gmail in its short form', {
			answered: {
				...{ balance: 7, status: true, email: 'ada@gmail.com', emailexist: true },
				verdict: 'deliverable',
			},
			record: {
				...{ email: 'ada@gmail.com', verdict: 'deliverable', mailboxExists: true },
				creditsLeft: 7,
			},
			...{ asks: 'a.d.a+news@googlemail.com', costs: 1 },
		}),
		unknown('a catch-all server', {
			...{ asks: `any@${EMAIL.catchAllDomain}`, reason: CATCH_ALL, costs: 1 },
			record: { verdict: 'unknown', mailboxExists: true, catchAll: true },
		}),
		unknown('a reason that SPEC does not know', {
			...{ asks: `${EMAIL.greylisted}@${SHOP}`, reason: /turns unknown senders away/, costs: 1 },
			record: { verdict: 'unknown', reasonCode: 'greylisted', catchAll: null },
		}),
		unknown('a verdict that SPEC does not know', {
			answered: { balance: 1, status: true, email: `name@${SHOP}`, verdict: 'risky' },
			record: { verdict: 'risky', catchAll: null },
			...{ reason: 'the service\'s verdict is "risky"', costs: 1 },
		}),
		unknown('an inconclusive check, refunded', {
			...{ asks: `${EMAIL.timeout}@${SHOP}`, reason: `${BUSY} (credit refunded)` },
			record: { email: `${EMAIL.timeout}@${SHOP}`, reasonCode: 'network_timeout', catchAll: null },
		}),
		unknown('an inconclusive check in the sentence of SPEC, beside a flag', {
			answered: { balance: 7, status: false, emailexist: false, error: BUSY },
			...{ reason: `${BUSY} (credit refunded)`, record: { creditsLeft: 7 } },
		}),
		unknown('an inconclusive check by its code, beside a flag', {
			answered: {
				...{ balance: 7, status: false, emailexist: false, reason_code: 'greylisted' },
				error: 'Try later',
			},
			...{ reason: 'Try later (credit refunded)', record: { mailboxExists: null } },
		}),
		unknown('a failure in words about the mailbox', {
			answered: { balance: 7, status: false, error: 'Invalid email address' },
			...{ reason: 'Invalid email address', costs: 1, record: { creditsLeft: 7 } },
		}),
		...(
			[
				['without a code', 'Lookup failed', {}, { reasonCode: null, catchAll: null }],
				['in words about recharging', `recharge@${SHOP} did not answer`, {}, {}],
				[
					...([
						'with a code of its own',
						'Lookup failed',
						{ reason_code: 'provider_error' },
					] as const),
					{ reasonCode: 'provider_error', catchAll: null, creditsLeft: 7 },
				],
			] as const
		).map(([title, error, more, record]) =>
			unknown(`a check that the provider could not finish, ${title}`, {
				...{ answered: { balance: 7, status: false, error, ...more }, record },
				reason: `${error} (credit refunded)`,
			}),
		),
		...['Not enough credits', 'Please recharge'].map((error) =>
			refusedAccount(`no credits under HTTP 200: ${error}`, {
				...{ answered: { balance: 0, status: false, error }, reason: error },
			}),
		),
		refused('a failure at the provider under an HTTP error', {
			answered: { status: false, error: 'Lookup failed', reason_code: 'provider_error' },
			...{ under: 422, reason: 'Lookup failed' },
		}),
		refused('a failure without a verdict', {
			...{ answered: { error: 'Lookup failed' }, reason: 'Lookup failed' },
		}),
		...[EMAIL.declared, EMAIL.declaredDisposable].map((name) =>
			positive(`a valid address in the declared shape: ${name}`, {
				asks: `${name}@${SHOP}`,
				record: {
					...{ email: `${name}@${SHOP}`, verdict: 'deliverable', mailboxExists: true },
					...{ disposable: name === EMAIL.declaredDisposable, mxFound: true },
				},
				costs: 1,
			}),
		),
		negative('an invalid address in the declared shape', {
			asks: `${EMAIL.declaredMissing}@${SHOP}`,
			...{ record: { verdict: 'undeliverable', mailboxExists: false }, costs: 1 },
		}),
		...(
			[
				['another address', { email: `bob@${SHOP}`, verdict: 'deliverable' }, /another/],
				['a failure beside a verdict', { verdict: 'deliverable', error: 'Half done' }, 'Half done'],
				[
					'undeliverable by a time-out',
					{ verdict: 'undeliverable', reason_code: 'network_timeout' },
					"the mail server didn't answer in time",
				],
				[
					'deliverable at a catch-all server',
					{ verdict: 'deliverable', reason_code: 'catch_all' },
					CATCH_ALL,
				],
				[
					'the verdict unknown beside what speaks for a no',
					{ verdict: 'unknown', valid: false, reason_code: 'no_response' },
					'the service\'s reason is "no response"',
				],
				[
					'a valid address with a refused mailbox',
					{ valid: true, smtp_check: false },
					/contradict/,
				],
				[
					'a verdict that a field denies',
					{ verdict: 'deliverable', emailexist: false },
					/contradict/,
				],
			] as const
		).map(([title, body, reason]) =>
			unknown(title, { answered: { status: true, ...body }, reason, costs: 1 }),
		),
	],
);

/** A place of the sandbox, as both forms of the endpoint return it. */
const SAO_PAULO = {
	...{ ipAddress: '8.8.8.8', countryName: 'Brazil', region: 'São Paulo', city: 'São Paulo' },
	...{ timezone: 'America/Sao_Paulo', latitude: -23.5505, longitude: -46.6333 },
	isp: 'Sandbox Net BR',
};
/** What both forms of the endpoint read alike. */
const LOCATED_ALIKE = [
	unknown('another address', {
		...{ answered: { status: true, ip: '8.8.4.4:80', country: 'GB' }, reason: /another/ },
	}),
	unknown('a failure beside a place', {
		...{ answered: { status: true, country: 'GB', error: 'Half done' }, reason: 'Half done' },
	}),
	unknown('a record without a place', {
		answered: { status: true, ip: '8.8.8.8', isp: 'Example', city: '' },
		record: { ipAddress: '8.8.8.8', isp: 'Example', city: null },
		reason: 'the service returned no place',
	}),
	refused('a missing parameter', {
		...{ answered: { error: 'ip is required.' }, reason: 'ip is required.' },
	}),
	...(
		[
			['Database error', undefined, unknown],
			['Unknown address', undefined, negative],
			['Lookup failed', 404, refused],
		] as const
	).map(([error, under, as]) =>
		as(`a failure: ${error}`, { answered: { status: false, error }, under, reason: error }),
	),
];

const locateIp = rowsOf(
	{
		...{ of: 'geoIp.locate', takes: ['ipAddress', '8.8.8.8'], product: 'geoip' },
		request: (ip) => get('geoip', '/', { ip }),
		refuses: ['Invalid Api Key', 'Insufficient geoip API credits.'],
	},
	[
		...LOCATED_ALIKE,
		positive('an IPv4 address', {
			...{ asks: ' 8.8.8.8 ', sent: '8.8.8.8', with: DETAILED },
			record: {
				...{ ...SAO_PAULO, countryCode: 'BR', regionCode: 'SP', postalCode: '01000', asn: 64497 },
				...{ range: [-23.5505, -46.6333], organization: 'Sandbox Network BR' },
				asnOrganization: 'Sandbox Network BR',
			},
			costs: 1,
		}),
		positive('an IPv6 address in brackets with a country alone', {
			...{ asks: `[${IP.countryOnly[1]}]`, sent: IP.countryOnly[1] },
			record: {
				...{ ipAddress: IP.countryOnly[1], countryCode: 'KE', countryName: 'Kenya' },
				...{ timezone: 'Africa/Nairobi', latitude: -1.2864, longitude: 36.8172 },
				...{ range: [-1.2864, 36.8172], isp: 'Sandbox Net KE', asn: 64505 },
				...{ organization: 'Sandbox Network KE', asnOrganization: 'Sandbox Network KE' },
			},
			costs: 1,
		}),
		negative('an address that belongs to no known place', {
			...{ asks: IP.unresolved[0], record: { ipAddress: IP.unresolved[0], countryCode: null } },
			reason: "the service couldn't locate this address",
		}),
		...(
			[
				[BUSY, undefined, unknown],
				['Your IP address is not in the whitelist', 200, unknown],
				['Lookup failed', 422, refused],
				['Lookup failed', 200, unknown],
				['IP address could not be resolved.', 404, negative],
				['The timeout parameter is invalid', 400, refused],
				['Insufficient balance', 200, refusedAccount],
				['Insufficient balance', 403, refusedAccount],
			] as const
		).map(([error, under, as]) =>
			as(`a failure under HTTP ${under ?? 'the status of an answer'}: ${error}`, {
				...{ answered: { status: false, error }, under, reason: error },
			}),
		),
		refused('a failure without words under HTTP 404', {
			...{ answered: { status: false }, under: 404, reason: NO_REASON },
		}),
		positive('a place beside a word on API keys', {
			answered: { status: true, country: 'GB', message: 'Your API key expires in 5 days.' },
			record: { ipAddress: '8.8.8.8', countryCode: 'GB' },
		}),
	],
);

const locateIpBasic = rowsOf(
	{
		...{ of: 'geoIp.locate', takes: ['ipAddress', '8.8.8.8'], given: BASIC, product: 'geoip' },
		request: (ip) => get('main', '/checkgeoip', { ip }),
		refuses: [WRONG_KEY, 'Insufficient geoip API credits.'],
	},
	[
		...LOCATED_ALIKE,
		positive('an IPv4 address', { record: SAO_PAULO, costs: 1 }),
		positive('an IPv6 address', {
			asks: '2001:4860:4860::8888',
			record: {
				...{ ipAddress: '2001:4860:4860::8888', countryName: 'Spain', region: 'Catalonia' },
				...{ city: 'Barcelona', timezone: 'Europe/Madrid', latitude: 41.3874, longitude: 2.1686 },
				isp: 'Sandbox Net ES',
			},
			costs: 1,
		}),
		positive('a place beside a word on API keys', {
			answered: { status: true, country: 'Brazil', message: 'Your API key expires soon.' },
			record: { ipAddress: '8.8.8.8', countryName: 'Brazil' },
		}),
		negative('an address that belongs to no known place', {
			...{ asks: IP.unresolved[1], record: { ipAddress: IP.unresolved[1], countryName: null } },
			reason: 'IP address could not be resolved.',
		}),
	],
);

/** The rows of an operation that takes no value. */
const ofAccount = (of: string, path: string, lines: Told[]): Row[] =>
	lines.map((line) => ({ of, given: {}, sends: get('main', path), ...line }));

const account: Row[] = [
	...ofAccount('account.getBalance', '/checkbalance', [
		positive('the balances', {
			record: { whatsApp: 1_000_000, email: 1_000_000, geoIp: 1_000_000, phone: 1_000_000 },
		}),
		positive('empty balances as 0', {
			...{ key: 'empty', record: { whatsApp: 0, email: 0, geoIp: 0, phone: 0 } },
		}),
		...['7', ' 7 ', '7.00', 7].map((wa_balance) =>
			positive(`a balance as ${JSON.stringify(wa_balance)}`, {
				...{ answered: { status: true, wa_balance }, record: { whatsApp: 7 } },
			}),
		),
		positive('a balance that is overdrawn', {
			...{ answered: { status: true, wa_balance: -7 }, record: { whatsApp: -7 } },
		}),
		...['1,000', '7e3', 'unlimited', null].map((wa_balance) =>
			unknown(`no balance in ${JSON.stringify(wa_balance)}`, {
				answered: { status: true, wa_balance },
				...{ record: {}, reason: 'the service returned no balance' },
			}),
		),
		refusedAccount('a wrong key', { key: 'wrong', reason: WRONG_KEY }),
		refused("the service's own trouble", {
			answered: { status: false, error: BUSY },
			reason: BUSY,
		}),
		unknown('balances beside a failure', {
			answered: { status: true, wa_balance: 5, error: 'Half done' },
			...{ record: { whatsApp: 5 }, reason: 'Half done' },
		}),
	]),
	...ofAccount('account.getStatus', '/status', [
		unknown('a service that is up, with an error', {
			answered: { status: true, error: 'Half done' },
			...{ record: { available: null }, reason: 'Half done' },
		}),
		...['Down for maintenance', 'Temporarily unavailable'].map((message) =>
			unknown(`a service that is up, in other words: ${message}`, {
				answered: { status: true, message },
				...{ record: { available: null, message }, reason: message },
			}),
		),
		positive('a service that is up', {
			...{ key: 'wrong', record: { available: true, message: 'System is operational' } },
		}),
		negative('a service that is down', {
			answered: { status: false, message: 'Maintenance' },
			record: { available: false, message: 'Maintenance' },
		}),
		negative('a service that is down, as an error', {
			answered: { status: false, error: 'Back at noon' },
			...{ record: { available: false, message: 'Back at noon' }, reason: 'Back at noon' },
		}),
		unknown('an answer without a status', {
			...{ answered: { message: 'Hello' }, record: { available: null, message: 'Hello' } },
			reason: "the service didn't say whether it is up",
		}),
	]),
];

/** Every kind of answer of every endpoint of the catalog. */
export const rows: Row[] = [
	...account,
	...[...lookUpCallerId, ...lookUpCallerIdBasic],
	...verifyEmail,
	...[...locateIp, ...locateIpBasic],
	...[...validatePhone, ...validatePhoneBasic],
	...checkWhatsApp,
];
