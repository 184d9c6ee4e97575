import { isUnknownJob, JOB_KINDS } from '../../../nodes/LookupMessagingTrigger/jobKinds';
import {
	checkAll,
	checkJob,
	openBudget,
	type CheckResult,
} from '../../../nodes/LookupMessagingTrigger/jobChecks';
import type { Caller, Failure } from '../../engine';
import { flush } from '../fakes/fakeSend';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `job ${index}`);
const running: CheckResult = {
	kind: 'known',
	status: { state: 'running', progress: '', answer: { outcome: 'unknown', record: {} } },
};
const problem = (failure: Partial<Failure>): CheckResult => ({
	kind: 'problem',
	failure: { cause: 'lost', reason: 'it broke', scope: 'question', ...failure } as Failure,
});
const always = { isSpent: () => false, isEnough: () => false };

/** Checks jobs, and records in which order and how many at once. */
function checking(resultOf: (index: number) => CheckResult = () => running) {
	const log = { order: [] as string[], peak: 0 };
	let underWay = 0;
	const checkOne = async (id: string) => {
		const index = log.order.push(id) - 1;
		underWay += 1;
		log.peak = Math.max(log.peak, underWay);
		await flush();
		underWay -= 1;
		return { id, result: resultOf(index) };
	};
	return { log, checkOne };
}

describe('checking one job', () => {
	it.each([
		['audit', 'lost', true],
		['audit', 'fault', true],
		['audit', 'unreachable', undefined],
		['batch', 'lost', undefined],
	] as const)('a check of an %s that fails as %s may have cost: %p', async (kind, cause, cost) => {
		const failure: Failure = { cause, reason: 'it broke', scope: 'question' };
		const attempt = async () => await Promise.resolve({ failure });
		const options = { asRows: false, finishedWords: [] };
		const client = { attempt } as unknown as Caller;
		const { failure: shown } = (await checkJob(JOB_KINDS[kind], 'j-1', options, client)) as {
			failure: Failure;
		};
		expect(shown.mayHaveCost).toBe(cost);
	});
});

describe('checking many jobs', () => {
	it('checks each once, in order, four at a time', async () => {
		const { log, checkOne } = checking();
		const checked = await checkAll(ids(25), checkOne, always);
		expect(checked.map(({ id }) => id)).toEqual(ids(25));
		expect(log.order).toEqual(ids(25));
		expect(log.peak).toBe(4);
	});

	it.each([
		['begins no further check after a wrong key', 4, { cause: 'refused', scope: 'account' }],
		['begins no further check of a service that is out', 4, { cause: 'unreachable' }],
		['begins no further check of a service that limits the rate', 4, { cause: 'throttled' }],
		['continues after a call without an answer', 25, {}],
	] as Array<[string, number, Partial<Failure>]>)('%s', async (_, made, failure) => {
		const { checkOne } = checking((index) =>
			made < 25 || index === 2 ? problem(failure) : running,
		);
		expect(await checkAll(ids(25), checkOne, always)).toHaveLength(made);
	});

	it.each(['isSpent', 'isEnough'])('begins no further check at a limit: %s', async (limit) => {
		const { log, checkOne } = checking();
		const reached = { ...always, [limit]: () => log.order.length >= 10 };
		const checked = await checkAll(ids(50), checkOne, reached);
		expect(checked.length).toBeLessThan(15);
		expect(checked.map(({ id }) => id)).toEqual(ids(checked.length));
	});

	it('makes one check even if there is no time for any', async () => {
		const { checkOne } = checking();
		expect(await checkAll(ids(9), checkOne, { ...always, isSpent: () => true })).toHaveLength(1);
	});
});

describe('the budget of a poll', () => {
	it('leaves its second half to the checks that have begun, and limits their waits to half of the rest', () => {
		let now = 1_000_000;
		const { isSpent, maxQueueWaitMs, timeoutMs } = openBudget(40_000, () => now);
		expect([isSpent(), maxQueueWaitMs(), timeoutMs()]).toEqual([false, 20_000, 20_000]);
		now += 19_999;
		expect([isSpent(), timeoutMs()]).toEqual([false, 10_000]);
		now += 1;
		expect(isSpent()).toBe(true);
		now += 30_000;
		expect([maxQueueWaitMs(), timeoutMs()]).toEqual([1_000, 1_000]);
	});

	it('is five minutes if n8n does not say, with a minute for each reply', () => {
		let now = 0;
		const { isSpent, timeoutMs } = openBudget(undefined, () => now);
		expect([isSpent(), timeoutMs()]).toEqual([false, 60_000]);
		now = 149_999;
		expect(isSpent()).toBe(false);
		now += 1;
		expect(isSpent()).toBe(true);
	});
});

describe('a job that the service does not know', () => {
	const refusal = (reason: string, more: object = {}): Failure => ({
		...{ cause: 'refused', reason, scope: 'question', refusal: { scope: 'question', reason } },
		...more,
	});
	const ofAccount = { scope: 'account', reason: 'Invalid API key for this job' } as const;

	it.each<[boolean, Failure]>([
		...[
			...['Batch not found or access denied.', 'Audit not found.', 'No such batch'],
			...['Unknown audit_id', 'This job does not exist', 'Invalid batch id'],
			'The report no longer exists',
		].map((reason): [boolean, Failure] => [true, refusal(reason)]),
		...['Something went wrong with the batch', 'User id not found', 'Internal error'].map(
			(reason): [boolean, Failure] => [false, refusal(reason)],
		),
		[false, refusal('Not found', { status: 404 })],
		[false, refusal('The requested URL was not found', { status: 404 })],
		[false, refusal(ofAccount.reason, { scope: 'account', refusal: ofAccount })],
		[false, { cause: 'refused', reason: 'HTTP 404', scope: 'question', status: 404 }],
		[false, { cause: 'lost', reason: 'the batch was not found', scope: 'question' }],
	])('is recognized (%p) by %j', (isUnknown, failure) => {
		expect(isUnknownJob(failure)).toBe(isUnknown);
	});
});
