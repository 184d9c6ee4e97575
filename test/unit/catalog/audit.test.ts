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
import { AUDIT_PACE_MS } from '../../../nodes/LookupMessaging/operations/shared/polling';
import { getAudit } from '../../../nodes/LookupMessaging/operations/audit/get';
import { getAuditSummary } from '../../../nodes/LookupMessaging/operations/audit/getSummary';
import { runAudit } from '../../../nodes/LookupMessaging/operations/audit/run';
import { runAuditAndWait } from '../../../nodes/LookupMessaging/operations/audit/runAndWait';
import { readAudit } from '../../../nodes/LookupMessaging/operations/audit/state';
import { startSandbox, type ErrorStatus, type Sandbox } from '../../sandbox';
import { BUSY } from '../../models/jobReplies';
import { perform, performInSandbox, ScriptEnded, scriptedClient } from '../fakes/fakeClient';
import { headOf, ok } from '../fakes/replies';

const BRAND: Params = { brandName: 'Example Coffee', brandUrl: 'https://coffee.example' };
const STARTS = [runAudit, runAuditAndWait];
const GETTERS = [
	{ operation: getAudit, path: '/audit' },
	{ operation: getAuditSummary, path: '/audit_summary' },
].map((row) => ({ name: row.operation.value, ...row }));

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

	test.each([
		...['coffee.example', '//coffee.example', 'cof\u200dfee.example'].map((written) => [
			...[written, 'https://coffee.example'],
		]),
		['www.Coffee.example/Path?a=b', 'https://www.Coffee.example/Path?a=b'],
		['COFFEE.EXAMPLE:8080', 'https://COFFEE.EXAMPLE:8080'],
		['kaffee-müller.example', 'https://kaffee-müller.example'],
		['ශ්\u200dරී.example', 'https://ශ්\u200dරී.example'],
		...['http://coffee.example', 'https://localhost'].map((written) => [written, written]),
	])('may have the brand URL %j, which is sent as %j', async (brandUrl, sent) => {
		expect(await bodyFor({ brandUrl })).toMatchObject({ brand_url: sent });
	});

	const LEGAL_FORMS = [
		...['Acme, S.A.', 'Foo, Incorporated', 'SAP, SE', 'Tea, S.L.', 'Salt, AB', 'Oat, Oy'],
		...['Ale, A/S', 'Pie, Pty Ltd', 'Rye, GmbH & Co. KG', 'SAS', 'IBM'],
	];
	test.each<[competitors: GenericValue, sent: string[] | undefined]>([
		[
			['Tea & Co', ' Water ', 7],
			['Tea & Co', 'Water', '7'],
		],
		...[
			'Tea & Co, Water,, ',
			'Tea & Co\r\nWater\n',
			'Tea & Co; Water;',
			'["Tea & Co", "Water"]',
		].map((text): [string, string[]] => [text, ['Tea & Co', 'Water']]),
		['Tea and Co', ['Tea and Co']],
		['Tea, Inc., Water, Ltd; Incense', ['Tea, Inc.', 'Water, Ltd', 'Incense']],
		[LEGAL_FORMS.join(', '), LEGAL_FORMS],
		['1. FC Tea, 1. FC Water', ['1. FC Tea', '1. FC Water']],
		['Las Vegas, NV, Reno', ['Las Vegas', 'NV', 'Reno']],
		['1. Tea\n2) Water\n3. 3M', ['Tea', 'Water', '3M']],
		['Tea, "Salt, Pepper" ,“A; B”', ['Tea', 'Salt, Pepper', 'A; B']],
		['The "Best" Tea, 17" Screens', ['The "Best" Tea', '17" Screens']],
		['- Tea\n• Water\n- 3-In-One', ['Tea', 'Water', '3-In-One']],
		['Tea, TEA ,  tea', ['Tea']],
		[' ["Tea, Inc.","Water"]\n', ['Tea, Inc.', 'Water']],
		['[7, 8]', ['7', '8']],
		['[solidcore], Tea', ['[solidcore]', 'Tea']],
		[['Tea', 'Tea '], ['Tea']],
		['Tea, n/a, undefined, Nana, None Ltd', ['Tea', 'Nana', 'None Ltd']],
		[['-', 'Tea', 'null'], ['Tea']],
		...[
			...['[]', '', null, [], [' ', ''], 'none', 'n/a', 'NA', '-', 'null', 'undefined', '#N/A'],
			'none, -',
		].map((none): [GenericValue, undefined] => [none, undefined]),
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
	])('with the %s is refused locally, by the field %s as %s: %j', (name, field, local, values) => {
		for (const operation of STARTS)
			for (const value of values) {
				const answer = operation.prepare({ ...BRAND, [name]: value });
				expect([value, answer]).toMatchObject([value, { local, field }]);
			}
	});
});

