import assert from 'node:assert/strict';
import type { INode } from 'n8n-workflow';
import { until } from '../machine/wait.mts';
import type { Fixture } from '../testEnvironment.mts';
import { NODE_TYPE } from '../server/package.mts';
import { chain, type StoredWorkflow } from '../server/workflows.mts';

const PATH = 'lead';
/** Only ends what hangs. */
const ANSWER_WITHIN_MS = 120_000;

/** A form's webhook that validates the number that was sent, and answers with all items. */
export function webhookNodes(path: string, node: Partial<INode> = {}): INode[] {
	return [
		{
			...{ id: 'webhook', name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2 },
			...{ position: [0, 0], webhookId: path },
			parameters: {
				httpMethod: 'POST',
				path,
				responseMode: 'lastNode',
				responseData: 'allEntries',
			},
		},
		{
			...{ id: 'validate', name: 'Validate', type: NODE_TYPE, typeVersion: 1, position: [220, 0] },
			parameters: {
				...{ resource: 'phone', operation: 'validate', phoneNumber: '={{ $json.body.phone }}' },
				includeOtherInputFields: false,
				options: {},
			},
			...node,
		},
	];
}

export async function post(
	url: string,
	body: object,
	headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
		signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
	});
	return { status: response.status, text: await response.text() };
}

/** Asks until the webhook is there: n8n answers before it is, and an unknown path runs nothing. */
export async function firstAnswer(url: string, body: object, headers?: Record<string, string>) {
	return await until('the webhook to be registered', async () => {
		const answer = await post(url, body, headers);
		return answer.status !== 404 && answer;
	});
}

/** A workflow that was activated, called from outside and read back. */
export async function checkWebhook(fixture: Fixture): Promise<void> {
	const { n8n, sandbox, workflows, credential, section } = fixture;
	const url = `${n8n.url}/webhook/${PATH}`;
	let workflow: StoredWorkflow | undefined;

	await section.check('webhook: activated, and answers with the looked-up item', async () => {
		const before = sandbox.log.length;
		workflow = await workflows.add(chain('Form', webhookNodes(PATH)), credential);
		await workflows.activate(workflow);
		const { status, text } = await firstAnswer(url, { phone: '+12025550102' });
		assert.equal(status, 200, text);
		const [item] = JSON.parse(text) as Array<Record<string, unknown>>;
		assert.deepEqual([item.outcome, item.source], ['positive', 'service']);
		assert.equal(sandbox.log.length, before + 1, 'requests that reached the service');
	});
	await section.check('webhook: its execution is stored, with the receipt', async () => {
		const execution = await lastExecution(fixture, workflow!);
		assert.equal(execution.status, 'success', execution.error);
		assert.match(execution.hints('Validate').join(), /^(?:Charged|No price given): 1 phone/);
	});
}

/** The newest execution of a workflow that starts by itself, once it has ended. */
export async function lastExecution(
	{ workflows }: Pick<Fixture, 'workflows'>,
	workflow: StoredWorkflow,
) {
	const [{ id }] = await until('the execution to be stored', async () => {
		const executions = await workflows.executionsOf(workflow);
		return executions.length > 0 && executions;
	});
	return await workflows.ended(id);
}
