import {
	type Endpoint,
	type Failure,
	interpret,
	isAboutCredits,
	isGone,
	refused,
	refuses,
	type Refusal,
	scopeOf,
	type ServiceRequest,
	withoutAsked,
} from '../../engine';
import { REFUSES } from '../../../nodes/LookupMessaging/operations/shared/decisions';
import { answered, headOf } from '../fakes/replies';

const asking = (path: string, query: Record<string, string>): ServiceRequest => ({
	...{ service: 'main', method: 'GET', path, query },
});
const NUMBER = asking('/checkwanumber', { number: '+442079460123' });
const EMAIL = asking('/checkemail', { email: 'name@example.com' });
const POST = asking('/scraperpost', { post_url: 'https://forum.example/posts/1' });
const ALL = [NUMBER, EMAIL, POST];

/** What a refusal with these words is about: the key, the credits, the account in general or the question. */
function about(words: string, request = NUMBER, status = 200): string {
	const credits = { balance: 'whatsapp', cost: 'not stated' } as const;
	const endpoint: Endpoint<Refusal> = { request, credits, read: refused };
	const body = { status: false, error: words };
	const { failure } = interpret(endpoint, answered(status, body), jest.fn()) as {
		failure: Failure;
	};
	expect(failure.scope).toBe(scopeOf(words, { request, status }));
	return failure.scope === 'question' ? 'question' : (failure.refusal?.about ?? 'account');
}
/** The words that are about something else than expected. */
const wrong = (all: string[], expected: string, requests = ALL) =>
	all.filter((words) => requests.some((request) => about(words, request) !== expected));
/** Texts with bars between them. */
const listed = (texts: string) => texts.trim().split(/\s*[|\n]\s*/);

/** What the service says of the account, whatever was asked. */
const OF_THE_ACCOUNT = {
	credits: listed(`
		Please recharge | Insufficient WA API credits. | Insufficient phone API credits. | Insufficient balance
		Insufficient callerinfo API credits. | Not enough credits | Out of credits | Credit balance too low
		insufficient_credits | You have run out of WhatsApp credits | No credits left | Low balance
		Your credits have been exhausted. | Credits are used up | Please top up your account | Payment required
		Insufficient funds | You have 0 credits; not enough credits remaining | You have exhausted your credits
		You have 0 credits left | Your wallet is empty | You don't have enough credits | Credits ran out
		You do not have sufficient credits | Credits finished | Your credits have run out | Balance not enough
		You have used all your credits | You have used up all of your WhatsApp credits
		Insufficient credits for this number
	`),
	key: listed(`
		Invalid API key. | Invalid Api Key | Authentication required: this tool needs an API key.
		Please provide your API key | The API key is not valid | Missing api_key | API-Key expired | apikey revoked
		The API key you provided is invalid | API key does not exist | API key doesn't exist
		The API key that you sent could not be found | Unknown API key: 12 | Your api key has been disabled
		api%5Fkey missing
	`),
	account: listed(`
		Your account has been suspended. | Your account is inactive | Monthly quota exceeded
		You exceeded your current quota | Your API quota has been reached
	`),
};
/** What it may say of the account, and of a number, a mailbox or a page as well. */
const OF_EITHER = listed(`
	Numbering plan not found | Key not found | Account not verified | Key expired | Access denied | Invalid token
	Quota exceeded | Account suspended | Access to this API has been disabled: account suspended
	Token has expired | Unauthorized | Not authorised | You are not authenticated | Authentication failed
	Missing Authorization header | Account blocked | Account inactive | Subscription expired
	Your plan has expired | Monthly limit reached | Forbidden | Permission denied | Invalid credentials
	Invalid access token | Please log in | Trial ended | You do not have permission | IP address not whitelisted
	Unknown plan | Subscription not found | Business account not verified | Trial number not valid
`);
/** What it says of the question. */
const OF_THE_QUESTION = listed(`
	Not like this. | The lookup was not possible. | Invalid phone number | Number is required
	phone_numbers array is required and must not be empty. | post_url must be the full URL
	Batch size exceeds the maximum allowed limit of 1000 numbers. | Invalid number. No credits were charged.
	Name not found (0 credits used) | Zero credits have been deducted
	No WhatsApp credits consumed: number not checked | Batch not found or access denied.
	Access denied to this batch | No such person is known. | Rate limit exceeded
	Service temporarily unavailable, please try again. | No carrier found | This number has no credit
	No balance information for this number | Mailbox quota exceeded | Post about low balance not found
	The recipient has no funds | The number has 0 credits | The subscriber doesn't have enough credit
	The account of the user has been suspended | Invalid credit card number | The WhatsApp account is suspended
	Unknown country | No subscription found for this number | Carrier access denied
	550 5.4.1 Recipient address rejected: Access denied | 554 5.7.1 Relay access denied
	550 5.2.1 The email account that you tried to reach is disabled | Mailbox unauthorized
`);
/** What a page of others says, and what is said of it. */
const OF_PAGES = listed(`
	This post requires authentication | Private community: unauthorized | Account suspended
	The account of the author is disabled | Access denied | Please log in | Forbidden content
	API key leaks: post not found | No results for api key leaks | Quota exceeded on the forum
	Authentication is required to view this community | Post about credits was deleted
`);
/** What is said of a page or a job that is not there, or not for everybody. */
const OF_WHAT_IS_GONE = listed(`
	Post not found | The thread was deleted | Removed by its author | No such batch | This community is private
	Her posts are protected | Account suspended | Post archived | This post requires authentication
	Private community: unauthorized | Page is gone | Batch not found or access denied. | The page does not exist
	It doesn't exist | The post is no longer there | Unknown audit | Not available here | Restricted content
	No caller information | No CNAM record | No match | Not in our database | Unlisted number
`);

