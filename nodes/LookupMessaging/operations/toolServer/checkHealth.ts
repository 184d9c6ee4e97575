import type { IDataObject } from 'n8n-workflow';
import type { Answer, Failure } from '../../engine/results';
import { defineWorkflow, isFailed, negative, positive, unknown } from '../../engine/operation';
import { checkHealth as requestHealth } from './mcpClient';
import { quote, textOf } from '../../engine/plan/values';
import { hasError } from '../../engine/refusals/refusal';
import { saysWentWrong, WEB_PAGE, yesOrNo } from '../shared/replyWords';

/** SPEC §4.3 does not show the body: the HTTP status decides, unless the body reports a problem. */
const TROUBLE =
	/^(?:bad gateway|critical|down|err|fail|false|no healthy|not|out|shutting|starting|stopp|un(?:available|healthy)|upstream)/i;
/** Fields with words about the server, and flags of one that is up. */
const WORDS = ['status', 'state', 'health', 'text', 'message'];
const FLAGS = ['ok', 'healthy', 'up', 'alive', 'available', 'ready', 'success'];

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
			'HTTP 200, unless the body speaks of trouble; HTTP 401 and 403: it is up and wants the key',
		negative:
			'another HTTP error, a `status` such as "down", an `error`, or a flag such as `ok` that is false',
		unknown: 'a web page, or the word "unknown"',
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
	if (/^unknown$/i.test(status ?? ''))
		return unknown({ healthy: null, status }, 'the tool server says "unknown"');
	const trouble = troubleIn(body);
	return trouble === undefined
		? positive({ healthy: true, status })
		: negative({ healthy: false, status }, `the tool server says ${quote(trouble)}`);
}

/** What a body says against the health of the server. */
function troubleIn(body: IDataObject): string | undefined {
	const off = FLAGS.find((name) => yesOrNo(body[name]) === false);
	if (off !== undefined) return `${off}: false`;
	if (hasError(body)) return textOf(body.error);
	const words = WORDS.map((name) => textOf(body[name]));
	return words.find((each) => TROUBLE.test(each) || saysWentWrong(each));
}
