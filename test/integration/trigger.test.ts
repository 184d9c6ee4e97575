/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { magic, startSandbox, type Sandbox } from '../sandbox';
import { release, OWN_PACKAGE, runNode } from '../harness/n8n';
import { openEditor } from '../harness/n8nLoadOptions';
import { startToolServer, type ToolServer } from '../harness/toolServers';
import { Poller, type PollerOptions } from '../harness/n8nPoller';
import { isHandshake } from '../sandbox/faults/faultRules';
import { credentialsOf, expectOnlyE164 } from '../harness/onSandbox';
import { resetTime } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const NOBODY = '00000000-0000-4000-8000-000000000000';
const LISTS = { batch: 'list_whatsapp_batches', audit: 'list_audits' };
const byName = (value: string) => ({ __rl: true, mode: 'name', value });

const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);
const idsIn = (items: INodeExecutionData[]) => [
	...new Set(items.map(({ json }) => json.batchId ?? json.auditId)),
];

/** The listings of the sandbox have times to the millisecond. */
const later = async () => await new Promise((resolve) => setTimeout(resolve, 2));

describe(`the trigger, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ batchNumbersPerSecond: 0, auditSeconds: 3600 });
	});
	beforeEach(() => {
		resetTime();
		sandbox.reset();
		sandbox.setBatchSpeed(0);
	});
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);

	const optionsOf = (parameters: object) => ({
		credentials: credentialsOf(sandbox),
		workflow: {
			id: `workflow-${(count += 1)}`,
			nodes: [
				{
					name: 'Trigger',
					type: `${OWN_PACKAGE}.lookupMessagingTrigger`,
					parameters: { resource: 'batch', ...parameters },
					credentials: { lookupMessagingApi: { id: 'account-1', name: 'Account' } },
				},
			],
			connections: {},
		},
	});
	let count = 0;
	const poller = (parameters: object, more: Partial<PollerOptions> = {}) =>
		new Poller({ ...optionsOf(parameters), ...more });
	const triggerFor = (
		jobIds: unknown,
		parameters: object = {},
		more: Partial<PollerOptions> = {},
	) => poller({ jobsToWatch: 'byId', jobIds, ...parameters }, more);
	const listening = (parameters: object = {}, more: Partial<PollerOptions> = {}) => {
		const { resource = 'batch' } = parameters as { resource?: 'audit' | 'batch' };
		const listingTool = byName(LISTS[resource]);
		return poller({ jobsToWatch: 'fromTool', listingTool, ...parameters }, more);
	};

	/** The trigger of a workflow that has just been activated. */
	const started = async (trigger: Poller) => {
		await trigger.activate();
		return trigger;
	};

	const act = async (parameters: object, credential: { apiKey?: string } = {}) => {
		const { items, error } = await runNode({
			credentials: credentialsOf(sandbox, credential),
			parameters,
		});
		expect(error?.message).toBeUndefined();
		return items();
	};
	const submit = async (numbers: string[] = [magic.PHONE.onWhatsApp], apiKey?: string) => {
		const parameters = { resource: 'batch', operation: 'submit', numbersFrom: 'list' };
		const credential = apiKey ? { apiKey } : {};
		const [{ json }] = await act({ ...parameters, phoneNumbers: numbers.join() }, credential);
		return String(json.batchId);
	};
	const startAudit = async (brandName = 'Example Coffee') => {
		const parameters = { resource: 'audit', operation: 'run', brandName };
		const [{ json }] = await act({ ...parameters, brandUrl: 'https://www.example.com' });
		return String(json.auditId);
	};
	/** What a listing tool answers. */
	const listed = (structuredContent: object) => ({
		...{ jsonrpc: '2.0' },
		result: { content: [], structuredContent },
	});
	const calls = (path: string) =>
		sandbox.log.filter((request) => request.path.includes(path) && !isHandshake(request));

	it('says once per activation that its requests are not encrypted', async () => {
		const id = await submit();
		// Another name of this machine, which is none of its loopback addresses
		const lookupUrl = sandbox.roots.lookupUrl.replace(/127\.0\.0\.1|localhost/, '0.0.0.0');
		const credentials = credentialsOf(sandbox, { lookupUrl });
		const open = await started(triggerFor(id, {}, { credentials }));
		await open.poll();
		expect(open.warnings).toEqual([expect.stringMatching(/Lookup URL.*starts with http:.*https/)]);
		expect(calls(id)).toHaveLength(2);

		const local = await started(triggerFor(id));
		expect(local.warnings).toEqual([]);
	});

	describe('a batch by its ID', () => {
		it('is emitted once, when it is finished, and never again', async () => {
			const id = await submit();
			const trigger = await started(triggerFor(id));
			expect(await trigger.poll()).toEqual([]);
			sandbox.finishBatches();
			expect(idsIn(await trigger.poll())).toEqual([id]);
			sandbox.clearLog();
			expect(await trigger.poll()).toEqual([]);
			await trigger.restart();
			expect(await trigger.poll()).toEqual([]);
			expect(sandbox.log).toEqual([]);
			expect(trigger.emissions).toHaveLength(1);
			expect(trigger.errors).toEqual([]);
		});

		it('is emitted once when it finishes while n8n is down, and again only if n8n stops before it has saved the first', async () => {
			const ids = [await submit(), await submit()];
			const trigger = await started(triggerFor(ids.join()));
			sandbox.finishBatches();
			await trigger.restart();
			await trigger.restart();
			expect(trigger.emissions.map(idsIn)).toEqual([ids]);
			trigger.change({ jobIds: await submit() });
			await trigger.activate('update');
			sandbox.finishBatches();
			trigger.diesBeforeSaving = true;
			await trigger.poll();
			trigger.diesBeforeSaving = false;
			await trigger.restart();
			await trigger.restart();
			expect(trigger.emissions).toHaveLength(3);
		});
	});

	it.each([
		['with all of them', true, 3, [[3], 4, []]],
		['in the end without them, and says so', true, 9, [[1], 6, [/2 of its results are missing/]]],
		['at once if its items have no rows', false, 9, [[1], 1, []]],
	] as const)(
		'a finished batch with late rows is emitted %s',
		async (_, splitIntoItems, times, [emitted, polls, warnings]) => {
			const id = await submit();
			const row = { status: 'completed', wa_status: 'VALID_CONFIRMED', numberstatus: true };
			const rows = [0, 1, 2].map((n) => ({ ...row, phone_number: `+44207946010${n}` }));
			const late = (results: object[]) => ({
				...({ host: 'lookup', kind: 'body' } as const),
				body: { batch_id: id, status: 'completed', total_numbers: 3, results },
			});
			sandbox.fault({ ...late(rows.slice(0, 1)), times });
			sandbox.fault(late(rows));
			const trigger = await started(triggerFor(id, { splitIntoItems }));
			for (let count = 0; count < 8; count += 1) await trigger.poll();
			expect(trigger.emissions.map(({ length }) => length)).toEqual(emitted);
			expect(calls(id)).toHaveLength(polls);
			expect(trigger.warnings).toEqual(warnings.map((words) => expect.stringMatching(words)));
		},
	);

	it('several batches are taken from an expression, which is evaluated at each poll', async () => {
		const ids = [await submit(), await submit()];
		const variables: IDataObject = { jobs: [ids[0]] };
		const trigger = await started(triggerFor('={{ $vars.jobs }}', {}, { variables }));
		sandbox.finishBatches();
		expect(idsIn(await trigger.poll())).toEqual([ids[0]]);
		variables.jobs = [];
		expect(await trigger.poll()).toEqual([]);
		variables.jobs = ids;
		expect(idsIn(await trigger.poll())).toEqual([ids[1]]);
		expect(trigger.errors).toEqual([]);
	});

	describe('an item', () => {
		it.each(
			['simplified', 'raw', 'selectedFields'].flatMap((output) => {
				const fields = ['batchId', 'outcome', 'rowStatus', 'status'];
				const ofAudit = ['input', 'score', 'results'];
				return [
					['batch', 3, { output, splitIntoItems: true, selectedFields: fields }] as const,
					['batch', 1, { output, splitIntoItems: false, selectedFields: fields }] as const,
					['audit', 1, { output, selectedFields: ofAudit }] as const,
				];
			}),
		)('of a job equals that of Get: %s, %d, %j', async (resource, count, how) => {
			const { onWhatsApp, notOnWhatsApp, batchRowFails } = magic.PHONE;
			const ids =
				resource === 'batch'
					? [await submit([onWhatsApp, notOnWhatsApp, batchRowFails])]
					: [await startAudit(), await startAudit(magic.AUDIT.failingBrand)];
			sandbox.finishBatches();
			sandbox.finishAudits();
			for (const id of ids) {
				const parameters = { resource, includeFailedJobs: true, ...how };
				const trigger = await started(triggerFor(id, parameters));
				const idField = `${resource}Id`;
				const expected = await act({ resource, operation: 'get', [idField]: id, ...how });
				expect(jsonOf(trigger.emissions[0])).toEqual(jsonOf(expected));
				expect(expected).toHaveLength(count);
			}
		});

		it('has the fields of its output preview', async () => {
			const ids = { batch: await submit(), audit: await startAudit() };
			sandbox.finishBatches();
			sandbox.finishAudits();
			for (const [resource, id] of Object.entries(ids)) {
				const trigger = await started(triggerFor(id, { resource }));
				// What n8n serves for a node without an operation
				const file = `../../dist/nodes/LookupMessagingTrigger/__schema__/v1.0.0/${resource}.json`;
				const { properties } = JSON.parse(readFileSync(join(__dirname, file), 'utf8')) as {
					properties: object;
				};
				const fields = Object.keys(trigger.emissions[0][0].json).sort();
				expect(fields).toEqual(Object.keys(properties).sort());
			}
		});
	});

	describe('Job IDs', () => {
		it.each(['={{ undefined }}', '={{ [] }}', ''])(
			'without any ID are reported: %j',
			async (given) => {
				const trigger = await started(triggerFor(given));
				expect(trigger.warnings).toEqual([expect.stringMatching(/Job IDs has no ID/)]);
				expect(sandbox.log).toEqual([]);
			},
		);

		it('without a valid ID fail the activation without a word about the API key: no poll was made', async () => {
			const error = await triggerFor('={{ [{ id: 7 }, "../x"] }}').activate().catch(String);
			expect(error).toMatch(/is JSON\. Enter only the ID in it/);
			expect(error).not.toMatch(/API key/);
			expect(sandbox.log).toEqual([]);
		});
	});

	describe('an ID that the service does not know', () => {
		const IDS = [NOBODY, '../../checkbalance'];
		it('does not stop the others from being emitted, and is reported in the log alone', async () => {
			const id = await submit();
			const trigger = await started(triggerFor([...IDS, id].join()));
			sandbox.finishBatches();
			expect(idsIn(await trigger.poll())).toEqual([id]);
			expect(await trigger.poll()).toEqual([]);
			expect(trigger.errors).toEqual([]);
			const words = /^2 of 3 jobs couldn't be checked\. .*next poll tries again(?!.*the item)/;
			expect(trigger.warnings[0]).toMatch(words);
			expect(calls('').every(({ path }) => path.includes('/wavalidation/batch'))).toBe(true);
		});

		it('is emitted once with Include Failed Jobs: an item with its ID and a reason', async () => {
			const id = await submit();
			const parameters = { includeFailedJobs: true, splitIntoItems: false };
			const trigger = await started(triggerFor([...IDS, id].join(), parameters));
			sandbox.finishBatches();
			await trigger.poll();
			await trigger.restart();
			const reasons = [
				/Batch not found or access denied.*You weren't charged/,
				/can't be sent, because a URL reads it as a path/,
			].map((words) => expect.stringMatching(words));
			expect(trigger.emissions.map(jsonOf)).toEqual([
				IDS.map((batchId, index) => ({
					...{ batchId, outcome: 'unknown', source: 'failed', reason: reasons[index] },
				})),
				[expect.objectContaining({ batchId: id, outcome: 'positive' })],
			]);
		});

		it('fails the activation if no ID is known, as with a job of another account', async () => {
			const id = await submit([magic.PHONE.onWhatsApp], sandbox.keys.other);
			sandbox.finishBatches();
			for (const jobIds of [id, `../x, ${NOBODY}`])
				await expect(triggerFor(jobIds).activate()).rejects.toThrow(
					/^The service knows none of the Job IDs under this API key: .*Batch not found or access denied/,
				);
		});
	});

	describe('a problem that keeps a poll from reading anything', () => {
		it('such as a wrong key, fails the activation with a message, without the key', async () => {
			const id = await submit();
			const apiKey = 'sandbox-key-nobody';
			const trigger = triggerFor(id, {}, { credentials: credentialsOf(sandbox, { apiKey }) });
			const error = await trigger.activate().catch((thrown: Error) => thrown);
			expect(String(error)).toMatch(/Invalid API key.*Check the API key in the credential/);
			expect(JSON.stringify([error, String(error), trigger.saved])).not.toContain(apiKey);
		});

		it('such as a withdrawn key, fails each poll visibly once nothing is left to emit, and loses nothing', async () => {
			const [first, second] = [await submit(), await submit()];
			const trigger = await started(triggerFor([first, second].join()));
			const body = { error: 'Invalid API key.' };
			const path = `/api/v1/wavalidation/batch/${second}`;
			sandbox.fault({ path, kind: 'status', status: 401, body });
			await trigger.poll();
			expect(trigger.errors).toMatchObject([
				{
					message: expect.stringMatching(/The next poll tries again\. No finished job is missed/),
					httpCode: '401',
				},
			]);
			sandbox.finishBatches();
			expect(idsIn(await trigger.poll())).toEqual([first]);
			await trigger.poll();
			expect(trigger.errors).toHaveLength(2);
			sandbox.clearFaults();
			expect(idsIn(await trigger.poll())).toEqual([second]);
		});

		it('does not keep n8n from starting, if it may pass', async () => {
			const id = await submit();
			const trigger = await started(triggerFor(id));
			sandbox.finishBatches();
			sandbox.fault({ kind: 'status', status: 502 });
			await trigger.restart();
			await trigger.poll();
			sandbox.clearFaults();
			expect(idsIn(await trigger.poll())).toEqual([id]);
			expect(trigger.errors).toMatchObject([{ message: expect.stringMatching(/HTTP 502/) }]);
			// A trigger has no item to run again
			const words =
				/^The first poll failed\. .*HTTP 502.*\. The next poll tries again\. No finished job is missed\.$/;
			expect(trigger.warnings).toEqual([expect.stringMatching(words)]);
		});

		it('does keep a workflow from being activated for the first time', async () => {
			sandbox.fault({ kind: 'status', status: 502 });
			await expect(triggerFor(NOBODY).activate()).rejects.toThrow(/HTTP 502/);
			await expect(listening().activate('init')).rejects.toThrow(/HTTP 502/);
		});
	});

	describe('all jobs of the account', () => {
		it.each([
			['batch', submit, () => sandbox.finishBatches(), {}],
			['audit', startAudit, () => sandbox.finishAudits(), {}],
			['batch', submit, () => sandbox.finishBatches(), { listingTool: byName(LISTS.batch) }],
		] as const)(
			'that finish after the activation are emitted once each: %s',
			async (resource, start, finish, listing) => {
				const old = await start();
				finish();
				const running = await start();
				const jobsToWatch = 'listingTool' in listing ? 'fromTool' : 'all';
				const trigger = await started(poller({ resource, jobsToWatch, ...listing }));
				const later = await start();
				expect(await trigger.poll()).toEqual([]);
				finish();
				expect(idsIn(await trigger.poll()).sort()).toEqual([running, later].sort());
				expect(await trigger.poll()).toEqual([]);
				const last = await start();
				finish();
				await trigger.restart();
				expect(trigger.emissions.slice(1).map(idsIn)).toEqual([[last]]);
				const checks = sandbox.log.filter(({ method }) => method === 'GET');
				expect(JSON.stringify(checks)).not.toContain(old);
				expect(trigger.errors).toEqual([]);
				expect(idsIn((await trigger.test())!)).toHaveLength(1);
			},
		);

		it('need the Tool Server URL, and may be missing: the messages say what to do', async () => {
			const credentials = credentialsOf(sandbox, { mcpUrl: '' });
			const words = /Tool Server URL.*credential/;
			await expect(poller({}, { credentials }).activate()).rejects.toThrow(words);
			await expect(poller({}).test()).rejects.toThrow(/The account has no batch yet\. Start one/);
		});
	});

	describe('a listing', () => {
		it('is emitted completely with Include Already Finished, also if that is switched on later', async () => {
			const old = await submit();
			sandbox.finishBatches();
			const trigger = await started(listening());
			const later = await submit();
			sandbox.finishBatches();
			await trigger.poll();
			trigger.change({ includeAlreadyFinished: true });
			await trigger.activate('update');
			await trigger.poll();
			expect(trigger.emissions.map(idsIn)).toEqual([[later], [old]]);
			const other = await started(listening({ includeAlreadyFinished: true }));
			expect(other.emissions.map(idsIn)).toEqual([[later, old]]);
		});

		it('continues with another key in the credential, and is read for the first time again with another one', async () => {
			const { workflow, credentials } = optionsOf({ jobsToWatch: 'fromTool' });
			const trigger = new Poller({ workflow, credentials });
			trigger.change({ listingTool: byName(LISTS.batch) });
			await trigger.activate();
			const theirs = await submit([magic.PHONE.onWhatsApp], sandbox.keys.other);
			const id = await submit();
			sandbox.finishBatches();
			credentials.lookupMessagingApi.apiKey = ` ${sandbox.keys.main}\n`;
			expect(idsIn(await trigger.poll())).toEqual([id]);
			credentials.lookupMessagingApi.apiKey = sandbox.keys.other;
			workflow.nodes[0].credentials = { lookupMessagingApi: { id: 'account-2', name: 'Other' } };
			await trigger.activate('update');
			const later = await submit([magic.PHONE.onWhatsApp], sandbox.keys.other);
			sandbox.finishBatches();
			expect(idsIn(await trigger.poll())).toEqual([later]);
			expect(idsIn(trigger.emissions.flat())).not.toContain(theirs);
		});

		it('reports a problem once, and again if it comes back', async () => {
			const trigger = listening({ resource: 'audit' });
			const audits = [{ audit_id: await startAudit(), status: 'archived' }];
			const warning = expect.stringMatching(
				/unknown status \("archived"\).*add it to Finished When/,
			);
			sandbox.fault({ host: 'tools', kind: 'body', body: listed({ audits }), times: 3 });
			await trigger.activate();
			await trigger.poll();
			await trigger.poll();
			expect(trigger.warnings).toEqual([warning]);
			await trigger.poll();
			sandbox.fault({ host: 'tools', kind: 'body', body: listed({ audits }) });
			await trigger.poll();
			await trigger.poll();
			expect(trigger.warnings).toEqual([warning, warning]);
		});

		describe('in the editor', () => {
			let other: ToolServer | undefined;
			afterEach(async () => await other?.close());
			const editorOn = async (tool: string, credential: object = {}) => {
				const parameters = {
					resource: 'batch',
					jobsToWatch: 'fromTool',
					listingTool: byName(tool),
				};
				const credentials = credentialsOf(sandbox, credential);
				const opened = await openEditor(parameters, credentials, 'lookupMessagingTrigger');
				const { searchListingTools, searchListingFields } = opened.methods.listSearch!;
				return {
					tools: async () => (await searchListingTools.call(opened.context)).results,
					search: async (filter = '') =>
						(await searchListingFields.call(opened.context, filter)).results,
				};
			};
			/** A tool server with one tool, whose answer is a list of jobs, and the editor on it. */
			const withTool = async (
				tool: IDataObject & { name: string },
				jobs: object[] = [{ id: '1' }],
			) => {
				const result = { tools: [tool], structuredContent: { jobs } };
				other = await startToolServer({
					instead: ({ rpc, message }) =>
						rpc === 'tools/list' || rpc === 'tools/call'
							? { status: 200, body: { jsonrpc: '2.0', id: message?.id, result } }
							: undefined,
				});
				const { log, url } = other;
				const runs = () => log.filter(({ rpc }) => rpc === 'tools/call').length;
				return { ...(await editorOn(tool.name, { mcpUrl: url })), runs };
			};

			it('may be any tool without required arguments', async () => {
				await submit();
				const { tools, search } = await editorOn(LISTS.batch);
				const names = (await tools()).map(({ value }) => value);
				expect(names).toEqual(['get_balance', LISTS.audit, LISTS.batch]);
				expect(await search('st')).toEqual([{ name: 'status', value: 'status' }]);
			});

			it('runs once for all letters of the search, and offers no field that n8n would run as an expression', async () => {
				const jobs = [{ id: '1', status: 'x', '={{ $env }}': 'x', 'x {{ $env }}': 'y' }];
				const { search, runs } = await withTool({ name: 'list_batches' }, jobs);
				const [id, status] = ['id', 'status'].map((value) => ({ name: value, value }));
				expect(await search()).toEqual([id, status]);
				for (const filter of ['s', 'st', 'sta']) expect(await search(filter)).toEqual([status]);
				expect(runs()).toBe(1);
			});

			const readOnlyHint = true;
			it.each<[tool: IDataObject & { name: string }, runs: number]>([
				[{ name: 'jobs', annotations: { readOnlyHint } }, 1],
				[{ name: 'list_audits', annotations: { destructiveHint: false } }, 1],
				[{ name: 'list_audits', annotations: { destructiveHint: true } }, 0],
				[{ name: 'jobs', annotations: { readOnlyHint, destructiveHint: true } }, 0],
				[{ name: 'trends', description: 'Costs 1.', annotations: { readOnlyHint } }, 0],
				[{ name: 'purge_jobs' }, 0],
				[{ name: 'list_batches', inputSchema: { required: ['limit'] } }, 0],
			])('runs for its fields only tools that cost and change nothing: %j', async (tool, times) => {
				const { search, runs } = await withTool(tool);
				const words =
					/^The fields can't be listed here because .* wasn't run\. Choose By Name, and type the name of the field/;
				if (times > 0) expect(await search()).toEqual([{ name: 'id', value: 'id' }]);
				else await expect(search()).rejects.toThrow(words);
				expect(runs()).toBe(times);
			});
		});
	});

	it('an audit by ID is finished at a word of Finished When; any other word is in the log', async () => {
		const id = await startAudit();
		const body = { audit_id: id, status: 'Archived', overall_score: 7 };
		sandbox.fault({ path: 'audit', method: 'GET', kind: 'body', body });
		const plain = await started(triggerFor(id, { resource: 'audit' }));
		expect(plain.emissions).toEqual([]);
		expect(plain.warnings).toEqual([
			expect.stringMatching(/"Archived", which this node doesn't know.*Finished When/),
		]);
		const options = { finishedWhen: 'archived, done' };
		const trigger = await started(triggerFor(id, { resource: 'audit', options }));
		expect(jsonOf(trigger.emissions[0])).toMatchObject([{ auditId: id, score: 7 }]);
	});

	describe('a first poll that cannot read some jobs', () => {
		const wordless = async () => await startAudit(magic.AUDIT.wordlessBrand);

		it('for lack of time skips them later too, and loses none that finishes later', async () => {
			const olds = [await wordless(), await wordless(), await wordless()];
			sandbox.finishAudits();
			const running = await wordless();
			const trigger = await started(listening({ resource: 'audit' }, { budgetMs: () => 0 }));
			await trigger.restart();
			sandbox.finishAudits();
			await startAudit();
			const later = await wordless();
			sandbox.finishAudits();
			for (let polls = 0; polls < 6; polls += 1) await trigger.poll();
			const emitted = idsIn(trigger.emissions.flat());
			expect(emitted).toEqual(expect.arrayContaining([running, later]));
			for (const old of olds) expect(emitted).not.toContain(old);
		});

		it('because of the rate limit skips them later too', async () => {
			const olds: string[] = [];
			while (olds.length < 6) olds.push(await wordless());
			sandbox.finishAudits();
			await startAudit();
			sandbox.fault({ host: 'main', method: 'GET', kind: 'status', status: 429, times: 1 });
			const trigger = await started(listening({ resource: 'audit' }));
			await trigger.poll();
			await trigger.poll();
			expect(trigger.emissions).toEqual([]);
			expect(calls('/audit').filter(({ method }) => method === 'GET')).toHaveLength(
				olds.length + 1,
			);
		});
	});

	describe('a test in the editor', () => {
		it('shows the newest finished job, by ID and from a listing, and stores nothing', async () => {
			const first = await submit([magic.PHONE.notOnWhatsApp]);
			await later();
			const id = await submit();
			sandbox.finishBatches();
			await later();
			await submit();
			for (const trigger of [listening(), triggerFor(`${first}, ${id}`)]) {
				expect(idsIn((await trigger.test()) ?? [])).toEqual([id]);
				expect(trigger.saved).toBe('{}');
				await trigger.activate();
				expect(await trigger.test()).toHaveLength(1);
			}
		});

		it('says how far the newest job is if none is finished', async () => {
			const id = await submit([magic.PHONE.onWhatsApp, magic.PHONE.notOnWhatsApp]);
			const audit = await startAudit();
			await expect(triggerFor(id).test()).rejects.toThrow(
				`The newest batch (${id}) isn't finished: its status is "processing", with 0 of 2 numbers done.`,
			);
			await expect(listening().test()).rejects.toThrow(/with 0 of 2 numbers done/);
			await expect(triggerFor(audit, { resource: 'audit' }).test()).rejects.toThrow(
				/isn't finished: the status of the audit is "pending", 0 % done/,
			);
		});

		it('says what is wrong if there is no job to show', async () => {
			await expect(triggerFor(NOBODY).test()).rejects.toThrow(/can't be checked: .*not found/);
			await expect(triggerFor('={{ [] }}').test()).rejects.toThrow(/Job IDs has no ID/);
			await expect(listening().test()).rejects.toThrow(/lists no batch yet/);
			const id = await startAudit(magic.AUDIT.failingBrand);
			sandbox.finishAudits();
			await expect(triggerFor(id, { resource: 'audit' }).test()).rejects.toThrow(
				/failed: The brand website could not be read\. To start the workflow for it too, switch Include Failed Jobs on/,
			);
			const fires = triggerFor(id, { resource: 'audit', includeFailedJobs: true });
			expect(jsonOf((await fires.test())!)).toMatchObject([{ auditId: id, outcome: 'negative' }]);
		});
	});

	it('polls and executions share the rate limiter: a pause applies to both', async () => {
		// A key of its own, since what is learnt of a key holds for all tests
		const apiKey = sandbox.keys.empty;
		sandbox.setBalance(apiKey, 'whatsapp', 5);
		const id = await submit([magic.PHONE.onWhatsApp], apiKey);
		sandbox.finishBatches();
		const headers = { 'retry-after': '3600' };
		sandbox.fault({ kind: 'status', status: 429, headers, method: 'GET', times: 1 });
		const credentials = credentialsOf(sandbox, { apiKey });
		const trigger = triggerFor(id, {}, { credentials });
		await expect(trigger.activate()).rejects.toThrow(/limiting the request rate \(HTTP 429\)/);
		sandbox.clearLog();

		await expect(trigger.activate()).rejects.toThrow(
			/a pause of the service.* is longer than this poll/i,
		);
		const get = { resource: 'batch', operation: 'get', batchId: id, options: { maxWait: 1 } };
		const { error } = await runNode({ credentials, parameters: get });
		expect(error?.message).toMatch(/rate limit resets at/);
		expect(sandbox.log).toEqual([]);
	});

	it('the key is in nothing that is emitted, stored, logged as an error or shown', async () => {
		const id = await submit();
		sandbox.finishBatches();
		sandbox.fault({ kind: 'echoKey' });
		const found: unknown[] = [];
		for (const trigger of [
			triggerFor(id, { output: 'raw', includeFailedJobs: true }),
			listening({ includeAlreadyFinished: true }),
		]) {
			found.push(await trigger.test().catch(String), await trigger.activate().catch(String));
			found.push(trigger.emissions, trigger.saved);
		}

		expect(JSON.stringify(found)).not.toContain(sandbox.keys.main);
		expect(JSON.stringify(found).length).toBeGreaterThan(200);
	});
});
