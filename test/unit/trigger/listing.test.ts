import type { IDataObject } from 'n8n-workflow';
import { JOB_KINDS, type JobKind } from '../../../nodes/LookupMessagingTrigger/jobKinds';
import {
	askForJobs,
	MAX_LISTED,
	newestFirst,
	type ListedJob,
	type ListedJobs,
} from '../../../nodes/LookupMessagingTrigger/listing';
import { type Failed, isFailed } from '../../engine';
import { scriptedClient } from '../fakes/fakeClient';
import { ok } from '../fakes/replies';

const LISTING = {
	tool: 'list_jobs',
	args: { only: 'failed' },
	idField: 'batch_id',
	statusField: 'status',
};
const WORDS = ['completed', 'done'];
const entry = (batch_id: unknown, status: unknown = 'completed', more: IDataObject = {}) =>
	({ batch_id, status, ...more }) as IDataObject;

/** The jobs in a listing whose tool answers with the given structure, or text. */
async function jobsIn(
	answer: unknown,
	listing = LISTING,
	kind = JOB_KINDS.batch,
): Promise<Failed | ListedJob[]> {
	const found = await readingOf(answer, listing, kind);
	return isFailed(found) ? found : found.jobs;
}

/** The same, with what was not read. */
async function readingOf(answer: unknown, listing = LISTING, kind = JOB_KINDS.batch) {
	const result =
		typeof answer === 'string'
			? { content: [{ type: 'text', text: answer }] }
			: { content: [], ...(answer !== null && { structuredContent: answer as IDataObject }) };
	const tools = [{ name: listing.tool, inputSchema: {} }];
	const replies = [result, { tools }].map((one) => ok({ jsonrpc: '2.0', id: 1, result: one }));
	return await askForJobs(scriptedClient(replies), listing, optionsOf(kind));
}
const optionsOf = (kind: JobKind) => ({ kind, finishedWords: WORDS, isOver: () => false });
const idsIn = async (answer: unknown, listing = LISTING, kind = JOB_KINDS.batch) =>
	((await jobsIn(answer, listing, kind)) as ListedJob[]).map(({ id }) => id);
const reasonOf = async (answer: unknown, listing = LISTING, kind = JOB_KINDS.batch) =>
	((await jobsIn(answer, listing, kind)) as Failed).failure.reason;

