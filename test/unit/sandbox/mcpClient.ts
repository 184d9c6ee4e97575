/* eslint-disable import-x/no-unresolved -- the lint resolver cannot read the SDK's export patterns; compiler and runtime can */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

import type { Sandbox } from '../../sandbox';
import { send, urlOf } from './requests';

/** Where and how a client connects. */
interface Connection {
	headers?: Record<string, string>;
}

/** The official client, connected (it has sent initialize), and what tests want of it. */
export async function connect(url: string, { headers = {} }: Connection = {}) {
	const client = new Client({ name: 'sandbox-tests', version: '1.0.0' });
	const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
	await client.connect(transport);
	return {
		client,
		sessionId: () => transport.sessionId,
		endSession: async () => await transport.terminateSession(),
		call: async (name: string, args: Record<string, unknown> = {}) =>
			(await client.callTool({ name, arguments: args })) as CallToolResult,
		close: async () => await client.close(),
	};
}

export type Connected = Awaited<ReturnType<typeof connect>>;

/** A JSON-RPC request. */
export const rpc = (method: string, params: object = {}) => ({
	jsonrpc: '2.0',
	id: 1,
	method,
	params,
});

/** What Streamable HTTP has to accept. */
export const ACCEPT = { accept: 'application/json, text/event-stream' };

/** POSTs JSON-RPC without a client's help. */
export const postRpc = async (
	sandbox: Sandbox,
	body: object,
	headers: Record<string, string> = ACCEPT,
) =>
	await send(urlOf(sandbox, 'mcp'), {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});
