import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { tally, whole } from '../extent';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { magic, startSandbox, type Sandbox } from '../../sandbox';
import { violationsOf } from '../../support/hostile/check';
import { fields, settingsOf, type Field } from '../../support/hostile/fields';
import { EXPRESSIONS, HUGE, OTHERS, TEXTS, type Nasty } from '../../support/hostile/values';
import { line, runNode, type NodeRun } from '../../support/n8n';
import { resetTime } from '../../support/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../../support/time')>('../../support/time').withoutWaiting(),
);

const title = ({ operation: { resource, value }, name }: Field) => `${resource}.${value}, ${name}`;

/** A slice of what is too much for every day: each time the same. */
const slice = <Entry>(entries: Entry[], every: number) =>
	whole ? entries : entries.filter((_, index) => index % every === 0);

describe(`nasty inputs, n8n ${line}`, () => {
	let sandbox: Sandbox;
	let ids: IDataObject;
	const counts = { parameters: 0, values: 0, 'requests astray': 0 };

	beforeAll(async () => {
		sandbox = await startSandbox({ batchNumbersPerSecond: 0, auditSeconds: 0 });
		resetTime(() => {
			sandbox.finishBatches();
			sandbox.finishAudits();
		});
		const started = await run(
			{ resource: 'batch', operation: 'submit', phoneNumber: magic.PHONE.onWhatsApp },
			[{}],
		);
		const audit = await run(
			{
				resource: 'audit',
				operation: 'run',
				brandName: 'Example',
				brandUrl: 'https://example.com',
			},
			[{}],
		);
		ids = {
			batchId: started.items()[0].json.batchId,
			auditId: audit.items()[0].json.auditId,
		};
		sandbox.finishBatches();
		sandbox.finishAudits();
	});
	afterAll(async () => {
		await sandbox.close();
		tally({ part: 'Inputs', line, counts });
	});
	beforeEach(() => sandbox.clearLog());

	async function run(parameters: IDataObject, items: IDataObject[]): Promise<NodeRun> {
		for (const product of [
			'whatsapp',
			'email',
			'geoip',
			'phone',
			'callerinfo',
			'scraper',
			'audit',
		] as const)
			sandbox.setBalance(sandbox.keys.main, product, 100_000);
		const file = { data: 'aGVsbG8=', mimeType: 'text/plain', fileName: 'a.txt' };
		return await runNode({
			credentials: { lookupMessagingApi: { apiKey: sandbox.keys.main, ...sandbox.roots } },
			items: items.map((json): INodeExecutionData => ({ json, binary: { data: file } })),
			onError: 'continueRegularOutput',
			parameters,
		});
	}

	/** Runs the field with all values, an item each, and says what did not hold. */
	async function problemsWith(field: Field, names: string[], items: IDataObject[], value: string) {
		sandbox.clearLog();
		const node = await run(field.parametersWith(value), items);
		const added = field.name.includes('additionalParameters') ? () => true : undefined;
		const problems = violationsOf({
			...{ operation: field.operation, run: node, names, log: sandbox.log, added },
		});
		counts.values += names.length;
		counts['requests astray'] += problems.filter((text) => text.includes('a request')).length;
		return problems;
	}
	const withValues = async (field: Field, values: Nasty[]) =>
		await problemsWith(
			field,
			values.map(([name]) => name),
			values.map(([, v]) => ({ ...ids, v })),
			'={{ $json.v }}',
		);

	test.each(fields.map((field) => [title(field), field] as const))(
		'%s: a right answer or a clear message, whatever is in it',
		async (_, field) => {
			counts.parameters += 1;
			const values: Nasty[] = [...slice(TEXTS, 3), ...slice(OTHERS, 3)];
			expect(await withValues(field, values)).toEqual([]);
			const exotic = slice(EXPRESSIONS, 4);
			const list = exotic.map(([, expression]) => `() => (${expression})`).join(', ');
			const chosen = `={{ [${list}][$json.n]() }}`;
			const items = exotic.map((__, n) => ({ ...ids, n }));
			const names = exotic.map(([name]) => name);
			expect(await problemsWith(field, names, items, chosen)).toEqual([]);
		},
		120_000,
	);
});
