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

describe('an audit that says it is finished', () => {
	const REPORT = {
		...{ status: 'completed', audit_id: 'a1', overall_score: 34 },
		results: [{ platform: 'assistant', score: 40, mentions: 3 }],
	};
	const stateOf = (fields: IDataObject, finishedWords?: string[], status = 200) =>
		readAudit({ ...REPORT, ...fields }, { ...HEAD, status }, { finishedWords }).state;
	const LISTS = ['action_plan', 'issues', 'quick_wins'];

	test.each<IDataObject>([
		...LISTS.flatMap((name) => [
			{ [name]: [{ title: 'Add answers', status: 'pending' }] },
			{ [name]: [{ title: 'Add answers', done: false, completed: false, progress: 40 }] },
		]),
		...[{ webhook: { url: 'x', status: 'pending' } }, { notification: { state: 'queued' } }],
		...[{ pdf: { status: 'generating', url: null } }, { locations: [{ state: 'running' }] }],
		...[{ percent: 34 }, { percentage: '34%' }, { completeness: 0.5 }, { completion_rate: 60 }],
		...[{ failed: 2 }, { errors: 2 }, { error_count: 2 }, { timed_out_prompts: 2 }].map(
			(failed) => ({ total_prompts: 40, completed_prompts: 38, ...failed }),
		),
		...['aborted', 'unsuccessful'].map((word) => ({
			...{ platforms_total: 4, platforms_completed: 3, [`platforms_${word}`]: 1 },
		})),
		// Parts that failed are counted where they are listed
		...[
			[{ status: 'completed' }, { status: 'failed' }],
			{ assistant: 'completed', other: 'failed' },
		].flatMap((platforms) => [
			{ platforms, platforms_completed: 1, platforms_total: 2 },
			{ platforms, completed: 1, total: 2 },
		]),
		...[{ failed: true }, { error: 'blocked' }, { state: 'skipped' }].map((failed) => ({
			platforms: [{ completed: true }, { completed: false, progress: 40, ...failed }],
		})),
	])('has finished beside %j', (fields) => {
		expect(stateOf(fields)).toBe('finished');
		expect(stateOf(fields, ['completed'])).toBe('finished');
	});

	test.each<IDataObject>([
		{ progress: 40 },
		{ total_prompts: 40, completed_prompts: 37, failed: 2 },
		// Those that failed are counted once, and are not those of other parts
		{
			...{ total_platforms: 4, completed_platforms: 2, failed_platforms: 1 },
			platforms: [{ status: 'completed' }, { status: 'completed' }, { status: 'failed' }],
		},
		...['assistants', 'channels', 'llms', 'runs', 'sections', 'jobs', 'subtasks'].map((parts) => ({
			[parts]: [{ status: 'completed' }, { status: 'running' }],
		})),
		...['analysis', 'processing', 'sub', 'summary'].map((part) => ({
			[`${part}_status`]: 'running',
		})),
		...[{ summary: { status: 'pending' } }, { finalized: false }, { ended: 'no' }],
		{ completed_platforms: ['a'], all_platforms: ['a', 'b'] },
		{ results: { assistant: { score: 1 }, other: { status: 'in queue' } } },
		{ prompts: [{ text: 'best coffee', state: 'pending' }] },
	])('still runs by its own work in %j, unless the user set the word', (fields) => {
		expect(stateOf(fields)).toBe('running');
		expect(stateOf(fields, ['completed'])).toBe('finished');
		expect(stateOf(fields, ['done'])).toBe('running');
	});

	const OTHERS = ['brand', 'project', 'company', 'website', 'monitoring', 'client', 'workspace'];
	test.each(OTHERS)('has finished beside a %s with a state of its own', (name) => {
		const { audit_id: id, ...report } = REPORT;
		for (const status of ['active', 'online', 'pending', 'running', 'new', 'failed']) {
			for (const parts of [report, { ...report, audit_id: id }]) {
				const body = { ...parts, [name]: { name: 'Example Coffee', status } };
				for (const each of [body, { data: body }, { success: true, audit: body }])
					expect([each, readAudit(each, HEAD)]).toMatchObject([each, { state: 'finished' }]);
				const own = { ...body, status: 'Marinated' };
				expect(readAudit(own, HEAD, { finishedWords: ['marinated'] }).state).toBe('finished');
			}
		}
	});

	test.each(['job', 'audit', 'task', 'data', 'result', 'run', 'audit_status'])(
		'still runs by the state of its %s',
		(name) => {
			const { audit_id: id, ...report } = REPORT;
			expect(readAudit({ ...report, [name]: { status: 'running' } }, HEAD).state).toBe('running');
			const named = { ...report, brand: { audit_id: id, status: 'running' } };
			expect(readAudit(named, HEAD).state).toBe('running');
		},
	);

	test('still runs under HTTP 202, unless the user set the word', () => {
		expect(stateOf({}, undefined, 202)).toBe('running');
		expect(stateOf({}, ['Completed'], 202)).toBe('finished');
	});
});

