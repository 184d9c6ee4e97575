/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../sandbox';
import type { WorkflowJson } from '../harness/n8n';
import { release, runWorkflow } from '../harness/n8n';
import { credentialsOf, expectOnlyE164 } from '../harness/onSandbox';

const EXAMPLE = join(__dirname, '../../examples/workflows/enrich-leads.json');

/** The example workflow with a file of this text instead of a file on disk, so that it runs on both releases. */
function workflowOver(csv: string, options: IDataObject = {}): WorkflowJson {
	const workflow = JSON.parse(readFileSync(EXAMPLE, 'utf8')) as WorkflowJson;
	const data = { data: Buffer.from(csv).toString('base64'), mimeType: 'text/csv' };
	const reading = workflow.nodes.find(({ name }) => name === 'Read Leads')!;
	Object.assign(reading, { type: 'n8n-nodes-base.noOp', parameters: {} });
	const rows = workflow.nodes.find(({ name }) => name === 'Rows')!;
	Object.assign(rows.parameters!.options!, options);
	workflow.pinData = {
		'Read Leads': [{ json: {}, binary: { data: { ...data, fileExtension: 'csv' } } }],
	};
	return workflow;
}

describe(`the example workflow on n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);
	beforeEach(() => sandbox.reset());

	const run = async (csv: string, options?: IDataObject) =>
		await runWorkflow({
			workflow: workflowOver(csv, options),
			credentials: credentialsOf(sandbox),
		});
	const HEADER = 'name,phone,email,ip,country';

	it('lays the answers out flat', async () => {
		const { status, error, items } = await run(
			`\ufeff${HEADER}\nA,+442079460018,catch@catch-all.example,8.8.8.8,\nB,n/a,,,\n`,
		);
		expect([status, error?.message]).toEqual(['success', undefined]);
		const [first, second] = items('Enriched Leads').map(({ json }) => json);
		expect(first).toMatchObject({
			...{ name: 'A', phone: '+442079460018', phoneOutcome: 'positive', lineType: 'landline' },
			...{ carrier: null, phoneCountry: 'GB', whatsAppOutcome: 'negative' },
			...{ emailOutcome: 'unknown', locationOutcome: 'positive', reason: 'catch_all' },
		});
		expect(second).toMatchObject({ name: 'B', phone: 'n/a', phoneOutcome: 'negative' });
		expect(first.channels).toBe('phone');
		expect(second).toMatchObject({
			emailOutcome: null,
			reason: expect.stringMatching(/has no digits$/),
		});
	});

	it('needs neither names nor countries, and reads other separators when told', async () => {
		const plain = await run('ip,phone,email\n8.8.8.8,,\n');
		expect(plain.items('Enriched Leads')).toHaveLength(1);
		const semicolons = await run(`${HEADER.replaceAll(',', ';')}\nA, B;;;8.8.8.8;\n`, {
			delimiter: ';',
		});
		expect(semicolons.items('Enriched Leads')[0].json.name).toBe('A, B');
	});

	it('pays for no WhatsApp check of a number that is invalid', async () => {
		const numbers = ['555-0142', '+12025550102', '(202) 555-0102', ''];
		const { items } = await run(
			`${HEADER}\n${numbers.map((number) => `A,${number},,,US`).join('\n')}\n`,
		);
		const checks = sandbox.log.filter(({ path }) => path.endsWith('/checkwanumber'));
		expect(checks.map(({ query }) => query.number)).toEqual(['+12025550102']);
		const sources = items('Enrich Lead').map(
			({ json }) => ((json.contact as IDataObject).whatsApp as IDataObject | null)?.source,
		);
		expect(sources).toEqual(['local', 'service', 'duplicate', undefined]);
	});

	it('asks WhatsApp about the number as given where its validation is unknown', async () => {
		sandbox.fault({ kind: 'status', status: 500, path: 'phonevalidation', times: 1 });
		await run(`${HEADER}\nA,+12025550102,,,\nB,+12025550103,,,\n`);
		const checks = sandbox.log.filter(({ path }) => path.endsWith('/checkwanumber'));
		expect(checks.map(({ query }) => query.number).sort()).toEqual([
			'+12025550102',
			'+12025550103',
		]);
	});

	const refused: Array<[what: string, csv: string, sentence: RegExp]> = [
		[
			'semicolons',
			`${HEADER.replaceAll(',', ';')}\nA;1;;;\n`,
			/lacks the column phone, email, ip\. Its header has: "name;phone;email;ip;country".*Delimiter/,
		],
		['other spellings', 'Phone Number,email,ip\n1,,\n', /column phone\. .*"Phone Number", "email"/],
		['no rows', `${HEADER}\n`, /no rows below its header/],
	];
	it.each(refused)('stops with a sentence before it pays: %s', async (_, csv, sentence) => {
		const { status, error } = await run(csv);
		expect(status).toBe('error');
		expect(error?.message).toMatch(sentence);
		expect(error?.message).toMatch(/Nothing was spent\.$/);
		expect(sandbox.log).toEqual([]);
	});
});