describe('a refusal with words', () => {
	test('about the key, the credits or the account ends the run on every endpoint, and is told from the others', () => {
		for (const [part, words] of Object.entries(OF_THE_ACCOUNT))
			expect(wrong(words, part)).toEqual([]);
	});

	test('about the lookup concerns the item alone, and so does one that may be about a value as well', () => {
		expect(wrong([...OF_THE_QUESTION, ...OF_EITHER, ...OF_PAGES], 'question')).toEqual([]);
	});

	test('is read without them under HTTP 401 and 402, and under 403 if they say no more', () => {
		const statuses = [401, 402].map((status) => about('Not like this.', NUMBER, status));
		expect(statuses).toEqual(['key', 'credits']);
		expect(about('This post requires authentication', POST, 401)).toBe('key');
		for (const words of [' ', 'Forbidden', 'HTTP 403: access denied', '403 Forbidden.'])
			expect([words, about(words, NUMBER, 403), about(words, POST, 403)]).toEqual([
				...[words, 'account', 'account'],
			]);
		expect(scopeOf(undefined, { request: NUMBER, status: 403 })).toBe('account');
		expect(about('Private community: unauthorized', POST, 403)).toBe('question');
	});

	test('about a missing page differs from one that all pages would get', () => {
		expect(OF_WHAT_IS_GONE.filter((words) => !isGone(words))).toEqual([]);
		const ofAll = ['Talk to our sales team', 'Internal problem', 'Too many jobs', 'Not like this.'];
		expect(ofAll.filter(isGone)).toEqual([]);
	});

	test('under HTTP 429 is about the rate, unless the credits are used up', () => {
		const credits = listed('Insufficient WA API credits | Insufficient credits | Out of credits');
		const paces = listed('Too many requests | Quota exceeded | API key limit | Rate limit reached');
		const offers = listed(
			'Buy more credits for a higher rate | No request quota left in this minute',
		);
		for (const hasPause of [true, false]) {
			const isOfCredits = (words: string) => isAboutCredits(words, NUMBER, hasPause);
			expect([...paces, ...credits].filter(isOfCredits)).toEqual(credits);
			if (hasPause) expect(offers.filter(isOfCredits)).toEqual([]);
		}
	});
});

