/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { startSandbox, type Sandbox } from '../sandbox';
import { captureLogs, type CapturedLogs } from '../harness/capturedLogs';
import { AT_ONCE, release, runNode, type NodeOptions } from '../harness/n8n';
import { credentialsOf, expectOnlyE164 } from '../harness/onSandbox';
import { resetTime } from '../harness/time';
import { callingTool } from '../harness/toolCalls';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const inTurn = { [AT_ONCE]: 1 };
const sendMessage = {
	...{ resource: 'whatsApp', operation: 'sendMessage', message: 'Hello', options: inTurn },
	phoneNumber: '={{ $json.number }}',
};
const verifyEmail = {
	...{ resource: 'email', operation: 'verify', email: '={{ $json.email }}', options: inTurn },
};
const checkMany = { resource: 'batch', operation: 'checkMany', phoneNumber: '={{ $json.number }}' };

const numbers = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ number: `+44207946${String(1000 + n).slice(-4)}` }));
const leads = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ email: `lead.${n}@mail.example` }));

const nextTick = async () => await new Promise((resolve) => setImmediate(resolve));

describe(`Stop, n8n ${release}`, () => {
	let sandbox: Sandbox;
	let logs: CapturedLogs;
	beforeAll(async () => {
		logs = captureLogs();
		sandbox = await startSandbox({ batchNumbersPerSecond: 0 });
	});
	beforeEach(() => {
		resetTime();
		sandbox.reset();
		logs.warnings.length = 0;
	});
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);

	/** Stops the execution once so many requests have arrived. */
	const runUntil = async (
		requests: number,
		parameters: object,
		{ afterReply = false, ...more }: Partial<NodeOptions> & { afterReply?: boolean },
	) => {
		const stop = new AbortController();
		const credentials = credentialsOf(sandbox);
		const running = runNode({ credentials, parameters, signal: stop.signal, ...more });
		while (sandbox.log.length < requests) await nextTick();
		if (afterReply) for (let tick = 0; tick < 200; tick += 1) await nextTick();
		stop.abort();
		return await running;
	};

	it('logs the recipients of messages, once, and never the key', async () => {
		sandbox.fault({ kind: 'latency', ms: 20 });
		const items = numbers(30);
		await runUntil(5, sendMessage, { items, retryOnFail: true, maxTries: 3 });

		const sent = sandbox.messages(sandbox.keys.main).length;
		expect(logs.warnings).toHaveLength(1);
		const [text] = logs.warnings;
		expect(text).toMatch(
			/^Stop ended "Node" in execution \d+\. .*30 items: \d+ done, \d+ not reached/,
		);
		expect(text).toMatch(/Done already: items 0–\d/);
		const [, last] = /Done already: items 0–(\d+)/.exec(text) ?? [];
		// The message in flight may have been sent
		expect(Number(last) + 1 + (/Possibly done/.test(text) ? 1 : 0)).toBeGreaterThanOrEqual(sent);
		expect(text).not.toContain(sandbox.keys.main);
	});

	it('logs the IDs of batches', async () => {
		const stop = new AbortController();
		resetTime((_, count) => {
			if (count === 4) stop.abort();
		});
		const credentials = credentialsOf(sandbox);
		const items = numbers(1500).map((_, n) => ({ number: `+4420794${String(10_000 + n)}` }));
		await runNode({ credentials, parameters: checkMany, items, signal: stop.signal });

		expect(sandbox.spent(sandbox.keys.main).whatsapp).toBe(1500);
		expect(logs.warnings).toEqual([
			expect.stringMatching(
				/Charged: 1500 WhatsApp credits\. 1500 items: all failed\. You were charged for 2 jobs \([0-9a-f-]{36}, [0-9a-f-]{36}\)\. Batch → Get with these IDs returns the results at no cost$/,
			),
		]);
	});

	it('logs the cost of lookups', async () => {
		sandbox.fault({ kind: 'latency', ms: 20 });
		await runUntil(5, verifyEmail, { items: leads(30) });
		expect(logs.warnings).toEqual([
			expect.stringMatching(/Charged: \d+ email credits?\. 30 items: \d+ done, \d+ not reached/),
		]);
	});

	it('ends the minutes before the next check of an email', async () => {
		const stop = new AbortController();
		resetTime(() => stop.abort());
		const items = [{ email: 'timeout@mail.example' }, ...leads(3)];
		const options = { ...inTurn, recheckInconclusiveEmails: true };
		const parameters = { ...verifyEmail, options };
		const credentials = credentialsOf(sandbox);
		await runNode({ credentials, parameters, items, signal: stop.signal });
		const asked = sandbox.log.filter(({ query }) => query.email === 'timeout@mail.example');
		expect(asked).toHaveLength(1);
	});

	it('logs the calls of an earlier try, when it comes between two tries', async () => {
		const body = { status: false, error: 'Invalid API key.' };
		sandbox.fault({ kind: 'status', status: 401, body, skip: 2 });
		const tries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1000 };
		await runUntil(3, sendMessage, { items: numbers(4), ...tries, afterReply: true });
		expect(logs.warnings).toEqual([
			expect.stringMatching(
				/Earlier in this execution: .*2 WhatsApp calls.*\. Done already: items 0, 1$/,
			),
		]);
	});

	it('of a tool logs the same', async () => {
		const stop = new AbortController();
		resetTime((_, count) => {
			if (count === 2) stop.abort();
		});
		const parameters = { ...checkMany, phoneNumber: undefined, phoneNumbers: '+442079460100' };
		const credentials = credentialsOf(sandbox);
		await callingTool({ credentials, parameters, signal: stop.signal }, async (call) => {
			await call();
		});
		expect(logs.warnings).toEqual([
			expect.stringMatching(/^Stop ended "Tool" .*You were charged for the batch [0-9a-f-]{36}\./),
		]);
	});

	it('logs nothing if the run cost nothing', async () => {
		const stop = new AbortController();
		stop.abort();
		const credentials = credentialsOf(sandbox);
		await runNode({
			...{ credentials, parameters: sendMessage, items: numbers(3), signal: stop.signal },
		});
		const finished = await runNode({ credentials, parameters: sendMessage, items: numbers(1) });

		expect(sandbox.log).toHaveLength(1);
		expect(finished.status).toBe('success');
		expect(logs.warnings).toEqual([]);
	});
});