describe('a listing', () => {
	const TWO = [entry('a'), entry('b')];
	it.each<[how: string, answer: unknown, ids?: string[]]>([
		['under a name', { status: true, batches: TWO }],
		['beside another list, which is empty', { errors: [], items: TWO }],
		['further in', { data: { page: { rows: TWO } }, total: 2 }],
		['as text', JSON.stringify({ batches: TWO })],
		['as text that is the list itself', JSON.stringify(TWO)],
		['beside a list of something else', { warnings: [{ code: 7 }], batches: TWO }],
		['although it is one job without a list around it', { ...entry('a'), error: null }, ['a']],
		['empty', { batches: null }, []],
		['empty, beside fields of one job', { ...entry('a'), batches: [] }, []],
		['empty, as no content', null, []],
		...[
			...['[]', 'You have no batches yet.', { message: 'No batches found', count: 0 }],
			{ status: false, error: 'No batches found for this account. Submit one.', batches: [] },
		].map((says): [string, unknown, string[]] => [`empty, as ${JSON.stringify(says)}`, says, []]),
		['in groups by their status', { active: [TWO[0]], finished: [TWO[1]], failed: [] }],
		['as objects by their IDs', { batches: { a: TWO[0], b: TWO[1] } }],
		['in an envelope with an ID', { id: 'r1', status: 'ok', data: TWO }],
		['as one job with a list', { ...entry('a', 'error'), results: [] }, ['a']],
		['beside a count of errors', { batches: TWO, errors: 3 }],
		['as one job', { ...entry('a'), numbers: [{ id: 7, status: 'completed' }] }, ['a']],
		['beside the filter by which it was narrowed', { status: 'failed', batches: TWO }],
	])('is found %s', async (...[, answer, ids = ['a', 'b']]) => {
		expect(await idsIn(answer)).toEqual(ids);
	});

	it.each<IDataObject>([
		{ status: 'error', message: 'Database timeout', data: [] },
		{ error: 'Database timeout', batches: null },
		{ status: false, error: 'Database timeout', batches: TWO },
		{ data: { status: 'fail', message: 'Database timeout', batches: [] } },
		{ status: 'error', message: 'Database timeout' },
		{ message: 'No batches found. Database timeout', error: 'Database timeout', count: 0 },
		{ batches: TWO, errors: [{ message: 'Database timeout' }] },
	])('with an error beside it is a failure with the words of the service: %j', async (answer) => {
		expect(await reasonOf(answer)).toContain('Database timeout');
	});

	it.each([
		...['No access to batches', { message: 'Come back', count: 0 }, { balance: 5 }],
		...['You have no access', { numbers: ['a', 'b'] }],
	])('that is no list is a failure with the words of the tool: %j', async (answer) => {
		const says = typeof answer === 'string' ? `: it says "${answer}"` : '';
		expect(await reasonOf(answer)).toContain(`"list_jobs" returned no list of jobs${says}`);
	});

	it.each([
		['Completed', 'finished', 'finished'],
		['Done', 'finished', 'finished'],
		['PROCESSING', 'running', 'running'],
		['failed', 'failed', 'failed'],
		// Each check of an audit may cost
		['archived', undefined, 'running'],
		[null, undefined, undefined],
	])('reads the state of a job from its status word: %j', async (word, ofBatch, ofAudit) => {
		const batches = [entry(7, word), entry('b', 'running')];
		const [ofBatches] = (await jobsIn({ batches })) as ListedJob[];
		const [ofAudits] = (await jobsIn({ batches }, LISTING, JOB_KINDS.audit)) as ListedJob[];
		expect(ofBatches).toMatchObject({ id: '7', state: ofBatch });
		expect(ofAudits).toMatchObject({ state: ofAudit, isUnknownWord: word === 'archived' });
	});

	it('names each job once, and leaves out those without an ID with a warning', async () => {
		const entries = [
			entry('a', 'done'),
			entry(''),
			entry({}),
			entry(' a', 'Completed'),
			entry('b'),
		];
		const found = (await readingOf({ batches: entries })) as ListedJobs;
		expect(found.jobs).toMatchObject([
			{ id: 'a', state: 'finished' },
			{ id: 'b', state: 'finished' },
		]);
		expect(found.warning).toMatch(/lists 2 entries without an ID in the field "batch_id"/);
	});

	it.each([
		['processing', 'completed'],
		['completed', 'processing'],
		['failed', 'completed'],
	])('leaves the state of a job to a check if it is listed as %s and as %s', async (...words) => {
		const batches = words.map((word) => entry('a', word));
		expect(await jobsIn({ batches })).toMatchObject([{ id: 'a', state: undefined }]);
	});

	it.each([
		['ID Field', { ...LISTING, idField: 'id' }],
		['Status Field', { ...LISTING, statusField: 'state' }],
	])('without the %s names the existing fields', async (name, listing) => {
		const reason = await reasonOf({ batches: [entry('a')] }, listing);
		expect(reason).toContain(`${name}: no entry of the tool "list_jobs" has the field`);
		expect(reason).toContain('"batch_id", "status"');
	});

	it.each(['state', 'audit_status'])(
		'of audits without the Status Field, but with another (%s), is a failure, since each check may cost',
		async (name) => {
			const audits = [{ batch_id: 'a', [name]: 'running' }, { batch_id: 'b' }];
			expect(await reasonOf({ audits }, LISTING, JOB_KINDS.audit)).toContain(
				`Status Field: no entry of the tool "list_jobs" has the field "status"`,
			);
			expect(await idsIn({ audits: audits.slice(1) }, LISTING, JOB_KINDS.audit)).toEqual(['b']);
		},
	);

	describe('without a chosen tool and fields', () => {
		const tool = (name: string, required: string[] = []) => ({ name, inputSchema: { required } });
		const answering = (tools: IDataObject[], entries: IDataObject[]) => {
			const reply = (result: IDataObject) => ok({ jsonrpc: '2.0', id: 1, result });
			return scriptedClient([
				reply({ tools }),
				reply({ content: [], structuredContent: { entries } }),
			]);
		};
		const ask = async (tools: IDataObject[], entries: IDataObject[], kind = JOB_KINDS.batch) =>
			jobsOf(await askForJobs(answering(tools, entries), { args: {} }, optionsOf(kind)));
		const jobsOf = (found: Failed | ListedJobs) => (isFailed(found) ? found : found.jobs);
		const others = [tool('get_balance'), tool('list_tags'), tool('get_batch', ['batch_id'])];

		it.each([
			['batch', 'list_batches', { batch_id: 'a', status: 'done' }],
			['batch', 'list_whatsapp_batches', { batchId: 'a', state: 'done' }],
			['batch', 'listBatches', { id: 'a', status: 'done' }],
			['audit', 'list_audits', { audit_id: 'a', audit_status: 'done' }],
		])('is found by its name (%s: %s)', async (kind, name, found) => {
			const tools = [...others, tool('list_batches', ['page']), tool(name)];
			expect(await ask(tools, [found, { ...found }], JOB_KINDS[kind])).toMatchObject([
				{ id: 'a', state: 'finished' },
			]);
		});

		it.each([
			['none', others, /has no tool such as "list_batches"/],
			['of the other kind only', [tool('list_audits')], /has no tool such as "list_batches"/],
			[
				'that needs an argument',
				[tool('list_batches', ['page'])],
				/"list_batches" can't be called without arguments \("page"\).*Tool Arguments/,
			],
			[
				'not for certain',
				[tool('list_batches'), tool('list_whatsapp_batches')],
				/several tools that list them \("list_batches", "list_whatsapp_batches"\)/,
			],
			...['failed', 'email', 'all_failed'].map((word): [string, IDataObject[], RegExp] => [
				`narrowed (${word})`,
				[tool(`list_${word}_batches`)],
				/has no tool such as "list_batches"/,
			]),
		])('is %s: then the reason says what to set', async (_, tools, words) => {
			const { reason } = ((await ask(tools, [])) as Failed).failure;
			expect(reason).toMatch(words);
			expect(reason).toMatch(/Set Jobs to Watch to From a Tool, then choose the tool/);
		});

		it.each([
			['batch', 'list_batches', 'list_failed_batches'],
			['audit', 'list_audits', 'list_archived_audits'],
		])('has the usual name where several tools match (%s: %s)', async (kind, usual, other) => {
			const client = answering([tool(other), tool(usual)], []);
			const found = await askForJobs(client, { args: {} }, optionsOf(JOB_KINDS[kind]));
			expect(jobsOf(found)).toEqual([]);
			expect(client.requests.at(-1)).toMatchObject({ body: { params: { name: usual } } });
		});

		it.each(['batch', 'audit'])(
			'has no status of a usual name: no %s is checked, and the reason says what to set',
			async (kind) => {
				const tools = [tool('list_batches'), tool('list_audits')];
				const entries = [{ id: 'a', phase: 'done' }, { id: 'b' }];
				const failed = await ask(tools, entries, JOB_KINDS[kind]);
				expect((failed as Failed).failure.reason).toMatch(
					/^Status Field: no entry .* has the field "status".*"id", "phase".*Set Jobs to Watch to From a Tool, then choose the tool and its fields/,
				);
				expect(await ask(tools, [], JOB_KINDS[kind])).toEqual([]);
			},
		);
	});

	it('that a poll has no time to read to its end says so, and how to shorten it', async () => {
		const tool = { name: LISTING.tool, inputSchema: { properties: { page: { type: 'integer' } } } };
		const replies = [{ structuredContent: [entry('a', 'done')] }, { tools: [tool] }];
		const client = scriptedClient(
			replies.map((result) => ok({ jsonrpc: '2.0', id: 1, result: { content: [], ...result } })),
		);
		const options = { ...optionsOf(JOB_KINDS.batch), isOver: () => true };
		const { pageFailure, warning } = (await askForJobs(client, LISTING, options)) as ListedJobs;
		expect(warning).toMatch(/read 1 entry .* the time of the poll was over/);
		expect(pageFailure?.reason).toMatch(/time of the poll was over\. .*list fewer jobs$/);
	});

	it('of more jobs than the trigger follows is a failure that says how to shorten it', async () => {
		const batches = Array.from({ length: MAX_LISTED + 1 }, (_, index) => entry(`id-${index}`));
		expect(await reasonOf({ batches })).toMatch(/lists 10001 jobs.*10000 at most.*"limit"/);
		expect(await idsIn({ batches: batches.slice(1) })).toHaveLength(MAX_LISTED);
	});

	it('has its newest jobs first if it has times, else its own order', async () => {
		const at = (id: string, created_at?: string) => entry(id, 'completed', { created_at });
		const [early, late] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];
		for (const [batches, order] of [
			[
				[at('a', early), at('b', late)],
				['b', 'a'],
			],
			[
				[at('a'), at('b', late)],
				['a', 'b'],
			],
		]) {
			const jobs = newestFirst((await jobsIn({ batches })) as ListedJob[]);
			expect(jobs.map(({ id }) => id)).toEqual(order);
		}
	});
});
