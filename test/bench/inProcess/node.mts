import { createRequire } from 'node:module';
import type { INodeExecutionData, INodeType } from 'n8n-workflow';
import type { SandboxRoots } from '../../sandbox/index.ts';
import type { Load } from '../loads.mts';
import { numbers } from '../numbers.mts';
import { nodeOf, PEERS_PACKAGE, type NodeContestant } from '../nodes.mts';
import { isAnswered } from '../isAnswered.mts';
import type { Run } from './sample.mts';

const require = createRequire(import.meta.url);

const PEERS = ['BenchDeclarative', 'BenchPool', 'BenchNothing'];

/** n8n's engine in this process, and in it the contestant's node behind one that emits the items. */
export async function prepareNode(
	contestant: NodeContestant,
	load: Load,
	roots: SandboxRoots,
): Promise<Run> {
	const { runNode } = await import('../../harness/n8n.ts');
	const { storeFiles } = await import('./files.mts');
	const binary = load.media ? await storeFiles(load.items) : [];
	const node = nodeOf(contestant, load, roots);
	const types = peerTypes();
	return async (items, distinct) => {
		const run = await runNode({
			...node,
			types,
			items: numbers(items, distinct).map(
				(number, index): INodeExecutionData => ({
					json: { number },
					...(load.media && { binary: { data: binary[index] } }),
				}),
			),
		} as Parameters<typeof runNode>[0]);
		if (run.error) console.error(`${contestant}: ${run.error.message}`);
		return run.items().filter(({ json }) => isAnswered(json)).length;
	};
}

function peerTypes() {
	const nodes: Record<string, INodeType> = {};
	for (const name of PEERS) {
		const Peer = require(`../peers/${name}.node.js`)[name] as new () => INodeType;
		nodes[`${PEERS_PACKAGE}.${name[0].toLowerCase()}${name.slice(1)}`] = new Peer();
	}
	const { BenchPeerApi } = require('../peers/BenchPeerApi.credentials.js');
	return { nodes, credentials: [new BenchPeerApi()] };
}
