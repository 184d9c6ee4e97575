import { defineOperation, type Reply, unknown, lostFailure } from '../../engine';
import { FakeTransport, flush, held, perform, replyOf, startRun, yes } from '../fakes/fakeSend';
import { PAID_CHECK } from '../fakes/paidCheck';

/** A check whose question is a path: `/group/member`. */
const check = defineOperation<string>({
	...PAID_CHECK,
	...{ refunds: true, groupOption: 'skips' },
	group: {
		of: (path) => path.split('/')[1],
		infer: ({ record }, path) =>
			record.isAll === true ? unknown({ path }, 'not asked') : undefined,
	},
});

const ALL = replyOf(unknown({ isAll: true }));
const YES = replyOf(yes());
const GREY = replyOf({ outcome: 'unknown', record: {}, isRefunded: true });
const LOST: Reply = lostFailure('it broke');
const SETTINGS = { infersInGroups: true, concurrency: 2 };

/** All of the group `all` are alike. */
const service = (first: Reply = ALL) =>
	new FakeTransport(({ path }) => (path.startsWith('/all/') ? first : YES));
const many = (count: number, pathOf: (index: number) => string) =>
	Array.from({ length: count }, (_, index) => pathOf(index));

describe('the lookups of a group', () => {
	const questions = ['/all/a', '/one/a', '/all/b', '/one/b', '/all/a', '/all/c', '/two/a'];

	test('are answered by the first answer that applies to all', async () => {
		const transport = service();
		const { answers, ledger } = await perform(check, questions, transport, SETTINGS);
		expect(transport.paths.sort()).toEqual(['/all/a', '/one/a', '/one/b', '/two/a']);
		expect(answers.map((each) => each?.source)).toEqual([
			...['service', 'service', 'duplicate', 'service', 'duplicate', 'duplicate', 'service'],
		]);
		expect(answers[2]?.answer).toEqual(unknown({ path: '/all/b' }, 'not asked'));
		expect(ledger.paidCalls).toBe(4);
	});

	test.each([
		['the first reply says nothing of them', YES, 5],
		['three replies are lost', LOST, 3],
		['three replies are inconclusive', GREY, 3],
	])('are made together once %s', async (_, reply, peak) => {
		const first = held();
		const transport = new FakeTransport(async (__, nth) => {
			if (nth === 0) await first.released;
			return reply;
		});
		const paths = many(6, (n) => `/all/${n}`);
		const settings = { ...SETTINGS, concurrency: 10 };
		const run = startRun(check, paths, transport, settings);
		await flush(30);
		expect(transport.paths).toEqual(['/all/0']);
		first.release();
		await run.performed;
		expect(transport.paths.sort()).toEqual(paths);
		expect(transport.peak).toBe(peak);
	});

	test('are not repeated if the answer of another one has arrived meanwhile', async () => {
		const pauses = held();
		const transport = new FakeTransport(
			({ path }) => (path === '/all/0' ? GREY : ALL),
			async () => void (await pauses.released),
		);
		const settings = { ...SETTINGS, rechecksInconclusive: true };
		const run = startRun(
			check,
			many(10, (n) => `/all/${n}`),
			transport,
			settings,
		);
		await flush(60);
		pauses.release();
		const { ledger } = await run.performed;
		expect(transport.paths).toEqual(['/all/0', '/all/1']);
		expect(ledger).toMatchObject({ paidCalls: 2, retries: 0 });
	});

	test('still wait for the third that is asked alone when the first is repeated', async () => {
		const pauses = held();
		const third = held();
		const transport = new FakeTransport(
			async ({ path }) => {
				if (path !== '/all/2') return GREY;
				await third.released;
				return ALL;
			},
			async () => void (await pauses.released),
		);
		const settings = { ...SETTINGS, rechecksInconclusive: true, concurrency: 10 };
		const paths = many(10, (n) => `/all/${n}`);
		const run = startRun(check, paths, transport, settings);
		await flush(60);
		pauses.release();
		await flush(60);
		expect(new Set(transport.paths)).toEqual(new Set(paths.slice(0, 3)));
		expect(transport.paths.length).toBeGreaterThan(3);
		third.release();
		await run.performed;
		expect(new Set(transport.paths)).toEqual(new Set(paths.slice(0, 3)));
	});
});
