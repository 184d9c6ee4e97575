import { BoundedCache, type Failure, type LookupResult } from '../../engine';
import { FakeExecution, jobOf, yes } from '../fakes/fakeSend';

const OPERATION = { resource: 'test', value: 'work', output: [] };
const ANSWER: LookupResult = { answer: yes(), response: {}, source: 'service' };
const THROTTLED: Failure = { cause: 'throttled', reason: 'too fast', scope: 'question' };

describe('a result', () => {
	const failing = (more: Partial<Failure>): LookupResult => ({
		failure: { ...THROTTLED, ...more } as Failure,
	});
	const refunded: LookupResult = { ...ANSWER, answer: { ...yes(), isRefunded: true } };
	const jobs = [jobOf('b-1')];

	/** Where a result is found: in its own try, in a retry of its run, and in another run. */
	test.each<[what: string, result: LookupResult, inRetry: boolean, inOthers: boolean]>([
		['an answer', ANSWER, true, true],
		['a refunded answer', refunded, false, false],
		['a lost reply', failing({ cause: 'lost' }), true, true],
		['a fault', failing({ cause: 'fault' }), true, true],
		['a refusal of the question', failing({ cause: 'refused' }), true, true],
		['a refusal of the account', failing({ cause: 'refused', scope: 'account' }), false, false],
		['a throttled call', failing({}), false, false],
		['a call that was not sent', failing({ cause: 'notSent' }), false, false],
		['an unfinished job', failing({ cause: 'unfinished', jobs }), false, true],
		['a lost reply about a job', failing({ cause: 'lost', jobs }), false, true],
		['the last word on a job', failing({ cause: 'refused', jobs, isFinal: true }), true, true],
	])('that is %s is kept as long as it should', (_, result, inRetry, inOthers) => {
		const execution = new FakeExecution();
		const own = execution.open('0').answers;
		own.keep(OPERATION, 'q', result);
		const isIn = (run: string) => execution.open(run).answers.find(OPERATION, 'q') !== undefined;
		expect(own.find(OPERATION, 'q')).toBeDefined();
		expect([isIn('0'), isIn('1')]).toEqual([inRetry, inOthers]);
	});
});

describe('a bounded cache', () => {
	test('drops its oldest values when it would grow too large, counts them, and a replaced value once', () => {
		const cache = new BoundedCache<number>();
		cache.set('old', 1, 20_000_000);
		cache.set('middle', 2, 20_000_000);
		cache.set('new', 3, 20_000_000);
		for (let n = 4; n < 9; n += 1) cache.set('new', n, 20_000_000);
		expect(['old', 'middle', 'new'].map((key) => cache.get(key))).toEqual([undefined, 2, 8]);
		expect(cache.dropped).toBe(1);
	});
});
