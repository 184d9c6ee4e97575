import type { INode } from 'n8n-workflow';
import {
	type Account,
	adviceOn,
	type AnyOperation,
	type Charge,
	drawReceipt,
	type Failure,
	History,
	Ledger,
	type Plan,
	positive,
	receiptHint,
	type SlotResult,
	toEditorError,
	toNodeError,
	warningHints,
	warningsOf,
} from '../../engine';
import { parseReceipt, spendingOf } from '../../harness/parseReceipt';

const NO_STEPS = new Ledger().steps;

/**
 * A ledger with what is booked and what it is said to hold. `email:1*4` are four calls of a credit each, `phone:free` one that cost
 * nothing, `geoip:unpriced` one without a price; `email:open2` and `geoip:open` may have been charged.
 */
function ledgerOf(bookings = '', held: Partial<Ledger> = {}): Ledger {
	const ledger = Object.assign(new Ledger(), held);
	for (const booking of bookings.split(' ').filter(Boolean)) {
		const [, balance, kind, credits, times] =
			/^(\w+):(free|unpriced|open)?(\d+)?(?:\*(\d+))?$/.exec(booking) ?? [];
		const price = credits ? Number(credits) : null;
		const charge: Charge =
			kind === 'free'
				? { charged: 'no', credits: 0 }
				: { charged: kind === 'open' ? 'perhaps' : 'yes', credits: price };
		for (let n = 0; n < Number(times ?? 1); n += 1)
			ledger.book({ balance: balance as Account, cost: 'not stated' }, charge);
	}
	return ledger;
}

describe('the ledger', () => {
	test('adds up each kind of charge by account, and another ledger', () => {
		const ledger = ledgerOf('phone:2 phone:free whatsapp:unpriced*2 whatsapp:open email:open10');
		ledger.include(ledgerOf('phone:3', { lookupsBeforeWait: 2 }));
		expect(ledger).toMatchObject({ paidCalls: 7, lookups: 6, lookupsBeforeWait: 2 });
		expect(ledger.sum('credits')).toBe(5);
		const none = { priced: 0, credits: 0, unpriced: 0, free: 0, open: 0, openCredits: 0 };
		expect(Object.fromEntries(ledger.accounts)).toEqual({
			phone: { ...none, priced: 2, credits: 5, free: 1 },
			whatsapp: { ...none, unpriced: 2, open: 1 },
			email: { ...none, open: 1, openCredits: 10 },
		});
	});
});

