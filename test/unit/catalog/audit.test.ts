import type { GenericValue, IDataObject } from 'n8n-workflow';
import { AUDIT_PACE_MS } from '../../../nodes/LookupMessaging/engine/jobs';
import {
	isRefusal,
	talkAbout,
	type Given,
	type Reading,
} from '../../../nodes/LookupMessaging/engine/operation';
import { isFailed } from '../../../nodes/LookupMessaging/engine/talk';
import { getAudit } from '../../../nodes/LookupMessaging/operations/audit/get';
import { getAuditSummary } from '../../../nodes/LookupMessaging/operations/audit/getSummary';
import { runAudit } from '../../../nodes/LookupMessaging/operations/audit/run';
import { runAuditAndWait } from '../../../nodes/LookupMessaging/operations/audit/runAndWait';
import { readAudit } from '../../../nodes/LookupMessaging/operations/audit/state';
import { magic, startSandbox, type ErrorStatus, type Sandbox } from '../../sandbox';
import { lead } from './leading';

const { AUDIT } = magic;
const BRAND: Given = { brandName: 'Example Coffee', brandUrl: 'https://coffee.example' };
const STARTS = [runAudit, runAuditAndWait];
const LOOKS = [
	{ operation: getAudit, path: '/audit' },
	{ operation: getAuditSummary, path: '/audit_summary' },
].map((row) => ({ name: row.operation.value, ...row }));

const wordOf = (reading: unknown) => {
	if (isFailed(reading)) return reading.failure.cause;
	if (isRefusal(reading)) return reading.refused;
	return (reading as Exclude<Reading, { refused: unknown }>).outcome;
};

describe('what is audited', () => {
	const bodyOf = (given: Given) => {
		const bodies = STARTS.map((operation) => {
			const { value: step } = talkAbout(operation, [operation.prepare(given)]).next();
			if (!step || !('exchange' in step)) throw new Error('The talk does not begin with a call');
			return step.exchange.request;
		});
		expect(bodies[1]).toEqual(bodies[0]);
		return bodies[0];
	};

	test('is sent as JSON by the names of SPEC, without competitors where there are none', () => {
		expect(bodyOf({ ...BRAND, brandName: ' Example, Coffee ' })).toEqual({
			service: 'main',
			method: 'POST',
			path: '/audit_run',
			body: { brand_name: 'Example, Coffee', brand_url: 'https://coffee.example' },
		});
	});

	test.each<[string, GenericValue, string[] | undefined]>([
		['an array', ['Tea & Co', ' Water ', 7], ['Tea & Co', 'Water', '7']],
		['commas', 'Tea & Co, Water,, ', ['Tea & Co', 'Water']],
		['line breaks', 'Tea & Co\r\nWater\n', ['Tea & Co', 'Water']],
		['one name', 'Tea; and Co', ['Tea; and Co']],
		['the same name twice', ['Tea', 'Tea '], ['Tea']],
		['nothing', '', undefined],
		['null', null, undefined],
		['an empty list', [], undefined],
		['a list of nothing', [' ', ''], undefined],
	])('may be compared with %s', (_, competitors, sent) => {
		expect(bodyOf({ ...BRAND, competitors }).body?.competitors).toEqual(sent);
	});

	test.each<[string, Given, string]>([
		['no brand name', { brandName: ' ' }, 'Brand Name'],
		['no brand URL', { brandUrl: '' }, 'Brand URL'],
		['a brand URL without its scheme', { brandUrl: 'coffee.example' }, 'Brand URL'],
		['a brand URL of another kind', { brandUrl: 'mailto:a@coffee.example' }, 'Brand URL'],
		['competitors that are objects', { competitors: [{ name: 'Tea' }] }, 'Competitors'],
		['competitors that are none', { competitors: ['Tea', null] }, 'Competitors'],
		['competitors that are true', { competitors: true }, 'Competitors'],
	])('is refused locally with %s', (_, given, field) => {
		for (const operation of STARTS) {
			expect(operation.prepare({ ...BRAND, ...given })).toMatchObject({
				local: 'malformed',
				field,
			});
		}
	});
});

