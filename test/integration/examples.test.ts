/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { IDataObject, INode, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { magic, startSandbox, type FaultRule, type RequestRecord, type Sandbox } from '../sandbox';
import { isHandshake } from '../sandbox/faults/faultRules';
import { keyLeakSearch, leftBehindBy } from '../harness/keyLeakSearch';
import { captureLogs, type CapturedLogs } from '../harness/capturedLogs';
import type { RunOptions, WorkflowJson, WorkflowRun } from '../harness/n8n';
import { release, loadPackage, OWN_PACKAGE, runWorkflow } from '../harness/n8n';
import { Poller } from '../harness/n8nPoller';
import { credentialsOf, expectOnlyE164 } from '../harness/onSandbox';
import { receiptOf } from '../harness/parseReceipt';
import { recipesIn } from '../harness/recipesPage';
import { wanted } from '../harness/stories';
import { resetTime, withoutTimeouts } from '../harness/time';
import { toolVariant } from '../harness/toolVariant';

// The Wait node of n8n-nodes-base 2.x describes its webhooks by functions that n8n-workflow 1.x lacks; none is used here
jest.mock('n8n-workflow', () => ({
	...{ webhookDescriptionFields: () => ({}), fromFunction: () => '', fromParameter: () => '' },
	...jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
}));
// Its form part loads this; Jest cannot load the ES module within on every Node, and no form is shown here
jest.mock('sanitize-html', () => ({}));

const CATCH_ALL = /^the mail server accepts every address/;

/** What one workflow is expected to do. */
interface Example {
	/** Whether it is given other items here than it is shipped with. */
	ownItems?: true;
	/** What starts it, where that is no node that runs by itself. */
	begin?(workflow: WorkflowJson): Promise<WorkflowRun>;
	/** Changes what a user would change in it, such as where a file is. */
	adapt?(text: string): string;
	whileStored?: RunOptions['whileStored'];
	/** Credits by balance, as the sandbox's ledger has them. */
	spent: Record<string, number>;
	/** Requests that reached the sandbox, by method and last part of the path. */
	calls: Record<string, number>;
	/** What its last nodes show, by their names; texts may be matched. */
	shows: Record<string, unknown[]>;
	/** What the receipts of its nodes say. */
	receipts?: Record<string, object>;
	/** Whatever is left to check. */
	also?(run: WorkflowRun): void;
}

const FOLDER = join(__dirname, '../../examples/workflows');
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const read = (file: string) =>
	JSON.parse(textOf(file)) as Omit<WorkflowJson, 'nodes'> & { nodes: INode[] };

/** Run by the part `scale` of test/e2e: what it does is in PostgreSQL. */
const SCALE = '../scale/enrich-table.json';

/** With nodes of n8n's AI package, which is not here: the part `tool` of test/e2e runs them. */
const IN_SERVERS_ONLY = ['ai-agent-lookups.json', 'mcp-server-lookups.json'];

const RECIPES = readFileSync(join(__dirname, '../../docs/RECIPES.md'), 'utf8');
const OWN_TYPES = ['lookupMessaging', 'lookupMessagingTool', 'lookupMessagingTrigger'];
const isOwn = ({ type }: INode) => OWN_TYPES.some((name) => type === `${OWN_PACKAGE}.${name}`);
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
const WAIT = 'n8n-nodes-base.wait';

/** Those that keep answers, in a data table and in PostgreSQL. */
const KEEP_ANSWERS = [
	'keep-answers-for-30-days-data-table.json',
	'keep-answers-for-30-days-postgresql.json',
];

const PDF = Buffer.from('%PDF-1.4 a price list');
const DURABLE = 'wait-while-n8n-sleeps.json';
/** The calls about the three contacts below. */
const CONTACT_CALLS = { 'POST phonevalidation': 2, 'GET checkwanumber': 1, 'GET checkemail': 3 };
const WEEKLY = 'clean-a-crm-list-weekly.json';
const CONTACT = 'enrich-a-contact-from-a-form.json';
const WEBSITE = 'answer-a-website-form-at-once.json';
const CSV = 'enrich-leads-from-a-csv-file.json';
const AUDIT = 'audit-a-brand.json';
const REFUSED = { kind: 'status', status: 429 } as const;
const JOB_ID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

const rowsOf = (run: WorkflowRun, node: string, output = 0) =>
	run.items(node, output).map(({ json }) => json);
const columnOf = (run: WorkflowRun, node: string, field: string) =>
	rowsOf(run, node).map((json) => json[field]);

/** The results of a node, each in its field beside the input. */
const resultsOf = (run: WorkflowRun, node: string) =>
	rowsOf(run, node).map(({ emailResult }) => emailResult as IDataObject);
/** Values of a contact by the names of their columns. */
const flat = (values: object) =>
	Object.fromEntries(
		Object.entries(values).map(([name, value]) => [`contactResult_${name}`, value]),
	);

describe(`the example workflows, n8n ${release}`, () => {
	let sandbox: Sandbox;
	let files: Server;
	let filesUrl: string;
	let downloads: string[];
	let stored: Array<{ waitMs: number; text: string }>;
	let logs: CapturedLogs;

	beforeAll(async () => {
		logs = captureLogs();
		sandbox = await startSandbox({ batchNumbersPerSecond: 0, auditSeconds: 3600 });
		files = createServer(({ url = '' }, response) => {
			downloads.push(url);
			response.writeHead(200, { 'content-type': 'application/pdf' }).end(PDF);
		});
		await new Promise<void>((done) => files.listen(0, '127.0.0.1', done));
		filesUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
	});
	beforeEach(() => {
		sandbox.reset();
		sandbox.setBatchSpeed(0);
		downloads = [];
		stored = [];
		resetTime((_, count) => {
			sandbox.finishAudits();
			if (count >= 2) sandbox.finishBatches();
		});
	});
	afterAll(async () => {
		await sandbox.close();
		await new Promise((done) => files.close(done));
	});
	expectOnlyE164(() => sandbox);

	const FORM = 'submit-a-batch-and-be-called-back-form.json';
	const credentials = () => credentialsOf(sandbox);
	/** The form workflow, from a form that was filled in. */
	const fillIn = async (numbers: string[]) => {
		const pinData = { Form: [{ json: { 'Phone Numbers': numbers.join('\n') } }] };
		return await run({ ...(read(FORM) as WorkflowJson), pinData });
	};

	/** The workflow, started by its schedule. */
	const scheduled = async (workflow: WorkflowJson, startNode: string) => {
		const pinData = { ...workflow.pinData, [startNode]: [{ json: {} }] };
		const scheduled = { ...workflow, pinData };
		return await runWorkflow({ workflow: scheduled, startNode, credentials: credentials() });
	};

	const on = { outcome: 'positive', reason: null };
	const off = { outcome: 'negative', reason: null };
	const keepsAnswers = (file: string): Example => ({
		// There are no tables without a server
		adapt: (text) =>
			withTables(withNewAddresses(text, file), { 'Stored Results': [], 'Keep Answers': [{}] }),
		spent: { email: 4 },
		calls: { 'GET checkemail': 4 },
		shows: {},
		also(run) {
			const results = resultsOf(run, 'Verify Email');
			expect(results.map(({ outcome }) => outcome)).toEqual([
				...['positive', 'positive', 'negative', 'positive', 'positive'],
			]);
			const asked = new Set(results.map(({ input }) => String(input).toLowerCase()));
			const host = sandbox.roots.baseUrl.slice('http://'.length);
			const rows = ['positive', 'negative', 'positive', 'positive'].map((outcome, at) => ({
				...{ key: `email.verify ${host}/checkemail?email=${[...asked][at]}`, outcome },
				...{ operation: 'email.verify', answer: /^\{"version":1,/ },
				answeredAt: /^\d{4}-\d\d-\d\dT.*Z$/,
			}));
			expect(rowsOf(run, 'Verify Email', 1)).toEqual(wanted(rows));
		},
	});

	const { onWhatsApp, notOnWhatsApp, batchRowWordless, whatsAppBusiness } = magic.PHONE;
	const examples: Record<string, Example> = {
		[FORM]: {
			ownItems: true,
			begin: async () => await fillIn(['ask me', onWhatsApp, '+1 202 555 0103', onWhatsApp]),
			spent: { whatsapp: 2 },
			calls: { 'POST batch': 1 },
			shows: {
				Submitted: [
					{ batchId: JOB_ID, numbers: 2, leftOut: 'Phone Number ("ask me") has no digits' },
				],
			},
		},
		'submit-a-batch-and-be-called-back-trigger.json': {
			async begin(workflow) {
				await fillIn([notOnWhatsApp]);
				sandbox.finishBatches();
				const poller = new Poller({ workflow, node: 'Batch Finished', credentials: credentials() });
				await poller.activate();
				await fillIn([onWhatsApp, notOnWhatsApp, batchRowWordless]);
				expect(await poller.poll()).toEqual([]);
				sandbox.finishBatches();
				await poller.restart();
				await poller.poll();
				expect([poller.emissions.length, poller.errors]).toEqual([1, []]);
				return await poller.execute(poller.emissions[0]);
			},
			spent: { whatsapp: 4 },
			// In each of four polls the tools are listed, then the batches, then what may be their next page
			calls: { 'POST batch': 2, 'POST mcp': 12, 'GET {batch_id}': 1 },
			shows: {
				'On WhatsApp': [{ phone: onWhatsApp, business: false, country: 'US' }],
				'Not on WhatsApp': [{ phone: notOnWhatsApp, batchId: JOB_ID }],
				Unknown: [{ phone: batchRowWordless, reason: /didn't say/ }],
			},
		},
		[AUDIT]: {
			adapt: (text) => text.replace('Example Tea', magic.AUDIT.failingBrand),
			spent: { audit: 2 },
			calls: { 'POST audit_run': 2, 'GET audit': 2 },
			shows: {
				'Flat Row': ['one', 'two', 'three', 'four'].map((nth) => ({
					...{ platform: `assistant-${nth}`, brand: 'Example Coffee' },
					...{ brandScore: expect.any(Number), visibility_score: expect.any(Number) },
					citations: expect.any(String),
				})),
				'No Result': [
					{
						...{ brand: magic.AUDIT.failingBrand, auditId: JOB_ID },
						reason: 'The brand website could not be read.',
					},
				],
			},
			also(run) {
				const values = rowsOf(run, 'Flat Row').flatMap((row) => Object.values(row));
				expect(values.filter((value) => value && typeof value === 'object')).toEqual([]);
			},
		},
		'clean-an-email-list.json': {
			spent: { email: 4 },
			calls: { 'GET checkemail': 5 },
			shows: {
				Keep: ['Ada ada@example.com', 'Ada again ada@example.com', 'Fay fay@example.net'].map(
					(lead) => ({
						...{ name: lead.replace(/ \S+$/, ''), email: lead.split(' ').at(-1) },
						reason: 'the mail server accepts the mailbox',
					}),
				),
				Remove: [
					{ name: 'Ben', email: 'missing.ben@example.org', reason: "the mailbox doesn't exist" },
					{ name: 'Eve', email: 'ask Eve', reason: expect.any(String) },
				],
				'Look Again': [
					{ name: 'Cleo', email: 'cleo@catch-all.example', reason: CATCH_ALL },
					{ name: 'Dan', email: 'timeout.dan@example.net', reason: /credit refunded/ },
				],
			},
			receipts: { 'Verify Email': { items: 7, duplicates: 1, local: 1, credits: { email: 4 } } },
		},
		[DURABLE]: {
			whileStored(waitTill, text) {
				stored.push({ waitMs: waitTill.getTime() - new Date().getTime(), text });
				if (stored.length === 3) sandbox.finishBatches();
			},
			spent: { whatsapp: 3 },
			calls: { 'POST batch': 1, 'GET {batch_id}': 4 },
			shows: {
				Look: ['processing', 'processing', 'completed'].map((status) => ({ status })),
				Result: [
					{ name: 'Ada', phone: '+12025550102', onWhatsApp: true, business: false, ...on },
					{ name: 'Ada again', phone: '+12025550102', onWhatsApp: true, business: false, ...on },
					{ name: 'Ben', phone: '+12025550103', onWhatsApp: false, business: false, ...off },
					{ name: 'Cleo', phone: '+12025550104', onWhatsApp: true, business: true, ...on },
				],
			},
			receipts: { Submit: { duplicates: 1 } },
			also(run) {
				expect(stored).toHaveLength(3);
				for (const { waitMs, text } of stored) {
					// n8n holds what is to wait for less than 65 seconds in memory
					expect(waitMs).toBeGreaterThan(65_000);
					expect(text).not.toContain(sandbox.keys.main);
				}
				for (const node of ['Look', 'Get Results'])
					expect(run.hints(node).join()).toContain('Nothing charged');
			},
		},
		[WEBSITE]: {
			// No request comes in here: the trigger has what three of them bring
			ownItems: true,
			begin: async (workflow) =>
				await runWorkflow({ workflow, startNode: 'Website Form', credentials: credentials() }),
			adapt: (text) => withSubmissions(text, 'Website Form'),
			spent: { phone: 1, whatsapp: 1, email: 3, geoip: 1 },
			calls: { ...CONTACT_CALLS, 'GET /': 1 },
			shows: {
				'Turn Away': [
					{
						contactResult: {
							input: { phoneNumber: '+1 555 010 0100', email: 'missing.ben@example.com' },
						},
					},
				],
			},
			also(run) {
				const leads = rowsOf(run, 'Lead').sort((a, b) =>
					String(a.name) < String(b.name) ? -1 : 1,
				);
				const lookTwice = 'number and IP address are of different countries';
				const ada = { name: 'Ada', phone: '+442079460121', outcome: 'positive', lookTwice };
				const cleo = { name: 'Cleo', outcome: 'unknown', reason: CATCH_ALL };
				expect(leads).toMatchObject(wanted([ada, cleo]) as object[]);
			},
		},
		...Object.fromEntries(KEEP_ANSWERS.map((file) => [file, keepsAnswers(file)])),
		'bill-calls-by-customer.json': {
			// There are no data tables without a server
			adapt: (text) => withTables(text, { 'Keep Calls': [{}], 'All Calls': [{}], Bill: [{}] }),
			spent: { phone: 3 },
			calls: { 'POST phonevalidation': 4 },
			shows: {},
			also(run) {
				const rows = rowsOf(run, 'Validate Phone', 1);
				const bills = rows.map(({ tag, charged, credits }) => `${tag} ${charged} ${credits}`);
				expect(bills.sort()).toEqual([
					...['Acme yes 1', 'Acme yes 1', 'Globex no 0', 'Globex yes 1'],
				]);
				// Its columns are made of them
				for (const row of rows) {
					expect(Object.keys(row).sort().join()).toBe(
						'balance,charged,credits,execution,id,item,operation,tag,time',
					);
					expect(row).toMatchObject(wanted({ id: /./, time: /^\d{4}-\d\d-/ }) as object);
				}
			},
		},
		[CONTACT]: {
			// Nobody fills in a form here: the trigger has what three people send
			ownItems: true,
			begin: async (workflow) =>
				await runWorkflow({ workflow, startNode: 'Form', credentials: credentials() }),
			adapt: (text) => withSubmissions(text, 'Form'),
			spent: { phone: 1, whatsapp: 1, email: 3 },
			calls: CONTACT_CALLS,
			shows: {
				Contactable: [
					{
						...{ name: 'Ada', phone: '+442079460121', email: 'ada@example.com', country: 'GB' },
						...{ channels: /^phone, .*email$/, lineType: 'landline' },
					},
				],
				'Not Contactable': [
					{
						...{ name: 'Ben', phone: '+15550100100', email: 'missing.ben@example.com' },
						reason:
							/^Phone Number is invalid, so WhatsApp and Caller ID were skipped; the mailbox doesn't exist/,
					},
				],
				Unknown: [{ name: 'Cleo', reason: CATCH_ALL }],
			},
			receipts: { 'Enrich Contact': { items: 3, calls: 6, credits: { phone: 1, email: 3 } } },
		},
		[CSV]: {
			// docs/RECIPES.md tells what examples/leads.csv costs: see start.test.ts
			ownItems: true,
			begin: async (workflow) =>
				await runWorkflow({
					...{ workflow, startNode: 'Try Example Leads', credentials: credentials() },
				}),
			spent: { phone: 2, whatsapp: 2, email: 3, geoip: 2 },
			calls: {
				...{ 'POST phonevalidation': 2, 'GET checkwanumber': 2 },
				...{ 'GET checkemail': 3, 'GET /': 2 },
			},
			shows: {
				'Enriched Leads': [
					{
						...{ Name: 'Ada', Mobile: '020 7946 0121' },
						...flat({
							...{ outcome: 'positive', phone_phoneNumber: '+442079460121' },
							...{ channels: /^phone, /, email_outcome: 'positive' },
							...{ geoIp_countryCode: /^[A-Z]{2}$/, geoIp_city: /./ },
						}),
					},
					{ Name: 'Ben', ...flat({ channels: /^phone/, reason: "the mailbox doesn't exist" }) },
					{
						Name: 'Cleo',
						...flat({ phone_outcome: 'negative', reason: /accepts every address \(catch-all\)/ }),
					},
				],
			},
		},
		'warn-before-credits-run-out.json': {
			begin: async (workflow) => await scheduled(workflow, 'Every Morning'),
			adapt: (text) => withThresholds(text, 100_000_000),
			spent: {},
			calls: { 'GET checkbalance': 1 },
			shows: {
				Message: [
					{
						subject: 'Lookup credits are running out',
						text: /^email: \d+ credits left, threshold 100000000\ngeoIp: .*\nphone: .*\nwhatsApp: /,
					},
				],
			},
		},
		[WEEKLY]: {
			begin: async (workflow) => await scheduled(workflow, 'Every Monday'),
			adapt: (text) => withTables(text, { 'Stored Results': [], 'Keep Answers': [{}] }),
			spent: { phone: 2, email: 3 },
			calls: { 'POST phonevalidation': 2, 'GET checkemail': 3 },
			shows: {
				'For Your CRM': [
					{ id: '1', outcome: 'positive', phone: '+442079460131', email: 'gwen@example.com' },
					{ id: '2', outcome: 'positive', phone: '+442079460131', email: 'gwen@example.com' },
					{
						...{ id: '3', phoneOutcome: 'positive', emailOutcome: 'negative' },
						reason: "the mailbox doesn't exist",
					},
					{ id: '4', outcome: 'positive', phone: '', emailOutcome: 'positive' },
					{ id: '5', outcome: 'negative', phone: 'ask me', reason: /no digits/ },
				],
			},
			also: (run) => expect(run.items('Enrich Contact', 1)).toHaveLength(5),
		},
		'send-a-file-on-whatsapp.json': {
			adapt: (text) => text.replace('https://www.example.com', filesUrl),
			spent: { whatsapp: 5 },
			calls: { 'GET checkwanumber': 3, 'POST sendwasms': 2 },
			shows: {
				Result: [
					{ name: 'Ada', sent: true, file: 'price-list.pdf', messageId: /./ },
					{ name: 'Ben', sent: false, file: null, reason: /nothing was sent/ },
					{ name: 'Cleo', sent: true, file: 'price-list.pdf', messageId: /./ },
				],
			},
			also() {
				expect(downloads).toEqual(['/files/price-list.pdf']);
				const media = {
					...{ fileName: 'price-list.pdf', mimeType: 'application/pdf', size: PDF.length },
					sha256: createHash('sha256').update(PDF).digest('hex'),
				};
				const sent = [...sandbox.messages(sandbox.keys.main)];
				expect(sent.sort((a, b) => a.number.localeCompare(b.number))).toMatchObject([
					{ message: 'Hello Ada! Here is our new price list.', media },
					{ message: 'Hello Cleo! Here is our new price list.', media },
				]);
			},
		},
		'tool-server-call.json': {
			spent: { geoip: 3 },
			calls: { 'POST mcp': 4 },
			shows: {
				Result: ['8.8.8.8', '1.1.1.1', '8.8.4.4'].map((asked) => ({ asked, status: true })),
			},
			also(run) {
				expect(columnOf(run, 'List Tools', 'name')).toContain('locate_ip');
				expect(columnOf(run, 'List Tools', 'name')).toHaveLength(19);
			},
		},
		'check-a-list-on-whatsapp.json': {
			spent: { whatsapp: 4 },
			calls: { 'POST batch': 1, 'GET {batch_id}': 2 },
			shows: {
				'On WhatsApp': [
					{ name: 'Ada', phone: onWhatsApp, business: false, country: 'US' },
					{ name: 'Cleo', phone: whatsAppBusiness, business: true, country: 'US' },
					{ name: 'Ada again', phone: onWhatsApp, business: false, country: 'US' },
				],
				'Not on WhatsApp': [{ name: 'Ben' }, { name: 'Dan' }],
				Unknown: [{ name: 'Eve', reason: /didn't say/ }],
			},
			receipts: {
				'Check Numbers': { items: 6, duplicates: 1, local: 1, credits: { whatsapp: 4 } },
			},
		},
	};

	it.each(recipesIn(RECIPES))(
		'$title: docs/RECIPES.md says what it costs, and has its pictures',
		(recipe) => {
			const [file] = recipe.workflows;
			for (const workflow of recipe.workflows) expect(FILES).toContain(workflow);
			if (!recipe.isFree) expect(Object.keys(recipe.costs)).not.toEqual([]);
			if (!examples[file].ownItems) expect(recipe.costs).toEqual(examples[file].spent);
			expect(recipe.pictures).toEqual(
				recipe.workflows.map((name) => `recipe-${name.replace('.json', '.png')}`),
			);
			for (const picture of recipe.pictures)
				expect(existsSync(join(__dirname, '../../docs/images', picture))).toBe(true);
		},
	);

	it.each(recipesIn(RECIPES))('$title: has one name everywhere', ({ title, workflows }) => {
		for (const file of workflows) {
			const { name = '', nodes } = read(file);
			expect(name.replace(/ \([^)]*\)$/, '')).toBe(title);
			const plain = name.toLowerCase().replace(/[^a-z0-9 ]/g, '');
			expect(file).toBe(`${plain.replaceAll(' ', '-')}.json`);
			const note = nodes.find(({ type }) => type === STICKY_NOTE);
			expect(String(note?.parameters.content).split('\n')[0]).toBe(`## ${name}`);
		}
	});

	it('are all in the table', () => {
		expect([...Object.keys(examples), ...IN_SERVERS_ONLY].sort()).toEqual([...FILES].sort());
	});

	const run = async (workflow: WorkflowJson, whileStored?: RunOptions['whileStored']) =>
		await runWorkflow({
			workflow,
			whileStored,
			credentials: credentials(),
		});
	const spent = () =>
		Object.fromEntries(
			Object.entries(sandbox.spent(sandbox.keys.main)).filter(([, credits]) => credits !== 0),
		);
	const calls = () => {
		const counts: Record<string, number> = {};
		const isCall = (record: RequestRecord) => !isHandshake(record);
		for (const { method, path } of sandbox.log.filter(isCall)) {
			const name = path.replace(JOB_ID, '{batch_id}').split('/').pop() || path;
			counts[`${method} ${name}`] = (counts[`${method} ${name}`] ?? 0) + 1;
		}
		return counts;
	};

	describe.each([...FILES, SCALE])('%s', (file) => {
		const workflow = read(file);
		const { nodes, connections } = workflow;
		const own = nodes.filter(isOwn);
		const nodeNamed = (name: string) => nodes.find((node) => node.name === name);

		it('has no key, no credential ID and nothing else of the n8n that wrote it', () => {
			expect(textOf(file)).not.toMatch(/sandbox|api_?key|https?:\/\/(127|localhost)/i);
			expect(Object.keys(workflow).sort()).toEqual([
				...['connections', 'name', 'nodes', 'pinData', 'settings'],
			]);
			expect(workflow.pinData).toEqual({});
			const given = nodes.flatMap(({ credentials = {} }) => Object.entries(credentials));
			const ofService = given.filter(([type]) => type === 'lookupMessagingApi');
			expect(ofService).toHaveLength(own.length);
			for (const [, credential] of given)
				expect(credential).toEqual({ id: null, name: expect.any(String) });
		});

		it('has only parameters and values that the node knows', async () => {
			const { nodeTypes } = await loadPackage();
			const types: typeof nodeTypes = { ...nodeTypes, lookupMessagingTool: await toolVariant() };
			expect(own.length).toBeGreaterThan(0);
			for (const node of own) {
				const { description } = types[node.type.slice(OWN_PACKAGE.length + 1)];
				const { properties } = description as INodeTypeDescription;
				const about = description as INodeTypeDescription;
				const { parameters } = node;
				expect(NodeHelpers.getNodeParametersIssues(properties, node, about)).toBeNull();
				const known = NodeHelpers.getNodeParameters(
					...([properties, parameters, true, false, node, about] as const),
				);
				expect(known).toMatchObject(parameters);
				for (const [name, value] of Object.entries(parameters)) {
					const [{ options = [] }] = properties.filter(
						(property) =>
							property.name === name && NodeHelpers.displayParameter(known!, property, node, about),
					);
					const taken = namesIn(options);
					if (taken.length > 0) expect(taken).toEqual(expect.arrayContaining(entriesOf(value)));
				}
			}
		});

		it('is laid out from left to right under one note, without overlaps', () => {
			const notes = nodes.filter(({ type }) => type === STICKY_NOTE);
			const others = nodes.filter(({ type }) => type !== STICKY_NOTE);
			expect(notes).toHaveLength(1);
			expect(notes[0].parameters.content).toMatch(/^## .*\n[^]*\*\*What it costs/);
			const { width, height } = notes[0].parameters as Record<string, number>;
			const [left, top] = notes[0].position;
			for (const { name, position } of others) {
				const [x, y] = position;
				const isOff = x >= left + width || x + 100 <= left || y >= top + height || y + 100 <= top;
				expect([name, isOff]).toEqual([name, true]);
			}
			for (const [index, one] of others.entries())
				for (const other of others.slice(index + 1)) {
					const [dx, dy] = one.position.map((at, axis) => Math.abs(at - other.position[axis]));
					expect([one.name, other.name, dx >= 180 || dy >= 140]).toEqual([
						...[one.name, other.name, true],
					]);
				}
			for (const [from, to] of linksIn(connections, 'main')) {
				const [source, target] = [nodeNamed(from), nodeNamed(to)];
				const goesBackToWait = target?.type === WAIT;
				expect([from, to, goesBackToWait || target!.position[0] > source!.position[0]]).toEqual([
					...[from, to, true],
				]);
			}
			const linked = new Set(linksIn(connections).flat());
			expect([...linked].sort()).toEqual(others.map(({ name }) => name).sort());
		});

		if ([...IN_SERVERS_ONLY, SCALE].includes(file)) return;
		it('does what it says, at the cost that it says', async () => {
			const { adapt = (text) => text, whileStored, begin, ...expected } = examples[file];
			const json = JSON.parse(adapt(textOf(file))) as WorkflowJson;
			// Also where the service repeats the key in every answer
			sandbox.fault({ kind: 'echo' });
			const running = begin ? begin(json) : run(json, whileStored);
			const result = await running;

			expect([result.status, result.error?.message]).toEqual(['success', undefined]);
			for (const [node, rows] of Object.entries(expected.shows))
				expect([node, rowsOf(result, node)]).toMatchObject([node, wanted(rows)]);
			for (const [node, receipt] of Object.entries(expected.receipts ?? {}))
				expect(receiptOf(result.hints(node))).toMatchObject(receipt);
			expected.also?.(result);
			expect(calls()).toEqual(expected.calls);
			expect(spent()).toEqual(expected.spent);
			const places = leftBehindBy(result, logs, downloads);
			const texts = { ...places, 'stored while it waits': stored };
			expect(keyLeakSearch(sandbox.keys.main).search(texts)).toEqual([]);
		});
	});

	it('warn-before-credits-run-out.json says nothing while there are enough', async () => {
		const workflow = read('warn-before-credits-run-out.json') as WorkflowJson;
		const enough = await scheduled(workflow, 'Every Morning');
		expect([enough.status, enough.items('Message')]).toEqual(['success', []]);
		sandbox.setBalance(sandbox.keys.main, 'whatsapp', 499);
		const low = await scheduled(workflow, 'Every Morning');
		expect(rowsOf(low, 'Message')).toMatchObject([
			{ text: 'whatsApp: 499 credits left, threshold 500' },
		]);
	});

	it.each([
		['there are no credits', () => ({ apiKey: sandbox.keys.empty }), /not enough .* credits/],
		[
			'the service is down',
			() => ({ baseUrl: 'http://127.0.0.1:9', lookupUrl: '' }),
			/can't connect to/,
		],
	])(`${CONTACT} sends every contact to Unknown if %s`, async (_, change, reason) => {
		const result = await runWorkflow({
			workflow: JSON.parse(withSubmissions(textOf(CONTACT), 'Form')) as WorkflowJson,
			...{ startNode: 'Form', credentials: credentialsOf(sandbox, change()) },
		});
		expect([result.status, result.error?.message]).toEqual(['success', undefined]);
		expect(rowsOf(result, 'Unknown')).toMatchObject([
			{ name: 'Ada', phone: '020 7946 0121', email: 'ada@example.com', reason },
			{ name: 'Ben', phone: '+1 555 010 0100', email: 'missing.ben@example.com' },
			{ name: 'Cleo', phone: '', email: 'cleo@catch-all.example' },
		]);
		for (const { reason: why } of rowsOf(result, 'Unknown')) expect(why).toMatch(reason);
	});

	it.each<[string, FaultRule]>([
		['no answer comes', { kind: 'hangAfterCharge', isAnnounced: true, contains: '7946' }],
		['the service asks for pauses', { ...REFUSED, headers: { 'retry-after': '4' } }],
		['the service asks for a long pause', { ...REFUSED, headers: { 'retry-after': '30' } }],
	])(`${WEBSITE} accepts a visitor within 30 seconds if %s`, async (_, fault) => {
		const restore = withoutTimeouts();
		sandbox.fault(fault);
		const workflow = JSON.parse(withSubmissions(textOf(WEBSITE), 'Website Form')) as WorkflowJson;
		const [visitor] = workflow.pinData!['Website Form'];
		const start = Date.now();
		const result = await runWorkflow({
			workflow: { ...workflow, pinData: { 'Website Form': [visitor] } },
			...{ startNode: 'Website Form', credentials: credentials() },
		}).finally(restore);
		expect(result.items('Accept')).toHaveLength(1);
		expect(Date.now() - start).toBeLessThan(30_000);
	});

	it(`${CSV} stops before it pays if a file needs more than 2,000 lookups`, async () => {
		const leads = Array.from({ length: 501 }, (_, n) => ({
			...{ Phone: `+4915110${100_000 + n}`, Email: `lead${n}@example.com` },
			'Last IP': `8.8.${n >> 8}.${n & 255}`,
		}));
		const workflow = withList(CSV, 'Example List', { leads });
		const options = { startNode: 'Try Example Leads', credentials: credentials() };
		const result = await runWorkflow({ workflow, ...options });
		expect(result.error?.message).toMatch(/2004 paid lookups.*than Max Paid Lookups \(2000\)/);
		expect(sandbox.log).toEqual([]);
	});

	it.each<[string, string, string | undefined, RegExp | undefined]>([
		[
			'reads another column where one says that there is no value',
			'n/a,+442079460121',
			'+442079460121',
			undefined,
		],
		[
			'stops before it pays if a row has too many cells',
			'+442079460121,,x',
			undefined,
			/Record Length/,
		],
	])(`${CSV} %s`, async (_, row, asked, fails) => {
		const data = Buffer.from(`Phone,Mobile\n${row}\n`).toString('base64');
		const workflow = read(CSV);
		const csv = { data, mimeType: 'text/csv', fileName: 'leads.csv' };
		workflow.pinData = { Upload: [{ json: {}, binary: { File: csv } }] } as never;
		const options = { startNode: 'Upload', credentials: credentials() };
		const result = await runWorkflow({ workflow, ...options });
		if (fails) expect(result.error?.message).toMatch(fails);
		const numbers = sandbox.log.map(({ body }) => (body as IDataObject | undefined)?.phone_number);
		expect(numbers.filter(Boolean)).toEqual(asked ? [asked] : []);
	});

	it(`${AUDIT} returns the finished audit, and the late one with its ID`, async () => {
		let late: string | undefined;
		resetTime(() => {
			if (late) return;
			const checks = sandbox.log.filter(({ method }) => method === 'GET');
			late = checks.at(-1)?.query.audit_id;
			if (!late) return;
			sandbox.finishAudits();
			const body = { status: 'running', audit_id: late };
			sandbox.fault({ kind: 'body', method: 'GET', contains: late, body });
		});
		const result = await run(read(AUDIT));
		expect([result.status, result.error?.message]).toEqual(['success', undefined]);
		expect(rowsOf(result, 'Flat Row')).toHaveLength(4);
		expect(rowsOf(result, 'No Result')).toEqual([
			{
				...{ brand: expect.stringMatching(/^Example/), auditId: late },
				reason: expect.stringMatching(/isn't finished after 30 minutes/),
			},
		]);
	});

	it(`${AUDIT} says so if it does not know the form of the results`, async () => {
		const body = { status: 'completed', results: { search: { score: 1 } } };
		sandbox.fault({ kind: 'body', method: 'GET', body });
		const result = await run(read(AUDIT));
		expect(rowsOf(result, 'No Result').map(({ reason }) => reason)).toEqual([
			expect.stringMatching(/does not know the form of its results/),
			expect.stringMatching(/does not know the form of its results/),
		]);
	});

	describe(WEEKLY, () => {
		const { jsCode } = read(WEEKLY).nodes.find(({ name }) => name === 'List')!.parameters;
		// Other leads than above: the process remembers those
		const others = String(jsCode)
			.replaceAll('013', '014')
			.replace(/gwen|hugo|iris/g, 'new.$&');
		const list = JSON.parse(/\[[^]*\]/.exec(others)![0]) as IDataObject[];
		/** A week with this list: what it stores, what it returns for the CRM, and how many calls it makes. */
		const week = async (leads: IDataObject[], stored: IDataObject[]) => {
			sandbox.clearLog();
			const tables = { List: leads, 'Stored Results': stored, 'Keep Answers': [{}] };
			const workflow = JSON.parse(withTables(textOf(WEEKLY), tables)) as WorkflowJson;
			const result = await scheduled(workflow, 'Every Monday');
			const rows = result.items('Enrich Contact', 1).map(({ json }) => json);
			return { rows, returned: rowsOf(result, 'For Your CRM'), calls: sandbox.log.length };
		};
		/** The list after the CRM has stored what was returned. */
		const writtenBack = (leads: IDataObject[], returned: IDataObject[]) =>
			leads.map((lead) => ({ ...lead, ...returned.find(({ id }) => id === String(lead.id)) }));

		it('returns each lead until the CRM has stored it, and pays once', async () => {
			const first = await week(list, []);
			expect(first).toMatchObject({ calls: 5, returned: list.map(({ id }) => ({ id: `${id}` })) });
			expect(await week(list, first.rows)).toMatchObject({ calls: 0, returned: first.returned });
			const stored = writtenBack(list, first.returned);
			expect(await week(stored, first.rows)).toMatchObject({ calls: 0, returned: [] });

			const [, , hugo] = stored;
			const [phone, email] = ['+1 202 555 0147 ext. 5', 'new.gwen@example.com'];
			const added = { id: 6, phone, country: '', email };
			const changed = [...stored.filter((lead) => lead !== hugo), { ...hugo, phone: '' }, added];
			expect(await week(changed, first.rows)).toMatchObject({
				calls: 0,
				returned: [
					{
						id: '3',
						phone: '',
						checked: 'phone: none, email: missing.new.hugo@example.org negative',
					},
					{
						...{ id: '6', phone },
						checked: 'phone: +12025550147 positive, email: new.gwen@example.com positive',
					},
				],
			});
		});

		it('keeps what the CRM knows of a lead while a lookup fails', async () => {
			const checked = 'phone: none, email: nina@example.com positive';
			const lead = { id: 7, phone: '', country: '', email: 'nina@example.com', checked };
			sandbox.fault({ kind: 'status', status: 500, path: 'checkemail' });
			expect(await week([lead], [])).toMatchObject({ calls: 1, returned: [] });
		});

		it('looks up one address of a catch-all domain each week, and returns no unchanged unknown lead', async () => {
			const emails = ['a@catch-all.example', 'b@catch-all.example', 'greylisted.c@example.com'];
			const leads = emails.map((email, n) => ({ id: n, phone: '', country: '', email }));
			const first = await week(leads, []);
			expect(first).toMatchObject({ calls: 2, rows: [], returned: [{}, {}, {}] });
			const second = await week(writtenBack(leads, first.returned), first.rows);
			expect(second).toMatchObject({ calls: 2, returned: [] });
		});
	});

	it(`${FORM} submits at most 1,000 numbers`, async () => {
		const numbers = Array.from({ length: 1_001 }, (_, n) => `+4915110${100_000 + n}`);
		expect((await fillIn(numbers)).error?.message).toMatch(/than Max Paid Lookups \(1000\)/);
		expect(sandbox.log).toEqual([]);
	});

	describe(`${DURABLE}, with slow batches,`, () => {
		it('returns a row for each lead', async () => {
			const { onWhatsApp, batchRowFails, batchRowLost } = magic.PHONE;
			const phones = [onWhatsApp, batchRowFails, batchRowLost, '2025550143', '', 'ask me'];
			const contacts = phones.map((phone, n) => ({ name: `Lead ${n}`, phone }));
			const workflow = withList(DURABLE, 'List', { contacts });
			const result = await run(workflow, () => sandbox.finishBatches());
			expect(rowsOf(result, 'Result')).toMatchObject([
				{ name: 'Lead 0', phone: onWhatsApp, outcome: 'positive' },
				{ name: 'Lead 1', phone: batchRowFails, outcome: 'unknown' },
				{ name: 'Lead 2', phone: batchRowLost, outcome: 'unknown' },
			]);
			expect(rowsOf(result, 'Not Submitted')).toEqual([
				{ ...contacts[3], reason: expect.stringMatching(/without its country/) },
				{ ...contacts[4], reason: 'Phone Number is empty' },
				{ ...contacts[5], reason: 'Phone Number ("ask me") has no digits' },
			]);
		});

		it.each(['failed', 'COMPLETED'])(
			'goes on after a check that fails, and ends when the batch is %s',
			async (status) => {
				let rounds = 0;
				const result = await run(read(DURABLE), (_, text) => {
					const [, id] = text.match(/"batchId":"([^"]+)"/)!;
					const path = `/api/v1/wavalidation/batch/${id}`;
					const body = { batch_id: id, status, total_numbers: 3, results: [] };
					if (++rounds === 1) sandbox.fault({ kind: 'status', status: 503, path, times: 4 });
					if (rounds === 2) sandbox.fault({ kind: 'body', path, body });
				});
				expect([result.status, result.error?.message]).toEqual(['success', undefined]);
				expect(rounds).toBe(2);
				expect(columnOf(result, 'Result', 'name')).toEqual(['Ada', 'Ada again', 'Ben', 'Cleo']);
				expect(new Set(columnOf(result, 'Result', 'outcome'))).toEqual(new Set(['unknown']));
			},
		);

		it('stops after 60 checks, and names the batch that was charged', async () => {
			let rounds = 0;
			const result = await run(read(DURABLE), () => void rounds++);

			expect(result.status).toBe('error');
			expect(result.error?.message).toMatch(/^Not finished after 60 checks: [0-9a-f-]{36}\. /);
			expect(rounds).toBe(60);
			expect(calls()).toEqual({ 'POST batch': 1, 'GET {batch_id}': 60 });
			expect(spent()).toEqual({ whatsapp: 3 });
		});

		it('continues each of several batches when it is finished', async () => {
			const contacts = Array.from({ length: 1002 }, (_, n) => ({
				phone: `+4915110${100_000 + n}`,
			}));
			const workflow = withList(DURABLE, 'List', { contacts });
			let rounds = 0;
			const result = await run(workflow, (_, text) => {
				if (++rounds > 1) return;
				const [, id] = text.match(/"batchId":"([^"]+)"/)!;
				sandbox.finishBatches();
				sandbox.fault({
					...{ kind: 'body', path: `/api/v1/wavalidation/batch/${id}`, times: 1 },
					body: { batch_id: id, status: 'processing', total_numbers: 1000, completed: 0 },
				});
			});

			expect([result.status, result.error?.message]).toEqual(['success', undefined]);
			expect(rounds).toBe(2);
			expect(result.runData['Get Results']).toHaveLength(2);
			expect(new Set(columnOf(result, 'Result', 'phone')).size).toBe(1002);
			expect(calls()).toEqual({ 'POST batch': 2, 'GET {batch_id}': 5 });
			expect(spent()).toEqual({ whatsapp: 1002 });
		});
	});
});

/** The workflow with other contents in the node that holds its list. */
function withList(file: string, node: string, contents: object): WorkflowJson {
	const workflow = read(file);
	const list = workflow.nodes.find(({ name }) => name === node)!;
	list.parameters.jsonOutput = JSON.stringify(contents);
	return workflow as WorkflowJson;
}

/** The workflow with three submissions at its trigger: fields of a form, or the body of a request. */
function withSubmissions(text: string, trigger: string): string {
	const leads = [
		{ name: 'Ada', phone: '020 7946 0121', country: 'GB', email: 'ada@example.com' },
		{ name: 'Ben', phone: '+1 555 010 0100', email: 'missing.ben@example.com' },
		{ name: 'Cleo', phone: '', email: 'cleo@catch-all.example' },
	];
	const headers = { 'x-forwarded-for': '10.0.0.1, 8.8.8.8' };
	const pinned = leads.map((body) => {
		const { name: Name, phone: Phone, country: Country = '', email: Email } = body;
		return { json: { Name, Phone, Country, Email, headers, params: {}, query: {}, body } };
	});
	return JSON.stringify({ ...JSON.parse(text), pinData: { [trigger]: pinned } });
}

/** The workflow with addresses that no other test looks up: the process keeps answers, too. */
const withNewAddresses = (text: string, test: string) =>
	text.replace(
		/(?<=\w)@(?=\w)/g,
		`.${createHash('sha256').update(test).digest('hex').slice(0, 8)}@`,
	);

/** The workflow with the items of its list and of its tables, whose nodes need a server. */
function withTables(text: string, tables: Record<string, IDataObject[]>): string {
	const workflow = JSON.parse(text) as { nodes: INode[] };
	const list = workflow.nodes.find(({ name }) => name === 'List')!;
	const [, rows] = /^return (\[[^]*\]);$/.exec(String(list.parameters.jsCode))!;
	const all: Record<string, IDataObject[]> = { List: JSON.parse(rows) as IDataObject[], ...tables };
	const pinData = Object.fromEntries(
		Object.entries(all).map(([name, items]) => [name, items.map((json) => ({ json }))]),
	);
	return JSON.stringify({ ...workflow, pinData });
}

/** The workflow with other thresholds, in credits. */
const withThresholds = (text: string, credits: number) =>
	text.replaceAll(/(?<="value": )500\b/g, String(credits));

/** The values of a list of options, or the names of a collection's. */
function namesIn(options: NonNullable<INodeProperties['options']>): unknown[] {
	return options.map((option) => ('value' in option ? option.value : option.name));
}

/** What a parameter with options holds: its value, its values, or the names of its options. */
function entriesOf(value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	return typeof value === 'object' && value !== null ? Object.keys(value) : [value];
}

/** Pairs of the names of connected nodes, by any connection or by those of one type. */
function linksIn(
	connections: WorkflowJson['connections'],
	type?: string,
): Array<[from: string, to: string]> {
	return Object.entries(connections).flatMap(([from, outputs]) =>
		Object.entries(outputs)
			.filter(([kind]) => !type || kind === type)
			.flatMap(([, slots]) => slots)
			.flatMap((targets) => (targets ?? []).map(({ node }): [string, string] => [from, node])),
	);
}
