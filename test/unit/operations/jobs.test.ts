import type { IDataObject } from 'n8n-workflow';
import { type Answer, type AnyOperation, isLocalAnswer, parseReply, type Part } from '../../engine';
import { getAudit } from '../../../nodes/LookupMessaging/operations/audit/get';
import { getAuditSummary } from '../../../nodes/LookupMessaging/operations/audit/getSummary';
import { runAudit } from '../../../nodes/LookupMessaging/operations/audit/run';
import { runAuditAndWait } from '../../../nodes/LookupMessaging/operations/audit/runAndWait';
import { checkManyNumbers } from '../../../nodes/LookupMessaging/operations/batch/checkMany';
import { getBatch } from '../../../nodes/LookupMessaging/operations/batch/get';
import { pollOf } from '../../../nodes/LookupMessaging/operations/batch/job';
import { submitNumbers } from '../../../nodes/LookupMessaging/operations/batch/submit';
import { KNOWN_AFTER_MS } from '../../../nodes/LookupMessaging/operations/shared/polling';
import { JOB_KINDS } from '../../../nodes/LookupMessagingTrigger/jobKinds';
import { idIn } from '../../../nodes/LookupMessagingTrigger/pollCycle';
import { perform, scriptedClient, type ScriptedReply } from '../fakes/fakeClient';
import { inOneGo } from '../fakes/inOneGo';

const NUMBERS = [{ number: '+442079460123' }, { number: '+12025550102' }];
const AUDIT = { brandName: 'A', brandUrl: 'https://a.example', competitors: [] };

const reply = (body: IDataObject | string, status = 200): ScriptedReply => ({
	kind: status < 300 ? 'ok' : 'httpError',
	...{ status, headers: {} },
	body: typeof body === 'string' ? (inOneGo(parseReply(body)) ?? {}) : body,
});

/** Runs a workflow operation on replies; sleeps take no time. */
async function run(operation: AnyOperation, questions: unknown[], replies: ScriptedReply[]) {
	const client = scriptedClient(replies);
	if (!('run' in operation)) throw new Error('an operation of one call');
	const readings = await operation.run(questions, client).catch((error: Error) => error);
	return { client, readings, paths: client.requests.map(({ path }) => path) };
}

/** Get of the batch b. */
const get = async (replies: ScriptedReply[], { asRows = true, waits = false } = {}) => {
	const { readings, client } = await run(getBatch, [{ batchId: 'b', asRows, waits }], replies);
	const [answer] = readings as Answer[];
	return { answer, client, readings, rows: [...(answer.rows ?? [])] };
};
const submitted = reply({ batch_id: 'b', status: 'processing', total_numbers: 2 });
const times = <Value>(count: number, value: Value) => Array<Value>(count).fill(value);

/** What Get makes of an ID: the ID, or why not. */
function readBy(operation: AnyOperation, given: IDataObject): unknown {
	const prepared = operation.prepare({ splitIntoItems: false, ...given });
	const [part] = (prepared as { parts?: Array<Part<unknown>> }).parts ?? [{ question: prepared }];
	const question = part.question as Record<string, unknown>;
	return isLocalAnswer(question) ? question.reason : (question.batchId ?? question.auditId);
}