describe('the state of an audit', () => {
	const head = { audit_id: 'a1' };
	const results = { overall_score: 50 };

	test.each<[state: string, body: IDataObject]>([
		['running', { ...head, status: 'pending' }],
		['running', { ...head, status: 'QUEUED' }],
		['running', { ...head, status: 'In Progress' }],
		['running', { ...head, status: 'in-progress', ...results }],
		['running', { ...head, status: 'processing', progress: 99 }],
		['running', head],
		['running', { ...head, status: true, message: 'Hold on', progress: 5 }],
		['running', { ...head, results: [], summary: {}, score: null, note: '' }],
		['running', { ...head, brand_name: 'A', brand_url: 'B', competitors: ['C'] }],
		['running', {}],
		['finished', { ...head, status: 'completed', ...results }],
		['finished', { ...head, status: 'completed' }],
		['finished', { ...head, status: ' Done ' }],
		['finished', { ...head, state: 'success', ...results }],
		['finished', { ...head, ...results }],
		['finished', { ...head, status: true, results: [{ platform: 'x' }] }],
		['finished', { ...head, status: true, data: { score: 1 } }],
		['failed', { ...head, status: 'failed' }],
		['failed', { ...head, status: 'Cancelled', ...results }],
		['failed', { ...head, status: 'error', error: 'No website' }],
		['running', { status: true, data: { ...head, status: 'running' } }],
		['running', { status: 'success', audit: { ...head, status: 'running' } }],
		['running', { status: 'success', audit_status: 'running' }],
		['finished', { status: true, audit: { ...head, status: 'finished' } }],
	])('is %s in %j', (state, body) => {
		expect(readAudit(body)).toMatchObject({ state, isUnknownWord: false });
	});

	test('is running with a word that nobody knows, which is told', () => {
		const body = { ...head, status: 'Marinating', ...results };
		expect(readAudit(body)).toMatchObject({
			...{ state: 'running', word: 'Marinating', isUnknownWord: true },
		});
		expect(readAudit(body, ['marinating'])).toMatchObject({ state: 'finished' });
	});

	test('is finished by the words that the user gives, and by no others', () => {
		const stateOf = (status: string) => readAudit({ ...head, status }, ['Partially-Done']).state;
		expect(stateOf('partially done')).toBe('finished');
		expect(stateOf('completed')).toBe('running');
		expect(stateOf('failed')).toBe('failed');
	});
});

describe('a look', () => {
	const read = (body: IDataObject, status = 200) => getAudit.read(body, status, { auditId: 'a1' });

	test.each<[string, IDataObject, number, string, RegExp | undefined]>([
		['finished', { audit_id: 'a1', status: 'done' }, 200, 'positive', undefined],
		['running', { audit_id: 'a1', status: 'queued' }, 200, 'unknown', /^the status .*"queued"$/],
		['a word nobody knows', { status: 'Odd', id: 1 }, 200, 'unknown', /"Odd".*does not know$/],
		['wordless', { audit_id: 'a1' }, 200, 'unknown', /^the audit is not finished$/],
		['failed', { audit_id: 'a1', status: 'failed', error: 'Why' }, 200, 'negative', /^Why$/],
		['failed for no reason', { id: 'a1', state: 'failed' }, 200, 'negative', /audit failed/],
		[
			'failed for want of access',
			{ audit_id: 'a1', status: 'failed', error: 'The site needs authentication' },
			...([200, 'negative', /needs authentication/] as const),
		],
		['an error', { status: false, error: 'Audit not found.' }, 200, 'question', /not found/],
		['an error by ID', { audit_id: 'a1', error: 'Audit not found.' }, 200, 'question', /not found/],
		['an error by word', { status: 'error', message: 'Not found' }, 200, 'question', /Not found/],
		['an HTTP error', { id: 'a1', status: 'failed', error: 'Gone' }, 404, 'question', /Gone/],
		['a wrong key', { status: 'error', error: 'Invalid API key.' }, 200, 'account', /API key/],
		['no credits', { error: 'Pay up' }, 402, 'account', /Pay up/],
	])('at one that is %s', (_, body, status, word, reason) => {
		const reading = read(body, status);
		expect(wordOf(reading)).toBe(word);
		if (reason) expect(reading.reason).toMatch(reason);
		else expect(reading.reason).toBeUndefined();
	});

	test.each(['', ' ', null, {}, ['a1']])('needs an ID; %j is none', (auditId) => {
		for (const { operation } of LOOKS) {
			expect(operation.prepare({ auditId })).toMatchObject({
				local: 'malformed',
				field: 'Audit ID',
			});
		}
	});

	test('is paid for, as far as anybody knows, and never shared', () => {
		for (const { operation } of LOOKS) {
			const question = operation.prepare({ auditId: 7 });
			expect(operation.credits?.(question)).toEqual({ balance: 'audit', cost: 'not stated' });
			expect([operation.repeatable, operation.free]).toEqual([undefined, undefined]);
			expect(operation.request(question).query).toEqual({ audit_id: '7' });
		}
	});
});

