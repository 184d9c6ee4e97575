import {
	type Account,
	type AnyOperation,
	type BookedRow,
	type Charge,
	CostLogRows,
	type Credits,
	defineOperation,
	interpret,
	type Ledger,
	type Reply,
	type RowsOfRun,
	lostFailure,
	STOPPED,
} from '../../engine';
import {
	ask,
	FakeExecution,
	FakeTransport,
	paid,
	perform,
	replyOf,
	workflow,
	yes,
} from '../fakes/fakeSend';
import { TOO_FAST } from '../fakes/replies';

const PRICED: Credits = { balance: 'email', atMost: 1, charged: () => 1 };
const UNPRICED: Credits = { balance: 'geoip', cost: 'not stated' };
describe('the cost of a call', () => {
	const answer = (cost: number): Reply => ({ ...replyOf(yes()), body: { cost } }) as Reply;
	const lost: Reply = lostFailure('x');
	const refusing = (scope: 'account' | 'question') => ({ read: () => ({ scope, reason: 'no' }) });
	const OF_BODY: Credits = { ...PRICED, charged: ({ cost }) => Number(cost) } as Credits;
	const broken = () => {
		throw new Error('x');
	};
	const unsure = { read: () => ({ outcome: 'unknown', record: {} }) };
	const notFound = { ...answer(1), kind: 'httpError', status: 404 } as Reply;

	test.each<[string, Credits | undefined, Reply, Charge | undefined, object?]>([
		['an answer', OF_BODY, answer(1), { charged: 'yes', credits: 1 }],
		['an answer for nothing', OF_BODY, answer(0), { charged: 'no', credits: 0 }],
		['an answer without a price', UNPRICED, answer(1), { charged: 'yes', credits: null }],
		['a lost reply', PRICED, lost, { charged: 'perhaps', credits: 1 }],
		['a lost reply without a price', UNPRICED, lost, { charged: 'perhaps', credits: null }],
		[
			...(['a refusal of the question', PRICED, answer(1)] as const),
			...([{ charged: 'perhaps', credits: 1 }, refusing('question')] as const),
		],
		[
			...(['a fault of the node', PRICED, answer(1)] as const),
			...([{ charged: 'perhaps', credits: 1 }, { read: broken }] as const),
		],
		['an unknown answer', PRICED, answer(1), { charged: 'yes', credits: 1 }, unsure],
		['one of a path', PRICED, notFound, { charged: 'perhaps', credits: 1 }, unsure],
		[
			...(['one about a side effect', UNPRICED, answer(1)] as const),
			...([
				{ charged: 'perhaps', credits: null },
				{ ...unsure, effect: 'acts' },
			] as const),
		],
		['a refusal of the account', PRICED, answer(1), undefined, refusing('account')],
		['a call that was too fast', PRICED, TOO_FAST, undefined],
		['a call that was not sent', UNPRICED, STOPPED, undefined],
		['a free call', undefined, answer(1), undefined],
	])('is shown for %s', (_, credits, reply, charge, more = {}) => {
		const endpoint = { ...paid('/a'), credits, ...more };
		expect(interpret(endpoint, reply, () => undefined).charge).toEqual(charge);
	});
});

