/* eslint-disable @n8n/community-nodes/no-restricted-imports, import-x/no-unresolved -- the last: the lint resolver cannot read the SDK's export patterns */
/**
 * Tool servers that are not the sandbox's: the official SDK's high-level server on Node's own HTTP, the way its
 * documentation builds one. Each tool returns a kind of content that the protocol knows.
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

/** One pixel of PNG, and a second of nothing. */
export const PIXEL =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
export const SOUND = Buffer.from('RIFF0000WAVE').toString('base64');

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

/** The tools, each for one kind of content. */
function toolsFor(ran: string[]): McpServer {
	const server = new McpServer({ name: 'other', version: '1.0.0' });
	const plain = (name: string, result: CallToolResult, shape = {}) =>
		server.registerTool(name, { description: `Returns ${name}`, inputSchema: shape }, () => {
			ran.push(name);
			return result;
		});

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
	plain('words', text('Hello', 'world'));
	plain('number', text('42'));
	plain('json', text('{"a":1,"error":"none"}'));
	plain('jsonList', text('[{"n":1},{"n":2},{"n":3}]'));
	plain('blocks', text('{"n":1}', '{"n":2}', 'and that was it'));
	plain('emptyList', text('[]'));
	plain('nothing', { content: [] });
	plain('wrapped', {
		...text('two'),
		structuredContent: { ok: true, error: null, result: [{ n: 1 }, { n: 2 }] },
	});
	plain('counted', { ...text('two'), structuredContent: { total: 2, result: [{ n: 1 }] } });
	plain('files', {
		content: [
			{ type: 'text', text: 'A picture and more' },
			{ type: 'image', data: PIXEL, mimeType: 'image/png' },
			{ type: 'audio', data: SOUND, mimeType: 'audio/x-wav' },
			{
				type: 'resource',
				resource: {
					uri: 'https://files.example/a/report.pdf?x=1',
					blob: PIXEL,
					mimeType: 'application/pdf',
				},
			},
			{
				type: 'resource',
				resource: { uri: 'file:///notes.txt', text: 'Some notes', mimeType: 'text/plain' },
			},
			{
				type: 'resource_link',
				uri: 'https://files.example/b.csv',
				name: 'b',
				mimeType: 'text/csv',
			},
		],
	});
	server.registerTool('fails', { description: 'Throws', inputSchema: {} }, () => {
		ran.push('fails');
		throw new Error('The pump is broken');
	});
	plain('lacksCredits', {
		...text('{"status":false,"error":"Insufficient phone API credits."}'),
		isError: true,
	});
	plain('speechless', { content: [], isError: true });
	server.registerTool('talksOfSessions', { description: 'An upstream error' }, () => {
		ran.push('talksOfSessions');
		return { ...text('Session not initialized at the platform'), isError: true };
	});
	return server;
}
