import type { HostName, SandboxRoots } from '../../sandbox';
import type { Kind } from './faultClasses';

/** One call of one operation to try faults on, with the facts about it from SPEC and the design. */
export interface CallUnderTest {
	/** `resource.operation`. */
	of: string;
	/** Tells several calls of one operation apart. */
	variant?: string;
	parameters: object;
	/** The `value` of each item: three different ones, or one for a poll or a single call per run. */
	values: string[];
	/** Set where the values are IDs of jobs. These are started first. */
	jobs?: 'audit' | 'batch';
	kind: Kind;
	host: HostName;
	root: keyof SandboxRoots;
	/** The endpoint's path in the sandbox; the whole host when undefined. */
	path?: string;
	/** Credits that the sandbox takes for the call. */
	charge: number;
	/** Answers that were paid for are kept when another item fails, as in a lookup. */
	keeps: boolean;
	/** All items are sent in one call. */
	isOneCall?: true;
	/** The text before and after what happened, in the message. */
	prefix?: string;
	suffix?: string;
	/** What the message says about a job that is already paid for. */
	job?: string;
	/** What a failing node says about the job of the item before, which it does not output. */
	started?: string;
}

const NUMBERS = ['+442079460121', '+442079460122', '+442079460123'];
const URLS = ['1', 'invalid-api-key', '3'].map((n) => `https://forum.example/posts/${n}`);
const V1 = '/api/v1';
const AUDIT_STARTED =
	'You were charged for the audit {job}. Audit → Get with this ID returns the result.';
const VALUE = '={{ $json.value }}';

type About = Pick<CallUnderTest, 'charge' | 'host' | 'keeps' | 'kind' | 'root'>;
const main = { host: 'main', root: 'baseUrl' } as const;
const lookup = { host: 'lookup', root: 'lookupUrl' } as const;
const geoip = { host: 'geoip', root: 'geoipUrl' } as const;
const tools = { host: 'tools', root: 'mcpUrl' } as const;
const paidLookup = { kind: 'paid', charge: 1, keeps: true } as const;
const paidSideEffect = { kind: 'paid', charge: 1, keeps: false } as const;
const free = { kind: 'free', charge: 0, keeps: false } as const;

const callUnderTest = (
	of: string,
	about: About,
	path: string | undefined,
	values: string[],
	parameters: object,
	more: Partial<CallUnderTest> = {},
): CallUnderTest => {
	const [resource, operation] = of.split('.');
	return {
		of,
		...about,
		path,
		values,
		parameters: { resource, operation, ...parameters },
		...more,
	};
};