describe('the state of an audit', () => {
	const head = { audit_id: 'a1' };
	const results = { overall_score: 50 };

	const STATES: Record<string, IDataObject[]> = {
		running: [
			...['pending', 'QUEUED', 'In Progress'].map((status) => ({ ...head, status })),
			{ ...head, status: 'in-progress', ...results },
			{ ...head, status: 'processing', progress: 99 },
			...[head, {}, { status: 'success', audit_status: 'running' }],
			{ ...head, status: true, message: 'Hold on', progress: 5 },
			{ ...head, results: [], summary: {}, score: null, note: '' },
			{ ...head, brand_name: 'A', brand_url: 'B', competitors: ['C'] },
			{ status: true, data: { ...head, status: 'running' } },
			{ status: 'success', audit: { ...head, status: 'running' } },
			{ status: 'running', result: { ...head, status: 'success', ...results } },
			{ ...head, status: 'processing', data: { status: true, ...results } },
			{ ...head, status: 'success', brand_name: 'A', results: [] },
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
			{ ...head, status: true, data: { score: 1 } },
			{ ...head, status: 'done', data: { status: 'ok', ...results } },
			{ status: true, audit: { ...head, status: 'finished' } },
		],
		failed: [
			...['failed', 'Cancelled'].map((status) => ({ ...head, status, ...results })),
			...[{ ...head, status: 'failed' }],
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
	const LISTS = ['action_plan', 'improvements', 'issues', 'checklist', 'fixes', 'quick_wins'];

	test.each<IDataObject>([
		...LISTS.flatMap((name) => [
			{ [name]: [{ title: 'Add answers', status: 'pending' }] },
			{ [name]: [{ title: 'Add answers', done: false, completed: false, progress: 40 }] },
		]),
		{ roadmap: { phases: [{ phase: 1, status: 'not_started' }] } },
		{ technical_checks: [{ name: 'schema', completed: false }] },
		...[{ monitoring: { status: 'scheduled' } }, { webhook: { url: 'x', status: 'pending' } }],
		...[{ pdf: { status: 'generating', url: null } }, { notification: { state: 'queued' } }],
		...[{ funnel: { stage: 'waiting' } }, { locations: [{ state: 'running' }] }],
		...[
			{ percent: 34 },
			{ percentage: '34%' },
			{ completeness: 0.5 },
			{ completion_rate: 60 },
			{ completion_percentage: 95 },
		],
		...[{ progress: { current: 34, target: 80 } }, { progress: { visibility: 34, tone: 50 } }],
		...[{ failed: 2 }, { errors: 2 }, { error_count: 2 }, { timed_out_prompts: 2 }].map(
			(failed) => ({ total_prompts: 40, completed_prompts: 38, ...failed }),
		),
		...['aborted', 'blocked', 'errored', 'ignored', 'unavailable', 'unsuccessful'].map((word) => ({
			...{ platforms_total: 4, platforms_completed: 3, [`platforms_${word}`]: 1 },
		})),
		// Parts that failed are counted where they are listed
		...[
			[{ status: 'completed' }, { status: 'failed' }],
			{ assistant: 'completed', other: 'failed' },
			{ assistant: 'completed', other: { status: 'error', error: 'timeout' } },
			{ assistant: { score: 4 }, other: { error: 'timeout' } },
		].flatMap((platforms) => [
			{ platforms, platforms_completed: 1, platforms_total: 2 },
			{ platforms, completed: 1, total: 2 },
			{ platforms, progress: { completed: 1, total: 2 } },
		]),
		{ progress: { completed: 3, total: 4 }, failed_platforms: ['other'] },
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
		{ total_platforms: 4, completed_platforms: 3, failed_prompts: 1 },
		...['assistants', 'channels', 'llms', 'runs', 'sections', 'jobs', 'subtasks'].map((parts) => ({
			[parts]: [{ status: 'completed' }, { status: 'running' }],
		})),
		...['analysis', 'processing', 'sub', 'summary'].map((part) => ({
			[`${part}_status`]: 'running',
		})),
		...[{ summary: { status: 'pending' } }, { finalized: false }, { ended: 'no' }],
		...[{ pending_count: 1 }, { platforms: [{ progress: 100 }, { progress: 40 }] }],
		{ completed_platforms: ['a'], all_platforms: ['a', 'b'] },
		{
			platforms: [
				{ name: 'assistant', status: 'completed' },
				{ name: 'b', status: 'fetching' },
			],
		},
		{ results: { assistant: { score: 1 }, other: { status: 'in queue' } } },
		{ prompts: [{ text: 'best coffee', state: 'pending' }] },
		{ steps: [{ name: 'report', status: 'running' }] },
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
				const around = [body, { data: body }, { success: true, audit: body }];
				const own = [{ ...body, status: 'Marinated' }];
				expect(around.map((each) => readAudit(each, HEAD).state)).toEqual(
					around.map(() => 'finished'),
				);
				expect(readAudit(own[0], HEAD, { finishedWords: ['marinated'] }).state).toBe('finished');
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
		{ platforms: { assistant: some, other: {} } },
		{ score: 3, message: 'Please check back later' },
		{ score: 3, message: 'Results so far' },
		...[
			{
				results: [
					{ p: 'a', score: 60 },
					{ p: 'b', score: null },
				],
			},
			{ score: 3, updating: true },
		],
		{ score: 3, status_message: 'Collecting data from the platforms' },
		...[
			{ chatgpt: { status: 'done', score: 2 }, gemini: { status: 'running' } },
			{ visibility: { chatgpt: { score: 2 }, gemini: { status: 'queued' } } },
			{ by_platform: [{ score: 2 }, { state: 'running' }] },
			{ chatgpt: some, claude: null },
			{ total_platforms: 4, results: [{ platform: 'chatgpt', score: 2 }] },
			{ score: 3, progress: { chatgpt: true, claude: false } },
			{ score: 3, processed: false },
			...[
				...[
					{ completed_models: 3, num_models: 4 },
					{ models_completed: 3, models: 4 },
				],
				...[{ questions: { completed: 3, total: 4 } }, { answered: 3, total_queries: 4 }],
				...[{ completed_platforms: 3, num_platforms: 4 }, { completeness: 0.5 }],
			].map((fields) => ({ score: 3, ...fields })),
			{ results: { chatgpt: { score: 3 }, gemini: 'pending' } },
			...[
				{ awaiting_platforms: ['claude'] },
				{ responses_received: 3, responses_expected: 12 },
			].map((fields) => ({ score: 3, ...fields })),
			{ score: 3, message: 'We are collecting answers from 4 platforms' },
			{ results: [{ platform: 'chatgpt' }, { platform: 'claude' }] },
			{ summary: 'Collecting answers from the four platforms' },
			{ results: ['Audit started, this takes a few minutes'] },
		],
		...[{ platforms: { a: { mentioned: false } } }, { summary: { sentiment: 'pending' } }],
		{ summary: 'Reviews will help. Please check back.' },
		{ prompts_total: 40, prompts_answered: 12, score: 10 },
		{ total_queries: 8, queries_run: 7, score: 10 },
		...[
			{ score: 4, preliminary: true },
			{ score: 4, is_interim: true },
		],
		...['fetching', 'in queue', 'analysing'].map((status) => ({
			results: [
				{ platform: 'assistant', score: 3 },
				{ platform: 'other', status },
			],
		})),
	])('still runs beside %j', (fields) => {
		for (const status of [true, 'success']) {
			expect(readAudit({ audit_id: 'a1', status, ...fields }, HEAD).state).toBe('running');
		}
	});

	const PARTIAL = [
		...['Partial results', 'partial', 'PARTIAL REPORT', 'Results are partial', 'Interim data'],
		...['The report is still incomplete', 'More results to come', 'Preliminary findings'],
	];
	test.each(['data_status', 'result_type', 'completeness', 'resultsCompleteness'])(
		'still runs if %s is the word for a part',
		(field) => {
			const found = { audit_id: 'a1', score: 62, results: [{ platform: 'a', score: 62 }] };
			const stateOf = (word: string) => readAudit({ ...found, [field]: word }, HEAD).state;
			expect(['partial', 'Incomplete', 'full', 'complete'].map(stateOf)).toEqual([
				...['running', 'running', 'finished', 'finished'],
			]);
		},
	);

	const SAID_IN = ['message', 'info', 'note', 'remark', 'comment', 'warning', 'information'];
	test.each(SAID_IN)('still runs if %s says that its results are partial', (field) => {
		const found = { audit_id: 'a1', score: 62, results: [{ platform: 'a', score: 62 }] };
		for (const text of PARTIAL) {
			for (const said of [text, [text], { text }]) {
				const body = { ...found, [field]: said };
				expect([text, readAudit(body, HEAD).state]).toEqual([text, 'running']);
				const finished = readAudit({ ...body, status: 'completed' }, HEAD).state;
				expect([text, finished]).toEqual([text, 'finished']);
			}
		}
		for (const text of ['Results', 'No partial results', 'It is a partially positive view']) {
			expect([text, readAudit({ ...found, [field]: text }, HEAD).state]).toEqual([
				text,
				'finished',
			]);
		}
	});

	const result = (more: IDataObject) => ({ results: [{ platform: 'a', score: 62, ...more }] });
	test.each<IDataObject>([
		...[
			result({ comments: '3 of 10 prompts mention Acme' }),
			result({ comments: 'Users say the best features are still to come' }),
			result({ information: 'Wikipedia: Acme released partial results in Q3' }),
			result({ notes: 'No negative mentions so far' }),
		],
		...['1 of 4 platforms timed out', 'Results are incomplete: Gemini refused'].map((warning) => ({
			...{ ...result({}), warnings: [warning] },
		})),
		{ ...result({}), remarks: '50% of answers mention the brand' },
		{ results: { assistant: some, other: some } },
		{ prompts_total: 40, prompts_answered: 40, score: 10 },
		{ prompts_total: 40, prompts_answered: 38, prompts_failed: 2, score: 10 },
		{ score: 3, message: 'Results', preliminary: false },
		{ score: 3, message: 'Processing completed' },
		{ chatgpt: some, claude: some, total_platforms: 2, platforms: ['chatgpt', 'claude'] },
		{ total_platforms: 1, results: [{ platform: 'chatgpt', score: 2 }] },
		{
			results: [
				{ p: 'a', score: 60, rank: null },
				{ p: 'b', score: 0, rank: null },
			],
		},
		{ platforms: { assistant: { mentioned: true }, other: { mentioned: false } } },
		{ summary: { visibility: 'high', sentiment: 'Mostly positive' } },
		{ summary: `Reviews will help: ${'the brand is known for its beans. '.repeat(6)}` },
	])('has finished in %j', (fields) => {
		expect(readAudit({ audit_id: 'a1', status: true, ...fields }, HEAD).state).toBe('finished');
	});
});

describe('Get', () => {
	const read = (body: IDataObject, status = 200) =>
		getAudit.read(body, headOf(getAudit.request({ auditId: 'a1' }), status), { auditId: 'a1' });

	test.each<[string, IDataObject, number, string, RegExp | undefined]>([
		['finished', { audit_id: 'a1', status: 'done' }, 200, 'positive', undefined],
		['running', { audit_id: 'a1', status: 'queued' }, 200, 'unknown', /^the status .*"queued"$/],
		['at an unknown word', { status: 'Odd', id: 1 }, 200, 'unknown', /"Odd".*doesn't know$/],
		['wordless', { audit_id: 'a1' }, 200, 'unknown', /^the audit isn't finished$/],
		[
			'finished by its word, and not by its progress',
			{ audit_id: 'a1', status: 'complete', progress: 40 },
			...([200, 'unknown', /"complete", but other fields say that it isn't finished$/] as const),
		],
		['failed', { audit_id: 'a1', status: 'failed', error: 'Why' }, 200, 'negative', /^Why$/],
		['failed for no reason', { id: 'a1', state: 'failed' }, 200, 'negative', /audit failed/],
		[
			'failed for want of access',
			{ audit_id: 'a1', status: 'failed', error: 'The site needs authentication' },
			...([200, 'negative', /needs authentication/] as const),
		],
		['an error', { status: false, error: 'Audit not found.' }, 200, 'question', /not found/],
		[
			'a no in a text',
			{ success: 'false', message: 'Not for you' },
			200,
			'question',
			/Not for you/,
		],
		['an error by ID', { audit_id: 'a1', error: 'Audit not found.' }, 200, 'question', /not found/],
		['an error by word', { status: 'error', message: 'Not found' }, 200, 'question', /Not found/],
		['an HTTP error', { id: 'a1', status: 'failed', error: 'Gone' }, 404, 'question', /Gone/],
		['a wrong key', { status: 'error', error: 'Invalid API key.' }, 200, 'account', /API key/],
		['no credits', { error: 'Pay up' }, 402, 'account', /Pay up/],
		[
			'running in words beside a successful call',
			{ audit_id: 'a1', status: 'success', message: 'The audit is still processing' },
			...([200, 'unknown', /still processing/] as const),
		],
		['another one', { audit_id: 'a2', status: 'done' }, 200, 'unknown', /another audit/],
		['another one inside', { data: { auditId: 'a2', score: 1 } }, 200, 'unknown', /another audit/],
		['the same in capitals', { audit_id: ' A1', status: 'done' }, 200, 'positive', undefined],
		['named by a number', { audit_id: 7, status: 'done' }, 200, 'positive', undefined],
	])('reads an audit that is %s', (_, body, status, word, reason) => {
		const reading = read(body, status);
		expect(wordOf(reading)).toBe(word);
		if (reason) expect(reading.reason).toMatch(reason);
		else expect(reading.reason).toBeUndefined();
	});

	test.each<[GenericValue, LocalAnswer['local']]>([
		['', 'empty'],
		[' ', 'empty'],
		[null, 'empty'],
		[{}, 'malformed'],
		[['a1'], 'malformed'],
	])('needs an ID, and %j is none', (auditId, local) => {
		for (const { operation } of GETTERS) {
			expect(operation.prepare({ auditId })).toMatchObject({ local, field: 'Audit ID' });
		}
	});

	test('is a paid call without a stated price, which duplicates share', () => {
		for (const { operation } of GETTERS) {
			const question = operation.prepare({ auditId: 7 });
			expect(operation.credits?.(question)).toEqual({ balance: 'audit', cost: 'not stated' });
			expect([operation.repeatable, operation.free]).toEqual([true, undefined]);
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

	const start = async (given: Params = {}) => {
		const performed = await performInSandbox(sandbox, runAudit, [
			runAudit.prepare({ ...BRAND, ...given }),
		]);
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
		'$name is refused for the account with a wrong key and without credits',
		async ({ operation }) => {
			for (const key of ['wrong', sandbox.keys.empty]) {
				const performed = await performInSandbox(sandbox, operation, [operation.prepare(BRAND)], {
					key,
				});
				expect(performed.failure).toMatchObject({ cause: 'refused', scope: 'account' });
				expect(performed).toMatchObject({ jobs: [], sleepsMs: [] });
			}
		},
	);

	test('an answer without an ID is unknown, and nothing is polled', async () => {
		sandbox.fault({ kind: 'body', body: { status: true } });
		for (const operation of STARTS) {
			const performed = await performInSandbox(sandbox, operation, [operation.prepare(BRAND)]);
			expect(performed).toMatchObject({ jobs: [], sleepsMs: [] });
			expect(performed.readings).toEqual([
				expect.objectContaining({
					outcome: 'unknown',
					reason: expect.stringMatching(/no audit ID/),
				}),
			]);
		}
	});

	describe.each(GETTERS)('$name', ({ operation, path }) => {
		const get = async (auditId: string, key?: string) => {
			const performed = await performInSandbox(
				sandbox,
				operation,
				[operation.prepare({ auditId })],
				{
					key,
				},
			);
			expect(performed.requests).toEqual([
				{ service: 'main', method: 'GET', path, query: { audit_id: auditId } },
			]);
			return performed;
		};

		test('returns the progress of an audit, and its results when it is finished', async () => {
			const { auditId } = await start({ competitors: ['Tea'] });
			expect((await get(auditId)).readings).toMatchObject([
				{ outcome: 'unknown', record: { auditId, status: 'pending', progress: 0 } },
			]);

			sandbox.finishAudits();
			expect((await get(auditId)).readings).toMatchObject([
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

		test("is refused for an unknown audit, for another account's audit, and with a wrong key", async () => {
			const { auditId } = await start();
			for (const performed of [await get('audit-0'), await get(auditId, sandbox.keys.other)]) {
				expect(performed.failure).toMatchObject({
					...{ cause: 'refused', scope: 'question' },
					reason: expect.stringMatching(/Audit not found/),
				});
			}
			expect((await get(auditId, 'wrong')).failure).toMatchObject({ scope: 'account' });
		});
	});

	describe('Run and Wait', () => {
		const runAndWait = async (
			given: Params,
			onSleep: (ms: number, count: number) => void = (_, count) =>
				count === 3 && sandbox.finishAudits(),
		) =>
			await performInSandbox(
				sandbox,
				runAuditAndWait,
				[runAuditAndWait.prepare({ ...BRAND, ...given })],
				{
					onSleep,
				},
			);

		test('starts one audit, polls it at the rate of audits, and returns the results', async () => {
			const { readings, requests, sleepsMs, jobs } = await runAndWait({});
			expect(readings).toMatchObject([
				{ outcome: 'positive', record: { auditId: jobs[0].id, status: 'completed' } },
			]);
			expect(sleepsMs).toEqual([AUDIT_PACE_MS, AUDIT_PACE_MS, AUDIT_PACE_MS]);
			expect(requests.map(({ path }) => path)).toEqual([
				...['/audit_run', '/audit', '/audit', '/audit'],
			]);
			expect(sandbox.spent(sandbox.keys.main)).toMatchObject({ audit: 1 });
		});

		test('ends with the failure of a refused poll', async () => {
			sandbox.fault({ kind: 'status', status: 400, body: { error: 'Gone.' }, path: 'audit' });
			const { readings, sleepsMs } = await runAndWait({});
			expect(readings).toMatchObject([{ failure: { cause: 'refused', scope: 'question' } }]);
			expect(sleepsMs).toHaveLength(1);
		});

		test.each(BUSY)('polls again after %j', async (body) => {
			for (const status of [200, 400]) {
				sandbox.fault({ kind: 'status', status, body, path: 'audit', times: 1 });
				const { readings, sleepsMs } = await runAndWait({});
				expect([readings?.map(wordOf), sleepsMs.length]).toEqual([['positive'], 3]);
				sandbox.reset();
			}
		});

		test('polls again for two minutes while the service does not know the audit', async () => {
			const error = { error: 'Audit not found.' };
			sandbox.fault({ kind: 'status', status: 404, body: error, path: 'audit', times: 7 });
			const { readings, sleepsMs } = await runAndWait({});
			expect(readings?.map(wordOf)).toEqual(['positive']);
			expect(sleepsMs.length).toBeGreaterThanOrEqual(8);
		});

		test('continues at an unknown status word, and quotes it in the note of its sleep', async () => {
			const client = scriptedClient([
				ok({ audit_id: 'a1' }),
				ok({ audit_id: 'a1', status: 'Marinating', overall_score: 1 }),
				ok({ audit_id: 'a1', status: 'done', overall_score: 1 }),
			]);
			const { readings } = await perform(runAuditAndWait, [runAuditAndWait.prepare(BRAND)], client);
			expect(client.sleeps).toEqual([
				{ sleepMs: AUDIT_PACE_MS, note: undefined },
				{
					sleepMs: AUDIT_PACE_MS,
					note: expect.stringMatching(/"Marinating".*doesn't know.*add it to Finished When/),
				},
			]);
			expect(readings?.map(wordOf)).toEqual(['positive']);
		});

		test('looks once more at an audit that is finished without results, and returns what it has then', async () => {
			const bare = { audit_id: 'a1', status: 'done', brand_name: 'Example Coffee' };
			const whole = { ...bare, overall_score: 7 };
			const rows: Array<[again: IDataObject, score: number | null]> = [
				[whole, 7],
				[bare, null],
				[{ ...bare, status: 'running' }, null],
			];
			for (const [again, score] of rows) {
				const replies = [ok({ audit_id: 'a1' }), ok(bare), ok(again)];
				const client = scriptedClient(replies);
				const question = runAuditAndWait.prepare(BRAND);
				const { readings } = await perform(runAuditAndWait, [question], client);
				expect(readings).toMatchObject([
					{ outcome: 'positive', record: { status: 'done', score } },
				]);
				expect(client.sleeps).toHaveLength(2);
			}
		});

		test('reads no value of the request as a result', async () => {
			const echo = { audit_id: 'a1', summary: 'Tea and Coffee of Example Town' };
			const replies = [ok({ audit_id: 'a1' }), ok(echo), ok({ ...echo, overall_score: 7 })];
			const client = scriptedClient(replies);
			const question = runAuditAndWait.prepare({ ...BRAND, brandName: echo.summary });
			const { readings } = await perform(runAuditAndWait, [question], client);
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

		test.each(['', ' , ', null, undefined, {}])(
			'uses the default words if Finished When is %j',
			async (finishedWhen) => {
				expect((await runAndWait({ finishedWhen })).readings?.map(wordOf)).toEqual(['positive']);
			},
		);
	});
});
