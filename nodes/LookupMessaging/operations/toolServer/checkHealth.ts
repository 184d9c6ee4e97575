import type { IDataObject } from 'n8n-workflow';
import type { Answer, Failure } from '../../engine/results';
import { defineWorkflow, isFailed, negative, positive, unknown } from '../../engine/operation';
import { checkHealth as requestHealth } from './mcpClient';
import { textOf } from '../../engine/plan/values';
import { WEB_PAGE } from '../shared/replyWords';

/** SPEC §4.3 does not show the body: the HTTP status decides, unless the body reports a problem. */
const TROUBLE = /^(?:critical|down|err|fail|false|not|unavailable|unhealthy)/i;

const WANTS_KEY = new Set([401, 403]);

export const checkHealth = defineWorkflow({
	resource: 'toolServer',
	value: 'checkHealth',
	name: 'Check Health',
	action: 'Check tool server health',
	description:
		'Check whether the remote tool server (MCP) is up. Costs nothing and needs no API key.',
	fields: [],
	free: true,
	executesOnce: true,
	noAdditionalParameters: true,
	rules: {
		positive:
			'HTTP 200, unless `status` speaks of trouble; HTTP 401 and 403: it is up and wants the key',
		negative: 'another HTTP error, or a `status` such as "down"',
		unknown: 'a web page',
	},
	endpoints: ['GET mcp /healthz'],

	prepare: () => ({}),

	run: async (_questions, client) => {
		const answered = await requestHealth(client);
		return [isFailed(answered) ? readFailure(answered.failure) : readHealth(answered.health)];
	},
	output: [
		{
			name: 'healthy',
			type: 'boolean',
			description: 'Whether the tool server is up',
			example: true,
			simplified: true,
		},
		{
			name: 'status',
			type: 'string',
			description: 'The status message of the tool server',
			example: 'ok',
			simplified: true,
		},
	],
});

/** The check sends no key, since SPEC §4.3 does not mention one. A server that requires one is up anyway. */
function readFailure({ reason, refusal, status = 0 }: Failure): Answer {
	if (!WANTS_KEY.has(status)) return negative({ healthy: false }, reason);
	const record = { healthy: true, status: refusal?.reason ?? null };
	return positive(
		record,
		`the tool server is up, but its health check wants the API key (HTTP ${status})`,
	);
}

function readHealth(body: IDataObject): Answer {
	const said = [body.status, body.text, body.message].find((word) => word !== undefined);
	const status = said === undefined || said === null ? null : textOf(said);
	if (status !== null && WEB_PAGE.test(status))
		return unknown(
			{ healthy: null, status: null },
			'a web page is at this address, and no health check',
		);
	return status !== null && TROUBLE.test(status)
		? negative({ healthy: false, status }, `the tool server says "${status}"`)
		: positive({ healthy: true, status });
}
