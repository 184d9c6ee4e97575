import type { IDataObject } from 'n8n-workflow';
import {
	isAboutCredits,
	isGone,
	refuses,
	scopeOf,
	type ServiceRequest,
	withoutAsked,
} from '../../engine';
import { REFUSES } from '../../../nodes/LookupMessaging/operations/shared/decisions';
import { headOf } from '../fakes/replies';

const asking = (path: string, query: Record<string, string>): ServiceRequest => ({
	...{ service: 'main', method: 'GET', path, query },
});
const NUMBER = asking('/checkwanumber', { number: '+442079460123' });
const EMAIL = asking('/checkemail', { email: 'name@example.com' });
const POST = asking('/scraperpost', { post_url: 'https://forum.example/posts/1' });
const scope = (words: string | undefined, request = NUMBER, status = 200) =>
	scopeOf(words, { status, request });
/** The words that are about the other scope than expected. */
const wrong = (all: string[], expected: string, request?: ServiceRequest) =>
	all.filter((words) => scope(words, request) !== expected);

/** What the service says of the key and the credits, whatever was asked. */
const KEY_AND_CREDITS = [
	...['Please recharge', 'Invalid API key.', 'Invalid Api Key', 'Insufficient WA API credits.'],
	...['Insufficient phone API credits.', 'Insufficient callerinfo API credits.'],
	...['Not enough credits', 'Out of credits', 'Credit balance too low', 'Insufficient balance'],
	...[
		'insufficient_credits',
		'You have run out of WhatsApp credits',
		'No credits left',
		'Low balance',
	],
	...['Your credits have been exhausted.', 'Credits are used up', 'Please top up your account'],
	...['Payment required', 'Insufficient funds', 'You have 0 credits; not enough credits remaining'],
	...['Authentication required: this tool needs an API key.', 'Please provide your API key'],
	...['The API key is not valid', 'Missing api_key', 'API-Key expired', 'apikey revoked'],
	...['You have exhausted your credits', 'You have 0 credits left', 'Your wallet is empty'],
	...["You don't have enough credits", 'You do not have sufficient credits', 'Credits finished'],
	...['Your credits have run out', 'Credits ran out', 'Balance not enough'],
	...['You have used all your credits', 'You have used up all of your WhatsApp credits'],
	...['The API key you provided is invalid', 'API key does not exist', "API key doesn't exist"],
	...['The API key that you sent could not be found', 'Insufficient credits for this number'],
	...['Your account has been suspended.', 'Your account is inactive', 'Monthly quota exceeded'],
	...['You exceeded your current quota', 'Your API quota has been reached'],
	...['Unknown API key: 12', 'Your api key has been disabled', 'api%5Fkey missing'],
];
/** What it may say of the account, and of a number, a mailbox or a page as well. */
const OF_EITHER = [
	...['Numbering plan not found', 'Key not found', 'Account not verified', 'Key expired'],
	...['Access denied', 'Invalid token', 'Quota exceeded', 'Account suspended'],
	...['Access to this API has been disabled: account suspended', 'Token has expired'],
	...['Unauthorized', 'Not authorised', 'You are not authenticated', 'Authentication failed'],
	...['Missing Authorization header', 'Account blocked', 'Account inactive'],
	...['Subscription expired', 'Your plan has expired', 'Monthly limit reached', 'Forbidden'],
	...['Permission denied', 'Invalid credentials', 'Invalid access token', 'Please log in'],
	...['Trial ended', 'You do not have permission', 'IP address not whitelisted', 'Unknown plan'],
	...['Subscription not found', 'Business account not verified', 'Trial number not valid'],
];
/** What it says of the question. */
const QUESTION = [
	...[
		'Not like this.',
		'The lookup was not possible.',
		'Invalid phone number',
		'Number is required',
	],
	...['phone_numbers array is required and must not be empty.', 'post_url must be the full URL'],
	'Batch size exceeds the maximum allowed limit of 1000 numbers.',
	...['Invalid number. No credits were charged.', 'Name not found (0 credits used)'],
	...['Zero credits have been deducted', 'No WhatsApp credits consumed: number not checked'],
	...[
		'Batch not found or access denied.',
		'Access denied to this batch',
		'No such person is known.',
	],
	...[
		'Rate limit exceeded',
		'Service temporarily unavailable, please try again.',
		'No carrier found',
	],
	...[
		'This number has no credit',
		'No balance information for this number',
		'Mailbox quota exceeded',
	],
	...['Post about low balance not found', 'The recipient has no funds', 'The number has 0 credits'],
	...["The subscriber doesn't have enough credit", 'The account of the user has been suspended'],
	...['Invalid credit card number', 'The WhatsApp account is suspended', 'Unknown country'],
	...['No subscription found for this number', 'Carrier access denied'],
	'550 5.4.1 Recipient address rejected: Access denied',
	'554 5.7.1 Relay access denied',
	'550 5.2.1 The email account that you tried to reach is disabled',
	'Mailbox unauthorized',
];
/** What a page of others says, and what is said of it. */
const OF_PAGES = [
	...['This post requires authentication', 'Private community: unauthorized', 'Account suspended'],
	...[
		'The account of the author is disabled',
		'Access denied',
		'Please log in',
		'Forbidden content',
	],
	...[
		'API key leaks: post not found',
		'No results for api key leaks',
		'Quota exceeded on the forum',
	],
	...['Authentication is required to view this community', 'Post about credits was deleted'],
];