describe('the rows of an execution', () => {
	const payer = { operation: 'email.verify', items: [2, 4], tag: 'Acme' };
	const CHARGED: Charge = { charged: 'yes', credits: 1 };
	const FREE: Charge = { charged: 'no', credits: 0 };
	const OPEN: Charge = { charged: 'perhaps', credits: 1 };
	const UNPRICED_OPEN: Charge = { charged: 'perhaps', credits: null };
	const callOf = (balance: Account, charge: Charge, sentAt: number) => ({
		...{ price: { ...UNPRICED, balance } as Credits, charge, sentAt, payer },
	});
	const idsOf = ({ rows }: RowsOfRun) => rows.map(({ row }) => row.id);

	test("have the columns that users' tables rely on", () => {
		const rows = new CostLogRows(0.5).of('0', '231');
		rows.book(callOf('email', CHARGED, Date.UTC(2030, 0, 2, 3, 4, 5, 6)));
		expect(rows.rows).toEqual([
			{
				row: {
					...{ id: expect.stringMatching(/^231-\w{8}-1$/) as string, execution: '231' },
					...{ time: '2030-01-02T03:04:05.006Z', operation: 'email.verify', item: 2 },
					...{ balance: 'email', credits: 1, charged: 'yes', tag: 'Acme' },
				},
				items: [2, 4],
			},
		]);
	});

	test('keep those of an earlier try, with their IDs, until they were returned', () => {
		const execution = new CostLogRows(0.1);
		const book = (run: string) => {
			const rows = execution.of(run, '7');
			rows.book(callOf('email', OPEN, 0));
			return rows;
		};
		const [first] = idsOf(book('0'));
		const second = book('0');
		expect(idsOf(second)[0]).toBe(first);
		expect(new Set(idsOf(second)).size).toBe(2);
		expect(idsOf(book('1'))).toHaveLength(1);
		second.forget();
		expect(idsOf(execution.of('0', '7'))).toEqual([]);
		expect(idsOf(second)).not.toContain(idsOf(book('0'))[0]);
	});

	test.each([
		['yes', 1, null],
		['no', 0, 0],
		[undefined, 1, null],
	] as const)(
		'say %p of the possibly charged calls of this try if the balance shows it',
		(told, ...credits) => {
			const execution = new CostLogRows(0.1);
			const book = (rows: RowsOfRun) => {
				rows.book(callOf('email', OPEN, 0));
				rows.book(callOf('email', UNPRICED_OPEN, 0));
				rows.book(callOf('phone', OPEN, 0));
				rows.book(callOf('email', CHARGED, 0));
				rows.book(callOf('email', FREE, 0));
			};
			book(execution.of('0', '7'));
			const rows = execution.of('0', '7');
			const earlier = structuredClone(rows.rows);
			book(rows);
			rows.closeOpen((balance) => (balance === 'phone' ? undefined : told));

			expect(rows.rows.slice(0, 5)).toEqual(earlier);
			expect(rows.rows.slice(5).map(({ row }) => [row.charged, row.credits])).toEqual([
				[told ?? 'perhaps', credits[0]],
				[told ?? 'perhaps', credits[1]],
				['perhaps', 1],
				['yes', 1],
				['no', 0],
			]);
		},
	);

	test('have their own IDs if n8n stored the execution, or has no ID for it', () => {
		const ids = [
			[0.1, '7'],
			[0.2, '7'],
			[0.3, undefined],
			[0, undefined],
		].map(([random, execution]) => {
			const rows = new CostLogRows(random as number).of('0', execution as string | undefined);
			rows.book(callOf('email', OPEN, 0));
			return idsOf(rows)[0];
		});
		expect(new Set(ids).size).toBe(4);
		expect(ids[2]).toMatch(/^\w{8}-1$/);
	});
});

/** Fails where the rows say anything else than the receipt's figures. */
function expectToAddUp(booked: BookedRow[], ledgers: Ledger[]) {
	const rows = booked.map(({ row }) => row);
	const sum = (of: (ledger: Ledger) => number) => ledgers.reduce((all, one) => all + of(one), 0);
	const open = rows.filter(({ charged }) => charged === 'perhaps');
	expect(rows).toHaveLength(sum(({ paidCalls }) => paidCalls));
	expect(open).toHaveLength(sum((ledger) => ledger.sum('open')));
	expect(open.reduce((all, { credits }) => all + (credits ?? 0), 0)).toBe(
		sum((ledger) => ledger.sum('openCredits')),
	);
	for (const balance of new Set(rows.map((row) => row.balance))) {
		const own = rows.filter((row) => row.balance === balance && row.charged !== 'perhaps');
		const credits = own.reduce((all, row) => all + (row.credits ?? 0), 0);
		expect(credits).toBe(sum((ledger) => ledger.accounts.get(balance)?.credits ?? 0));
	}
}

