import type { Reply, Result } from '../../../nodes/LookupMessaging/engine/results';
import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../../nodes/LookupMessaging/engine/client';
import { isFailed } from '../../../nodes/LookupMessaging/engine/operation';
import { endpoint, fakeNetwork, flush, held, paid, type Script } from '../fakes/fakeSend';
import { httpError, ok } from '../fakes/replies';

const YES = ok({ status: true });
const LOST: Reply = { kind: 'lost', reason: 'the connection broke' };
const DEAD: Reply = { kind: 'unreachable', reason: 'its certificate is self-signed' };
const REFUSED = httpError(422, { error: 'no such mailbox' });
const NO_PATH = httpError(404, { status: false, error: 'Not found' });

/** The operation of all runs. */
const OPERATION = {};

/** Reads a body as a refusal where it is one. */
const refused = (body: IDataObject) =>
	body.status === false ? { scope: 'question' as const, reason: String(body.error) } : body;

const causeOf = (result: Result) => (isFailed(result) ? result.failure.cause : 'answer');

/** A run; `ask` makes calls one after the other, and says what came of them. */
function open(script: Script, lostInARow = new Map<object, number>()) {
	const network = fakeNetwork(script, { operation: OPERATION, lostInARow, isUnpaced: true });
	const { send, operation, transport } = network;
	let path = 0;
	const call = async (breaker: object = operation, of = paid(`/${(path += 1)}`)) =>
		await send({ endpoint: of, request: of.request, breaker });
	const ask = async (count: number, breaker?: object, more?: Partial<Endpoint<IDataObject>>) => {
		const results: Result[] = [];
		for (let n = 0; n < count; n += 1) results.push(await call(breaker, more && paid('/', more)));
		return results;
	};
	return { ...network, call, ask, sent: transport.sent };
}

/** Replies by a pattern: a for an answer, l for a lost reply, r for a refusal, n for no path, u for no connection; the last one again and again. */
const by =
	(pattern: string): Script =>
	(_, nth) =>
		({ a: YES, l: LOST, n: NO_PATH, r: REFUSED, u: DEAD })[
			pattern[Math.min(nth, pattern.length - 1)]
		] ?? YES;

describe('unanswered calls in a row', () => {
	test.each<[title: string, pattern: string, sent: number]>([
		['stop further calls after ten', 'al', 11],
		['an answer starts the count anew', 'allal', 14],
		['so does a refusal', 'allrl', 14],
		['what was not sent does not', 'allul', 12],
	])('%s', async (_, pattern, sent) => {
		const run = open(by(pattern));
		const results = await run.ask(30);
		expect(run.sent).toHaveLength(sent);
		expect(results.slice(sent).every((result) => causeOf(result) === 'notSent')).toBe(true);
	});

	test('stop further calls if the path disappears, unless each call is about a page that may be gone', async () => {
		const ofPath = { isPathKnown: true, read: refused } as Partial<Endpoint<IDataObject>>;
		const run = open(by('an'));
		await run.ask(30, undefined, ofPath);
		expect(run.sent).toHaveLength(11);
		const pages = open(by('an'));
		await pages.ask(30, undefined, { ...ofPath, quotesOthers: true });
		expect(pages.sent).toHaveLength(30);
	});

	test('are named in the failure of the calls that are not made', async () => {
		const { ask } = open(by('al'));
		const [last] = (await ask(12)).slice(-1);
		expect(isFailed(last) && last.failure).toMatchObject({
			cause: 'notSent',
			scope: 'account',
			reason:
				'skipped after an earlier failure: the last 10 calls got no answer and may have been charged',
		});
	});

	test('count when they end: calls in flight are awaited, and none starts after them', async () => {
		const gate = held();
		const { call, sent } = open(async (_, nth) => {
			if (nth > 0) await gate.released;
			return nth === 0 ? YES : LOST;
		});
		await call();
		const calls = Array.from({ length: 13 }, async () => await call());
		await flush(5);
		gate.release();
		await Promise.all(calls);
		expect(causeOf(await call())).toBe('notSent');
		expect(sent).toHaveLength(14);
	});

	test('of an earlier run of the execution leave each later one a single call, until one is answered', async () => {
		const lostInARow = new Map<object, number>();
		await open(by('al'), lostInARow).ask(15);
		for (let round = 0; round < 2; round += 1) {
			const later = open(by('l'), lostInARow);
			const results = await Promise.all(Array.from({ length: 20 }, async () => await later.call()));
			expect(later.sent).toHaveLength(1);
			expect(results.map(causeOf)).toEqual(['lost', ...Array<string>(19).fill('notSent')]);
		}
		const last = open(by('a'), lostInARow);
		const results = await Promise.all(Array.from({ length: 20 }, async () => await last.call()));
		expect(results.map(causeOf)).toEqual(Array<string>(20).fill('answer'));
	});

	test.each([
		[1, 10],
		[5, 14],
	])('stop all calls but those under way, %d at a time: %d', async (most, lost) => {
		const settings = { concurrency: most };
		const { send, operation, transport } = fakeNetwork(by('al'), { settings, isUnpaced: true });
		const call = async (path: string) => {
			const of = paid(path);
			return await send({ endpoint: of, request: of.request, breaker: operation });
		};
		await call('/first');
		await Promise.all(Array.from({ length: 100 }, async (_, n) => await call(`/${n}`)));
		expect(transport.sent.length - 1).toBe(lost);
	});

	test('stop the calls of their own operation only', async () => {
		const lookup = {};
		const other = {};
		const { ask, sent } = open(({ path }) => (Number(path.slice(1)) > 1 ? LOST : YES));
		await ask(1, lookup);
		const lost = Array<string>(10).fill('lost');
		expect((await ask(12, lookup)).map(causeOf)).toEqual([...lost, 'notSent', 'notSent']);
		expect((await ask(1, other)).map(causeOf)).toEqual(['lost']);
		expect(sent).toHaveLength(12);
	});

	test('count replies that this package could not process', async () => {
		const { call, sent } = open(by('a'));
		const broken = paid('/broken', {
			read: () => {
				throw new TypeError('x is undefined');
			},
		});
		await call();
		for (let n = 0; n < 12; n += 1) await call(undefined, broken);
		expect(sent).toHaveLength(11);
	});

	test('do not count if the calls are free', async () => {
		const { call, sent } = open(by('l'));
		for (let n = 0; n < 12; n += 1) await call(undefined, endpoint('/free', { noRetry: true }));
		expect(sent).toHaveLength(12);
	});

	test('that are the first ones are reported as first calls that failed alike', async () => {
		const { call, sent } = open(by('l'));
		for (let n = 0; n < 11; n += 1) await call(undefined, paid('/same'));
		const last = await call(undefined, paid('/same'));
		expect(sent).toHaveLength(10);
		expect(isFailed(last) && last.failure.reason).toMatch(
			/the first 10 calls all failed in the same way/,
		);
	});
});
