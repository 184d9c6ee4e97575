import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { magic, startSandbox, type Sandbox } from '../sandbox';
import { line, loadPackage, OWN_PACKAGE, runNode } from '../support/n8n';
import { openEditor } from '../support/n8nLoadOptions';
import { Poller, type PollerOptions } from '../support/n8nPoller';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const LISTS = { batch: 'list_whatsapp_batches', audit: 'list_audits' };
const byName = (value: string) => ({ __rl: true, mode: 'name', value });

const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);
const idsIn = (items: INodeExecutionData[]) => [
	...new Set(items.map(({ json }) => json.batchId ?? json.auditId)),
];

describe(`the trigger, n8n ${line}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ batchNumbersPerSecond: 0, auditSeconds: 3600 });
	});
	beforeEach(() => {
		sandbox.reset();
		sandbox.setBatchSpeed(0);
	});
	afterAll(async () => await sandbox.close());

	type Credential = { apiKey?: string; lookupUrl?: string; mcpUrl?: string; baseUrl?: string };
	const credentialsOf = (credential: Credential = {}) => ({
		lookupMessagingApi: { apiKey: sandbox.keys.main, ...sandbox.roots, ...credential },
	});
	const poller = (parameters: object, more: Partial<PollerOptions> = {}) =>
		new Poller({
			credentials: credentialsOf(),
			workflow: {
				id: `workflow-${(count += 1)}`,
				nodes: [
					{
						name: 'Trigger',
						type: `${OWN_PACKAGE}.lookupMessagingTrigger`,
						parameters: { resource: 'batch', ...(parameters as IDataObject) } as never,
						credentials: { lookupMessagingApi: { id: 'account-1', name: 'Account' } },
					},
				],
				connections: {},
			},
			...more,
		});
	let count = 0;
	const watching = (jobIds: unknown, parameters: object = {}, more: Partial<PollerOptions> = {}) =>
		poller({ jobsFrom: 'ids', jobIds, ...parameters }, more);
	const listening = (parameters: object = {}, more: Partial<PollerOptions> = {}) => {
		const { resource = 'batch' } = parameters as { resource?: 'audit' | 'batch' };
		const listingTool = byName(LISTS[resource]);
		return poller({ jobsFrom: 'listing', listingTool, ...parameters }, more);
	};

	const act = async (parameters: object, credential: Credential = {}) => {
		const { items, error } = await runNode({ credentials: credentialsOf(credential), parameters });
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
	const calls = (path: string) => sandbox.log.filter((request) => request.path.includes(path));

	describe('a batch by its ID', () => {
		it('is emitted once: not before it is finished, and never again', async () => {
			const id = await submit();
			const trigger = watching(id);
			await trigger.activate();
			expect(await trigger.poll()).toEqual([]);

			sandbox.finishBatches();
			expect(idsIn(await trigger.poll())).toEqual([id]);
			expect(await trigger.poll()).toEqual([]);
			await trigger.restart();
			expect(await trigger.poll()).toEqual([]);
			expect(trigger.emissions).toHaveLength(1);
			expect(trigger.errors).toEqual([]);
		});
	});
});