export const CALLS_UNDER_TEST: CallUnderTest[] = [
	callUnderTest('account.getBalance', { ...main, ...free }, `${V1}/checkbalance`, ['1'], {}),
	callUnderTest('account.getStatus', { ...main, ...free }, `${V1}/status`, ['1'], {}),
	callUnderTest(
		'phone.validate',
		{ ...lookup, ...paidLookup },
		`${V1}/phonevalidation`,
		NUMBERS,
		{ phoneNumber: VALUE, responseDetail: 'detailed' },
		{ variant: 'Detailed' },
	),
	callUnderTest(
		'phone.validate',
		{ ...main, ...paidLookup },
		`${V1}/checkapi`,
		NUMBERS,
		{ phoneNumber: VALUE, responseDetail: 'basic' },
		{ variant: 'Basic' },
	),
	callUnderTest(
		'callerId.lookUp',
		{ ...lookup, ...paidLookup },
		`${V1}/calleridvalidation`,
		NUMBERS,
		{ phoneNumber: VALUE, responseDetail: 'detailed' },
		{ variant: 'Detailed' },
	),
	callUnderTest(
		'callerId.lookUp',
		{ ...main, ...paidLookup },
		`${V1}/check`,
		NUMBERS,
		{ phoneNumber: VALUE, responseDetail: 'basic' },
		{ variant: 'Basic' },
	),
	callUnderTest(
		'whatsApp.checkNumber',
		{ ...main, ...paidLookup },
		`${V1}/checkwanumber`,
		NUMBERS,
		{
			phoneNumber: VALUE,
		},
	),
	callUnderTest(
		'whatsApp.sendMessage',
		{ ...main, ...paidSideEffect },
		`${V1}/sendwasms`,
		NUMBERS,
		{
			...{ phoneNumber: VALUE, message: 'Hello' },
		},
	),
	callUnderTest(
		'batch.submit',
		{ ...lookup, ...paidSideEffect, charge: 3 },
		`${V1}/wavalidation/batch`,
		NUMBERS,
		{ phoneNumber: VALUE },
		{ isOneCall: true },
	),
	callUnderTest(
		'batch.checkMany',
		{ ...lookup, ...paidLookup, charge: 3 },
		`${V1}/wavalidation/batch`,
		NUMBERS,
		{ phoneNumber: VALUE },
		{ isOneCall: true, variant: 'its submission' },
	),
	callUnderTest(
		'batch.checkMany',
		{ ...lookup, ...paidLookup, kind: 'poll', charge: 0 },
		`${V1}/wavalidation/batch/:batch_id`,
		NUMBERS.slice(0, 1),
		{ phoneNumber: VALUE },
		{
			variant: 'its looks',
			job: 'You were charged for the batch {job}. Batch → Get with this ID returns the result at no cost.',
		},
	),
	callUnderTest(
		'batch.get',
		{ ...lookup, ...free, kind: 'look' },
		`${V1}/wavalidation/batch/:batch_id`,
		[],
		{ batchId: VALUE, splitIntoItems: false },
		{ jobs: 'batch', suffix: ' (batch {value})' },
	),
	callUnderTest('email.verify', { ...main, ...paidLookup }, `${V1}/checkemail`, emails(), {
		email: VALUE,
	}),
	callUnderTest(
		'geoIp.locate',
		{ ...geoip, ...paidLookup },
		'/',
		addresses(),
		{ ipAddress: VALUE, responseDetail: 'detailed' },
		{ variant: 'Detailed' },
	),
	callUnderTest(
		'geoIp.locate',
		{ ...main, ...paidLookup },
		`${V1}/checkgeoip`,
		addresses(),
		{ ipAddress: VALUE, responseDetail: 'basic' },
		{ variant: 'Basic' },
	),
	...['searchForum', 'searchMicroblog'].map((operation) =>
		callUnderTest(
			`scraper.${operation}`,
			{ ...main, ...paidSideEffect },
			`${V1}/${operation === 'searchForum' ? 'scrapersearch' : 'scraperxsearch'}`,
			['tea', 'api key leaks', 'cocoa'],
			{ query: VALUE },
		),
	),
	...Object.entries({
		getForumPost: 'scraperpost',
		getMicroblogPost: 'scraperxpost',
		getMicroblogComments: 'scraperxcomment',
	}).map(([operation, path]) =>
		callUnderTest(`scraper.${operation}`, { ...main, ...paidSideEffect }, `${V1}/${path}`, URLS, {
			postUrl: VALUE,
		}),
	),
	callUnderTest(
		'audit.run',
		{ ...main, ...paidSideEffect },
		`${V1}/audit_run`,
		['Ash', 'Invalid token', 'Oak'],
		{ brandName: VALUE, brandUrl: 'https://example.com' },
		{ started: AUDIT_STARTED },
	),
	...Object.entries({ get: 'audit', getSummary: 'audit_summary' }).map(([operation, path]) =>
		callUnderTest(
			`audit.${operation}`,
			{ ...main, ...paidSideEffect, charge: 0 },
			`${V1}/${path}`,
			[],
			{ auditId: VALUE },
			{ jobs: 'audit' },
		),
	),
	callUnderTest(
		'audit.runAndWait',
		{ ...main, ...paidSideEffect },
		`${V1}/audit_run`,
		['Ash', 'Elm', 'Oak'],
		{ brandName: VALUE, brandUrl: 'https://example.com' },
		{ variant: 'its start', started: AUDIT_STARTED },
	),
	callUnderTest(
		'audit.runAndWait',
		{ ...main, ...paidSideEffect, kind: 'poll', charge: 0 },
		`${V1}/audit`,
		['Ash'],
		{ brandName: VALUE, brandUrl: 'https://example.com' },
		{
			variant: 'its looks',
			job: AUDIT_STARTED,
		},
	),
	callUnderTest('toolServer.checkHealth', { ...tools, ...free }, '/healthz', ['1'], {}),
	callUnderTest('toolServer.listTools', { ...tools, ...free }, undefined, ['1'], {}),
	callUnderTest(
		'toolServer.callTool',
		{ ...tools, ...free },
		undefined,
		['1', '2', '3'],
		{
			tool: { __rl: true, mode: 'name', value: 'get_balance' },
			...{ argumentsMode: 'json', argumentsJson: '{}' },
		},
		{ variant: 'of a free tool' },
	),
	callUnderTest(
		'toolServer.callTool',
		{ ...tools, ...paidSideEffect },
		undefined,
		addresses(),
		{
			tool: { __rl: true, mode: 'name', value: 'locate_ip' },
			...{ argumentsMode: 'json', argumentsJson: '={{ { "ip": $json.value } }}' },
		},
		{ variant: 'of a paid tool' },
	),
	callUnderTest(
		'contact.enrich',
		{ ...main, ...paidLookup },
		`${V1}/checkemail`,
		emails(),
		{ email: VALUE, lookups: ['email'] },
		{ prefix: 'Email Verification: ' },
	),
];

function emails(): string[] {
	return ['ada', 'recharge', 'cleo'].map((name) => `${name}@mail.example`);
}

function addresses(): string[] {
	return ['8.8.8.8', '8.8.4.4', '208.67.222.222'];
}

export const nameOf = ({ of, variant }: CallUnderTest) => (variant ? `${of} (${variant})` : of);
