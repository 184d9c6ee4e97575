import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { IConnections, INode } from 'n8n-workflow';
import { until } from '../machine/wait.mts';
import { TOOL_TYPE } from '../server/package.mts';
import { exampleText, type WorkflowJson } from '../server/workflows.mts';
import { withFixture, type Fixture, type TestEnvironment } from '../testEnvironment.mts';
import { checkAgent } from './agent.mts';
import { spentBy } from './examples.mts';
import { checkKeyIsNowhere } from './keyLeak.mts';

const PATH = 'tools';
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
	'Send Message': {
		...{ resource: 'whatsApp', operation: 'sendMessage' },
		phoneNumber: fromAi('recipient', 'Phone number with its country code'),
		message: fromAi('text', 'The message'),
	},
	'Check Two Numbers': {
		...{ resource: 'batch', operation: 'checkMany', numbersFrom: 'list', maxPaidLookups: 2 },
		phoneNumbers: fromAi('numbers', 'Phone numbers, separated by commas'),
	},
};

/** The example that this suite serves. */
export const SERVED_EXAMPLE = 'mcp-server-lookups.json';

/** Our tool variant under n8n's MCP Server Trigger, called by the official client. */
export async function toolSuite(environment: TestEnvironment): Promise<void> {
	await withFixture(environment, 'tool', async (fixture) => {
		await checkServedExample(fixture);
		await checkAgent(fixture);
		const { section, workflows, credential } = fixture;
		let client: Client | undefined;
		const isConnected = await section.check('a workflow serves the node as MCP tools', async () => {
			const workflow = await workflows.add(toolServer(), credential);
			await workflows.activate(workflow);
			client = await connect(`${fixture.n8n.url}/mcp/${PATH}`);
		});
		if (!isConnected || !client) return;
		try {
			await checkTools(fixture, client);
		} finally {
			await client.close();
		}
		await checkKeyIsNowhere(fixture, '+12025550102');
	});
}

function toolServer(): WorkflowJson {
	const trigger: INode = {
		...{ id: 'server', name: SERVER, type: '@n8n/n8n-nodes-langchain.mcpTrigger', typeVersion: 2 },
		...{ position: [0, 0], webhookId: PATH, parameters: { path: PATH } },
	};
	const nodes: INode[] = Object.entries(TOOLS).map(([name, parameters], index) => ({
		...{ id: name, name, type: TOOL_TYPE, typeVersion: 1, position: [index * 180, 220] },
		parameters,
	}));
	const connections: IConnections = {};
	for (const { name } of nodes)
		connections[name] = { ai_tool: [[{ node: SERVER, type: 'ai_tool', index: 0 }]] };
	return { name: 'Tools', nodes: [trigger, ...nodes], connections, settings: {} };
}

async function connect(url: string, headers: Record<string, string> = {}): Promise<Client> {
	return await until('the MCP server to be registered', async () => {
		const client = new Client({ name: 'e2e', version: '1.0.0' });
		const requestInit = { headers };
		await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
		return client;
	});
}

async function checkTools(fixture: Fixture, client: Client): Promise<void> {
	const { sandbox, section } = fixture;
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
		assert.match(
			description ?? '',
			/whether a phone number is valid.*look up each value only once/,
		);
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
	await section.check('a refusal of the service comes back as a sentence', async () => {
		const args = { recipient: '+12025550110', text: 'Hello' };
		const { text } = await call('Send Message', args);
		assert.match(text, /refused/);
		return text;
	});
	await section.check(
		'each call has the limit for itself, being an execution of its own',
		async () => {
			const before = spentBy(sandbox).whatsapp ?? 0;
			const args = { numbers: '+12025550102, +12025550103' };
			for (let time = 0; time < 2; time += 1)
				assert.match((await call('Check Two Numbers', args)).text, /"outcome":"positive"/);
			assert.equal(spentBy(sandbox).whatsapp - before, 4);
		},
	);
}

/** The example as it is shipped: a client with the token finds its tools, one without it nothing. */
async function checkServedExample({ n8n, sandbox, section, workflows, credential }: Fixture) {
	const token = 'sandbox-token';
	const example = JSON.parse(exampleText(SERVED_EXAMPLE)) as WorkflowJson;
	const server = example.nodes.find(({ type }) => type.endsWith('.mcpTrigger'))!;
	const url = `${n8n.url}/mcp/${String(server.parameters.path)}`;
	await section.check(`example ${SERVED_EXAMPLE} serves its tools`, async () => {
		const { id, name } = await n8n.rest.post<{ id: string; name: string }>('/credentials', {
			...{ name: 'Token', type: 'httpBearerAuth', data: { token } },
		});
		server.credentials = { httpBearerAuth: { id, name } };
		const workflow = await workflows.add(example, credential);
		await workflows.activate(workflow);
		const client = await connect(url, { authorization: `Bearer ${token}` });
		const { tools } = await client.listTools();
		const before = spentBy(sandbox);
		const args = { Phone_Number: '+12025550104', Email: 'ada@example.com', IP_Address: '' };
		const result = await client.callTool({ name: 'Enrich_Contact', arguments: args });
		await client.close();
		const [{ text }] = result.content as Array<{ text: string }>;
		assert.match(text, /"channels":\["phone","whatsApp","email"\]/);
		assert.ok(text.length < 1_500 && !text.includes('null'), text);
		const wanted = { phone: 1, whatsapp: 1, email: 1 };
		for (const [product, credits] of Object.entries(wanted))
			assert.equal((spentBy(sandbox)[product] ?? 0) - (before[product] ?? 0), credits, product);
		return `${tools.map(({ name: tool }) => tool).join(', ')}; ${text.length} characters: ${text}`;
	});
	await section.check('without its token nobody spends anything', async () => {
		const { status } = await fetch(url, { method: 'POST', body: '{}' });
		assert.ok(status === 401 || status === 403, `HTTP ${status}`);
		return `HTTP ${status}`;
	});
}
