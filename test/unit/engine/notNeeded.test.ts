import { defineOperation, type Reply } from '../../engine';
import {
	FakeExecution,
	FakeTransport,
	flush,
	held,
	perform,
	replyOf,
	startRun,
	workflow,
	yes,
} from '../fakes/fakeSend';
import { PAID_CHECK } from '../fakes/paidCheck';

const lookup = defineOperation(PAID_CHECK);

/** Looks up each path of its question, except those after `not`, which it does not need. */
const contact = workflow(async ([question], client) => {
	const [needed, skipped = ''] = question.split('not ');
	for (const path of needed.split(' ').filter(Boolean)) await client.lookUp(lookup, path);
	const calls = skipped.split(' ').filter(Boolean);
	client.skip(calls.map((path) => ({ lookup, question: path })));
	return [yes()];
});

describe('a lookup that a contact does not need is recognized', () => {
	test.each([
		['is counted', ['/a not /b'], 1],
		['is counted once for all contacts', ['/a not /b', '/c not /b', 'not /b /d'], 2],
		['counts no more once another contact makes it', ['not /b', '/b'], 0],
		['does not count where another contact has made it', ['/b', 'not /b'], 0],
		['is needed although others skip it later', ['not /b', '/b', 'not /b /c'], 1],
	])('%s: %j', async (_, questions, count) => {
		const { ledger } = await perform(contact, questions, new FakeTransport(() => replyOf(yes())));
		expect(ledger.notNeeded.count).toBe(count);
	});

	test('does not count if another contact is making it', async () => {
		const reply = held<Reply>();
		const service = new FakeTransport(async () => await reply.released);
		const run = startRun(contact, ['/b', 'not /b /c'], service, { concurrency: 2 });
		await flush(20);
		reply.release(replyOf(yes()));
		const { ledger } = await run.performed;
		expect(ledger.notNeeded.count).toBe(1);
	});

	test('does not count if its answer is stored, since it would have cost nothing', async () => {
		const execution = new FakeExecution();
		const service = new FakeTransport(() => replyOf(yes()));
		await perform(contact, ['/b'], service, {}, { execution, run: '0' });
		const again = { execution, run: '1' };
		const { ledger } = await perform(contact, ['/a not /b /c'], service, {}, again);
		expect(ledger.notNeeded.count).toBe(1);
		expect(service.paths).toEqual(['/b', '/a']);
	});
});
