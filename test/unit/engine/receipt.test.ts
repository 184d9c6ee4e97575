import { Ledger } from '../../../nodes/LookupMessaging/engine/billing/ledger';
import type { INode } from 'n8n-workflow';
import type { Balance, Credits } from '../../../nodes/LookupMessaging/engine/client';
import type { Failure } from '../../../nodes/LookupMessaging/engine/results';
import { History } from '../../../nodes/LookupMessaging/engine/memory/history';
import { positive, type AnyOperation } from '../../../nodes/LookupMessaging/engine/operation';
import {
	adviceOn,
	receiptHint,
	warningHints,
	warningsOf,
} from '../../../nodes/LookupMessaging/engine/output/hints';
import {
	describeCounts,
	describeReceipt,
	drawReceipt,
} from '../../../nodes/LookupMessaging/engine/output/receipt';
import { toEditorError, toNodeError } from '../../../nodes/LookupMessaging/engine/output/errors';
import type { Plan, SlotResult } from '../../../nodes/LookupMessaging/engine/plan/plan';

const NOT_STATED: Credits = { balance: 'whatsapp', cost: 'not stated' };
const priced = (balance: Balance): Credits => ({ balance, atMost: 10, charged: () => 1 });

describe('the ledger', () => {
	test('is empty at first', () => {
		expect(new Ledger()).toMatchObject({
			paidCalls: 0,
			freeCalls: 0,
			lost: 0,
			refused: 0,
			jobs: [],
		});
		expect(new Ledger().credits.size).toBe(0);
	});

	test('counts free calls without spending', () => {
		const ledger = new Ledger();
		ledger.book(undefined, undefined);
		ledger.book(undefined, 7);
		expect(ledger).toMatchObject({ paidCalls: 0, freeCalls: 2, lost: 0 });
		expect(ledger.credits.size).toBe(0);
	});

	test('adds up what calls were charged, each balance by itself', () => {
		const ledger = new Ledger();
		ledger.book(priced('phone'), 2);
		ledger.book(priced('email'), 0);
		ledger.book(priced('phone'), 3);
		expect(ledger).toMatchObject({ paidCalls: 3, freeCalls: 0, lost: 0 });
		expect([...ledger.credits]).toEqual([
			['phone', 5],
			['email', 0],
		]);
	});

	test('counts calls without a stated price, and no credits for them', () => {
		const ledger = new Ledger();
		ledger.book(NOT_STATED, undefined);
		ledger.book(NOT_STATED, undefined);
		expect(ledger.paidCalls).toBe(2);
		expect([...ledger.credits]).toEqual([['whatsapp', undefined]]);
	});

	test.each<[credits: Credits, spent: number | undefined]>([
		[priced('phone'), 0],
		[NOT_STATED, undefined],
	])('books a lost reply as a paid call that is not known to be charged: %j', (credits, spent) => {
		const ledger = new Ledger();
		ledger.bookLost(credits, false);
		expect(ledger).toMatchObject({ paidCalls: 1, freeCalls: 0, lost: 1 });
		expect([...ledger.credits]).toEqual([[credits.balance, spent]]);
	});

	test('books a refusal that may have been charged beside the paid calls, without credits', () => {
		const ledger = new Ledger();
		ledger.bookRefused(priced('phone'));
		ledger.bookRefused(NOT_STATED);
		expect(ledger).toMatchObject({ paidCalls: 0, freeCalls: 0, lost: 0, refused: 2 });
		expect(ledger.refusedCredits).toBe(10);
		expect(ledger.credits.size).toBe(0);
	});

	test('keeps what was spent when a reply is lost', () => {
		const ledger = new Ledger();
		ledger.book(priced('phone'), 4);
		ledger.bookLost(priced('phone'), false);
		expect(ledger).toMatchObject({ paidCalls: 2, lost: 1 });
		expect([...ledger.credits]).toEqual([['phone', 4]]);
	});
});