describe('an audit without a word of its own', () => {
	const some = { score: 50, mentions: 2 };
	test.each<IDataObject>([
		{ results: { assistant: some, other: null } },
		...[{ platforms: { a: { mentioned: false } } }, { summary: { sentiment: 'pending' } }],
		...[{ chatgpt: some, claude: null }, { by_platform: [{ score: 2 }, { state: 'running' }] }],
		{ chatgpt: { status: 'done', score: 2 }, gemini: { status: 'running' } },
		{ total_platforms: 4, results: [{ platform: 'chatgpt', score: 2 }] },
		...['Please check back later', 'Results so far'].map((message) => ({ score: 3, message })),
		...[
			...[{ status_message: 'Collecting data from the platforms' }, { updating: true }],
			...[{ progress: { chatgpt: true, claude: false } }, { processed: false }],
			...[{ completed_models: 3, num_models: 4 }, { awaiting_platforms: ['claude'] }],
			...[{ questions: { completed: 3, total: 4 } }, { is_interim: true }],
			...[{ responses_received: 3, responses_expected: 12 }],
			...[{ total_queries: 8, queries_run: 7 }],
		].map((fields) => ({ score: 3, ...fields })),
		...[{ results: { chatgpt: { score: 3 }, gemini: 'pending' } }, { target_score: 80 }],
		...[{ results: [{ score: 60 }, { p: 'b', score: null }] }, { settings: { score: 5 } }],
		...[{ results: [{ platform: 'chatgpt' }, { platform: 'claude' }] }],
		...[{ results: ['Audit started, this takes a few minutes'] }],
		{ summary: 'Reviews will help. Please check back.' },
		...['fetching', 'in queue', 'analysing'].map((status) => ({
			results: [{ score: 3 }, { platform: 'other', status }],
		})),
	])('still runs beside %j', (fields) => {
		for (const status of [true, 'success'])
			expect(readAudit({ audit_id: 'a1', status, ...fields }, HEAD).state).toBe('running');
	});

	const found = { audit_id: 'a1', score: 62, results: [{ platform: 'a', score: 62 }] };
	const stateBeside = (said: IDataObject) => readAudit({ ...found, ...said }, HEAD).state;
	test.each(['data_status', 'result_type', 'completeness', 'resultsCompleteness'])(
		'still runs if %s is the word for a part',
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
	test.each(SAID_IN)('still runs if %s says that its results are partial', (field) => {
		for (const text of PARTIAL)
			for (const said of [text, [text], { text }]) {
				const body = { [field]: said };
				const states = [stateBeside(body), stateBeside({ ...body, status: 'completed' })];
				expect([text, ...states]).toEqual([text, 'running', 'finished']);
			}
		for (const text of ['Results', 'No partial results', 'It is a partially positive view'])
			expect([text, stateBeside({ [field]: text })]).toEqual([text, 'finished']);
	});

	const result = (more: IDataObject) => ({ results: [{ platform: 'a', score: 62, ...more }] });
	test.each<IDataObject>([
		...['3 of 10 prompts mention Acme', 'Users say the best features are still to come'].map(
			(comments) => result({ comments }),
		),
		result({ information: 'Wikipedia: Acme released partial results in Q3' }),
		...['1 of 4 platforms timed out', 'Results are incomplete: Gemini refused'].map((warning) => ({
			...{ ...result({}), warnings: [warning] },
		})),
		{ prompts_total: 40, prompts_answered: 38, prompts_failed: 2, score: 10 },
		{ score: 3, message: 'Processing completed' },
		{ platforms: { assistant: { mentioned: true }, other: { mentioned: false } } },
		{ summary: { visibility: 'high', sentiment: 'Mostly positive' } },
		result({ notes: 'No negative mentions so far' }),
		{ chatgpt: some, claude: some, total_platforms: 2, platforms: ['chatgpt', 'claude'] },
		{ total_platforms: 1, results: [{ platform: 'chatgpt', score: 2 }] },
		...[60, 0].map((score) => ({ results: [{ p: 'a', score, rank: null }] })),
		{ summary: `Reviews will help: ${'the brand is known for its beans. '.repeat(6)}` },
	])('has finished in %j', (fields) => {
		expect(readAudit({ audit_id: 'a1', status: true, ...fields }, HEAD).state).toBe('finished');
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