describe('the receipt', () => {
	const answer = (source: 'duplicate' | 'stored' | 'memory' | 'service'): SlotResult => ({
		...{ item: 0, input: 'x', kind: 'answer', answer: positive({}), response: {}, source },
	});
	const failed = (failure: Failure): SlotResult => ({
		...{ item: 0, input: 'x', kind: 'failure', failure },
	});
	const BROKE: Failure = {
		...{ cause: 'lost', reason: 'it broke', scope: 'question', mayHaveCost: true },
	};
	const NO: Failure = { cause: 'refused', reason: 'it said no', scope: 'question' };
	const NOT_SENT = failed({ cause: 'notSent', reason: 'Skipped', scope: 'question' });
	const local: SlotResult = {
		...{ item: 0, input: 'x', kind: 'local' },
		local: { local: 'empty', field: 'Email', reason: 'is empty' },
	};
	const done = answer('service');
	const LETTERS: Record<string, SlotResult> = {
		...{ a: done, d: answer('duplicate'), m: answer('memory'), s: answer('stored'), l: local },
		...{ b: failed(BROKE), n: failed(NO), x: NOT_SENT },
	};
	/** Slots by a letter each: of one item each, or all of one. */
	const slotsOf = (letters: string, areOfOne = false) =>
		[...letters].map((letter, n) => ({ ...LETTERS[letter], item: areOfOne ? 0 : n }));
	const before = { earlier: new Ledger(), history: new History() };
	const contacts = { resource: 'contact' } as AnyOperation;
	const hintOf = (
		slots: SlotResult[],
		ledger: Ledger,
		operation = { free: true } as AnyOperation,
	) => receiptHint(drawReceipt(slots, ledger, before, operation), slots, []).message;

	test.each<[message: string, slots: string, bookings?: string, held?: Partial<Ledger>]>([
		['Nothing charged.', 'a'],
		['Nothing charged. 1 item: skipped.', 'l'],
		['Nothing charged.<br>2 items: all skipped.', 'll'],
		['Charged: 1 phone credit.', 'a', 'phone:1'],
		['No price given: 1 GeoIP call.', 'a', 'geoip:unpriced'],
		['Free: 1 phone validation call.', 'a', 'phone:free'],
		[
			'Charged: 15 phone, 2 email credits. No price given: 14 WhatsApp, 1 Caller ID call. Free: 3 email calls.<br>3 items: all done.',
			'aaa',
			'email:free*3 callerinfo:unpriced whatsapp:unpriced*14 email:1*2 phone:15',
		],
		[
			'Charged: 4 email credits.<br>9 items: 4 done, 1 duplicate, 2 skipped, 2 failed and may have been charged (such as item 7: it broke).',
			'aaaadllbb',
			'email:1*4 email:open1*2',
		],
		[
			'Charged: 1 email credit.<br>2 items: 1 done, 1 failed (item 1: it said no).',
			'an',
			'email:1',
		],
		['1 item: failed and may have been charged (it broke).', 'b', 'geoip:open'],
		['Nothing charged. 1 item: failed (it said no).', 'n'],
		[
			'3 items: all failed (such as item 0: it broke).<br>May have been charged: 1 email call, 2 WhatsApp calls (up to 24 credits).',
			'bbb',
			'whatsapp:open12*2 email:open1',
		],
		[
			'Charged: 3 email credits.<br>10 items: 3 done, 3 reused from this execution, 1 from Stored Results, 2 not reached, 1 failed (item 9: it said no).<br>4 calls were repeated at no cost.',
			'aaammmsxxn',
			'email:1*3',
			{ retries: 4 },
		],
		[
			'Charged: 4 WhatsApp credits. 5 values for 1 item: 4 done, 1 duplicate.',
			'of one: aaaad',
			'whatsapp:4',
		],
		['Charged: 5 WhatsApp credits.', 'of one: aaaaa', 'whatsapp:5'],
	])('reads: %s', (...[message, slots, bookings, held]) => {
		const ofOne = slots.replace('of one: ', '');
		expect(hintOf(slotsOf(ofOne, ofOne !== slots), ledgerOf(bookings, held))).toBe(message);
		const parsed = parseReceipt(message);
		expect(parsed?.other).toEqual([]);
		const ledger = ledgerOf(bookings);
		for (const kind of ['credits', 'unpriced', 'free'] as const) {
			const sums = [...ledger.accounts].filter(([, totals]) => totals[kind] > 0);
			expect(parsed?.[kind]).toEqual(
				Object.fromEntries(sums.map(([name, totals]) => [name, totals[kind]])),
			);
		}
		expect(parsed?.open).toBe(ledger.sum('open'));
	});

	test('counts the lookups, not the items, if items have several lookups', () => {
		const steps = { ...NO_STEPS, done: 79, duplicate: 25 };
		const ledger = ledgerOf('phone:1*79 whatsapp:open', { steps });
		const reason = 'Too busy. (1) Wait. (2) Please try again.';
		ledger.bookFailedLookup({ ...BROKE, reason }, 'whatsapp');
		const message =
			'Charged: 79 phone credits.<br>105 lookups for 4 contacts: 79 made, 25 duplicates, 1 failed and may have been charged (WhatsApp: Too busy. (1) Wait. (2) Please try again). 1 contact skipped.';
		expect(hintOf(slotsOf('adln'), ledger, contacts)).toBe(message);
		expect(parseReceipt(message)).toMatchObject({
			...{ items: 4, lookups: 105, done: 79, duplicates: 25, failed: 1, open: 1, local: 1 },
			...{ firstFailure: 'WhatsApp: Too busy. (1) Wait. (2) Please try again', other: [] },
		});
	});

	test('says what the execution spent earlier, and notes, at the end', () => {
		const earlier = ledgerOf('email:1*5 email:open1 geoip:unpriced', { lookupsBeforeWait: 2 });
		const slots = [done];
		const receipt = drawReceipt(slots, ledgerOf('email:1'), { ...before, earlier });
		const { message, type } = receiptHint(receipt, slots, ['Look here.', undefined]);
		expect(message).toBe(
			'Charged: 1 email credit.<br>Earlier in this execution: 2 paid lookups before the Wait (results no longer available); charged: 5 email credits; no price given: 1 GeoIP call; may have been charged: 1 email call. Look here.',
		);
		expect(type).toBe('info');
		expect(parseReceipt(message)).toMatchObject({ credits: { email: 1 }, open: 0 });
		expect(spendingOf(message)).toMatchObject({
			...{ credits: { email: 6 }, unpriced: { geoip: 1 }, openOn: { email: 1 }, open: 1 },
		});
	});

	test('is a warning if something failed or was not reached', () => {
		for (const slot of [failed(NO), NOT_SENT]) {
			const receipt = drawReceipt([slot], new Ledger(), before);
			expect(receiptHint(receipt, [slot], []).type).toBe('warning');
		}
	});

	test('shortens a long text of the service, which the item has in full', () => {
		const reason = `the service says ${'no '.repeat(1_000)}`;
		expect(hintOf([failed({ ...NO, reason })], new Ledger()).length).toBeLessThan(350);
	});
});

