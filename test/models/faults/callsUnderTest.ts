import type { HostName, SandboxRoots } from '../../sandbox';
import type { Kind } from './faultClasses';

/** One call of one operation that faults are tried on, with the facts that SPEC and the design name of it. */
export interface Subject {
	/** `resource.operation`. */
	of: string;
	/** What tells it from other subjects of the operation. */
	variant?: string;
	parameters: object;
	/** What the items ask about, as `value`: three different things, or one where it is a look. */
	values: string[];
	/** Values that are IDs of jobs, which have to be there before. */
	jobs?: 'audit' | 'batch';
	kind: Kind;
	host: HostName;
	root: keyof SandboxRoots;
	/** The endpoint's path in the sandbox; all of the host unless set. */
	path?: string;
	/** Credits that the sandbox takes for the call. */
	charge: number;
	/** A lookup: what was paid for is kept when an item fails. */
	keeps: boolean;
	/** All items travel in one call. */
	isTogether?: true;
	/** What the message puts before what happened, and after it. */
	prefix?: string;
	suffix?: string;
	/** What the message says of a job that was paid for before. */
	job?: string;
	/** What a failing node says of the job of the item before, which comes out nowhere else. */
	started?: string;
}

const NUMBERS = ['+442079460121', '+442079460122', '+442079460123'];
const URLS = ['1', '2', '3'].map((n) => `https://forum.example/posts/${n}`);
const V1 = '/api/v1';
const AUDIT_STARTED = 'The audit {job} was paid for: Audit, Get with the ID gets the result.';
const VALUE = '={{ $json.value }}';

type About = Pick<Subject, 'charge' | 'host' | 'keeps' | 'kind' | 'root'>;
const main = { host: 'main', root: 'baseUrl' } as const;
const lookup = { host: 'lookup', root: 'lookupUrl' } as const;
const geoip = { host: 'geoip', root: 'geoipUrl' } as const;
const tools = { host: 'tools', root: 'mcpUrl' } as const;
const paidLookup = { kind: 'paid', charge: 1, keeps: true } as const;
const paidDeed = { kind: 'paid', charge: 1, keeps: false } as const;
const free = { kind: 'free', charge: 0, keeps: false } as const;

