import fc from 'fast-check';
import type { GenericValue, IDataObject } from 'n8n-workflow';
import {
	isFailed,
	isRefusal,
	type LocalAnswer,
	type Params,
	type Reading,
	type Refusal,
	type ServiceRequest,
} from '../../engine';
import { getAudit } from '../../../nodes/LookupMessaging/operations/audit/get';
import { getAuditSummary } from '../../../nodes/LookupMessaging/operations/audit/getSummary';
import { runAudit } from '../../../nodes/LookupMessaging/operations/audit/run';
import { runAuditAndWait } from '../../../nodes/LookupMessaging/operations/audit/runAndWait';
import { readAudit } from '../../../nodes/LookupMessaging/operations/audit/state';
import type { ErrorStatus } from '../../sandbox';
import { CALM, FOUND, FULL_COUNTS, MAY_RUN, RUNNING } from '../../models/auditSigns';
import { BUSY } from '../../models/jobReplies';
import { perform, performInSandbox, ScriptEnded, scriptedClient } from '../fakes/fakeClient';
import { headOf, ok } from '../fakes/replies';
import { sandboxOfTests } from '../fakes/sandboxOfTests';

const BRAND: Params = { brandName: 'Example Coffee', brandUrl: 'https://coffee.example' };
const STARTS = [runAudit, runAuditAndWait];
const GETTERS = [getAudit, getAuditSummary];

const HEAD = headOf(getAudit.request({ auditId: 'a1' }));

const wordOf = (reading: unknown) => {
	if (isFailed(reading)) return reading.failure.cause;
	if (isRefusal(reading)) return reading.scope;
	return (reading as Exclude<Reading, Refusal>).outcome;
};

