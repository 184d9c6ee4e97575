import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { IConnections, INode } from 'n8n-workflow';
import { until } from '../machine/wait.mts';
import { TOOL_TYPE } from '../server/package.mts';
import type { WorkflowJson } from '../server/workflows.mts';
import { withScene, type Scene, type Stage } from '../stage.mts';
import { spentBy } from './examples.mts';
import { checkKeyIsNowhere } from './key.mts';

const PATH = 'lookups';
const SERVER = 'MCP Server';
/** What an answer may take of a model's context, in characters. */
const COMPACT = 1_000;

/** A parameter that the model fills in. */
const fromAi = (name: string, about: string, type = 'string') =>
	`={{ $fromAI('${name}', '${about}', '${type}') }}`;

const TOOLS: Record<string, INode['parameters']> = {
	'Validate Phone': {
		...{ resource: 'phone', operation: 'validate' },
		phoneNumber: fromAi('phone', 'Phone number with its country code'),
	},
	'Verify Email': {
		...{ resource: 'email', operation: 'verify' },
		email: fromAi('email', 'Email address'),
	},
	'Send Message': {
		...{ resource: 'whatsApp', operation: 'sendMessage' },
		phoneNumber: fromAi('recipient', 'Phone number with its country code'),
		message: fromAi('text', 'The message'),
	},
	'Check Numbers': {
		...{ resource: 'batch', operation: 'checkMany', numbersFrom: 'list' },
		phoneNumbers: fromAi('numbers', 'Phone numbers, separated by commas'),
	},
};
const LIMITED = 'Check Two Numbers';

/** Our tool variant under n8n's MCP Server Trigger, called by the official client. */
export async function toolPart(stage: Stage): Promise<void> {
	await withScene(stage, 'tool', async (scene) => {
		const { section, workflows, credential } = scene;
		let client: Client | undefined;
		const isConnected = await section.check('a workflow serves the node as MCP tools', async () => {
			const workflow = await workflows.add(toolServer(), credential);
			await workflows.activate(workflow);
			client = await connect(`${scene.n8n.url}/mcp/${PATH}`);
		});
		if (!isConnected || !client) return;
		try {
			await checkTools(scene, client);
		} finally {
			await client.close();
		}
		await checkKeyIsNowhere(scene, '+12025550102');
	});
}

function toolServer(): WorkflowJson {
	const limited = { ...TOOLS['Check Numbers'], options: { maxPaidLookups: 2 } };
	const tools = { ...TOOLS, [LIMITED]: limited };
	const trigger: INode = {
		...{ id: 'server', name: SERVER, type: '@n8n/n8n-nodes-langchain.mcpTrigger', typeVersion: 2 },
		...{ position: [0, 0], webhookId: PATH, parameters: { path: PATH } },
	};
	const nodes: INode[] = Object.entries(tools).map(([name, parameters], index) => ({
		...{ id: name, name, type: TOOL_TYPE, typeVersion: 1, position: [index * 180, 220] },
		parameters,
	}));
	const connections: IConnections = {};
	for (const { name } of nodes)
		connections[name] = { ai_tool: [[{ node: SERVER, type: 'ai_tool', index: 0 }]] };
	return { name: 'Tools', nodes: [trigger, ...nodes], connections, settings: {} };
}

async function connect(url: string): Promise<Client> {
	return await until('the MCP server to be registered', async () => {
		const client = new Client({ name: 'e2e', version: '1.0.0' });
		await client.connect(new StreamableHTTPClientTransport(new URL(url)));
		return client;
	});
}

async function checkTools(scene: Scene, client: Client): Promise<void> {
	const { sandbox, section } = scene;
	const call = async (name: string, args: Record<string, unknown>) => {
		const before = sandbox.log.length;
		const result = await client.callTool({ name: name.replace(/ /g, '_'), arguments: args });
		const [{ text }] = result.content as Array<{ text: string }>;
		assert.ok(!text.includes(sandbox.keys.main), 'the key is in it');
		return { text, calls: sandbox.log.length - before, isError: result.isError === true };
	};

	await section.check('each tool has a description that a model can use', async () => {
		const { tools } = await client.listTools();
		const byName = new Map(tools.map((tool) => [tool.name, tool]));
		for (const name of Object.keys(TOOLS)) assert.ok(byName.has(name.replace(/ /g, '_')), name);
		const { description, inputSchema } = byName.get('Validate_Phone')!;
		assert.match(description ?? '', /validate phone number/i);
		assert.deepEqual(Object.keys(inputSchema.properties ?? {}), ['phone']);
		return tools.map((tool) => `${tool.name}: ${tool.description}`).join(' | ');
	});
	await section.check('a call answers compactly, for one credit', async () => {
		const { text, calls } = await call('Validate Phone', { phone: '+12025550102' });
		assert.match(text, /"outcome":"positive"/);
		assert.equal(calls, 1);
		assert.ok(text.length < COMPACT, `${text.length} characters: ${text}`);
		return `${text.length} characters`;
	});
	await section.check('a malformed argument is answered in words, and costs nothing', async () => {
		const { text, calls } = await call('Verify Email', { email: 'n/a' });
		assert.match(text, /"outcome":"negative"/);
		assert.match(text, /"reason":"Email \(.*has no @"/);
		assert.equal(calls, 0);
		return text;
	});
	await section.check('a missing argument is named', async () => {
		const { text, calls } = await call('Validate Phone', {});
		assert.match(text, /phone/);
		assert.equal(calls, 0);
		return text;
	});
	await section.check('an argument that cannot be sent comes back as a sentence', async () => {
		const { text, calls } = await call('Send Message', { recipient: '+12025550102', text: '' });
		assert.match(text, /Message/);
		assert.match(text, /nothing was sent|Nothing was sent|nothing was spent/i);
		assert.equal(calls, 0);
		return text;
	});
	await section.check('a refusal of the service comes back as a sentence', async () => {
		const args = { recipient: '+12025550110', text: 'Hello' };
		const { text } = await call('Send Message', args);
		assert.match(text, /refused/);
		return text;
	});
	await section.check('many numbers go in one batch', async () => {
		const { text } = await call('Check Numbers', { numbers: '+12025550102, +12025550103' });
		assert.equal(text.match(/"outcome"/g)?.length, 2, text);
	});
	await section.check('a spending limit holds', async () => {
		const before = spentBy(sandbox);
		const numbers = '+12025550102, +12025550103, +12025550104';
		const { text, calls } = await call(LIMITED, { numbers });
		assert.match(text, /Max Paid Lookups/);
		assert.equal(calls, 0);
		assert.deepEqual(spentBy(sandbox), before);
		return text;
	});
}
