import type { IBinaryData, IDataObject, INode } from 'n8n-workflow';
import { CREDENTIAL_TYPE, NODE_TYPE } from '../server/package.mts';
import { chain, type CredentialLink, type Execution } from '../server/workflows.mts';
import { credentialData, type Fixture } from '../testEnvironment.mts';
import type { Content, File, ToolCall } from './officialClient.mts';

const CALL = 'Call Tool';
const LIST = 'List Tools';

/** A credential whose Tool Server URL is this one. */
async function addToolServer({ n8n, sandbox }: Fixture, mcpUrl: string): Promise<CredentialLink> {
	const data = { ...credentialData(sandbox), mcpUrl };
	return await n8n.rest.post('/credentials', { name: mcpUrl, type: CREDENTIAL_TYPE, data });
}

function ourNode(name: string, parameters: INode['parameters']): INode {
	return {
		...{ id: name, name, type: NODE_TYPE, typeVersion: 1, position: [0, 0] },
		...{ onError: 'continueRegularOutput', alwaysOutputData: true },
		parameters: { resource: 'toolServer', ...parameters },
	};
}

const START: INode = {
	...{ id: 'start', name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
	...{ position: [0, 0], parameters: {} },
};
const CALL_TOOL = ourNode(CALL, {
	...{ operation: 'callTool', tool: { __rl: true, mode: 'name', value: '={{ $json.tool }}' } },
	...{ argumentsMode: 'json', argumentsJson: '={{ $json.args }}' },
	options: { splitIntoItems: false },
});
const LIST_TOOLS = ourNode(LIST, { operation: 'listTools', output: 'raw' });

/**
 * Calls tools in one run of the node, an item for each call.
 *
 * @returns what came of each, in their order
 */
export async function callWithNode(
	fixture: Fixture,
	url: string,
	calls: ToolCall[],
): Promise<Content[]> {
	const execution = await runNode(fixture, url, CALL_TOOL, calls);
	return await contentsIn(fixture, execution);
}

/** Lists the tools in one run of the node, as they came. */
export async function listWithNode(fixture: Fixture, url: string): Promise<IDataObject[]> {
	const execution = await runNode(fixture, url, LIST_TOOLS, [{}]);
	return execution.items(LIST).flatMap(({ outcome, reason, error, response }) => {
		if (outcome === 'unknown') throw new Error(String(error ?? reason));
		return outcome === 'positive' ? [response as IDataObject] : [];
	});
}

/** Runs one node of ours with these items. */
async function runNode(
	fixture: Fixture,
	url: string,
	node: INode,
	items: object[],
): Promise<Execution> {
	const { workflows } = fixture;
	const pinData = { [START.name]: items.map((json) => ({ json })) };
	const credential = await addToolServer(fixture, url);
	const workflow = await workflows.add({ ...chain(url, [START, node]), pinData }, credential);
	const execution = await workflows.ended(await workflows.run(workflow));
	if (execution.error) throw new Error(execution.error);
	return execution;
}

async function contentsIn(fixture: Fixture, execution: Execution): Promise<Content[]> {
	const binaries = execution.files(CALL);
	return await Promise.all(
		execution.items(CALL).map(async (item, index): Promise<Content> => {
			const { outcome, reason, error, result = null, text = null, links = null } = item;
			if (outcome !== 'positive') return { error: String(error ?? reason) };
			const files = Object.values(binaries[index]).map((file) => fileOf(fixture, file));
			const content = { result, text: text as string | null, links: links as unknown[] | null };
			return { ...content, files: await Promise.all(files) };
		}),
	);
}

/** A file of an item: in the item, or where n8n keeps files. */
async function fileOf({ n8n }: Fixture, { id, data, mimeType }: IBinaryData): Promise<File> {
	if (id === undefined) return { mimeType, base64: data };
	const headers = { cookie: n8n.rest.session, 'browser-id': 'e2e' };
	const query = new URLSearchParams({ id, action: 'download', fileName: 'file', mimeType });
	const response = await fetch(`${n8n.url}/rest/binary-data?${query}`, { headers });
	return { mimeType, base64: Buffer.from(await response.arrayBuffer()).toString('base64') };
}