const subject = (
	of: string,
	about: About,
	path: string | undefined,
	values: string[],
	parameters: object,
	more: Partial<Subject> = {},
): Subject => {
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

export const SUBJECTS: Subject[] = [
	subject('account.getBalance', { ...main, ...free }, `${V1}/checkbalance`, ['1', '2', '3'], {}),
	subject('account.getStatus', { ...main, ...free }, `${V1}/status`, ['1', '2', '3'], {}),
	subject(
		'phone.validate',
		{ ...lookup, ...paidLookup },
		`${V1}/phonevalidation`,
		NUMBERS,
		{ phoneNumber: VALUE, responseDetail: 'detailed' },
		{ variant: 'Detailed' },
	),
	subject(
		'phone.validate',
		{ ...main, ...paidLookup },
		`${V1}/checkapi`,
		NUMBERS,
		{ phoneNumber: VALUE, responseDetail: 'basic' },
		{ variant: 'Basic' },
	),
	subject(
		'callerId.lookUp',
		{ ...lookup, ...paidLookup },
		`${V1}/calleridvalidation`,
		NUMBERS,
		{ phoneNumber: VALUE, responseDetail: 'detailed' },
		{ variant: 'Detailed' },
	),
	subject(
		'callerId.lookUp',
		{ ...main, ...paidLookup },
		`${V1}/check`,
		NUMBERS,
		{ phoneNumber: VALUE, responseDetail: 'basic' },
		{ variant: 'Basic' },
	),
	subject('whatsApp.checkNumber', { ...main, ...paidLookup }, `${V1}/checkwanumber`, NUMBERS, {
		phoneNumber: VALUE,
	}),
	subject('whatsApp.sendMessage', { ...main, ...paidDeed }, `${V1}/sendwasms`, NUMBERS, {
		...{ phoneNumber: VALUE, message: 'Hello' },
	}),
	subject(
		'batch.submit',
		{ ...lookup, ...paidDeed, charge: 3 },
		`${V1}/wavalidation/batch`,
		NUMBERS,
		{ phoneNumber: VALUE },
		{ isTogether: true },
	),
	subject(
		'batch.checkMany',
		{ ...lookup, ...paidLookup, charge: 3 },
		`${V1}/wavalidation/batch`,
		NUMBERS,
		{ phoneNumber: VALUE },
		{ isTogether: true, variant: 'its submission' },
	),
	subject(
		'batch.checkMany',
		{ ...lookup, ...paidLookup, kind: 'poll', charge: 0 },
		`${V1}/wavalidation/batch/:batch_id`,
		NUMBERS.slice(0, 1),
		{ phoneNumber: VALUE },
		{
			variant: 'its looks',
			job: 'The batch {job} was paid for: Batch, Get with the ID costs nothing.',
		},
	),
	subject(
		'batch.get',
		{ ...lookup, ...free, kind: 'look' },
		`${V1}/wavalidation/batch/:batch_id`,
		[],
		{ batchId: VALUE, outputItems: 'batch' },
		{ jobs: 'batch', suffix: ' (batch {value})' },
	),
	subject('email.verify', { ...main, ...paidLookup }, `${V1}/checkemail`, emails(), {
		email: VALUE,
	}),
	subject(
		'geoIp.locate',
		{ ...geoip, ...paidLookup },
		'/',
		addresses(),
		{ ipAddress: VALUE, responseDetail: 'detailed' },
		{ variant: 'Detailed' },
	),
	subject(
		'geoIp.locate',
		{ ...main, ...paidLookup },
		`${V1}/checkgeoip`,
		addresses(),
		{ ipAddress: VALUE, responseDetail: 'basic' },
		{ variant: 'Basic' },
	),
	...['searchForum', 'searchMicroblog'].map((operation) =>
		subject(
			`scraper.${operation}`,
			{ ...main, ...paidDeed },
			`${V1}/${operation === 'searchForum' ? 'scrapersearch' : 'scraperxsearch'}`,
			['tea', 'coffee', 'cocoa'],
			{ query: VALUE },
		),
	),
	...Object.entries({
		getForumPost: 'scraperpost',
		getMicroblogPost: 'scraperxpost',
		getMicroblogComments: 'scraperxcomment',
	}).map(([operation, path]) =>
		subject(`scraper.${operation}`, { ...main, ...paidDeed }, `${V1}/${path}`, URLS, {
			postUrl: VALUE,
		}),
	),
	subject(
		'audit.run',
		{ ...main, ...paidDeed },
		`${V1}/audit_run`,
		['Ash', 'Elm', 'Oak'],
		{ brandName: VALUE, brandUrl: 'https://example.com' },
		{ started: AUDIT_STARTED },
	),
	...Object.entries({ get: 'audit', getSummary: 'audit_summary' }).map(([operation, path]) =>
		subject(
			`audit.${operation}`,
			{ ...main, ...paidDeed, charge: 0 },
			`${V1}/${path}`,
			[],
			{ auditId: VALUE },
			{ jobs: 'audit' },
		),
	),
	subject(
		'audit.runAndWait',
		{ ...main, ...paidDeed },
		`${V1}/audit_run`,
		['Ash', 'Elm', 'Oak'],
		{ brandName: VALUE, brandUrl: 'https://example.com' },
		{ variant: 'its start', started: AUDIT_STARTED },
	),
	subject(
		'audit.runAndWait',
		{ ...main, ...paidDeed, kind: 'poll', charge: 0 },
		`${V1}/audit`,
		['Ash'],
		{ brandName: VALUE, brandUrl: 'https://example.com' },
		{
			variant: 'its looks',
			job: AUDIT_STARTED,
		},
	),
	subject('toolServer.checkHealth', { ...tools, ...free }, '/healthz', ['1', '2', '3'], {}),
	subject('toolServer.listTools', { ...tools, ...free }, undefined, ['1', '2', '3'], {}),
	subject('toolServer.callTool', { ...tools, ...paidDeed }, undefined, addresses(), {
		tool: { __rl: true, mode: 'name', value: 'locate_ip' },
		...{ argumentsMode: 'json', argumentsJson: '={{ { "ip": $json.value } }}' },
	}),
	subject(
		'contact.enrich',
		{ ...main, ...paidLookup },
		`${V1}/checkemail`,
		emails(),
		{ email: VALUE, lookups: ['email'] },
		{ prefix: 'Email Verification: ' },
	),
];

function emails(): string[] {
	return ['ada', 'bob', 'cleo'].map((name) => `${name}@mail.example`);
}

function addresses(): string[] {
	return ['8.8.8.8', '8.8.4.4', '208.67.222.222'];
}

export const nameOf = ({ of, variant }: Subject) => (variant ? `${of} (${variant})` : of);
