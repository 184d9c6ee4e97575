import type { INode } from 'n8n-workflow';
import {
	type Account,
	type Credits,
	describeFailure,
	describePollFailure,
	type Endpoint,
	type Failure,
	interpret,
	type Refusal,
	refused,
	toEditorError,
} from '../../engine';

/** The whole message of a call that the service refused with these words, to a person and to a model. */
function messages(
	words: string | undefined,
	status = 200,
	balance: Account = 'whatsapp',
): string[] {
	const request = {
		service: 'main',
		method: 'GET',
		path: '/check',
		query: { number: '1' },
	} as const;
	const endpoint: Endpoint<Refusal> = {
		...{ request, credits: { balance, cost: 'not stated' } satisfies Credits },
		read: (body, head) => refused(body, head),
	};
	const body = { status: false, ...(words !== undefined && { error: words }) };
	const kind = status === 200 ? 'ok' : 'httpError';
	const result = interpret(endpoint, { kind, status, headers: {}, body }, () => undefined);
	const { failure } = result as { failure: Failure };
	return [describeFailure(failure), describeFailure(failure, true)];
}

const OPEN = 'You may have been charged.';
const NONE = "You weren't charged.";
const AT_FAULT = /check the value/i;
const KEY = /API key/i;
const CREDITS = /add credits/i;

describe('the remedy fits the words', () => {
	const SAYS = 'The service refused the request: ';
	const CHECK = 'Check your balance before you run the item again.';
	const ADD = 'Add credits, then run the item again.';
	const SET_KEY = 'Check the API key in the credential, then run the item again.';
	const BOTH = 'Check the API key in the credential and the credits in your account.';
	test.each<[words: string | undefined, status: number, message: string]>([
		[
			'WhatsApp lookup failed, please try again.',
			422,
			`WhatsApp lookup failed, please try again. ${CHECK} ${OPEN}`,
		],
		['Service temporarily unavailable', 200, `Service temporarily unavailable. ${CHECK} ${OPEN}`],
		[
			undefined,
			200,
			`The service refused the request and gave no reason. Check the value. ${OPEN}`,
		],
		['No such number', 422, `${SAYS}No such number. Check the value. ${OPEN}`],
		['Insufficient WA API credits.', 200, `Not enough WhatsApp credits. ${ADD} ${NONE}`],
		['Please recharge', 402, `Not enough WhatsApp credits. ${ADD} ${NONE}`],
		['Your balance is used up', 200, `${SAYS}Your balance is used up. ${ADD} ${NONE}`],
		['Invalid API key.', 401, `${SAYS}Invalid API key. ${SET_KEY} ${NONE}`],
		['API key expired', 200, `${SAYS}API key expired. ${SET_KEY} ${NONE}`],
		['No.', 402, `${SAYS}No. ${ADD} ${NONE}`],
		['Forbidden', 403, `${SAYS}Forbidden. ${BOTH} ${NONE}`],
		['No.', 431, `${SAYS}No. Send a shorter text or a smaller file. ${NONE}`],
	])('of %j with HTTP %d', (words, status, message) => {
		expect(messages(words, status)[0]).toBe(message);
	});

	test('and names the balance that is too small, and none of a tool', () => {
		const first = (balance: Account) => messages('Please recharge', 200, balance)[0];
		expect(first('callerinfo')).toMatch(/^Not enough Caller ID credits\./);
		expect(first('email')).toMatch(/^Not enough email credits\./);
		expect(first('tool server')).toMatch(/^Not enough credits\./);
	});

	const TROUBLE = [
		...['please try again', 'Timed out', 'temporarily unavailable', 'Too many requests'],
		...['Server error', 'Under maintenance', 'overloaded, try later'],
	];
	const OF_KEY = ['Invalid Api Key', 'Unknown API key', 'API key revoked', 'Missing API key'];
	const OF_CREDITS = [
		'Insufficient phone API credits.',
		'Out of credits',
		'Credit balance too low',
	];
	const OF_VALUE = ['Unknown number', 'Not like this', 'phone_numbers array is required'];
	test.each([
		...TROUBLE.map((words) => [words, [AT_FAULT, KEY, CREDITS], undefined] as const),
		...OF_KEY.map((words) => [words, [AT_FAULT, CREDITS], KEY] as const),
		...OF_CREDITS.map((words) => [words, [AT_FAULT, KEY], CREDITS] as const),
		...OF_VALUE.map((words) => [words, [KEY, CREDITS], AT_FAULT] as const),
	])('and names nothing else under any HTTP status: %j', (words, others, own) => {
		for (const status of [200, 400, 403, 422]) {
			for (const message of messages(words, status)) {
				const remedy = message.replace(words, '');
				for (const other of others) expect(remedy).not.toMatch(other);
				if (own) expect(message).toMatch(own);
				expect(message.match(/refused the request/g) ?? []).toHaveLength(
					/refused the request/.test(message) ? 1 : 0,
				);
				expect(message.match(/You (?:may have been|weren't) charged\./g)).toHaveLength(1);
			}
		}
	});

	test.each<[Failure['cause'], Partial<Failure>]>([
		['throttled', {}],
		['throttled', { status: 429 }],
		['lost', { mayHaveCost: true }],
		['misconfigured', {}],
		['parameter', {}],
		['refused', { status: 401 }],
		['refused', { status: 402, scope: 'account' }],
		['refused', { refusal: { scope: 'question', reason: 'Service unavailable' } }],
	])('and names no item in the editor and in a poll, which have none: %s %j', (cause, more) => {
		const failure = { cause, reason: 'it broke', scope: 'question', ...more } as Failure;
		const node = { name: 'Node' } as INode;
		const texts = [
			toEditorError(node, failure).message,
			...[true, false].map((goesOn) => describePollFailure(failure, goesOn)),
		];
		expect(texts.join('\n')).not.toMatch(/\bitems?\b/);
	});
});

test('a failure may have its own remedy', () => {
	const remedy = { forUser: 'Wait', forModel: 'Tell the user', more: 'More' };
	const failure = { cause: 'budget', reason: 'too many', scope: 'question', remedy } as const;
	expect([describeFailure(failure), describeFailure(failure, true)]).toEqual([
		...[`Too many. Wait. ${NONE}`, `Too many. Tell the user. ${NONE}`],
	]);
});
