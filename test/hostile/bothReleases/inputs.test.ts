import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isFullRun } from '../fullRun';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { magic, startSandbox, type Sandbox } from '../../sandbox';
import { PRODUCTS } from '../../sandbox/types';
import { runViolations } from '../../models/hostile/runViolations';
import { fields, settingsOf, type Field } from '../../models/hostile/fields';
import {
	EXPRESSIONS,
	HUGE,
	OTHERS,
	TEXTS,
	type HostileValue,
} from '../../models/hostile/hostileValues';
import { release, runNode, type NodeRun } from '../../harness/n8n';
import { credentialsOf, expectOnlyE164 } from '../../harness/onSandbox';
import { resetTime } from '../../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../../harness/time')>('../../harness/time').withoutWaiting(),
);

const FILE = { data: 'aGVsbG8=', mimeType: 'text/plain', fileName: 'a.txt' };
const LONG_MS = 300_000;

const title = ({ operation: { resource, value }, name }: Field) => `${resource}.${value}, ${name}`;
const titled = (list: Field[]) => list.map((field) => [title(field), field] as const);

/** A sample of what takes too long: half in full, and less on n8n 1.x. Always the same, but different for each entry of a list. */
function slice<Entry>(entries: Entry[], every: number, shift = 0): Entry[] {
	const oneIn = isFullRun && release === '2.x' ? 2 : every;
	return entries.filter((_, index) => (index + shift) % oneIn === 0);
}

/** The first field of each name: one function reads all fields of a name. */
const distinct = fields.filter(
	({ name }, index) => fields.findIndex((field) => field.name === name) === index,
);
const withText = distinct.filter(
	({ name }) => !name.startsWith('option') || name.includes('value'),
);

describe(`hostile inputs, n8n ${release}`, () => {
	let sandbox: Sandbox;
	let ids: IDataObject;

	beforeAll(async () => {
		sandbox = await startSandbox({ batchNumbersPerSecond: 0, auditSeconds: 0 });
		resetTime(() => {
			sandbox.finishBatches();
			sandbox.finishAudits();
		});
		const batch = { resource: 'batch', operation: 'submit', phoneNumber: magic.PHONE.onWhatsApp };
		const brand = { brandName: 'Example', brandUrl: 'https://example.com' };
		const started = await run(batch, [{}]);
		const audit = await run({ resource: 'audit', operation: 'run', ...brand }, [{}]);
		const { batchId } = started.items()[0].json;
		ids = { batchId, auditId: audit.items()[0].json.auditId };
		sandbox.finishBatches();
		sandbox.finishAudits();
	});
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);
	beforeEach(() => {
		sandbox.clearLog();
		sandbox.clearFaults();
		for (const product of PRODUCTS) sandbox.setBalance(sandbox.keys.main, product, 1_000_000);
	});

	async function run(parameters: IDataObject, items: IDataObject[]): Promise<NodeRun> {
		return await runNode({
			credentials: credentialsOf(sandbox),
			items: items.map((json): INodeExecutionData => ({ json, binary: { data: FILE } })),
			onError: 'continueRegularOutput',
			parameters,
		});
	}

	/** Runs the field with all values, one per item, and returns the violations. */
	async function problemsWith(field: Field, names: string[], items: IDataObject[], value: string) {
		sandbox.clearLog();
		const node = await run(field.parametersWith(value), items);
		const added = field.name.includes('additionalParameters');
		const checksBalance = /checkBalance|minimumBalance/.test(field.name);
		const { operation } = field;
		const { log } = sandbox;
		const violations = runViolations({ operation, run: node, names, log, added, checksBalance });
		return violations;
	}
	const withValues = async (field: Field, values: HostileValue[]) =>
		await problemsWith(
			field,
			values.map(([name]) => name),
			values.map(([, v]) => ({ ...ids, v })),
			'={{ $json.v }}',
		);
	const withExpressions = async (field: Field, chosen: typeof EXPRESSIONS) =>
		await problemsWith(
			field,
			chosen.map(([name]) => name),
			chosen.map((_, n) => ({ ...ids, n })),
			`={{ [${chosen.map(([, text]) => `() => (${text})`).join(', ')}][$json.n]() }}`,
		);

	test.each(titled(fields))(
		'%s: returns a correct result or a clear message for any input',
		async (_, field) => {
			const shift = fields.indexOf(field);
			const values = [...slice(TEXTS, 6, shift), ...slice(OTHERS, 6, shift)];
			expect(await withValues(field, values)).toEqual([]);
			const chosen = slice(EXPRESSIONS, 8, shift);
			expect(await withExpressions(field, chosen)).toEqual([]);
		},
		LONG_MS,
	);

	const withLongText = slice(withText, 8);
	test.each(titled(withLongText))(
		'%s: does not hang with 10 MB',
		async (_, field) => {
			for (const huge of slice(HUGE, 4, withLongText.indexOf(field)))
				expect(await withValues(field, [huge])).toEqual([]);
		},
		LONG_MS,
	);

	test('a query that is too long for a URL is not sent', async () => {
		const search = { resource: 'scraper', operation: 'searchForum', query: '={{ $json.v }}' };
		const items = [{ v: 'coffee' }, { v: 'x'.repeat(50_000) }, { v: 'x'.repeat(100_001) }];
		const node = await run(search, items);
		const errors = node.items().flatMap(({ json }) => json.error ?? []);
		expect(errors).toEqual([
			expect.stringMatching(/^Query .* You weren't charged\. \[item 1\]$/),
			expect.stringMatching(/^Query .* You weren't charged\. \[item 2\]$/),
		]);
		expect(sandbox.log.filter(({ query }) => (query.query?.length ?? 0) > 50_000)).toEqual([]);
		expect(node.hints()[0]).toMatch(
			/^No price given: 1 scraper call\.<br>3 items: 1 done, 2 failed/,
		);
		expect(node.hints()[0]).not.toMatch(/may have been charged/);
	});

	const [validate] = operations.filter(({ resource }) => resource === 'phone');
	const settings = settingsOf(validate);
	test.each(titled(settings))(
		'%s: returns a correct result or a clear message for any value',
		async (_, field) => {
			const shift = settings.indexOf(field);
			for (const value of slice([...TEXTS, ...OTHERS], 16, shift)) {
				expect(await withValues(field, [value])).toEqual([]);
			}
			for (const one of slice(EXPRESSIONS, 16, shift)) {
				const [name, text] = one;
				expect(await problemsWith(field, [name], [ids], `={{ ${text} }}`)).toEqual([]);
			}
		},
		LONG_MS,
	);
});