describe('an audit request', () => {
	/** The body of the first request of Run, which Run and Wait sends too. */
	const bodyFor = async (given: Params) => {
		const requests: ServiceRequest[] = [];
		for (const operation of STARTS) {
			const client = scriptedClient([]);
			const performed = perform(operation, [operation.prepare({ ...BRAND, ...given })], client);
			await expect(performed).rejects.toThrow(ScriptEnded);
			requests.push(...client.requests);
		}
		const [{ body, ...request }] = requests;
		expect(request).toEqual({ service: 'main', method: 'POST', path: '/audit_run' });
		expect(requests).toEqual([requests[0], requests[0]]);
		return body;
	};

	test('has the names of SPEC, and no competitors if there are none', async () => {
		expect(await bodyFor({ brandName: ' Example, Coffee ' })).toEqual({
			...{ brand_name: 'Example, Coffee', brand_url: 'https://coffee.example' },
		});
	});

	test('keeps the joiners of scripts that need them in the name of the brand', async () => {
		expect(await bodyFor({ brandName: '\u200eدیجی\u200cکالا ' })).toMatchObject({
			brand_name: 'دیجی\u200cکالا',
		});
		expect(await bodyFor({ brandName: 'Ac\u200cme' })).toMatchObject({ brand_name: 'Acme' });
	});

	test.each([
		...['coffee.example', '//coffee.example', 'cof\u200dfee.example'].map((written) => [
			...[written, 'https://coffee.example'],
		]),
		['www.Coffee.example/Path?a=b', 'https://www.Coffee.example/Path?a=b'],
		...['http://coffee.example', 'https://localhost'].map((written) => [written, written]),
	])('may have the brand URL %j, which is sent as %j', async (brandUrl, sent) => {
		expect(await bodyFor({ brandUrl })).toMatchObject({ brand_url: sent });
	});

	const LEGAL_FORMS = ['Acme, S.A.', 'Foo, Incorporated', 'Ale, A/S', 'Rye, GmbH & Co. KG', 'SAS'];
	test.each<[competitors: GenericValue, sent: string[] | undefined]>([
		...[['Tea & Co', ' Water ', 'Tea & Co '], 'Tea & Co\r\nWater\n', 'Tea & Co; Water,, ;']
			.concat('["Tea & Co", "Water"]', 'Tea & Co, n/a, undefined, Water')
			.map((written): [GenericValue, string[]] => [written, ['Tea & Co', 'Water']]),
		[LEGAL_FORMS.join(', '), LEGAL_FORMS],
		['1. Tea\n2) Water\n3. 3M', ['Tea', 'Water', '3M']],
		['Tea, "Salt, Pepper" ,“A; B”', ['Tea', 'Salt, Pepper', 'A; B']],
		['- Tea\n• Water\n- 3-In-One', ['Tea', 'Water', '3-In-One']],
		['[solidcore], None Ltd', ['[solidcore]', 'None Ltd']],
		[
			[7, ' ["Tea, Inc."]\n'],
			['7', '["Tea, Inc."]'],
		],
		...['[]', '', null, [' ', ''], 'none, -', 'N/A'].map((none): [GenericValue, undefined] => [
			...([none, undefined] as const),
		]),
	])('may have the competitors %j, which are sent as %j', async (competitors, sent) => {
		expect((await bodyFor({ competitors }))?.competitors).toEqual(sent);
	});

	test('counts the entries of a long list of competitors only up to the maximum', async () => {
		const exec = jest.spyOn(RegExp.prototype, 'exec');
		expect(runAudit.prepare({ ...BRAND, competitors: 'a,'.repeat(50_000) })).toMatchObject({
			field: 'Competitors',
		});
		expect(exec.mock.calls.length).toBeLessThan(2_000);
		exec.mockRestore();
		await Promise.resolve();
	});

	test('may have competitors with any usual separator, in any number and mix', async () => {
		const names = ['Tea & Co', 'Water-1', 'A and B', '[solidcore]', "O'Hara", 'Salt, Inc.'];
		const separator = fc.constantFrom(
			...[',', ';', '|', '\t', '、', '，', '；', ' , '],
			...['\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'],
		);
		const pairs = fc.array(fc.tuple(fc.constantFrom(...names), separator), { minLength: 2 });
		await fc.assert(
			fc.asyncProperty(pairs, async (list) => {
				const body = await bodyFor({ competitors: list.flat().join('') });
				expect(body?.competitors).toEqual([...new Set(list.map(([name]) => name))]);
			}),
			{ seed: 3 },
		);
	});

	test.each<[name: string, field: string, local: LocalAnswer['local'], values: GenericValue[]]>([
		['brandName', 'Brand Name', 'empty', [' ']],
		['brandName', 'Brand Name', 'malformed', [['Tea']]],
		['brandUrl', 'Brand URL', 'empty', ['']],
		[
			...(['brandUrl', 'Brand URL', 'malformed'] as const),
			[
				...['mailto:a@coffee.example', 'a@coffee.example', 'coffee', 'https://undefined'],
				'https://www.null/about',
			],
		],
		[
			...(['competitors', 'Competitors', 'malformed'] as const),
			[
				...[[{ name: 'Tea' }], ['Tea', null], 'Tea, [object Object]', true, '{"name": "Tea"}'],
				...['[{"name": "Tea"}]', '["Tea", "Wat', "['Tea']", '"Tea, Water', '[Tea, Water]'],
			],
		],
	])(
		'with such a %s is refused locally, naming the field %s, as %s: %j',
		(name, field, local, values) => {
			for (const operation of STARTS)
				for (const value of values) {
					const answer = operation.prepare({ ...BRAND, [name]: value });
					expect([value, answer]).toMatchObject([value, { local, field }]);
				}
		},
	);
});

describe('the state of an audit', () => {
	const head = { audit_id: 'a1' };
	const results = { overall_score: 50 };

	const STATES: Record<string, IDataObject[]> = {
		running: [
			...['pending', 'QUEUED', 'In Progress'].map((status) => ({ ...head, status })),
			{ ...head, status: 'in-progress', ...results },
			...[head, {}, { status: 'success', audit_status: 'running' }],
			{ status: true, data: { ...head, status: 'running' } },
			{ status: 'running', result: { ...head, status: 'success', ...results } },
			{ ...head, status: 'processing', data: { status: true, ...results } },
			...[{ state: 'running' }, { code: 2 }, 0, 40, ['completed', 'running']].map((status) => ({
				...{ ...head, status, ...results },
			})),
		],
		finished: [
			{ ...head, status: 'completed', ...results },
			...['completed', ' Done ', { name: 'Completed' }].map((status) => ({ ...head, status })),
			...[{ state: 'success' }, {}, { status: 1 }, { status: '200', state: null }].map((said) => ({
				...{ ...head, ...said, ...results },
			})),
			{ ...head, status: 'success', is_complete: true },
			{ ...head, status: true, results: [{ platform: 'x', mentions: 3 }] },
			{ ...head, status: 'done', data: { status: 'ok', ...results } },
		],
		failed: [
			...['failed', 'Cancelled'].map((status) => ({ ...head, status, ...results })),
			...[{ ...head, status: 'error', error: 'No website' }],
			...[{ ...head, status: 'success', data: { status: 'failed' } }],
			{ ...head, status: true, data: { state: { status: 'failed' } } },
		],
	};
	test.each(
		Object.entries(STATES).flatMap(([state, bodies]) =>
			bodies.map((body) => [state, body] as const),
		),
	)('is %s in %j', (state, body) => {
		expect(readAudit(body, HEAD)).toMatchObject({ state, isUnknownWord: false });
	});

	test('is running with an unknown status word, which is marked as such', () => {
		const body = { ...head, status: 'Marinating', ...results };
		expect(readAudit(body, HEAD)).toMatchObject({
			...{ state: 'running', word: 'Marinating', isUnknownWord: true },
		});
		expect(readAudit(body, HEAD, { finishedWords: ['marinating'] })).toMatchObject({
			state: 'finished',
		});
	});

	test('is finished at the words that the user sets, and at no others', () => {
		const stateOf = (status: string) =>
			readAudit({ ...head, status }, HEAD, { finishedWords: ['Partially-Done'] }).state;
		expect(stateOf('partially done')).toBe('finished');
		expect(stateOf('completed')).toBe('running');
		expect(stateOf('failed')).toBe('failed');
	});
});

