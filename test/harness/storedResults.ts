import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { withResultAlone } from './collections';
import { OWN_PACKAGE, runWorkflow, sourceOf, type NodeOptions } from './n8n';
import { nodeRunOf, type NodeRun } from './n8nRun';

type KnownOptions = Pick<
	NodeOptions,
	| 'alwaysOutputData'
	| 'credentials'
	| 'executeOnce'
	| 'maxTries'
	| 'mode'
	| 'onError'
	| 'retryOnFail'
	| 'signal'
> & {
	items: IDataObject[];
	/** What comes in at Stored Results; undefined where nothing is connected. */
	rows?: IDataObject[];
	/** Has a loop hand over so many items at a time. */
	loopOf?: number;
};

/** Runs the node with Stored Results: its items and its rows come from two branches of a workflow. */
export async function runStored(
	parameters: object,
	{ items, rows, loopOf, credentials, mode, signal, ...node }: KnownOptions,
): Promise<NodeRun> {
	const source = (of: IDataObject[]) => sourceOf(of.map((json) => ({ json })));
	const to = (...nodes: Array<[node: string, index?: number]>) => ({
		main: [nodes.map(([name, index = 0]) => ({ node: name, type: 'main' as const, index }))],
	});
	const run = await runWorkflow({
		...{ credentials, mode, signal, startNode: 'Start' },
		types: {
			nodes: {
				'harness.start': source([{}]),
				'harness.items': {
					...source(items),
					description: { ...source([]).description, inputs: ['main'] },
				},
				'harness.rows': {
					...source(rows ?? []),
					description: { ...source([]).description, inputs: ['main'] },
				},
			},
		},
		workflow: {
			nodes: [
				{ name: 'Start', type: 'harness.start' },
				{ name: 'Items', type: 'harness.items' },
				{ name: 'Rows', type: 'harness.rows' },
				{
					...{ name: 'Loop', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 },
					parameters: { batchSize: loopOf ?? 1, options: {} },
				},
				{
					...node,
					waitBetweenTries: 1,
					name: 'Node',
					type: `${OWN_PACKAGE}.lookupMessaging`,
					parameters: withResultAlone({ storedResults: true, ...parameters }) as INodeParameters,
					credentials: Object.fromEntries(
						Object.keys(credentials ?? {}).map((name) => [name, { id: name, name }]),
					),
				},
			],
			connections: {
				Start: rows ? to(['Items'], ['Rows']) : to(['Items']),
				Items: to([loopOf ? 'Loop' : 'Node']),
				...(loopOf && { Loop: { main: [[], ...to(['Node']).main] }, Node: to(['Loop']) }),
				Rows: to(['Node', 1]),
			},
		},
	});
	return nodeRunOf(run, 'Node');
}