/** What is said of a page or a job that is not there, or not for everybody. */
const OF_WHAT_IS_GONE = [
	...['Post not found', 'The thread was deleted', 'Removed by its author', 'No such batch'],
	...['This community is private', 'Her posts are protected', 'Account suspended', 'Post archived'],
	...['This post requires authentication', 'Private community: unauthorized', 'Page is gone'],
	...['Batch not found or access denied.', 'The page does not exist', "It doesn't exist"],
	...['The post is no longer there', 'Unknown audit', 'Not available here', 'Restricted content'],
	...[
		'No caller information',
		'No CNAM record',
		'No match',
		'Not in our database',
		'Unlisted number',
	],
];

describe('a refusal with words', () => {
	test('about the key or the credits ends the run on every endpoint', () => {
		expect(wrong(KEY_AND_CREDITS, 'account')).toEqual([]);
		expect(wrong(KEY_AND_CREDITS, 'account', EMAIL)).toEqual([]);
		expect(wrong(KEY_AND_CREDITS, 'account', POST)).toEqual([]);
	});

	test('that may be about a value as well concerns the item alone', () => {
		for (const request of [NUMBER, EMAIL, POST]) {
			expect(wrong([...OF_EITHER, ...OF_PAGES], 'question', request)).toEqual([]);
		}
	});

	test('about the lookup concerns the item alone', () => {
		expect(wrong(QUESTION, 'question')).toEqual([]);
		expect(wrong(QUESTION, 'question', EMAIL)).toEqual([]);
		expect(wrong(QUESTION, 'question', POST)).toEqual([]);
	});

	test.each([401, 402])('is read without them under HTTP %d', (status) => {
		expect(scope('Not like this.', NUMBER, status)).toBe('account');
		expect(scope('This post requires authentication', POST, status)).toBe('account');
	});

	test.each([undefined, '', 'Forbidden', 'HTTP 403: access denied', '403 Forbidden.'])(
		'is read without them under HTTP 403, and is then about the account: %s',
		(words) => {
			expect([scope(words, NUMBER, 403), scope(words, POST, 403)]).toEqual(['account', 'account']);
			expect(scope('Private community: unauthorized', POST, 403)).toBe('question');
		},
	);

	test('about a missing page differs from one that all pages would get', () => {
		expect(OF_WHAT_IS_GONE.filter((words) => !isGone(words))).toEqual([]);
		const ofAll = ['Talk to our sales team', 'Internal problem', 'Too many jobs', 'Not like this.'];
		expect(ofAll.filter(isGone)).toEqual([]);
	});

	test('under HTTP 429 is about the rate, unless the credits are used up', () => {
		const about = (words: string) => isAboutCredits(words, NUMBER, false);
		const paces = ['Too many requests', 'Quota exceeded', 'API key limit', 'Rate limit reached'];
		expect(paces.filter(about)).toEqual([]);
		const credits = ['Insufficient WA API credits', 'Insufficient credits', 'Out of credits'];
		expect(credits.filter((words) => !about(words))).toEqual([]);
		const besideAPause = (words: string) => isAboutCredits(words, NUMBER, true);
		expect(credits.filter((words) => !besideAPause(words))).toEqual([]);
		const offers = ['Buy more credits for a higher rate', 'No request quota left in this minute'];
		expect(offers.filter(besideAPause)).toEqual([]);
	});
});

