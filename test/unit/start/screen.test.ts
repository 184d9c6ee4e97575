/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import { parseLeads } from '../../../scripts/demo/csv';

import { columnsOf } from '../../engine';
import { enrichContact } from '../../../nodes/LookupMessaging/operations/contact/enrich';
import { ADDED, asCell, csvRows, jsonRows } from '../../../scripts/demo/outputRows';
import { readOptions } from '../../../scripts/demo/options.mts';
import { answersTable } from '../../../scripts/demo/answersTable';
import { widthOf } from '../../../scripts/demo/textWidth';

const CATCH_ALL = 'the mail server accepts every address (catch-all)';

const section = (outcome: string, more: object = {}) => ({ outcome, source: 'service', ...more });

/** A contact whose IP address is empty. */
function enriched(name: string, phone = '+442079460018', outcome = 'positive') {
	const file = parseLeads(`Notes,name,Mobile,email\n-x,"${name}",${phone},a@b.example`, 'f');
	const contact = {
		...{ outcome: 'positive', channels: ['phone', 'email'] },
		signals: { countryMismatch: false, tollFree: true, voip: true },
		phone: section(outcome, {
			...{ carrier: 'A Carrier With A Long Name', lineType: 'landline_or_mobile' },
		}),
		whatsApp: section('negative', { source: outcome === 'negative' ? 'local' : 'service' }),
		email: section('unknown', { reason: CATCH_ALL, source: 'duplicate' }),
	};
	return { file, answers: [{ lead: file.leads[0], contact }] };
}

describe('the table of results', () => {
	it.each([80, 100, 120])('fits %d columns, with any names', (columns) => {
		for (const name of ['A', 'A name of many words that goes on and on', '王'.repeat(40)]) {
			const lines = answersTable(enriched(name).answers, columns).split('\n');
			expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
		}
	});

	it('says what it leaves out on a narrow terminal', () => {
		expect(answersTable(enriched('A').answers, 80)).toMatch(/Left out .*: .*Carrier/);
		expect(answersTable(enriched('A').answers, 140)).not.toMatch(/Left out/);
	});

	it('names a lead without a name by its row, and distinguishes empty, saved and unknown', () => {
		const { answers } = enriched('', '555', 'negative');
		const text = answersTable(answers, 120);
		expect(text).toMatch(/│ row 2 .*│ invalid .*│ not needed │ unknown = │ – +│/);
		expect(text).toMatch(/Email: the mail server accepts every address/);
	});
});

describe('the output file', () => {
	it("has the user's columns first, unchanged, then a few named ones", () => {
		const { file, answers } = enriched('A');
		const [header, row] = csvRows(file, answers);
		expect(header).toEqual(['Notes', 'name', 'Mobile', 'email', ...ADDED]);
		const cells = Object.fromEntries(header.map((column, index) => [column, row[index]]));
		expect(cells).toMatchObject({
			...{ Notes: "'-x", Mobile: '+442079460018', contactResult_outcome: 'positive' },
			...{ contactResult_channels: 'phone, email', contactResult_signals: 'tollFree, voip' },
			...{ contactResult_reason: CATCH_ALL, contactResult_phone_outcome: 'positive' },
			...{ contactResult_whatsApp_outcome: 'negative', contactResult_email_outcome: 'unknown' },
		});
		expect(jsonRows(file, answers)).toEqual([
			{
				...{ Notes: '-x', name: 'A', Mobile: '+442079460018', email: 'a@b.example' },
				contactResult: answers[0].contact,
			},
		]);
	});

	const recipe = readFileSync(
		join(__dirname, '../../../examples/workflows/enrich-leads-from-a-csv-file.json'),
		'utf8',
	);
	const assignmentsOf = (node: string) => {
		const { nodes } = JSON.parse(recipe) as { nodes: INode[] };
		const { assignments } = nodes.find(({ name }) => name === node)!.parameters;
		return (assignments as { assignments: Array<{ name: string; value: string }> }).assignments;
	};

	it('has the columns of the recipe', () => {
		expect(assignmentsOf('Enriched Leads').map(({ name }) => name)).toEqual(ADDED);
	});

	it("has the columns of the node, by the names that it uses beside the user's columns", () => {
		const { resource, output } = enrichContact;
		const fields = [...output, ...columnsOf(output)].map(({ name }) => name);
		const columns = ['outcome', 'reason', ...fields].map((field) => `${resource}Result_${field}`);
		expect(ADDED.filter((column) => !columns.includes(column))).toEqual([]);
	});

	it('does not write over columns of the same name', () => {
		const { answers } = enriched('A');
		const file = parseLeads('phone,contactResult_outcome\n1,mine', 'f');
		const [header] = csvRows(file, [{ ...answers[0], lead: file.leads[0] }]);
		expect(header.slice(0, 4)).toEqual([
			...['phone', 'contactResult_outcome', 'contactResult_outcome2', 'contactResult_channels'],
		]);
	});

	it.each(['=1+1', '＝1', '@SUM(A1)', '+cmd', '-x', '\t=1', '\r1'])('guards %j', (text) => {
		expect(asCell(text)).toBe(`'${text}`);
	});
	it.each(['', 'a=1', '+44 (0)20-7946', '＋４９ １７１', '-5.5', 'a@b.c'])('keeps %j', (text) => {
		expect(asCell(text)).toBe(text);
	});
});

describe('the options of an own service', () => {
	const key = { LOOKUP_MESSAGING_API_KEY: 'k' };
	const roots = ['--base-url', '--lookup-url', '--geoip-url'];
	const given = roots.flatMap((root) => [root, 'https://x.example/api/v1']);

	it('are the key and the addresses of the hosts that the lookups call', () => {
		expect(readOptions([], {}).own).toBeUndefined();
		expect(readOptions(given, key).own?.apiKey).toBe('k');
		expect(() => readOptions(given.slice(2), key)).toThrow(/missing: --base-url .*aren't needed/);
		expect(readOptions(given.slice(0, 2), key).own?.roots).toMatchObject({
			...{ 'base-url': 'https://x.example/api/v1', 'lookup-url': '' },
		});
		expect(() => readOptions(given, {})).toThrow(/set without a key/);
		expect(() => readOptions([...given, '--base-url', 'x.example'], key)).toThrow(
			/begins with https:/,
		);
	});
});

describe('the file and its columns', () => {
	it('are the arguments', () => {
		const { input, columns } = readOptions(
			['my leads.csv', '--columns', 'phone=Mobile,email=Work Email', '--columns', 'ip='],
			{},
		);
		expect([input, columns]).toEqual([
			'my leads.csv',
			{ phone: 'Mobile', email: 'Work Email', ip: '' },
		]);
	});

	it.each([[['a-key-perhaps']], [['a.csv', 'b.csv']], [['--columns', 'email=Work', 'Email']]])(
		'are refused with a remedy: %j',
		(args) => {
			expect(() => readOptions(args, {})).toThrow(/^Name one file that ends in \.csv/);
		},
	);

	it('do not repeat an unknown word, which may be the key', () => {
		expect(() => readOptions(['a-key-perhaps'], {})).not.toThrow(/a-key-perhaps/);
	});
});
