import {
	type Account,
	type Charge,
	CostLogRows,
	type Credits,
	describeFailure,
	type Endpoint,
	isFailed,
	Ledger,
	type Reply,
	lostFailure,
	STOPPED,
} from '../../engine';
import { fakeNetwork, paid, replyOf, yes } from '../fakes/fakeSend';
import { DEAD, httpError, NO_URL, TOO_FAST } from '../fakes/replies';

const PRICED: Credits = { balance: 'email', atMost: 1, charged: () => 1 };
const UNPRICED: Credits = { balance: 'geoip', cost: 'not stated' };
describe('the cost of a call', () => {
	const answer = (cost: number): Reply => ({ ...replyOf(yes()), body: { cost } }) as Reply;
	const lost: Reply = lostFailure('x');
	const refusing = (scope: 'account' | 'question', more = {}) => ({
		read: () => ({ scope, reason: 'no', ...more }),
	});
	const OF_BODY: Credits = { ...PRICED, charged: ({ cost }) => Number(cost) } as Credits;
	const broken = () => {
		throw new Error('x');
	};
	const unsure = { read: () => ({ outcome: 'unknown', record: {} }) };
	const FOR_NOTHING = { mayHaveCost: false };
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
		['a refusal without words', PRICED, httpError(400), { charged: 'perhaps', credits: 1 }],
		[
			'a refusal that costs nothing',
			PRICED,
			answer(1),
			undefined,
			refusing('question', FOR_NOTHING),
		],
		['a refusal of the account', PRICED, answer(1), undefined, refusing('account')],
		['a wrong key', PRICED, httpError(401), undefined],
		['a path that is not there', PRICED, httpError(404), undefined],
		['a redirect', PRICED, httpError(302), undefined],
		['a refused connection', PRICED, DEAD, undefined],
		['no URL', PRICED, NO_URL, undefined],
		['a call that was too fast', PRICED, TOO_FAST, undefined],
		['a call that was not sent', UNPRICED, STOPPED, undefined],
		['a free call', undefined, answer(1), undefined],
		['a lost reply to a free call', undefined, lost, undefined],
	])('is told and booked for %s', async (...[, credits, reply, charge, more = {}]) => {
		const endpoint = { ...paid('/a'), credits, noRetry: true as const, ...more } as Endpoint<never>;
		const { send, ledger } = fakeNetwork(() => reply, { isUnpaced: true });
		const result = await send({ endpoint, request: endpoint.request });
		expect(result.charge).toEqual(charge);
		const booked = new Ledger();
		if (credits && charge) booked.book(credits, charge);
		expect([...ledger.accounts]).toEqual([...booked.accounts]);
		const words = charge?.charged === 'perhaps' ? 'You may have been' : "You weren't";
		if (isFailed(result)) expect(describeFailure(result.failure)).toContain(`${words} charged.`);
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
	const idsOf = ({ rows }: ReturnType<CostLogRows['of']>) => rows.map(({ row }) => row.id);

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

	test.each([
		['yes', 1, null],
		['no', 0, 0],
		[undefined, 1, null],
	] as const)(
		'say %p of the possibly charged calls of this try if the balance shows it',
		(told, ...credits) => {
			const execution = new CostLogRows(0.1);
			const book = (rows: ReturnType<CostLogRows['of']>) => {
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