describe('a value that the service repeats', () => {
	test.each<[value: string, words: string[]]>([
		[
			'recharge@telecom.example',
			[
				'recharge@telecom.example could not be checked',
				'RECHARGE@Telecom.Example could not be checked',
				'recharge%40telecom.example could not be checked',
				'No mail server for telecom.example, asked for recharge',
				'No user recharge here',
			],
		],
		['apikey@shop.example', ['apikey@shop.example: no such user', 'User apikey is unknown']],
		['no.credits@shop.example', ['no.credits@shop.example failed', 'User no credits failed']],
		[
			'api key leaks',
			[
				'Nothing found for "API key leaks"',
				'Nothing found for api%20key%20leaks',
				'Nothing found for api+key+leaks',
				'Nothing found: leaks, api key',
			],
		],
		['credits', ['No posts about credits', 'No credits here', 'Insufficient results: credits']],
		['invalid token', ['Nothing about: Invalid token']],
	])('is not the verdict of the service: %s', (value, words) => {
		const request = asking('/ask', { value });
		expect(wrong(words, 'question', request)).toEqual([]);
		const body: ServiceRequest = {
			service: 'mcp',
			method: 'POST',
			path: '',
			body: { a: [{ value }] },
		};
		expect(wrong(words, 'question', body)).toEqual([]);
		const path = asking(`/ask/${encodeURIComponent(value)}`, {});
		expect(wrong(words, 'question', path)).toEqual([]);
		const fields = { value };
		const file = { field: 'media', source: {} as never };
		expect(wrong(words, 'question', { ...asking('/ask', {}), form: { fields, file } })).toEqual([]);
	});

	test.each(['a', 'no', 'key', 'api', 'e i', '1', 'api key leaks', 'recharge', 'invalid'])(
		"does not change the service's own verdict: %s",
		(value) => {
			const request = asking('/scrapersearch', { query: value });
			const own = ['Invalid API key.', 'Please recharge', 'Not enough credits'];
			expect(wrong(own, 'account', request)).toEqual([]);
			expect(wrong([`${value}: Invalid API key`], 'account', request)).toEqual([]);
		},
	);

	test('of many words is no verdict if the reply has only its words', () => {
		const request = asking('/ask', {
			value: 'Out of all the credits that we had we gave a few away',
		});
		expect(scope('Out of credits', request)).toBe('question');
		expect(scope('You ran out of credits', request)).toBe('account');
	});

	test('makes refusals of different values alike', () => {
		const told = (value: string) =>
			withoutAsked(`No answer for ${value}, sorry`, asking('/ask', { value }));
		expect(new Set(['+442079460123', 'ada@example.com', 'two words'].map(told)).size).toBe(1);
		expect(told('ada@example.com')).toBe('no answer for \ufffc, sorry');
	});

	test('is removed as a whole only', () => {
		expect(withoutAsked('The database is down', asking('/ask', { value: 'data' }))).toBe(
			'the database is down',
		);
	});
});

describe('a flag that says no', () => {
	test.each<[body: IDataObject, expected: boolean]>([
		[{ status: 'error', message: 'No route' }, true],
		[{ status: ' FAIL ', data: null, code: 400 }, true],
		[{ status: 'failure', data: {}, results: [], request_id: 'r1', detail: 'x' }, true],
		[{ status: 'failed', phone_number: '+1' }, false],
		[{ status: 'error', data: [{ id: 1 }] }, false],
		[{ status: 'failed', batch_id: 'b1' }, false],
		[{ status: 'INVALID', message: 'No route' }, false],
		[{ status: 'error', whatsapp: false }, false],
	])('is a word of failure where no field has an answer: %j: %s', (body, expected) => {
		expect(refuses(body)).toBe(expected);
	});

	test.each([
		[false, true],
		['false', true],
		[' FALSE ', true],
		[0, false],
		['no', false],
		[null, false],
	])('refuses for %j: %s, in the engine and in the tables', (flag, expected) => {
		for (const body of [{ status: flag }, { success: flag }]) {
			const told = { body, head: headOf(NUMBER) };
			expect([refuses(body), REFUSES.holds(told)]).toEqual([expected, expected]);
		}
	});
});
