import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import type { AnyOperation, OutputField } from '../engine';
import { operations } from '../../nodes/LookupMessaging/operations';
import { magic } from '../sandbox';
import { inCollections } from '../harness/collections';
import { release } from '../harness/n8n';
import { storiesOn } from '../harness/stories';
import { resetTime } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

/** What the placeholders of the fields do not say. */
const SAMPLES: Record<string, IDataObject> = {
	'audit.get': { auditId: '={{ $json.auditId }}' },
	'audit.getSummary': { auditId: '={{ $json.auditId }}' },
	'contact.enrich': {
		...{ phoneNumber: magic.PHONE.onWhatsApp, email: 'ada@example.com', ipAddress: '8.8.8.8' },
		lookups: ['callerId', 'email', 'geoIp', 'phone', 'whatsApp'],
	},
	'batch.get': { batchId: '={{ $json.batchId }}' },
	'toolServer.callTool': {
		tool: { __rl: true, mode: 'name', value: 'locate_ip' },
		...{ argumentsMode: 'json', argumentsJson: '{ "ip": "8.8.8.8" }' },
	},
	'whatsApp.sendMessage': { phoneNumber: magic.PHONE.onWhatsApp, message: 'Hello' },
	'scraper.getForumPost': { splitIntoItems: true },
};

const nameOf = ({ resource, value }: AnyOperation) => `${resource}.${value}`;

/** One case per operation, and one for each choice that changes what is asked or what is returned. */
const cases = operations.flatMap((operation) =>
	variantsOf(operation).map(
		(variant) => [`${nameOf(operation)} ${JSON.stringify(variant)}`, operation, variant] as const,
	),
);

function variantsOf({ fields }: AnyOperation): IDataObject[] {
	const choice = fields.find(({ name }) => ['responseDetail', 'splitIntoItems'].includes(name));
	if (!choice) return [{}];
	const { name, options } = choice;
	const values = (options as INodePropertyOptions[] | undefined)?.map(({ value }) => value);
	return (values ?? [true, false]).map((value) => ({ [name]: value }));
}

/** What an operation takes: the examples of its placeholders, and what they do not say. */
function sampleOf(operation: AnyOperation): IDataObject {
	const examples = operation.fields
		.filter(({ placeholder, required }) => placeholder?.startsWith('e.g. ') && required)
		.map(({ name, placeholder = '' }) => [name, placeholder.slice(5)]);
	const { resource, value } = operation;
	return {
		...{ resource, operation: value },
		...{ ...Object.fromEntries(examples), ...SAMPLES[nameOf(operation)] },
	};
}

describe(`every operation, n8n ${release}`, () => {
	const on = storiesOn({ batchNumbersPerSecond: 0, auditSeconds: 0 });
	let job: IDataObject;

	beforeEach(async () => {
		resetTime(() => {
			on.service().finishBatches();
			on.service().finishAudits();
		});
		const [batch] = await json({
			...{ resource: 'batch', operation: 'submit', phoneNumber: magic.PHONE.onWhatsApp },
		});
		const [audit] = await json({
			...{ resource: 'audit', operation: 'run' },
			...{ brandName: 'Example', brandUrl: 'https://example.com' },
		});
		on.service().finishBatches();
		on.service().finishAudits();
		job = { batchId: batch.batchId, auditId: audit.auditId };
		on.service().clearLog();
	});

	async function json(parameters: object): Promise<IDataObject[]> {
		const run = await on.act(parameters, { items: [job ?? {}] });
		expect(run.error?.message).toBeUndefined();
		for (const { pairedItem } of run.items())
			expect([{ item: 0 }, [{ item: 0 }]]).toContainEqual(pairedItem);
		expect(run.items().length).toBeGreaterThan(0);
		return run.items().map((item) => item.json);
	}

	test.each(cases)(
		'%s: returns its three outcomes, and the fields of each Output',
		async (_, operation, variant) => {
			const { subject, output } = operation;
			const parameters = { ...sampleOf(operation), ...variant };
			const head = [...(subject ? ['input'] : []), 'outcome', 'source', 'reason'];

			for (const item of await json(parameters)) {
				expect(item).toMatchObject({ source: 'service' });
				expect(['positive', 'negative', 'unknown']).toContain(item.outcome);
				expect(Object.keys(item).length).toBeLessThanOrEqual(10);
				const shapes = new Set(output.map(({ shape }) => shape));
				const possible = [...shapes].map((shape) => [...head, ...simplifiedOf(output, shape)]);
				const hasSections = output.some(({ isLookup }) => isLookup);
				const shown = Object.keys(item).sort();
				// Beside sections, what is not known is left out
				const namesOf = (names: string[]) =>
					hasSections ? names.filter((name) => shown.includes(name)) : names;
				expect(possible.map((names) => namesOf(names).sort())).toContainEqual(shown);
			}
			for (const item of await json({ ...parameters, output: 'raw' })) {
				expect(Object.keys(item).sort()).toEqual([...head, 'response'].sort());
				expect(item.response).toEqual(expect.any(Object));
			}
			const selectedFields = ['outcome', output[0].name];
			for (const item of await json({ ...parameters, output: 'selectedFields', selectedFields })) {
				for (const name of Object.keys(item)) expect(selectedFields).toContain(name);
				expect(item).toHaveProperty('outcome');
			}
			expect(on.service().log).not.toEqual([]);
		},
	);

	describe('with API Key and Base URL alone', () => {
		const TWO_FIELDS = { lookupUrl: '', geoipUrl: '', mcpUrl: '' };
		/** What the operations of a resource need beside them. */
		const NEEDS: Record<string, string> = { batch: 'Lookup URL', toolServer: 'Tool Server URL' };
		const all = operations.map((operation) => [nameOf(operation), operation] as const);
		const runOf = async (operation: AnyOperation, options = {}) =>
			await on.act(
				{ ...sampleOf(operation), ...inCollections(options) },
				{ credential: TWO_FIELDS, items: [job] },
			);

		test.each(all)(
			'%s answers, or names the URL that it needs and sends nothing',
			async (_, of) => {
				const run = await runOf(of);
				const needed = NEEDS[of.resource];
				if (needed) {
					expect(run.error?.message).toMatch(
						new RegExp(`^The credential has no ${needed}, and this operation needs it\\.`),
					);
					expect(on.service().log).toEqual([]);
					return;
				}
				expect(run.error?.message).toBeUndefined();
				expect(new Set(on.service().log.map(({ host }) => host))).toEqual(new Set(['main']));
				for (const { json } of run.items()) {
					expect(json.source).toBe('service');
					for (const section of of.output.filter(({ isLookup }) => isLookup))
						expect(json[section.name]).toMatchObject({ outcome: 'positive', source: 'service' });
				}
			},
		);

		const paid = all.filter(([, { free, resource }]) => !free && resource in NEEDS);
		test.each(paid)('a Dry Run of %s says that it lacks its URL', async (_, of) => {
			const run = await runOf(of, { dryRun: true });

			expect(run.items().map(({ json }) => json.dryRun)).toEqual([true]);
			expect(run.hints().join('\n')).toContain(`The credential has no ${NEEDS[of.resource]}`);
			expect(on.service().log).toEqual([]);
		});
	});
});

function simplifiedOf(output: OutputField[], form: string | undefined): string[] {
	return output
		.filter(({ simplified, shape }) => simplified && (shape ?? form) === form)
		.map(({ name }) => name);
}
