import type { Failure } from '../../../nodes/LookupMessaging/engine/failure';
import { isUnknownJob } from '../../../nodes/LookupMessagingTrigger/jobKinds';
import { lookAtAll, openBudget, type Fate } from '../../../nodes/LookupMessagingTrigger/looks';
import { turn } from '../engine/stage';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `job ${index}`);
const running: Fate = {
	kind: 'seen',
	look: { state: 'running', progress: '', answer: { outcome: 'unknown', record: {} } },
};
const problem = (failure: Partial<Failure>): Fate => ({
	kind: 'problem',
	failure: { cause: 'lost', reason: 'it broke', scope: 'question', ...failure },
});
const always = { isSpent: () => false, isEnough: () => false };

/** Looks at jobs, and notes in which order and how many at once. */
function looking(fateOf: (index: number) => Fate = () => running) {
	const log = { order: [] as string[], peak: 0 };
	let underWay = 0;
	const tellOf = async (id: string) => {
		const index = log.order.push(id) - 1;
		underWay += 1;
		log.peak = Math.max(log.peak, underWay);
		await turn();
		underWay -= 1;
		return { id, fate: fateOf(index) };
	};
	return { log, tellOf };
}

describe('looking at many jobs', () => {
	it('looks at each once, in order, a few at a time', async () => {
		const { log, tellOf } = looking();
		const told = await lookAtAll(ids(25), tellOf, always);

		expect(told.map(({ id }) => id)).toEqual(ids(25));
		expect(log.order).toEqual(ids(25));
		expect(log.peak).toBe(4);
	});

	it.each([
		['a refusal of the account', { cause: 'refused', scope: 'account' }],
		['a service that is out', { cause: 'unreachable' }],
		['a service that wants a slower pace', { cause: 'throttled' }],
	] as Array<[string, Partial<Failure>]>)('begins no further look after %s', async (_, failure) => {
		const { tellOf } = looking(() => problem(failure));

		expect(await lookAtAll(ids(25), tellOf, always)).toHaveLength(4);
	});

	it('goes on after a reply that was lost', async () => {
		const { tellOf } = looking((index) => (index === 2 ? problem({}) : running));

		expect(await lookAtAll(ids(9), tellOf, always)).toHaveLength(9);
	});

	it('begins no further look when the budget is spent, or when there is enough', async () => {
		for (const limit of ['isSpent', 'isEnough'] as const) {
			let looks = 0;
			const { tellOf } = looking();
			const counted = async (id: string) => {
				looks += 1;
				return await tellOf(id);
			};
			const told = await lookAtAll(ids(50), counted, { ...always, [limit]: () => looks >= 10 });

			expect(told.length).toBeLessThan(15);
			expect(told.map(({ id }) => id)).toEqual(ids(told.length));
		}
	});

	it('makes one look even where there is no time for any', async () => {
		const { tellOf } = looking();

		expect(await lookAtAll(ids(9), tellOf, { ...always, isSpent: () => true })).toHaveLength(1);
	});
});

describe('the budget of a poll', () => {
	it('leaves its second half to the looks that are under way, and cuts their replies short', () => {
		let now = 1_000_000;
		const { isSpent, patienceMs, timeoutMs } = openBudget(40_000, () => now);

		expect([isSpent(), patienceMs(), timeoutMs()]).toEqual([false, 20_000, 20_000]);
		now += 19_999;
		expect([isSpent(), timeoutMs()]).toEqual([false, 10_000]);
		now += 1;
		expect(isSpent()).toBe(true);
		now += 30_000;
		expect([patienceMs(), timeoutMs()]).toEqual([1_000, 1_000]);
	});

	it('is five minutes where n8n does not say, with a minute for each reply', () => {
		let now = 0;
		const { isSpent, timeoutMs } = openBudget(undefined, () => now);

		expect(timeoutMs()).toBe(60_000);
		now = 149_999;
		expect(isSpent()).toBe(false);
		now = 150_000;
		expect(isSpent()).toBe(true);
	});
});

describe('a job that the service does not know', () => {
	const refusal = (reason: string, more: Partial<Failure> = {}): Failure => ({
		...{ cause: 'refused', reason, scope: 'question', refusal: { refused: 'question', reason } },
		...more,
	});

	it.each([
		'Batch not found or access denied.',
		'Audit not found.',
		'No such batch',
		'Unknown audit_id',
		'This job does not exist',
		'Invalid batch id',
		'The report no longer exists',
	])('is told by "%s"', (reason) => {
		expect(isUnknownJob(refusal(reason))).toBe(true);
	});

	it.each([
		['a path that is not there', refusal('Not found', { status: 404 })],
		['a route that is not there', refusal('The requested URL was not found', { status: 404 })],
		['some other refusal', refusal('Something went wrong with the batch')],
		['words about something else', refusal('User id not found')],
		['an internal error', refusal('Internal error')],
		[
			'a wrong key',
			refusal('Invalid API key for this job', {
				scope: 'account',
				refusal: { refused: 'account', reason: 'Invalid API key for this job' },
			}),
		],
		['a bare status', { cause: 'refused', reason: 'HTTP 404', scope: 'question', status: 404 }],
		['a lost reply', { cause: 'lost', reason: 'the batch was not found', scope: 'question' }],
	] as Array<[string, Failure]>)('is not told by %s', (_, failure) => {
		expect(isUnknownJob(failure)).toBe(false);
	});
});