describe.each<ErrorStatus>(['http', 'ok'])('with errors as %s', (errorStatus) => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ errorStatus, auditSeconds: 3600 });
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.reset());

	const start = async (given: Given = {}) => {
		const led = await lead(sandbox, runAudit, [runAudit.prepare({ ...BRAND, ...given })]);
		return { ...led, auditId: led.jobs[0].id };
	};

	test('Run gives the ID of the audit, which it reports', async () => {
		const { readings, jobs, auditId } = await start({ competitors: 'Tea, Water' });
		expect(readings).toEqual([
			{
				outcome: 'positive',
				record: {
					...{ auditId, brandName: 'Example Coffee', brandUrl: 'https://coffee.example' },
					competitors: ['Tea', 'Water'],
				},
			},
		]);
		expect(jobs).toEqual([
			{ noun: 'audit', id: auditId, resume: 'Audit, Get', resumeCost: 'not stated' },
		]);
		expect(sandbox.spent(sandbox.keys.main)).toMatchObject({ audit: 1 });
	});

	test.each(STARTS.map((operation) => ({ name: operation.value, operation })))(
		'$name is refused for the account by a wrong key and by no credits',
		async ({ operation }) => {
			for (const key of ['wrong', sandbox.keys.empty]) {
				const led = await lead(sandbox, operation, [operation.prepare(BRAND)], { key });
				expect(led.failure).toMatchObject({ cause: 'refused', scope: 'account' });
				expect(led).toMatchObject({ jobs: [], waits: [] });
			}
		},
	);

	test('an answer without an ID is unknown, and nobody waits for it', async () => {
		sandbox.fault({ kind: 'body', body: { status: true } });
		for (const operation of STARTS) {
			const led = await lead(sandbox, operation, [operation.prepare(BRAND)]);
			expect(led).toMatchObject({ jobs: [], waits: [] });
			expect(led.readings).toEqual([
				expect.objectContaining({
					outcome: 'unknown',
					reason: expect.stringMatching(/no audit ID/),
				}),
			]);
		}
	});

	describe.each(LOOKS)('$name', ({ operation, path }) => {
		const look = async (auditId: string, key?: string) => {
			const led = await lead(sandbox, operation, [operation.prepare({ auditId })], { key });
			expect(led.requests).toEqual([
				{ service: 'main', method: 'GET', path, query: { audit_id: auditId } },
			]);
			return led;
		};

		test('tells how far an audit is, and its results when it is finished', async () => {
			const { auditId } = await start({ competitors: ['Tea'] });
			expect((await look(auditId)).readings).toMatchObject([
				{ outcome: 'unknown', record: { auditId, status: 'pending', progress: 0 } },
			]);

			sandbox.finishAudits();
			expect((await look(auditId)).readings).toMatchObject([
				{
					outcome: 'positive',
					record: {
						...{ auditId, status: 'completed', progress: null, brandName: 'Example Coffee' },
						...{ competitors: ['Tea'], score: expect.any(Number), platformCount: 4 },
						mentions: operation === getAudit ? null : expect.any(Number),
						results: operation === getAudit ? expect.any(Array) : null,
					},
				},
			]);
		});

		test('tells that an audit failed, and why', async () => {
			const { auditId } = await start({ brandName: AUDIT.failingBrand });
			sandbox.finishAudits();
			expect((await look(auditId)).readings).toMatchObject([
				{ outcome: 'negative', reason: 'The brand website could not be read.' },
			]);
		});

		test('knows an audit without a status word by its results', async () => {
			const { auditId } = await start({ brandName: AUDIT.wordlessBrand });
			sandbox.finishAudits();
			expect((await look(auditId)).readings).toMatchObject([
				{ outcome: 'positive', record: { auditId, status: null } },
			]);
		});

		test('is refused an unknown audit, another account’s, and with a wrong key', async () => {
			const { auditId } = await start();
			for (const led of [await look('none'), await look(auditId, sandbox.keys.other)]) {
				expect(led.failure).toMatchObject({
					...{ cause: 'refused', scope: 'question' },
					reason: expect.stringMatching(/Audit not found/),
				});
			}
			expect((await look(auditId, 'wrong')).failure).toMatchObject({ scope: 'account' });
		});
	});

	describe('Run and Wait', () => {
		const runAndWait = async (
			given: Given,
			onWait: (waitMs: number, count: number) => void = (_, count) =>
				count === 3 && sandbox.finishAudits(),
		) =>
			await lead(sandbox, runAuditAndWait, [runAuditAndWait.prepare({ ...BRAND, ...given })], {
				onWait,
			});

		test('starts once, looks at the pace of audits, and gives the results', async () => {
			const { readings, requests, waits, jobs } = await runAndWait({});
			expect(readings).toMatchObject([
				{ outcome: 'positive', record: { auditId: jobs[0].id, status: 'completed' } },
			]);
			expect(waits).toEqual([AUDIT_PACE_MS, AUDIT_PACE_MS, AUDIT_PACE_MS]);
			expect(requests.map(({ path }) => path)).toEqual([
				...['/audit_run', '/audit', '/audit', '/audit'],
			]);
			expect(sandbox.spent(sandbox.keys.main)).toMatchObject({ audit: 1 });
		});

		test.each([
			[AUDIT.failingBrand, { outcome: 'negative', reason: 'The brand website could not be read.' }],
			[AUDIT.wordlessBrand, { outcome: 'positive', record: { status: null } }],
		])('sees the end of %s', async (brandName, reading) => {
			expect((await runAndWait({ brandName })).readings).toMatchObject([reading]);
		});

		test('looks again after a lost look', async () => {
			sandbox.fault({ kind: 'status', status: 500, path: 'audit', times: 1 });
			const { readings, waits } = await runAndWait({});
			expect(readings?.map(wordOf)).toEqual(['positive']);
			expect(waits).toHaveLength(3);
		});

		test('ends when the audit is refused, and hands that back', async () => {
			sandbox.fault({ kind: 'status', status: 404, body: { error: 'Gone.' }, path: 'audit' });
			const { readings, waits } = await runAndWait({});
			expect(readings).toMatchObject([{ failure: { cause: 'refused', scope: 'question' } }]);
			expect(waits).toHaveLength(1);
		});

		test('goes on at a word that nobody knows, and quotes it while it waits', () => {
			const question = runAuditAndWait.prepare(BRAND);
			const talk = talkAbout(runAuditAndWait, [question]);
			const hear = (body: IDataObject) => {
				const { value: step } = talk.next();
				if (!step || !('exchange' in step)) throw new Error('A call was expected');
				return step.exchange.read(body, { status: 200, headers: {} });
			};
			talk.next();
			talk.next(runStarted());
			expect(talk.next().value).toEqual({ waitMs: AUDIT_PACE_MS, note: undefined });
			const heard = hear({ audit_id: 'a1', status: 'Marinating', overall_score: 1 });
			expect(talk.next(heard).value).toEqual({
				waitMs: AUDIT_PACE_MS,
				note: expect.stringMatching(/"Marinating".*does not know.*add it to Finished When/),
			});
		});

		const runStarted = () => ({ outcome: 'positive', record: { auditId: 'a1' } });

		test.each(['Marinating, done', ['done', 'marinating'], 'done\nMARINATING'])(
			'ends at a word of Finished When (%j)',
			async (finishedWhen) => {
				sandbox.fault({
					...{ kind: 'body', path: 'audit' },
					body: { audit_id: 'a1', status: 'marinating' },
				});
				const { readings, waits } = await runAndWait({ finishedWhen });
				expect(readings?.map(wordOf)).toEqual(['positive']);
				expect(waits).toHaveLength(1);
			},
		);

		test.each(['', ' , ', null, undefined, {}])(
			'takes the usual words where Finished When is %j',
			async (finishedWhen) => {
				expect((await runAndWait({ finishedWhen })).readings?.map(wordOf)).toEqual(['positive']);
			},
		);
	});
});