describe('the receipt', () => {
	const answer = (source: 'duplicate' | 'known' | 'memory' | 'service'): SlotResult => ({
		item: 0,
		input: 'x',
		kind: 'answer',
		answer: positive({}),
		response: {},
		source,
	});
	const failed: Extract<SlotResult, { kind: 'failure' }> = {
		item: 0,
		input: 'x',
		kind: 'failure',
		failure: { cause: 'lost', reason: 'it broke', scope: 'question' },
	};
	const local: SlotResult = {
		item: 0,
		input: 'x',
		kind: 'local',
		local: { local: 'empty', field: 'Email', reason: 'is empty' },
	};
	const times = (count: number, slot: SlotResult) => new Array<SlotResult>(count).fill(slot);

	const before = { earlier: new Ledger(), history: new History() };

	/** A ledger with what it is said to hold. */
	const ledgerOf = (held: Partial<Ledger>) => Object.assign(new Ledger(), held);

	test('counts the slots by their results', () => {
		const ledger = ledgerOf({ paidCalls: 2, lost: 1 });
		const slots = [
			...times(2, answer('service')),
			...times(3, answer('duplicate')),
			...times(6, answer('memory')),
			...times(7, answer('known')),
			...times(4, failed),
			...times(5, local),
		];
		expect(drawReceipt(slots, ledger, before, false)).toEqual({
			items: 27,
			duplicates: 3,
			remembered: 6,
			known: 7,
			local: 5,
			failed: 4,
			byLookups: false,
			ledger,
			...before,
		});
	});

	test('of nothing counts nothing', () => {
		const ledger = new Ledger();
		expect(drawReceipt([], ledger, before, false)).toEqual({
			...{ items: 0, duplicates: 0, remembered: 0, known: 0, local: 0, failed: 0 },
			...{ byLookups: false, ledger, ...before },
		});
	});

	test.each<[text: string, slots: SlotResult[], held: Partial<Ledger>]>([
		['0 items · 0 paid calls · nothing charged', [], {}],
		['1 item · 1 free call · nothing charged', [answer('service')], { freeCalls: 1 }],
		['2 items: 2 skipped · 0 paid calls · nothing charged', times(2, local), { paidCalls: 0 }],
		[
			'1 item · 1 paid call · charged: phone 1',
			[answer('service')],
			{ paidCalls: 1, credits: new Map([['phone', 1]]) },
		],
		[
			'3 items · 3 paid calls · charged: phone 0',
			times(3, answer('service')),
			{ paidCalls: 3, credits: new Map([['phone', 0]]) },
		],
		[
			'1 item · 1 paid call · 4 free calls · charged: whatsapp 1000',
			[answer('service')],
			{ paidCalls: 1, freeCalls: 4, credits: new Map([['whatsapp', 1000]]) },
		],
		[
			'3 items · 3 paid calls · charged: phone 1, email 2 · price not stated: geoip, whatsapp',
			times(3, answer('service')),
			{
				paidCalls: 3,
				credits: new Map<Balance, number | undefined>([
					['phone', 1],
					['geoip', undefined],
					['email', 2],
					['whatsapp', undefined],
				]),
			},
		],
		[
			'9 items: 4 answered, 1 saved, 2 skipped, 2 failed · 5 paid calls · price not stated: whatsapp · 1 call may have been charged. Saved: 1 duplicate. 1 lost reply may have been charged',
			[
				...times(4, answer('service')),
				answer('duplicate'),
				...times(2, local),
				...times(2, failed),
			],
			{ paidCalls: 5, lost: 1, credits: new Map([['whatsapp', undefined]]) },
		],
		[
			'12 items: 7 answered, 3 saved, 2 failed · 9 paid calls · charged: email 7 · 2 calls may have been charged. Saved: 3 duplicates. 2 lost replies may have been charged',
			[...times(7, answer('service')), ...times(3, answer('duplicate')), ...times(2, failed)],
			{ paidCalls: 9, lost: 2, credits: new Map([['email', 7]]) },
		],
		[
			'7 items: 3 answered, 4 saved · 3 paid calls · charged: phone 3. Saved: 3 remembered answers, 1 known answer. 1 retry',
			[...times(3, answer('service')), ...times(3, answer('memory')), answer('known')],
			{ paidCalls: 3, retries: 1, credits: new Map([['phone', 3]]) },
		],
		[
			'1 item: 1 failed · 0 paid calls · 1 call may have been charged. 1 refused call may have been charged',
			[failed],
			{ refused: 1 },
		],
		[
			'2 items: 1 answered, 1 failed · 2 paid calls · charged: phone 1 · 1 call may have been charged. 1 fault of this node may have been charged',
			[answer('service'), failed],
			{ paidCalls: 2, faults: 1, faultCredits: 1, credits: new Map([['phone', 1]]) },
		],
		[
			'5 items: 1 answered, 4 failed · 3 paid calls · charged: phone 2 · 3 calls may have been charged. 2 refused calls (up to 24 credits), 1 lost reply may have been charged',
			[answer('service'), ...times(4, failed)],
			{
				...{ paidCalls: 3, refused: 2, refusedCredits: 24, lost: 1, lostCredits: 1 },
				credits: new Map([['phone', 2]]),
			},
		],
	])('reads: %s', (text, slots, held) => {
		const receipt = drawReceipt(slots, ledgerOf(held), before, false);
		expect(describeReceipt(receipt)).toBe(text);
		expect(text).toMatch(describeCounts(receipt));
	});

	test('counts the answers of lookups, not the items, where items are made of lookups', () => {
		const slots = [answer('service'), answer('duplicate'), local, failed];
		const ledger = ledgerOf({
			...{ paidCalls: 2, answeredLookups: 2, sharedLookups: 5, cachedLookups: 4 },
			...{ failedLookups: 1 },
		});
		const receipt = drawReceipt(slots, ledger, before, true);
		expect(receipt).toMatchObject({ items: 4, duplicates: 5, remembered: 4, failed: 1 });
		expect(describeReceipt(receipt)).toBe(
			'4 items, 12 lookups: 2 answered, 9 saved, 1 failed · 2 paid calls · nothing charged. Saved: 5 duplicates, 4 remembered answers. 1 item skipped, 1 item failed',
		);
	});

	test('counts the items where none of them came to a lookup', () => {
		const receipt = drawReceipt(times(2, local), ledgerOf({}), before, true);
		expect(describeReceipt(receipt)).toBe('2 items: 2 skipped · 0 paid calls · nothing charged');
	});

	test('is two lines in the hint, the second of the first failure, and small print below', () => {
		const slots = [answer('service'), answer('duplicate'), { ...failed, item: 7 }];
		const ledger = ledgerOf({
			paidCalls: 2,
			lost: 1,
			lostCredits: 1,
			credits: new Map([['email', 1]]),
		});
		const { message, type } = receiptHint(
			drawReceipt(slots, ledger, before, false),
			slots,
			'Wait.',
		);
		expect(message.split('<br>')).toEqual([
			'3 items: 1 answered, 1 saved, 1 failed · 2 paid calls · charged: email 1 · 1 call may have been charged',
			'First failure (item 7): it broke.',
			'<small>Saved: 1 duplicate. 1 lost reply may have been charged. Wait.</small>',
		]);
		expect(type).toBe('warning');
	});

	test('is one line in the hint where all went well', () => {
		const slots = [answer('service')];
		const ledger = ledgerOf({ paidCalls: 1, credits: new Map([['email', 1]]) });
		expect(receiptHint(drawReceipt(slots, ledger, before, false), slots, undefined)).toEqual({
			...{ message: '1 item · 1 paid call · charged: email 1', type: 'info' },
			location: 'outputPane',
		});
	});

	test('cuts what a service says at length, which the item has in full', () => {
		const reason = `the service says ${'no '.repeat(1_000)}`;
		const slots: SlotResult[] = [{ ...failed, failure: { ...failed.failure, reason } }];
		const { message } = receiptHint(
			drawReceipt(slots, ledgerOf({}), before, false),
			slots,
			undefined,
		);
		expect(message.length).toBeLessThan(350);
	});
});

describe('the warnings of a run', () => {
	const plan = (...warnings: string[]): Plan => ({
		...{ slots: [], tasks: [], known: new Map(), warnings },
	});
	const EMPTY = 'Email is empty in all 2 items. Check its expression';

	test('are about empty fields, then about the credential, without a full stop for an error', () => {
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
			'The memory of this execution is full (50 million characters), so it dropped 2 results that may have been paid for. Equal items and a retry pay again. Run fewer items in one execution';
		expect(warningsOf(plan(), [], 2)).toEqual([dropped]);
		expect(warningsOf(plan(EMPTY), [], 0)).toEqual([EMPTY]);
	});

	test('are hints of their own, with a full stop', () => {
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
	const failure: Failure = { cause: 'refused', reason: HTML, scope: 'question' };
	const slots: SlotResult[] = [{ kind: 'failure', item: 0, input: 'x', failure }];

	test('is text in every hint', () => {
		const before = { earlier: new Ledger(), history: new History() };
		const receipt = drawReceipt(slots, new Ledger(), before, false);
		const advisor = { advise: () => HTML } as unknown as AnyOperation;
		const hints = [
			receiptHint(receipt, slots, HTML),
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
		'is text in the error of a run and of a list (%s)',
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
