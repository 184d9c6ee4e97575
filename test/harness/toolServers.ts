/* eslint-disable @n8n/community-nodes/no-restricted-imports, import-x/no-unresolved -- the last: the lint resolver cannot read the SDK's export patterns */
/**
 * Tool servers that are not the sandbox's: the official SDK's high-level server on Node's own HTTP, the way its
 * documentation builds one.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

export interface ToolServerOptions {
	/** Wants initialize first, and a session ID from then on. */
	sessions?: boolean;
	/** How replies come. */
	responses?: 'json' | 'sse';
	/** Where it answers; other paths are 404. */
	path?: string;
	/** Answers a request in place of the SDK; undefined to let it through. */
	instead?(request: SeenRequest): InsteadReply | undefined;
	/** Answers a request itself, for example in pieces; false to let it through. */
	takesOver?(request: SeenRequest, response: ServerResponse): boolean;
}

export interface InsteadReply {
	status: number;
	headers?: Record<string, string>;
	body?: object | string;
}

/** One request as it arrived. */
export interface SeenRequest {
	method: string;
	path: string;
	headers: IncomingMessage['headers'];
	/** Method of the JSON-RPC message, where there was one. */
	rpc?: string;
	/** Whole JSON-RPC message. */
	message?: Record<string, unknown>;
}

export interface ToolServer {
	/** Root of the server, as it belongs into the credential. */
	url: string;
	log: SeenRequest[];
	/** What went over the wire, in short: "POST /mcp tools/call". */
	lines(): string[];
	/** Names of the tools that really ran, in order. */
	ran: string[];
	/** Sessions that are open. */
	openSessions(): number;
	close(): Promise<void>;
}

/** Starts a server on 127.0.0.1. */
export async function startToolServer(options: ToolServerOptions = {}): Promise<ToolServer> {
	const { sessions = false, responses = 'sse', path = '/mcp', instead, takesOver } = options;
	const log: SeenRequest[] = [];
	const ran: string[] = [];
	const open = new Map<string, StreamableHTTPServerTransport>();
	const enableJsonResponse = responses === 'json';

	const transportOf = async (seen: SeenRequest): Promise<StreamableHTTPServerTransport> => {
		const id = seen.headers['mcp-session-id'];
		const known = typeof id === 'string' ? open.get(id) : undefined;
		if (known) return known;
		const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport(
			sessions
				? {
						enableJsonResponse,
						sessionIdGenerator: randomUUID,
						onsessioninitialized: (session) => void open.set(session, transport),
						onsessionclosed: (session) => void open.delete(session),
					}
				: { enableJsonResponse, sessionIdGenerator: undefined },
		);
		await toolsFor(ran).connect(transport);
		return transport;
	};

	const server = createServer((request, response) => {
		void (async () => {
			const seen = await see(request);
			log.push(seen);
			if (takesOver?.(seen, response)) return;
			const reply = seen.path === path ? instead?.(seen) : { status: 404, body: 'Not here' };
			if (reply) {
				say(response, reply);
				return;
			}
			const transport = await transportOf(seen);
			await transport.handleRequest(request, response, seen.message);
		})();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		log,
		ran,
		lines: () =>
			log.map(
				({ method, path: at, rpc }) => `${method} ${at}${rpc === undefined ? '' : ` ${rpc}`}`,
			),
		openSessions: () => open.size,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function see(request: IncomingMessage): Promise<SeenRequest> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const text = Buffer.concat(chunks).toString();
	const message = text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>);
	const { method = '', url = '', headers } = request;
	const path = new URL(url, 'http://127.0.0.1').pathname;
	return { method, path, headers, message, rpc: message?.method as string | undefined };
}

function say(response: ServerResponse, { status, headers, body }: InsteadReply) {
	const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? '');
	const type = typeof body === 'object' ? 'application/json' : 'text/plain';
	response.writeHead(status, { 'content-type': type, ...headers }).end(text);
}

const text = (...texts: string[]): CallToolResult => ({
	content: texts.map((each) => ({ type: 'text', text: each })),
});

/** Two tools that work, and two that fail. */
function toolsFor(ran: string[]): McpServer {
	const server = new McpServer({ name: 'other', version: '1.0.0' });
	server.registerTool(
		'echo',
		{
			title: 'Echo',
			description: 'Says back what it was called with',
			inputSchema: {
				text: z.string().describe('Any text'),
				count: z.number().int().optional().describe('Any number'),
				loud: z.boolean().default(false),
				mood: z.enum(['calm', 'merry']).optional(),
				tags: z.array(z.string()).optional(),
				more: z.object({ a: z.number() }).optional(),
			},
			outputSchema: { said: z.record(z.string(), z.unknown()) },
		},
		(said) => {
			ran.push('echo');
			return { ...text('Here you are'), structuredContent: { said } };
		},
	);
	server.registerTool('words', { description: 'Says hello', inputSchema: {} }, () => {
		ran.push('words');
		return text('Hello', 'world');
	});
	server.registerTool('fails', { description: 'Throws', inputSchema: {} }, () => {
		ran.push('fails');
		throw new Error('The pump is broken');
	});
	server.registerTool('talksOfSessions', { description: 'An upstream error' }, () => {
		ran.push('talksOfSessions');
		return { ...text('Session not initialized at the platform'), isError: true };
	});
	return server;
}