describe('the end of an audit', () => {
	const results = [{ platform: 'assistant', score: 4, mentions: 3 }];
	const REPORT = { status: 'completed', overall_score: 34, results };
	const stateOf = (fields: object, finishedWords?: string[], status = 200) =>
		readAudit({ audit_id: 'a1', ...fields }, { ...HEAD, status }, { finishedWords }).state;

	const ALONE = [{ status: true }, { status: 'success' }];
	const WITH_RESULTS = [{ results }, ...ALONE.map((said) => ({ ...said, results }))];
	const WITH_WORD = [{ status: 'completed' }, { status: 'Done', results }, { state: 'finished' }];
	const [running, finished] = ['running', 'finished'];
	test.each<[says: string, signs: object[], alone: string, withResults: string, withWord: string]>([
		['it runs', RUNNING, running, running, running],
		['it may run', MAY_RUN, running, running, finished],
		['nothing of it', [...CALM, ...FULL_COUNTS], running, finished, finished],
		['it is over', FOUND, finished, finished, finished],
	])('is told from fields that say %s', (_, signs, ...states) => {
		for (const fields of signs)
			for (const [nth, heads] of [ALONE, WITH_RESULTS, WITH_WORD].entries())
				for (const head of heads)
					expect([head, fields, stateOf({ ...head, ...fields })]).toEqual([
						...[head, fields, states[nth]],
					]);
	});

	test('is told by the word that the user set, whatever other fields say', () => {
		for (const fields of RUNNING) {
			const report = { ...REPORT, ...fields };
			expect([fields, stateOf(report, ['Completed']), stateOf(report, ['done'])]).toEqual([
				...[fields, finished, running],
			]);
		}
		expect([stateOf(REPORT, undefined, 202), stateOf(REPORT, ['Completed'], 202)]).toEqual([
			...[running, finished],
		]);
	});

	test('is that of all platforms that are listed', () => {
		const some = { score: 50, mentions: 2 };
		const both = { total_platforms: 2, platforms: ['chatgpt', 'claude'] };
		expect(stateOf({ status: true, chatgpt: some, claude: some, ...both })).toBe(finished);
		const one = { total_platforms: 4, results: [{ platform: 'chatgpt', score: 2 }] };
		expect([stateOf(one), stateOf({ status: 'done', ...one })]).toEqual([running, finished]);
	});

	const OTHERS = ['brand', 'project', 'company', 'website', 'monitoring', 'client', 'workspace'];
	test.each(OTHERS)('is not told by the state of a %s', (name) => {
		for (const status of ['active', 'online', 'pending', 'running', 'new', 'failed']) {
			for (const id of [{}, { audit_id: 'a1' }]) {
				const body = { ...REPORT, ...id, [name]: { name: 'Example Coffee', status } };
				for (const each of [body, { data: body }, { success: true, audit: body }])
					expect([each, readAudit(each, HEAD)]).toMatchObject([each, { state: finished }]);
				const own = { ...body, status: 'Marinated' };
				expect(readAudit(own, HEAD, { finishedWords: ['marinated'] }).state).toBe(finished);
			}
		}
	});

	const OWN = ['job', 'audit', 'task', 'data', 'result', 'run', 'audit_status'];
	test.each(OWN)('is told by the state of its %s, and of what has its ID', (name) => {
		expect(readAudit({ ...REPORT, [name]: { status: running } }, HEAD).state).toBe(running);
		const brand = { audit_id: 'a1', status: running };
		expect(readAudit({ ...REPORT, brand }, HEAD).state).toBe(running);
	});

	const found = { audit_id: 'a1', score: 62, results: [{ platform: 'a', score: 62 }] };
	const stateBeside = (said: IDataObject) => readAudit({ ...found, ...said }, HEAD).state;
	test.each(['data_status', 'result_type', 'completeness', 'resultsCompleteness'])(
		'is not there yet if %s is the word for a part',
		(field) => {
			const states = ['partial', 'Incomplete', 'full', 'complete'].map((word) =>
				stateBeside({ [field]: word }),
			);
			expect(states).toEqual(['running', 'running', 'finished', 'finished']);
		},
	);

	const PARTIAL = [
		...['Partial results', 'partial', 'PARTIAL REPORT', 'Results are partial', 'Interim data'],
		...['The report is still incomplete', 'More results to come', 'Preliminary findings'],
	];
	const SAID_IN = ['message', 'info', 'note', 'remark', 'comment', 'warning', 'information'];
	test.each(SAID_IN)('is not there yet if %s says that its results are partial', (field) => {
		for (const text of PARTIAL)
			for (const said of [text, [text], { text }]) {
				const body = { [field]: said };
				const states = [stateBeside(body), stateBeside({ ...body, status: 'completed' })];
				expect([text, ...states]).toEqual([text, 'running', 'finished']);
			}
		for (const text of ['Results', 'No partial results', 'It is a partially positive view'])
			expect([text, stateBeside({ [field]: text })]).toEqual([text, 'finished']);
	});
});

