import { NodeHelpers, Workflow, type INodeParameters, type INodeType } from 'n8n-workflow';
import { release, loadPackage, runNode, type NodeOptions } from '../harness/n8n';
import { operations } from '../../nodes/LookupMessaging/operations';
import { storiesOn } from '../harness/stories';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const routeByResult = true;
const verifyEmail = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
const items = [
	...['ada@mail.example', 'missing@mail.example', 'x@catch-all.example', 'no address@'],
	...['bad@mail.example', 'ada@mail.example'],
].map((email, n) => ({ email, n }));

describe(`Route by Result, n8n ${release}`, () => {
	const on = storiesOn({ batchNumbersPerSecond: 100_000 });
	beforeEach(() => on.service().fault({ kind: 'status', status: 422, contains: 'bad@' }));

	const run = async (parameters: object, more: Partial<NodeOptions> = {}) => {
		const result = await runNode({
			credentials: on.credentials(),
			parameters: { ...verifyEmail, routeByResult, ...parameters },
			items,
			...more,
		});
		return {
			...result,
			links: result
				.outputs()
				.map((output) => output.map(({ pairedItem }) => (pairedItem as { item: number }).item)),
		};
	};

	it('gives each outcome its own output, linked and in order; a failed item is under Unknown', async () => {
		const result = await run({});

		expect(result.links).toEqual([
			[0, 5],
			[1, 3],
			[2, 4],
		]);
		expect(result.items(2)[1].json).toMatchObject({ outcome: 'unknown', source: 'failed' });
		for (const [output, outcome] of ['positive', 'negative', 'unknown'].entries()) {
			expect(new Set(result.items(output).map(({ json }) => json.outcome))).toEqual(
				new Set([outcome]),
			);
		}
	});

	it('returns only failed items at the error output, with their fields', async () => {
		const result = await run({}, { onError: 'continueErrorOutput' });

		expect(result.links).toEqual([[0, 5], [1, 3], [2], [4]]);
		expect(result.items(3)[0].json).toEqual({
			...items[4],
			error: expect.stringMatching(/\[item 4\]$/),
		});
	});

	it('returns every output, also an empty one', async () => {
		const result = await run({}, { items: [{ email: 'ada@mail.example' }] });
		expect(result.lastTask().data?.main.map((output) => output?.length)).toEqual([1, 0, 0]);
	});

	it('does nothing if an operation has no outcomes, or it is off', async () => {
		const balance = await run({ resource: 'account', operation: 'getBalance' }, { items: [{}] });
		expect(balance.outputs()).toHaveLength(1);
		const off = await run({ routeByResult: false });
		expect(off.links).toEqual([[0, 1, 2, 3, 4, 5]]);
	});

	it('names the outputs for every lookup of the catalog, and for nothing else', async () => {
		const type = (await loadPackage()).nodeTypes.lookupMessaging as INodeType;
		const nodeTypes = { getByName: () => type, getByNameAndVersion: () => type };
		const outputsFor = (parameters: INodeParameters) => {
			const node = { id: '1', name: 'Node', type: 'x', typeVersion: 1, parameters };
			const all = { active: false, connections: {}, nodeTypes: nodeTypes as never };
			const workflow = new Workflow({ ...all, nodes: [{ ...node, position: [0, 0] }] });
			const [made] = Object.values(workflow.nodes);
			return NodeHelpers.getNodeOutputs(workflow, made, type.description).map((output) =>
				typeof output === 'string' ? undefined : output.displayName,
			);
		};

		for (const { resource, value: operation, outcomes } of operations) {
			const names = outputsFor({ resource, operation, routeByResult });
			const { positive, negative, unknown } = outcomes ?? {};
			expect(names).toEqual(outcomes ? [positive, negative, unknown] : [undefined]);
			expect(outputsFor({ resource, operation })).toEqual([undefined]);
		}
	});
});
