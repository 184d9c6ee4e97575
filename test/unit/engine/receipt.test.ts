import type { INode } from 'n8n-workflow';
import {
	type Account,
	adviceOn,
	type AnyOperation,
	describeReceipt,
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
import { parseReceipt } from '../../harness/parseReceipt';

/** Receipts of whole runs are tested on n8n, beside the books of the sandbox; here is what no run there shows. */

/** `email:1*4` are four calls of a credit each, `geoip:unpriced` one without a price; `email:open2` may have been charged. */
function ledgerOf(bookings: string, held: Partial<Ledger> = {}): Ledger {
	const ledger = Object.assign(new Ledger(), held);
	for (const booking of bookings.split(' ')) {
		const [, balance, kind, credits, times = 1] =
			/^(\w+):(unpriced|open)?(\d+)?(?:\*(\d+))?$/.exec(booking) ?? [];
		const charge = {
			charged: kind === 'open' ? 'perhaps' : 'yes',
			credits: credits ? Number(credits) : null,
		} as const;
		for (let n = 0; n < Number(times); n += 1)
			ledger.book({ balance: balance as Account, cost: 'not stated' }, charge);
	}
	return ledger;
}

describe('the receipt', () => {
	const before = { earlier: new Ledger(), history: new History() };
	const failure: Failure = { cause: 'refused', reason: 'it said no', scope: 'question' };
	const failed: SlotResult = { item: 0, input: 'x', kind: 'failure', failure };
	const lost: SlotResult = { ...failed, failure: { ...failure, mayHaveCost: true } };
	const done: SlotResult = {
		...{ item: 0, input: 'x', kind: 'answer', answer: positive({}), response: {} },
		source: 'service',
	};
	const hintOf = (slots: SlotResult[], ledger: Ledger) =>
		receiptHint(drawReceipt(slots, ledger, before), slots, []).message;

	test.each<[message: string, slots: SlotResult[], bookings: string]>([
		[
			'Charged: 15 phone, 2 email credits. No price given: 14 WhatsApp, 1 Caller ID call.<br>2 items: all done.',
			[done, { ...done, item: 1 }],
			'callerinfo:unpriced whatsapp:unpriced*14 email:1*2 phone:15',
		],
		[
			'3 items: all failed (such as item 0: it said no).<br>May have been charged: 1 email call, 2 WhatsApp calls (up to 24 credits).',
			[lost, { ...lost, item: 1 }, { ...lost, item: 2 }],
			'whatsapp:open12*2 email:open1',
		],
		[
			'Charged: 4 WhatsApp credits. 5 values for 1 item: 4 done, 1 duplicate.',
			[done, done, done, done, { ...done, source: 'duplicate' }],
			'whatsapp:4',
		],
	])('reads: %s', (message, slots, bookings) => {
		const ledger = ledgerOf(bookings);
		expect(hintOf(slots, ledger)).toBe(message);
		expect(parseReceipt(message)).toMatchObject({ other: [], open: ledger.sum('open') });
	});

	test('counts lookups as lookups, also where there are as many as contacts', () => {
		const skipped = { local: 'empty', field: 'Email', reason: 'is empty' } as const;
		const local: SlotResult = { item: 1, input: '', kind: 'local', local: skipped };
		const contact = { resource: 'contact' } as AnyOperation;
		const ledger = ledgerOf('phone:1*2');
		ledger.steps.done = 2;
		const receipt = drawReceipt([done, local], ledger, before, contact);
		expect(describeReceipt(receipt)).toMatch(
			/2 lookups for 2 contacts: all made\. 1 contact skipped/,
		);
	});

	test('shortens a long text of the service, which the item has in full', () => {
		const reason = `the service says ${'no '.repeat(1_000)}`;
		const long = { ...failed, failure: { ...failure, reason } };
		expect(hintOf([long], new Ledger()).length).toBeLessThan(350);
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