describe('the warnings of a run', () => {
	const plan = (...warnings: string[]): Plan => ({
		...{ slots: [], tasks: [], known: new Map(), warnings },
	});
	const EMPTY = 'Email is empty in all 2 items. Check the field name in its expression';

	test('are about empty fields, then about the credential, without a full stop in an error', () => {
		expect(warningsOf(plan())).toEqual([]);
		expect(warningsOf(plan(EMPTY))).toEqual([EMPTY]);
		expect(warningsOf(plan(EMPTY), [])).toEqual([EMPTY]);
		expect(warningsOf(plan(EMPTY), ['Base URL'])).toEqual([
			EMPTY,
			expect.stringMatching(/^The Base URL in the credential starts with http:.*instead$/),
		]);
		expect(warningsOf(plan(), ['Base URL', 'GeoIP URL'])).toEqual([
			expect.stringMatching(/^The Base URL, GeoIP URL in the credential start with/),
		]);
	});

	test('say what was dropped from the memory, what that costs, and what to do', () => {
		const dropped =
			'The memory of this execution is full (50 million characters), so it dropped 2 results that may have been paid for. Duplicates and a retry pay again. Run fewer items in one execution';
		expect(warningsOf(plan(), [], 2)).toEqual([dropped]);
		expect(warningsOf(plan(EMPTY), [], 0)).toEqual([EMPTY]);
	});

	test('are separate hints, with a full stop', () => {
		expect(warningHints([])).toEqual([]);
		expect(warningHints([EMPTY, 'Use https'])).toEqual([
			{ message: `${EMPTY}.`, type: 'warning', location: 'outputPane' },
			{ message: 'Use https.', type: 'warning', location: 'outputPane' },
		]);
	});
});

describe('HTML in the words of a form or a service', () => {
	const HTML = 'a & b <img src=//x.example> <A HREF="//y.example">here</a>';
	const ESCAPED =
		'a &amp; b &lt;img src=//x.example&gt; &lt;A HREF="//y.example"&gt;here&lt;/a&gt;';
	const plan: Plan = { slots: [], tasks: [], known: new Map(), warnings: [HTML] };
	const failure = { cause: 'refused', reason: HTML, scope: 'question' } as const;
	const slots: SlotResult[] = [{ kind: 'failure', item: 0, input: 'x', failure }];

	test('is escaped in every hint', () => {
		const before = { earlier: new Ledger(), history: new History() };
		const receipt = drawReceipt(slots, new Ledger(), before);
		const advisor = { advise: () => HTML } as unknown as AnyOperation;
		const hints = [
			receiptHint(receipt, slots, [HTML]),
			...adviceOn(advisor, plan),
			...warningHints(warningsOf(plan)),
		];
		expect(hints).toHaveLength(3);
		for (const { message } of hints) {
			expect(message.toLowerCase()).toContain(ESCAPED.toLowerCase());
			expect(message.replace(/<br>|<\/?small>/g, '')).not.toMatch(/[<>]/);
		}
	});

	test.each(['refused', 'parameter'] as const)(
		'is escaped in the error of a run and of a list (%s)',
		(cause) => {
			const node = { name: 'Node', type: 'x' } as INode;
			for (const error of [
				toNodeError(node, { ...failure, cause }, 0, HTML),
				toEditorError(node, { ...failure, cause }),
			]) {
				// n8n shows the message as text and as HTML, the description as HTML
				expect(error.message).toContain('\u2039img src=//x.example> \u2039A HREF');
				expect(error.message).not.toContain('<');
				expect(error.description).not.toMatch(/[<>]/);
			}
			expect(toNodeError(node, failure, 0, HTML).description).toContain(ESCAPED);
		},
	);
});