describe('Get', () => {
	const read = (body: IDataObject, status = 200) =>
		getAudit.read(body, headOf(getAudit.request({ auditId: 'a1' }), status), { auditId: 'a1' });

	const a1 = { audit_id: 'a1' };
	test.each<[word: string, reason: RegExp | undefined, body: IDataObject, status?: number]>([
		['positive', undefined, { audit_id: 'a1', status: 'done' }],
		['unknown', /^the status .*"queued"$/, { audit_id: 'a1', status: 'queued' }],
		['unknown', /"Odd".*doesn't know$/, { status: 'Odd', id: 1 }],
		[
			...(['unknown', /"complete", but other fields say that it isn't finished$/] as const),
			{ audit_id: 'a1', status: 'complete', progress: 40 },
		],
		['negative', /^Why$/, { audit_id: 'a1', status: 'failed', error: 'Why' }],
		// Words of a page, and not about the account
		['negative', /authentication/, { ...a1, status: 'failed', error: 'Needs authentication' }],
		['question', /not found/, { status: false, error: 'Audit not found.' }],
		['question', /Not found/, { status: 'error', message: 'Not found' }],
		['question', /Gone/, { id: 'a1', status: 'failed', error: 'Gone' }, 404],
		['account', /API key/, { status: 'error', error: 'Invalid API key.' }],
		['account', /Pay up/, { error: 'Pay up' }, 402],
		['unknown', /still running/, { ...a1, status: 'success', message: 'It is still running' }],
		['unknown', /another audit/, { audit_id: 'a2', status: 'done' }],
		['unknown', /another audit/, { data: { auditId: 'a2', score: 1 } }],
		['positive', undefined, { audit_id: ' A1', status: 'done' }],
		['positive', undefined, { audit_id: 7, status: 'done' }],
	])('reads as %s with the reason %s: %j', (...[word, reason, body, status]) => {
		const reading = read(body, status);
		expect(wordOf(reading)).toBe(word);
		if (reason) expect(reading.reason).toMatch(reason);
		else expect(reading.reason).toBeUndefined();
	});

	test('needs an ID', () => {
		for (const operation of GETTERS) {
			const kindOf = (auditId: GenericValue) => operation.prepare({ auditId });
			for (const none of ['', ' ', null])
				expect(kindOf(none)).toMatchObject({ local: 'empty', field: 'Audit ID' });
			for (const wrong of [{}, ['a1']])
				expect(kindOf(wrong)).toMatchObject({ local: 'malformed', field: 'Audit ID' });
		}
	});
});

describe.each<ErrorStatus>(['http', 'ok'])('with errors as %s', (errorStatus) => {
	const sandbox = sandboxOfTests({ errorStatus, auditSeconds: 3600 });

	const start = async (given: Params = {}) => {
		const question = runAudit.prepare({ ...BRAND, ...given });
		const performed = await performInSandbox(sandbox, runAudit, [question]);
		return { ...performed, auditId: performed.jobs[0].id };
	};

	test('Run returns the ID of the audit, and reports it as a job', async () => {
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
			{ noun: 'audit', id: auditId, resume: 'Audit → Get', resumeCost: 'not stated' },
		]);
		expect(sandbox.spent(sandbox.keys.main)).toMatchObject({ audit: 1 });
	});

	test.each(STARTS.map((operation) => ({ name: operation.value, operation })))(
		'$name polls nothing if it is refused for the account, or gets no ID, which is unknown',
		async ({ operation }) => {
			const question = operation.prepare(BRAND);
			for (const key of ['wrong', sandbox.keys.empty])
				expect(await performInSandbox(sandbox, operation, [question], { key })).toMatchObject({
					...{ failure: { cause: 'refused', scope: 'account' }, jobs: [], sleepsMs: [] },
				});
			sandbox.fault({ kind: 'body', body: { status: true } });
			const reason: unknown = expect.stringMatching(/no audit ID/);
			expect(await performInSandbox(sandbox, operation, [question])).toMatchObject({
				...{ readings: [{ outcome: 'unknown', reason }], jobs: [], sleepsMs: [] },
			});
		},
	);

	describe('Run and Wait', () => {
		const runAndWait = async (given: Params = {}) => {
			const question = runAuditAndWait.prepare({ ...BRAND, ...given });
			const onSleep = (_: number, count: number) => count === 3 && sandbox.finishAudits();
			return await performInSandbox(sandbox, runAuditAndWait, [question], { onSleep });
		};
		const runOn = async (bodies: IDataObject[], given: Params = {}) => {
			const client = scriptedClient([{ audit_id: 'a1' }, ...bodies].map((body) => ok(body)));
			const question = runAuditAndWait.prepare({ ...BRAND, ...given });
			const { readings } = await perform(runAuditAndWait, [question], client);
			return { readings, sleeps: client.sleeps };
		};

		test.each(BUSY)('polls again after %j', async (body) => {
			for (const status of [200, 400]) {
				sandbox.fault({ kind: 'status', status, body, path: 'audit', times: 1 });
				const { readings, sleepsMs } = await runAndWait();
				expect([readings?.map(wordOf), sleepsMs.length]).toEqual([['positive'], 3]);
				sandbox.reset();
			}
		});

		test('polls again for two minutes while the service does not know the audit', async () => {
			const error = { error: 'Audit not found.' };
			sandbox.fault({ kind: 'status', status: 404, body: error, path: 'audit', times: 7 });
			const { readings, sleepsMs } = await runAndWait();
			expect(readings?.map(wordOf)).toEqual(['positive']);
			expect(sleepsMs.length).toBeGreaterThanOrEqual(8);
		});

		const bare = { audit_id: 'a1', status: 'done', brand_name: 'Example Coffee' };
		test.each<[score: number | null, again: IDataObject]>([
			[7, { ...bare, overall_score: 7 }],
			[null, bare],
			[null, { ...bare, status: 'running' }],
		])('looks once more at a finished audit without results: %j in %j', async (score, again) => {
			const { readings, sleeps } = await runOn([bare, again]);
			expect(readings).toMatchObject([{ outcome: 'positive', record: { status: 'done', score } }]);
			expect(sleeps).toHaveLength(2);
		});

		test('reads no value of the request as a result', async () => {
			const echo = { audit_id: 'a1', summary: 'Tea and Coffee of Example Town' };
			const bodies = [echo, { ...echo, overall_score: 7 }];
			const { readings } = await runOn(bodies, { brandName: echo.summary });
			expect(readings).toMatchObject([{ outcome: 'positive', record: { score: 7 } }]);
		});

		test.each(['Marinating, done', ['done', 'marinating'], 'done\nMARINATING'])(
			'ends at a word of Finished When (%j)',
			async (finishedWhen) => {
				const body = { status: 'marinating', overall_score: 1 };
				sandbox.fault({ kind: 'body', path: 'audit', body });
				const { readings, sleepsMs } = await runAndWait({ finishedWhen });
				expect(readings?.map(wordOf)).toEqual(['positive']);
				expect(sleepsMs).toHaveLength(1);
			},
		);
	});
});
