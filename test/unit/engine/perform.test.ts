import type { IDataObject } from 'n8n-workflow';
import {
	type Answered,
	describeFailure,
	type Endpoint,
	type Failure,
	isFailed,
	negative,
	type Reply,
	type ServiceRequest,
	STOPPED,
} from '../../engine';
import {
	ask,
	attempt,
	call,
	endpoint,
	FakeTransport,
	jobOf,
	perform,
	PRICE,
	replyOf,
	workflow,
	yes,
} from '../fakes/fakeSend';
import { LOST, ok, TOO_FAST } from '../fakes/replies';

const UNREACHABLE: Reply = { cause: 'unreachable', scope: 'question', reason: 'no such host' };
const WRONG_KEY = replyOf({ scope: 'account', reason: 'Invalid API key.' });

describe('performing tasks', () => {
	test('adds the additional parameters to the paid calls of a workflow, whose own ones come first, and to no free one', async () => {
		const service = new FakeTransport(() => ok({}));
		const source = { item: 0, property: 'd', fileName: 'a', mimeType: 'text/plain', bytes: 1 };
		const post = (path: string, request: Partial<ServiceRequest>): Endpoint<IDataObject> => ({
			...endpoint(path, { credits: PRICE }),
			request: { service: 'main', method: 'POST', path, ...request },
		});
		const operation = workflow(async (_, client) => {
			await call(client, endpoint('/free'));
			await call(client, endpoint('/paid', { credits: PRICE }));
			await call(client, post('/query', { query: { lang: 'own', id: '1' } }));
			await call(client, post('/body', { body: { lang: 'own', id: 1 } }));
			await call(
				client,
				post('/form', { form: { fields: { lang: 'own', id: '1' }, file: { field: 'f', source } } }),
			);
			return [yes()];
		});
		const additional: Array<[string, string]> = [
			['lang', 'en'],
			['tag', 'x'],
		];
		await perform(operation, ['x'], service, {}, { additional });
		expect(service.sent.map(({ query, body, form }) => query ?? body ?? form?.fields)).toEqual([
			undefined,
			{ lang: 'en', tag: 'x' },
			{ lang: 'own', id: '1', tag: 'x' },
			{ lang: 'own', id: 1, tag: 'x' },
			{ lang: 'own', id: '1', tag: 'x' },
		]);
	});
});

describe('an attempt', () => {
	test.each<[cause: Failure['cause'], reply: Reply, outcome: string]>([
		['lost', LOST, 'positive'],
		['throttled', TOO_FAST, 'positive'],
		['unreachable', UNREACHABLE, 'positive'],
		['refused', replyOf({ scope: 'question', reason: 'Lookup failed' }), 'positive'],
		['notSent', STOPPED, 'positive'],
		// No further call may follow a refusal of the account, not even of the task that tolerates it
		['refused', WRONG_KEY, 'notSent'],
	])('returns its failure (%s), and the operation continues', async (cause, reply, outcome) => {
		const returned: unknown[] = [];
		const operation = workflow(async (_, client) => {
			returned.push(await attempt(client, ask('/a')));
			return [await call(client, ask('/b'))];
		});
		const service = new FakeTransport(({ path }) => (path === '/a' ? reply : replyOf(yes())));
		for (const onFailure of ['unknown', 'errorItem', 'stop'] as const)
			expect(await perform(operation, ['x'], service, { onFailure })).toMatchObject({
				outcomes: [outcome],
			});
		expect(returned).toMatchObject(Array(3).fill({ failure: { cause } }));
	});

	test('returns only the failures that it tolerates', async () => {
		const operation = workflow(async (_, client) => {
			const returned = await attempt(client, {
				...ask('/a'),
				tolerates: ({ cause }: Failure) => cause === 'lost',
			});
			return [isFailed(returned) ? negative({}) : returned];
		});
		const outcomesAfter = async (reply: Reply) => {
			const service = new FakeTransport(() => reply);
			const { outcomes } = await perform(operation, ['x', 'y'], service, { onFailure: 'stop' });
			return [...outcomes, service.sent.length];
		};
		expect(await outcomesAfter(LOST)).toEqual(['negative', 'negative', 2]);
		expect(await outcomesAfter(replyOf(yes()))).toEqual(['positive', 'positive', 2]);
		expect(await outcomesAfter(UNREACHABLE)).toEqual(['unreachable', 'notSent', 1]);
		expect(await outcomesAfter(WRONG_KEY)).toEqual(['refused', 'notSent', 1]);
	});
});

describe('an exception of an operation', () => {
	const broken = (): never => {
		throw new TypeError('x is undefined');
	};

	test('returns the answer of its own paid call unchanged, and stops nothing', async () => {
		const operation = workflow(async ([path], client) => [
			await call(client, { ...ask(path), ...(path === '/bad' && { read: broken }) }),
		]);
		for (const onFailure of ['unknown', 'errorItem'] as const) {
			const service = new FakeTransport(() => replyOf(yes(), { cost: 2 }));
			const paths = ['/a', '/bad', '/c'];
			const run = await perform(operation, paths, service, { onFailure });
			expect(run.outcomes).toEqual(['positive', 'unknown', 'positive']);
			const result = run.results[1] as Answered;
			expect(result.answer).toMatchObject({ isAsItCame: true });
			expect(result.answer.reason).toMatch(/^explained: this node couldn't process/);
			expect(result.response).toEqual({ reading: yes(), cost: 2 });
			expect(service.paths).toEqual(paths);
			expect(run.ledger.paidCalls).toBe(3);
			expect(run.ledger.accounts.get('whatsapp')).toMatchObject({ credits: 4, open: 1 });
			expect(run.faults).toHaveLength(1);
		}
	});

	test('fails the lookups of its own task, and names the jobs that were paid for', async () => {
		const operation = workflow(async ([id], client) => {
			await call(client, endpoint('/submit', { credits: PRICE }));
			client.reportJob(jobOf(id));
			if (id === 'b-2') broken();
			return [yes(), yes()];
		});
		const { outcomes, failures, resultCount } = await perform(
			operation,
			[['b-1', 'x'], ['b-2', 'y'], 'b-3'],
			new FakeTransport(() => ok({ cost: 1 })),
		);
		expect(outcomes).toEqual(['positive', 'positive', 'fault', 'fault', 'positive']);
		expect(resultCount).toBe(5);
		for (const failure of failures.slice(2, 4)) {
			expect(failure?.jobs).toEqual([jobOf('b-2')]);
			expect(describeFailure(failure!)).toContain('You were charged for the batch b-2');
		}
	});
});
