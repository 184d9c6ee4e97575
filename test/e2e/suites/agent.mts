import assert from 'node:assert/strict';
import { startModel, type Model, type Move, type Turn } from '../server/model.mts';
import {
	exampleText,
	type Execution,
	type StoredWorkflow,
	type WorkflowJson,
} from '../server/workflows.mts';
import type { Fixture } from '../testEnvironment.mts';
import { spentBy } from './examples.mts';

/** The example that this suite runs. */
export const AGENT_EXAMPLE = 'ai-agent-lookups.json';

const AGENT = 'AI Agent';
const ENRICH = 'Enrich_Contact';
const CHECK = 'Check_WhatsApp_Numbers';
const ADA = { Phone_Number: '+12025550102', Email: 'ada@example.com', IP_Address: '' };
/** One more than the tool may look up. */
const TOO_MANY = Array.from({ length: 26 }, (_, index) => `+1202555${2000 + index}`);

/** What the model does when it is asked these; it ends by repeating what the tools said. */
const MOVES: Record<string, Move> = {
	'Who is Ada?': { call: [{ tool: ENRICH, args: ADA }] },
	'Who is Ada, and who is Ada?': {
		call: [
			{ tool: ENRICH, args: ADA },
			{ tool: ENRICH, args: ADA },
		],
	},
	'Are these on WhatsApp?': {
		call: [{ tool: CHECK, args: { Phone_Numbers: TOO_MANY.join(', ') } }],
	},
};

const move = ({ question, results }: Turn): Move =>
	results.length > 0 ? { say: results.join('\n') } : (MOVES[question] ?? { say: 'What?' });

/** The example with the AI Agent node, in the editor's chat, with a stand-in for its model. */
export async function checkAgent(fixture: Fixture): Promise<void> {
	const { section } = fixture;
	const model = await startModel(move);
	try {
		let workflow: StoredWorkflow | undefined;
		await section.check(`example ${AGENT_EXAMPLE} is imported`, async () => {
			workflow = await addExample(fixture, model);
		});
		if (workflow) await checkChat(fixture, workflow, model);
	} finally {
		await model.close();
	}
}

async function checkChat(fixture: Fixture, workflow: StoredWorkflow, model: Model): Promise<void> {
	const { sandbox, section } = fixture;
	const chat = async (chatInput: string) => {
		model.turns.length = 0;
		const before = spentBy(sandbox);
		const execution = await sendMessage(fixture, workflow, chatInput);
		assert.equal(execution.status, 'success', execution.error);
		return { said: saidBy(execution), spent: difference(spentBy(sandbox), before) };
	};

	await section.check('an agent is told of each tool what it does and costs', async () => {
		await chat('Hello');
		const { tools } = model.turns[0];
		assert.equal(tools.length, 3);
		const enrich = tools.find(({ name }) => name === ENRICH);
		assert.match(enrich?.description ?? '', /a paid lookup each for.*look up each value only once/);
		assert.match(enrich?.parameters.properties?.Email.description ?? '', /empty if not known/);
		return enrich?.description;
	});
	await section.check('an agent calls a tool, and reads a compact answer', async () => {
		const { said, spent } = await chat('Who is Ada?');
		assert.match(said, /"outcome":"positive"/);
		assert.ok(!said.includes('null'), said);
		assert.ok(said.length < 1_500, `${said.length} characters`);
		assert.deepEqual(spent, { phone: 1, whatsapp: 1, email: 1 });
		return `${said.length} characters: ${said}`;
	});
	await section.check('two equal calls at the same time are paid for once', async () => {
		const { spent } = await chat('Who is Ada, and who is Ada?');
		assert.equal(model.turns.at(-1)?.results.length, 2);
		assert.deepEqual(spent, { phone: 1, whatsapp: 1, email: 1 });
	});
	await section.check('the limit is told to the model in a sentence', async () => {
		const { said, spent } = await chat('Are these on WhatsApp?');
		assert.match(said, /26 paid lookups, which is more than Max Paid Lookups \(25\)/);
		assert.match(said, /Look up fewer values, or ask the user/);
		assert.deepEqual(spent, {});
		return said;
	});
	await section.check('the model never sees the API key', async () => {
		assert.ok(model.turns.every(({ text }) => !text.includes(sandbox.keys.main)));
	});
}

async function addExample({ n8n, workflows, credential }: Fixture, { url }: Model) {
	const data = { apiKey: 'sandbox-key-of-the-model', url };
	const own = await n8n.rest.post<{ id: string; name: string }>('/credentials', {
		...{ name: 'Stand-In Model', type: 'openAiApi', data },
	});
	const example = JSON.parse(exampleText(AGENT_EXAMPLE)) as WorkflowJson;
	for (const node of example.nodes)
		if (node.credentials?.openAiApi)
			node.credentials = { openAiApi: { id: own.id, name: own.name } };
	return await workflows.add(example, credential);
}

/** As the editor's chat does it. */
async function sendMessage(
	{ workflows }: Fixture,
	workflow: StoredWorkflow,
	chatInput: string,
): Promise<Execution> {
	const json = { sessionId: 'session', action: 'sendMessage', chatInput };
	return await workflows.ended(await workflows.run(workflow, json));
}

const saidBy = (execution: Execution) => String(execution.items(AGENT).at(-1)?.output);

function difference(after: Record<string, number>, before: Record<string, number>) {
	return Object.fromEntries(
		Object.entries(after)
			.map(([product, credits]) => [product, credits - (before[product] ?? 0)] as const)
			.filter(([, credits]) => credits !== 0),
	);
}
