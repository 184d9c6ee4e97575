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
const AUDIT_STARTED =
	'You were charged for the audit {job}. Audit → Get with this ID returns the result.';
const VALUE = '={{ $json.value }}';

const main = { host: 'main', root: 'baseUrl' } as const;
const lookup = { host: 'lookup', root: 'lookupUrl' } as const;
const geoip = { host: 'geoip', root: 'geoipUrl' } as const;
const tools = { host: 'tools', root: 'mcpUrl' } as const;

/** @param path below the version, or the whole of it if it begins with a slash */
const calls =
	(about: Pick<CallUnderTest, 'charge' | 'keeps' | 'kind'>) =>
	(
		of: string,
		where: Pick<CallUnderTest, 'host' | 'root'>,
		path: string | undefined,
		values: string[],
		parameters: object = {},
		more: Partial<CallUnderTest> = {},
	): CallUnderTest => {
		const [resource, operation] = of.split('.');
		const all = { resource, operation, ...parameters };
		const isWhole = path === undefined || path.startsWith('/');
		return {
			...{ of, ...about, ...where, path: isWhole ? path : `/api/v1/${path}` },
			...{ values, parameters: all, ...more },
		};
	};
const looksUp = calls({ kind: 'paid', charge: 1, keeps: true });
const acts = calls({ kind: 'paid', charge: 1, keeps: false });
const asks = calls({ kind: 'free', charge: 0, keeps: false });

/** A lookup with both kinds of Response Detail. */
const looksUpInBoth = (
	of: string,
	field: string,
	values: string[],
	where: typeof lookup | typeof geoip,
	detailed: string,
	basic: string,
) => [
	looksUp(
		of,
		where,
		detailed,
		values,
		{ [field]: VALUE, responseDetail: 'detailed' },
		{ variant: 'Detailed' },
	),
	looksUp(
		of,
		main,
		basic,
		values,
		{ [field]: VALUE, responseDetail: 'basic' },
		{ variant: 'Basic' },
	),
];

const EMAILS = ['ada', 'recharge', 'cleo'].map((name) => `${name}@mail.example`);
const ADDRESSES = ['8.8.8.8', '8.8.4.4', '208.67.222.222'];
const QUERIES = ['tea', 'api key leaks', 'cocoa'];
const BY_NUMBER = { phoneNumber: VALUE };
const BATCH = 'wavalidation/batch';
const ONE_BATCH = `${BATCH}/:batch_id`;
const BATCH_STARTED =
	'You were charged for the batch {job}. Batch → Get with this ID returns the result at no cost.';
const OF_BRAND = { brandName: VALUE, brandUrl: 'https://example.com' };
const tool = (value: string, argumentsJson: string) => ({
	tool: { __rl: true, mode: 'name', value },
	argumentsMode: 'json',
	argumentsJson,
});

export const CALLS_UNDER_TEST: CallUnderTest[] = [
	asks('account.getBalance', main, 'checkbalance', ['1']),
	asks('account.getStatus', main, 'status', ['1']),
	...looksUpInBoth('phone.validate', 'phoneNumber', NUMBERS, lookup, 'phonevalidation', 'checkapi'),
	...looksUpInBoth(
		'callerId.lookUp',
		'phoneNumber',
		NUMBERS,
		lookup,
		'calleridvalidation',
		'check',
	),
	looksUp('whatsApp.checkNumber', main, 'checkwanumber', NUMBERS, BY_NUMBER),
	acts('whatsApp.sendMessage', main, 'sendwasms', NUMBERS, { ...BY_NUMBER, message: 'Hello' }),
	acts('batch.submit', lookup, BATCH, NUMBERS, BY_NUMBER, { isOneCall: true, charge: 3 }),
	looksUp('batch.checkMany', lookup, BATCH, NUMBERS, BY_NUMBER, {
		isOneCall: true,
		charge: 3,
		variant: 'its submission',
	}),
	looksUp('batch.checkMany', lookup, ONE_BATCH, NUMBERS.slice(0, 1), BY_NUMBER, {
		kind: 'poll',
		charge: 0,
		variant: 'its looks',
		job: BATCH_STARTED,
	}),
	asks(
		'batch.get',
		lookup,
		ONE_BATCH,
		[],
		{ batchId: VALUE, splitIntoItems: false },
		{ kind: 'look', jobs: 'batch', suffix: ' (batch {value})' },
	),
	looksUp('email.verify', main, 'checkemail', EMAILS, { email: VALUE }),
	...looksUpInBoth('geoIp.locate', 'ipAddress', ADDRESSES, geoip, '/', 'checkgeoip'),
	acts('scraper.searchForum', main, 'scrapersearch', QUERIES, { query: VALUE }),
	acts('scraper.searchMicroblog', main, 'scraperxsearch', QUERIES, { query: VALUE }),
	acts('scraper.getForumPost', main, 'scraperpost', URLS, { postUrl: VALUE }),
	acts('scraper.getMicroblogPost', main, 'scraperxpost', URLS, { postUrl: VALUE }),
	acts('scraper.getMicroblogComments', main, 'scraperxcomment', URLS, { postUrl: VALUE }),
	acts('audit.run', main, 'audit_run', ['Ash', 'Invalid token', 'Oak'], OF_BRAND, {
		started: AUDIT_STARTED,
	}),
	acts('audit.get', main, 'audit', [], { auditId: VALUE }, { jobs: 'audit', charge: 0 }),
	acts(
		'audit.getSummary',
		main,
		'audit_summary',
		[],
		{ auditId: VALUE },
		{ jobs: 'audit', charge: 0 },
	),
	acts('audit.runAndWait', main, 'audit_run', ['Ash', 'Elm', 'Oak'], OF_BRAND, {
		variant: 'its start',
		started: AUDIT_STARTED,
	}),
	acts('audit.runAndWait', main, 'audit', ['Ash'], OF_BRAND, {
		kind: 'poll',
		charge: 0,
		variant: 'its looks',
		job: AUDIT_STARTED,
	}),
	asks('toolServer.checkHealth', tools, '/healthz', ['1']),
	asks('toolServer.listTools', tools, undefined, ['1']),
	asks('toolServer.callTool', tools, undefined, ['1', '2', '3'], tool('get_balance', '{}'), {
		variant: 'of a free tool',
	}),
	acts(
		'toolServer.callTool',
		tools,
		undefined,
		ADDRESSES,
		tool('locate_ip', '={{ { "ip": $json.value } }}'),
		{
			variant: 'of a paid tool',
		},
	),
	looksUp(
		'contact.enrich',
		main,
		'checkemail',
		EMAILS,
		{ email: VALUE, lookups: ['email'] },
		{
			prefix: 'Email Verification: ',
		},
	),
];

export const nameOf = ({ of, variant }: CallUnderTest) => (variant ? `${of} (${variant})` : of);