describe('a value that the service repeats', () => {
	test.each([
		[
			'recharge@telecom.example',
			`recharge@telecom.example could not be checked | RECHARGE@Telecom.Example could not be checked
			recharge%40telecom.example could not be checked | No user recharge here
			No mail server for telecom.example, asked for recharge`,
		],
		['apikey@shop.example', 'apikey@shop.example: no such user | User apikey is unknown'],
		['no.credits@shop.example', 'no.credits@shop.example failed | User no credits failed'],
		[
			'api key leaks',
			`Nothing found for "API key leaks" | Nothing found for api%20key%20leaks
			Nothing found for api+key+leaks | Nothing found: leaks, api key`,
		],
		['credits', 'No posts about credits | No credits here | Insufficient results: credits'],
		['invalid token', 'Nothing about: Invalid token'],
	])('is not the verdict of the service, wherever the request has it: %s', (value, words) => {
		const file = { field: 'media', source: {} as never };
		const requests: ServiceRequest[] = [
			asking('/ask', { value }),
			asking(`/ask/${encodeURIComponent(value)}`, {}),
			{ service: 'mcp', method: 'POST', path: '', body: { a: [{ value }] } },
			{ ...asking('/ask', {}), form: { fields: { value }, file } },
		];
		expect(wrong(listed(words), 'question', requests)).toEqual([]);
	});

	test("does not change the service's own verdict", () => {
		for (const value of listed(
			'a | no | key | api | e i | 1 | api key leaks | recharge | invalid',
		)) {
			const requests = [asking('/scrapersearch', { query: value })];
			expect(wrong(['Please recharge', 'Not enough credits'], 'credits', requests)).toEqual([]);
			expect(wrong(['Invalid API key.'], 'key', requests)).toEqual([]);
			expect(about(`${value}: Invalid API key`, requests[0])).not.toBe('question');
		}
		// Of many words only if the reply has no others
		const value = 'Out of all the credits that we had we gave a few away';
		expect(about('Out of credits', asking('/ask', { value }))).toBe('question');
		expect(about('You ran out of credits', asking('/ask', { value }))).toBe('credits');
	});

	test('is removed as a whole only, so that refusals of different values are alike', () => {
		for (const value of ['+442079460123', 'ada@example.com', 'two words'])
			expect(withoutAsked(`No answer for ${value}, sorry`, asking('/ask', { value }))).toBe(
				'no answer for \ufffc, sorry',
			);
		const part = asking('/ask', { value: 'data' });
		expect(withoutAsked('The database is down', part)).toBe('the database is down');
	});
});

test('a reply refuses by a flag that says no, or by a word of failure where no field has an answer', () => {
	for (const [flag, expected] of [
		...([false, 'false', ' FALSE '] as const).map((no) => [no, true] as const),
		...([0, 'no', null] as const).map((other) => [other, false] as const),
	])
		for (const body of [{ status: flag }, { success: flag }]) {
			const table = REFUSES.holds({ body, head: headOf(NUMBER) });
			expect([body, refuses(body), table]).toEqual([body, expected, expected]);
		}
	for (const body of [
		...[
			{ status: 'error', message: 'No route' },
			{ status: ' FAIL ', data: null, code: 400 },
		],
		{ status: 'failure', data: {}, results: [], request_id: 'r1', detail: 'x' },
	])
		expect([body, refuses(body)]).toEqual([body, true]);
	for (const body of [
		...[
			{ status: 'failed', phone_number: '+1' },
			{ status: 'error', data: [{ id: 1 }] },
		],
		...[
			{ status: 'failed', batch_id: 'b1' },
			{ status: 'INVALID', message: 'No route' },
		],
		{ status: 'error', whatsapp: false },
	])
		expect([body, refuses(body)]).toEqual([body, false]);
});
