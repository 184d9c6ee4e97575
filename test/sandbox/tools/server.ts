import type { Call } from '../http/endpoint';
import { callTool, listedTools } from './calling';
import {
	CallToolRequestSchema,
	ListToolsRequestSchema,
	Server,
	WebStandardStreamableHTTPServerTransport,
} from './sdk';

/** The headers that the transport judges a request by; the others belong to the connection. */
const JUDGED_HEADERS = ['accept', 'content-type', 'mcp-protocol-version'];

/** In place of one that is made for each server. It would check what clients answer, and they are asked for nothing. */
const jsonSchemaValidator = {
	getValidator(): never {
		throw new Error('The sandbox asks its clients for nothing');
	},
};

/**
 * Answers one POST of JSON-RPC (SPEC §4.3: Streamable HTTP, stateless). The official SDK takes a server and a transport
 * for each; tools run with the call's key and charge the call's record.
 */
export async function speakMcp(call: Call): Promise<Response> {
	const server = new Server(
		{ name: 'lookup-messaging-sandbox', version: '1.0.0' },
		{ capabilities: { tools: {} }, jsonSchemaValidator },
	);
	server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools }));
	server.setRequestHandler(
		CallToolRequestSchema,
		async ({ params }) => await callTool(params, call),
	);
	const transport = new WebStandardStreamableHTTPServerTransport({
		enableJsonResponse: call.state.toolServer.responses === 'json',
	});
	await server.connect(transport);
	return await transport.handleRequest(requestOf(call));
}

function requestOf({ headers, body }: Call): Request {
	const judged = JUDGED_HEADERS.flatMap((name): Array<[string, string]> => {
		const value = headers[name]?.toString();
		return value === undefined ? [] : [[name, value]];
	});
	return new Request('http://127.0.0.1/mcp', {
		method: 'POST',
		headers: judged,
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
}