describe('the ID of a paid job', () => {
	const IDS = [
		...['8c5f1c1e-0000-4000-8000-000000000000', 'a.b', 'urn:batch:7', 'YWI=', 'a/b', 'a b'],
		...['....', '%2e', 'a?b#c', 'ä', '🚀', 'x'.repeat(200), '12345678901234567890', '42'],
	];
	test.each(IDS)('%s of Submit is accepted by Get, the wait and the trigger', async (id) => {
		const accepted = reply({ batch_id: id, status: 'processing', total_numbers: 2 });
		const { readings, client } = await run(submitNumbers, NUMBERS, [accepted]);
		expect(readings).toMatchObject([{ record: { batchId: id } }, {}]);
		expect(client.jobs).toEqual([{ noun: 'batch', id, resume: 'Batch → Get' }]);
		const finished = reply({ batch_id: id, status: 'completed', results: [] });
		const { paths } = await run(checkManyNumbers, NUMBERS, [accepted, finished]);
		expect(paths[1]).toBe(`/wavalidation/batch/${encodeURIComponent(id)}`);
		expect(new URL(`https://h.example${paths[1]}`).pathname).toBe(paths[1]);
		expect(readBy(getBatch, { batchId: id })).toBe(id);
		expect(readBy(getBatch, { batchId: [id] })).toBe(id);
		expect(idIn(JOB_KINDS.batch, { batchId: id })).toBe(id);
	});

	test.each([...IDS, '.', 'null', 'a,b'])(
		'%s of Run is accepted by Get and the trigger',
		async (id) => {
			const { readings } = await run(runAudit, [AUDIT], [reply({ status: true, audit_id: id })]);
			if (['.', 'null'].includes(id))
				return expect(readings).toMatchObject([{ outcome: 'unknown' }]);
			expect(readings).toMatchObject([{ record: { auditId: id } }]);
			expect(readBy(getAudit, { auditId: id })).toBe(id);
			expect(idIn(JOB_KINDS.audit, { auditId: id })).toBe(id);
		},
	);

	test('keeps all digits of a number', async () => {
		const started = reply('{"status": true, "audit_id": 12345678901234567890}');
		const { readings } = await run(runAudit, [AUDIT], [started]);
		expect(readings).toMatchObject([{ record: { auditId: '12345678901234567890' } }]);
		const accepted = reply('{"status": "processing", "batch_id": 98765432109876543210}');
		const { client } = await run(submitNumbers, NUMBERS, [accepted]);
		expect(client.jobs).toMatchObject([{ id: '98765432109876543210' }]);
		const words = /has lost its last digits\. Enter the ID as text/;
		expect(readBy(getBatch, { batchId: [Number('98765432109876543210')] })).toMatch(words);
		expect(readBy(getAudit, { auditId: Number('98765432109876543210') })).toMatch(words);
	});

	test.each([
		...['.', '..', '...', 'N/A', 'undefined', '../a', 'a/..', '{"a":1}', 'a\nb', ' a'],
		'x'.repeat(201),
	])('that cannot be sent back (%j) is reported with the submitted values', async (id) => {
		const { readings } = await run(submitNumbers, NUMBERS, [reply({ batch_id: id })]);
		expect(String(readings)).toMatch(/returned an unusable ID \(".*Contact your provider/);
		expect(readBy(getBatch, { batchId: [id] })).not.toBe(id);
	});

	test('with a comma comes with the way to pass it to Get', async () => {
		const { readings } = await run(submitNumbers, NUMBERS, [reply({ batch_id: 'a,b' })]);
		expect(readings).toMatchObject([{ reason: expect.stringMatching(/in an array/) }, {}]);
		expect(readBy(getBatch, { batchId: ['a,b'] })).toBe('a,b');
	});
});

describe('a job that the service does not know yet', () => {
	const results = NUMBERS.map(({ number }) => ({ phone_number: number, status: 'completed' }));
	const finished = reply({ batch_id: 'b', status: 'completed', results });
	const WORDS = { error: 'Batch not found or access denied.' };

	test.each([
		['HTTP 404', reply(WORDS, 404)],
		['HTTP 404 without words', { kind: 'httpError', status: 404, headers: {} } as ScriptedReply],
		['words with HTTP 200', reply(WORDS)],
	])(
		'(%s) is polled for two minutes, and then reported as failed, with its ID',
		async (_, unknown) => {
			const { readings, client } = await run(checkManyNumbers, NUMBERS, [
				submitted,
				...times(100, unknown),
			]);
			expect(readings).toMatchObject([{ failure: { cause: 'refused' } }, {}]);
			const waited = client.sleeps.reduce((sum, { sleepMs }) => sum + sleepMs, 0);
			expect(waited).toBeGreaterThanOrEqual(KNOWN_AFTER_MS);
			expect(waited).toBeLessThan(1.2 * KNOWN_AFTER_MS);
			expect(client.jobs).toMatchObject([{ id: 'b' }]);
		},
	);

	test.each([
		[true, 2],
		[false, 1],
	])('is polled by Get again with Wait Until Finished: %p', async (waits, calls) => {
		const { client } = await get([reply(WORDS, 404), finished], { asRows: false, waits });
		expect(client.calls).toHaveLength(calls);
	});
});

test('all batches share the pause that the service names for one', () => {
	const families = ['a', 'b'].map((id) => pollOf(id).request.family);
	expect(families).toEqual(['/wavalidation/batch/{batch_id}', families[0]]);
});

test.each<[what: string, operation: AnyOperation, question: unknown]>([
	['Get of an audit', getAudit, { auditId: 'a' }],
	['Get Summary of an audit', getAuditSummary, { auditId: 'a' }],
	['Get of a batch', getBatch, { batchId: 'b', asRows: false, waits: false }],
	['the wait for an audit', runAuditAndWait, AUDIT],
])('%s reads no word about a job as one about the account', async (_, operation, question) => {
	const replies = [reply({ error: 'Access denied' }), reply({ error: 'Access denied' })];
	if (operation === runAuditAndWait) replies.unshift(reply({ audit_id: 'a' }));
	const { readings, failure } = await perform(operation, [question], scriptedClient(replies));
	const [first] = readings ?? [{ failure }];
	expect(first).toMatchObject({ failure: { scope: 'question', cause: 'refused' } });
});

describe('a batch status that SPEC does not name', () => {
	const number = NUMBERS[0].number;
	const invalid = { wa_status: 'INVALID', numberstatus: false };
	const checked = { phone_number: number, status: 'completed', ...invalid };
	const pending = { phone_number: NUMBERS[1].number, status: 'pending' };
	const batch = (status: string) =>
		reply({ batch_id: 'b', status, total_numbers: 2, results: [checked, pending] });

	test.each([
		['completed', 'positive', undefined],
		['queued', 'unknown', undefined],
		['stalled', 'unknown', /"stalled", which this node doesn't know/],
		['', 'unknown', /didn't say how far/],
		['failed', 'negative', /ended with the status "failed"/],
	])('(%j) is reported by Get, %s', async (status, outcome, words) => {
		const { answer } = await get([batch(status)], { asRows: false });
		expect(answer.outcome).toBe(outcome);
		const plain = outcome === 'unknown' ? `the batch is ${status}` : '';
		expect(answer.reason ?? '').toMatch(words ?? new RegExp(`^${plain}$`));
		const [, left] = (await get([batch(status)])).rows;
		expect(left.reason).toMatch(words ?? /^the service hasn't checked this number yet$/);
	});

	test('of a batch that failed without rows is no answer about a number, and counts only what the service counts', async () => {
		const { readings } = await get([reply({ batch_id: 'b', status: 'expired', pending: 3 })]);
		const record = { totalNumbers: null, completed: null, failed: null, pending: 3 };
		expect(readings).toMatchObject([{ outcome: 'unknown', reason: /"expired"/, record }]);
	});

	test('is logged by a wait, once, and noted for the time-out', async () => {
		const replies = [batch('processing'), ...['stalled', 'stalled', 'failed'].map(batch)];
		const { client } = await run(checkManyNumbers, NUMBERS, replies);
		expect(client.warnings).toEqual([
			'Batch b: the status of the batch is "stalled", which this node doesn\'t know. The node polls it until Max Wait is over',
		]);
		expect(client.sleeps[2].note).toMatch(/"stalled"/);
	});

	test('that says failure ends a wait: checked numbers are returned, the others fail', async () => {
		const replies = [batch('processing'), batch('failed')];
		const { readings, client } = await run(checkManyNumbers, NUMBERS, replies);
		expect(readings).toMatchObject([
			{ outcome: 'negative', record: { batchId: 'b' } },
			{
				scope: 'question',
				reason: expect.stringMatching(/ended with the status "failed" before this number/),
			},
		]);
		expect(client.jobs).toMatchObject([{ id: 'b' }]);
	});
});

describe('a paid batch', () => {
	const done = { status: 'completed', wa_status: 'VALID_CONFIRMED', numberstatus: true };
	const rowsOf = (...rows: IDataObject[]) =>
		reply({ batch_id: 'b', status: 'completed', total_numbers: 2, results: rows });
	const [first, second] = NUMBERS.map(({ number }) => ({ phone_number: number, ...done }));

	test.each([
		['are missing', [first]],
		['are pending', [first, { ...second, status: 'pending' }]],
	])('is polled again while rows %s after its last word', async (_, late) => {
		const saying = (error: string) => reply({ batch_id: 'b', status: 'error', error });
		const busy = ['try again', 'Batch not found'].map(saying);
		const replies = [submitted, ...busy, rowsOf(...late), reply({}, 502), rowsOf(first, second)];
		const { readings, client } = await run(checkManyNumbers, NUMBERS, replies);
		expect(readings).toMatchObject([{ outcome: 'positive' }, { outcome: 'positive' }]);
		expect(client.unread).toEqual([]);

		const { rows } = await get([rowsOf(...late), rowsOf(first, second)], { waits: true });
		expect(rows).toMatchObject([{ outcome: 'positive' }, { outcome: 'positive' }]);
	});

	test.each<[string, IDataObject]>([
		['a real error', { error: 'The queue is slow' }],
		['a warning of low credits', { error: 'Low credits, please recharge' }],
		['an envelope', { batch_id: undefined, status: true, data: { batch_id: 'b' } }],
	])('is polled by its ID with any other field beside it: %s', async (_, more) => {
		const accepted = reply({ batch_id: 'b', status: 'processing', total_numbers: 2, ...more });
		const { readings, client } = await run(checkManyNumbers, NUMBERS, [
			accepted,
			rowsOf(first, second),
		]);
		expect(readings).toMatchObject([{ outcome: 'positive' }, { outcome: 'positive' }]);
		expect(client.jobs).toMatchObject([{ id: 'b' }]);
		const one = await run(submitNumbers, NUMBERS, [accepted]);
		expect(one.readings).toMatchObject([{ record: { batchId: 'b' } }, {}]);
	});

	test.each([
		['HTTP 500 is read', reply({ batch_id: 'b', error: 'Bad request' }, 400)],
		['too few credits', reply({ batch_id: 'b', error: 'Insufficient', required: 2, available: 0 })],
	])('is named as a job if the service refuses it all the same (%s)', async (_, refused) => {
		for (const operation of [submitNumbers, checkManyNumbers]) {
			const { readings, client } = await run(operation, NUMBERS, [refused]);
			expect(readings).toBeInstanceOf(Error);
			expect(client.jobs).toMatchObject([{ id: 'b' }]);
		}
	});

	test.each([-5, 3, 1.5, '2', null, { toString: 0 }])(
		'costs what was sent if its total is %j',
		(total_numbers) => {
			const { credits } = submitNumbers;
			const cost = credits?.(NUMBERS[0]);
			const body = { batch_id: 'b', total_numbers } as unknown as IDataObject;
			expect(cost && 'charged' in cost && cost.charged(body)).toBe(1);
		},
	);

	test('matches a row to one number: by the sent text, then by its own digits, then by its format', async () => {
		const [a, b] = NUMBERS.map(({ number }) => number);
		const claimed = { ...done, phone_number: a.slice(1), formatted_number: b };
		const swapped = { ...done, phone_number: b.slice(1), formatted_number: b, numberstatus: false };
		const joined = [submitted, rowsOf(claimed, swapped)];
		const alone = [submitted, ...times(6, rowsOf(claimed))];
		for (const [replies, outcome] of [
			[joined, 'negative'],
			[alone, 'unknown'],
		] as const) {
			const { readings } = await run(checkManyNumbers, NUMBERS, [...replies]);
			expect(readings).toMatchObject([{ outcome: 'unknown' }, { outcome }]);
		}
	});

	test('takes one of several rows of a number that say the same, and none of others', async () => {
		for (const [numberstatus, outcome] of [
			[true, 'positive'],
			[false, 'unknown'],
		] as const) {
			const replies = [submitted, rowsOf(first, second, { ...first, numberstatus })];
			const { readings } = await run(checkManyNumbers, NUMBERS, replies);
			expect(readings).toMatchObject([{ outcome }, { outcome: 'positive' }]);
		}
	});

	const asBatch = (status: string) => ({
		outcome: 'unknown',
		shape: status === 'processing' ? 'batch' : 'missing',
	});
	test.each([
		['completed', /completed, but the service returned none of its 2 rows/],
		['processing', /processing, and has no rows yet/],
		['failed', /ended with the status "failed" \(It broke\)/],
	])('is returned itself with a reason if it has no rows (%s)', async (status, words) => {
		const { readings } = await get([
			reply({ batch_id: 'b', status, total_numbers: 2, error: status === 'failed' && 'It broke' }),
		]);
		const record = { batchId: 'b', totalNumbers: 2 };
		expect(readings).toMatchObject([
			{ ...asBatch(status), record, reason: expect.stringMatching(words) as string },
		]);
	});

	test.each(['completed', 'failed', 'processing'])(
		'stands beside its rows, with a reason, if it has more numbers (%s)',
		async (status) => {
			const body = { batch_id: 'b', status, total_numbers: 3, results: [first] };
			const reason = `the batch is ${status}, and the service returned 1 of its 3 rows`;
			expect((await get([reply(body)])).rows).toMatchObject([
				{ outcome: 'positive' },
				{ ...asBatch(status), reason, record: { totalNumbers: 3 } },
			]);
		},
	);

	test('has the rows of an object that numbers them', async () => {
		const results = { '0': first, '2': second };
		const numbered = reply({ batch_id: 'b', status: 'completed', results });
		const { readings } = await run(checkManyNumbers, NUMBERS, [submitted, numbered]);
		const list = await run(checkManyNumbers, NUMBERS, [submitted, rowsOf(first, second)]);
		expect(readings).toEqual(list.readings);
	});

	test('keeps its rows if an error comes with them', async () => {
		const body = { batch_id: 'b', status: 'completed', results: [first], error: '1 row is late' };
		expect((await get([reply(body)])).rows).toMatchObject([{ outcome: 'positive' }]);
	});

	test.each([-5_000, '1,500', null])(
		'is polled at a rate that SPEC allows, whatever total the service reports (%j)',
		async (total_numbers) => {
			const working = reply({ batch_id: 'b', status: 'processing', total_numbers, results: [] });
			const { client } = await get([...times(3, working), rowsOf(first, second)], { waits: true });
			expect(client.sleeps).toHaveLength(3);
			for (const { sleepMs } of client.sleeps) expect(sleepMs).toBeGreaterThanOrEqual(5_000);
		},
	);
});
