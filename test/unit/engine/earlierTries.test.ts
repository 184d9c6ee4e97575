import { defineOperation, isFailed, type Reply } from '../../engine';
import {
	ask,
	earlierTriesOf,
	endpoint,
	FakeExecution,
	FakeTransport,
	paid,
	perform,
	replyOf,
	workflow,
	yes,
} from '../fakes/fakeSend';
import { PAID_CHECK } from '../fakes/paidCheck';
import { ok } from '../fakes/replies';

const YES = replyOf(yes());
const UNREACHABLE: Reply = { cause: 'unreachable', scope: 'question', reason: 'no host' };

const check = defineOperation(PAID_CHECK);

/** Makes a check, then sends a message: "/check/1 /send/a". */
const checkAndSend = workflow(
	async ([question], client) => {
		const [number, message] = question.split(' ');
		const checked = await client.lookUp(check, number);
		if (isFailed(checked)) return [{ failure: { ...checked.failure, isPreliminary: true } }];
		return [await client.call(ask(message), 'send')];
	},
	{ lookups: (question) => [{ lookup: check, question: question.split(' ')[0] }] },
);

describe('what earlier tries have paid for', () => {
	test('leaves out a task that was cut off between two paid steps', async () => {
		const execution = new FakeExecution();
		const order = workflow(async ([id], client) => {
			await client.call(paid(`/reserve/${id}`), 'reserve');
			await client.call(endpoint(`/look/${id}`));
			return [await client.call(ask(`/confirm/${id}`), 'confirm')];
		});
		const service = new FakeTransport(({ path }) =>
			path.startsWith('/look') ? UNREACHABLE : ok({}),
		);
		await perform(order, ['1'], service, {}, { execution });
		expect((await earlierTriesOf(order, ['1'], { execution })).paid).toEqual([false]);
	});

	test('leaves out a task whose lookup is not answered yet, and is found without an effect on the execution', async () => {
		const execution = new FakeExecution();
		const service = new FakeTransport(({ path }) => (path === '/check/2' ? UNREACHABLE : YES));
		const questions = ['/check/1 /send/a', '/check/2 /send/b'];
		await perform(checkAndSend, questions, service, {}, { execution });
		expect(await earlierTriesOf(checkAndSend, questions, { execution })).toEqual({
			paid: [true, false],
			known: undefined,
		});
		const retried = new FakeTransport(() => YES);
		const { outcomes } = await perform(checkAndSend, questions, retried, {}, { execution });
		expect(outcomes).toEqual(['positive', 'positive']);
		expect(retried.paths).toEqual(['/check/2', '/send/b']);
	});
});
