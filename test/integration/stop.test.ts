/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { captureLogs, type CapturedLogs } from '../harness/capturedLogs';
import { AT_ONCE, release, type NodeOptions } from '../harness/n8n';
import { resetTime } from '../harness/time';
import { callingTool } from '../harness/toolCalls';
import { storiesOn } from '../harness/stories';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const options = { [AT_ONCE]: 1 };
const OF_NUMBER = { phoneNumber: '={{ $json.number }}', options };
const sendMessage = {
	...{ resource: 'whatsApp', operation: 'sendMessage', message: 'Hello', ...OF_NUMBER },
};
const checkMany = { resource: 'batch', operation: 'checkMany' };
const numbers = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ number: `+4420794${String(60_000 + n)}` }));
const nextTick = async () => await new Promise((resolve) => setImmediate(resolve));

describe(`Stop, n8n ${release}`, () => {
	const on = storiesOn({ batchNumbersPerSecond: 0 });
	let logs: CapturedLogs;
	beforeAll(() => {
		logs = captureLogs();
	});
	beforeEach(() => {
		logs.warnings.length = 0;
	});
	const run = on.act;
	/** Sends messages and stops the execution once so many requests have arrived, and some ticks later. */
	const sendUntil = async (requests: number, ticks: number, more: Partial<NodeOptions>) => {
		const stop = new AbortController();
		const running = run(sendMessage, { signal: stop.signal, retryOnFail: true, ...more });
		while (on.service().log.length < requests) await nextTick();
		for (let tick = 0; tick < ticks; tick += 1) await nextTick();
		stop.abort();
		await running;
	};
	/** Stops the execution in its pause of this number. */
	const inPause = (pause: number) => {
		const stop = new AbortController();
		resetTime((_, count) => {
			if (count === pause) stop.abort();
		});
		return stop.signal;
	};

	it('logs the recipients of messages, once, and never the key', async () => {
		on.service().fault({ kind: 'latency', ms: 20 });
		await sendUntil(5, 0, { items: numbers(30), maxTries: 3 });

		const sent = on.service().messages(on.service().keys.main).length;
		expect(logs.warnings).toHaveLength(1);
		const [text] = logs.warnings;
		expect(text).toMatch(
			/^Stop ended "Node" in execution \d+\. .*30 items: \d+ done, \d+ not reached/,
		);
		const [, last] = /Done already: items 0–(\d+)/.exec(text) ?? [];
		// The message in flight may have been sent
		expect(Number(last) + 1 + (/Possibly done/.test(text) ? 1 : 0)).toBeGreaterThanOrEqual(sent);
		expect(text).not.toContain(on.service().keys.main);
	});

	it('logs the cost and the IDs of batches', async () => {
		await run(
			{ ...checkMany, ...OF_NUMBER, options: {} },
			{ items: numbers(1500), signal: inPause(4) },
		);
		expect(on.service().spent(on.service().keys.main).whatsapp).toBe(1500);
		expect(logs.warnings).toEqual([
			expect.stringMatching(
				/Charged: 1500 WhatsApp credits\. 1500 items: all failed\. You were charged for 2 jobs \([0-9a-f-]{36}, [0-9a-f-]{36}\)\. Batch → Get with these IDs returns the results at no cost$/,
			),
		]);
	});

	it('of a tool logs the same', async () => {
		const parameters = { ...checkMany, phoneNumbers: '+442079460100' };
		const credentials = on.credentials();
		await callingTool({ credentials, parameters, signal: inPause(2) }, async (call) => {
			await call();
		});
		expect(logs.warnings).toEqual([
			expect.stringMatching(/^Stop ended "Tool" .*You were charged for the batch [0-9a-f-]{36}\./),
		]);
	});

	it('ends the minutes before the next check of an email', async () => {
		const items = [{ email: 'timeout@mail.example' }, { email: 'ada@mail.example' }];
		const verifyEmail = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
		const rechecked = { ...verifyEmail, options: { recheckInconclusiveEmails: true } };
		await run(rechecked, { items, signal: inPause(1) });
		const asked = on.service().log.filter(({ query }) => query.email === 'timeout@mail.example');
		expect(asked).toHaveLength(1);
	});

	it('logs the calls of an earlier try, when it comes between two tries', async () => {
		const body = { status: false, error: 'Invalid API key.' };
		on.service().fault({ kind: 'status', status: 401, body, skip: 2 });
		await sendUntil(3, 200, { items: numbers(4), maxTries: 2, waitBetweenTries: 1000 });
		expect(logs.warnings).toEqual([
			expect.stringMatching(
				/Earlier in this execution: .*2 WhatsApp calls.*\. Done already: items 0, 1$/,
			),
		]);
	});

	it('logs nothing if the run cost nothing', async () => {
		await run(sendMessage, { items: numbers(3), signal: AbortSignal.abort() });
		const { status } = await run(sendMessage, { items: numbers(1) });
		expect([status, on.service().log.length, logs.warnings]).toEqual(['success', 1, []]);
	});
});