/** What the service says to a path by its first word. */
const REPLIES: Record<string, Reply> = {
	yes: replyOf(yes(), { cost: 3 }),
	free: replyOf(yes(), { cost: 0 }),
	lost: lostFailure('the connection broke'),
	no: replyOf({ scope: 'question', reason: 'no' }),
};
const service = () => new FakeTransport(({ path }) => REPLIES[path.split('-')[0]]);
const MANY = { concurrency: 10 };

const asking = workflow(
	async (paths, client) =>
		await Promise.all(paths.map(async (path, n) => await client.call(ask(path), `ask ${n}`))),
);

describe('a run with rows', () => {
	const show = (rows: BookedRow[] = []) =>
		rows
			.map(({ row, items }) => [row.item, row.charged, row.credits, row.tag, items] as const)
			.sort(([a], [b]) => a - b);

	test('has one for each call that the receipt counts, with its item and its tag', async () => {
		const tags = ['A', 'B', 'A', 'C', 'B'];
		const questions = ['yes-1', 'free-1', 'lost-1', 'yes-2', 'no-1'];
		const { costLog, ledger } = await perform(asking, questions, service(), MANY, { tags });
		expect(show(costLog.rows)).toEqual([
			[0, 'yes', 3, 'A', [0]],
			[1, 'no', 0, 'B', [1]],
			[2, 'perhaps', 100, 'A', [2]],
			[3, 'yes', 3, 'C', [3]],
			[4, 'perhaps', 100, 'B', [4]],
		]);
		expect(costLog.rows[0].row).toMatchObject({ operation: 'test.work', balance: 'whatsapp' });
		expectToAddUp(costLog.rows, [ledger]);
	});

	test('has none for a call that was too fast and repeated', async () => {
		let sent = 0;
		const slow = new FakeTransport(() => {
			sent += 1;
			return sent < 3 ? TOO_FAST : REPLIES.yes;
		});
		const { costLog, ledger } = await perform(asking, ['yes'], slow);
		expect(slow.sent).toHaveLength(3);
		expect(costLog.rows).toHaveLength(1);
		expectToAddUp(costLog.rows, [ledger]);
	});

	test('has those of its earlier tries too, each once', async () => {
		const execution = new FakeExecution();
		const questions = ['yes-1', 'lost-1', 'no-1'];
		const first = await perform(asking, questions, service(), MANY, { execution });
		const again = service();
		const more = [...questions, 'yes-2'];
		const second = await perform(asking, more, again, MANY, { execution });
		expect(again.paths).toEqual(['yes-2']);
		expect(second.costLog.rows).toHaveLength(4);
		expectToAddUp(second.costLog.rows, [first.ledger, second.ledger]);
	});

	test('never has those of free calls', async () => {
		const free = workflow(async ([path], client) => {
			await client.call({ ...paid(path), credits: undefined });
			return [await client.call(ask('yes'), 'ask')];
		});
		const { costLog, ledger } = await perform(free, ['yes-1', 'yes-2'], service());
		expect(ledger.paidCalls).toBe(2);
		expect(costLog.rows).toHaveLength(2);
	});

	test('has the lookups of another operation under its name, with their items and tag', async () => {
		const look: AnyOperation = defineOperation<string>({
			...{ resource: 'email', value: 'look', name: 'Look', action: 'Look', description: 'Looks' },
			...{ fields: [], rules: {}, output: [], repeatable: true },
			prepare: ({ path }) => String(path),
			request: (path) => ({ service: 'main', method: 'GET', path }),
			credits: () => ({ balance: 'email', atMost: 1, charged: () => 1 }),
			read: (body) => body.reading as never,
		});
		const contact = workflow(async ([path], client) => {
			await client.lookUp(look as never, path);
			return [yes()];
		});
		const questions = ['yes-1', 'yes-1', 'lost-1'];
		const tags = ['A', 'B', 'C'];
		const { costLog, ledger } = await perform(contact, questions, service(), MANY, { tags });
		expect(show(costLog.rows)).toEqual([
			[0, 'yes', 1, 'A', [0]],
			[2, 'perhaps', 1, 'C', [2]],
		]);
		expect(costLog.rows[0].row.operation).toBe('email.look');
		expectToAddUp(costLog.rows, [ledger]);
	});
});
