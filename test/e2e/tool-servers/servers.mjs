import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { StreamableHTTPTransport } from '@hono/mcp';
import { serve } from '@hono/node-server';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer as McpServer2 } from '@modelcontextprotocol/server';
import { FastMCP, imageContent, UserError } from 'fastmcp';
import { Hono } from 'hono';
import { z } from 'zod';
import { count, FAULT, PIXEL, RESULTS, STEPS, takeTime, TOOLS } from './tools.mjs';

/** Servers by other people's packages, each as its documentation builds one, with the same tools. All answer at /mcp. */

const HOST = '127.0.0.1';
const ABOUT = { name: 'e2e', version: '1.0.0' };

/** The tools on a server of the SDK, 1.x or 2.x. */
function withTools(server, schemaOf = (shape) => shape, notifierOf = notifier1) {
	for (const [name, { inputSchema, outputSchema, ...about }] of Object.entries(TOOLS)) {
		const config = {
			...{ ...about, inputSchema: schemaOf(inputSchema) },
			...(outputSchema && { outputSchema: schemaOf(outputSchema) }),
		};
		server.registerTool(name, config, async (args, context) => {
			if (name === 'broken') throw new Error(FAULT);
			return name === 'slow' ? await takeTime(notifierOf(context)) : RESULTS[name](args);
		});
	}
	return server;
}

/** Reports progress where the client has asked for it. */
const notifier1 =
	({ _meta, sendNotification }) =>
	async (progress) => {
		if (_meta?.progressToken === undefined) return;
		await sendNotification(progressOf(_meta.progressToken, progress));
	};

const notifier2 =
	({ mcpReq }) =>
	async (progress) => {
		if (mcpReq._meta?.progressToken === undefined) return;
		await mcpReq.notify(progressOf(mcpReq._meta.progressToken, progress));
	};

const progressOf = (progressToken, progress) => ({
	method: 'notifications/progress',
	params: { progressToken, progress, total: STEPS },
});

/** The official SDK 1.x with sessions and event streams. */
export function startStateful(port) {
	const sessions = new Map();
	listen(port, async (request, response) => {
		const known = sessions.get(request.headers['mcp-session-id']);
		if (known) return await known.handleRequest(request, response);
		if (request.headers['mcp-session-id'] !== undefined)
			return refuse(response, 404, { code: -32001, message: 'Session not found' });
		const transport = new StreamableHTTPServerTransport({
			sessionIdGenerator: randomUUID,
			onsessioninitialized: (id) => void sessions.set(id, transport),
			onsessionclosed: (id) => void sessions.delete(id),
		});
		await withTools(new McpServer(ABOUT)).connect(transport);
		await transport.handleRequest(request, response);
	});
}

/** The official SDK 1.x without sessions, answering in JSON: a server for each request. */
export function startStateless(port) {
	listen(port, async (request, response) => {
		if (request.method !== 'POST')
			return refuse(response, 405, { code: -32000, message: 'Method not allowed.' });
		const transport = new StreamableHTTPServerTransport({
			sessionIdGenerator: undefined,
			enableJsonResponse: true,
		});
		await withTools(new McpServer(ABOUT)).connect(transport);
		await transport.handleRequest(request, response);
	});
}

/** The official SDK 2.x, by its default entry. */
export function startSdk2(port) {
	const handler = createMcpHandler(() => withTools(new McpServer2(ABOUT), z.object, notifier2));
	serve({ fetch: async (request) => await handler.fetch(request), port, hostname: HOST });
}

/** Hono with the middleware that it recommends: one server and one transport, as its example has it. */
export function startHono(port) {
	const server = withTools(new McpServer(ABOUT));
	const transport = new StreamableHTTPTransport();
	const app = new Hono();
	app.all('/mcp', async (context) => {
		if (!server.isConnected()) await server.connect(transport);
		return await transport.handleRequest(context);
	});
	serve({ fetch: app.fetch, port, hostname: HOST });
}

/** A framework on top of the SDK, with sessions and a ping of its own. */
export async function startFastMcp(port) {
	const server = new FastMCP(ABOUT);
	for (const [name, { title, inputSchema, outputSchema, ...about }] of Object.entries(TOOLS))
		server.addTool({
			...{ ...about, name, parameters: z.object(inputSchema) },
			...(title && { annotations: { title } }),
			...(outputSchema && { outputSchema: z.object(outputSchema) }),
			execute: async (args, context) => await executed(name, args, context),
		});
	const httpStream = { port, host: HOST };
	await server.start({ transportType: 'httpStream', httpStream });
}

async function executed(name, args, { reportProgress }) {
	if (name === 'broken') throw new UserError(FAULT);
	if (name === 'echo') return args.text;
	if (name === 'count') return count(args.name);
	if (name === 'picture') return await imageContent({ buffer: Buffer.from(PIXEL, 'base64') });
	if (name !== 'slow') return RESULTS[name](args);
	return await takeTime(async (progress) => await reportProgress({ progress, total: STEPS }));
}

function listen(port, handle) {
	const server = createServer((request, response) => {
		if (new URL(request.url, 'http://e2e').pathname !== '/mcp')
			return void response.writeHead(404).end();
		handle(request, response).catch((error) => {
			console.error(error);
			response.destroy();
		});
	});
	server.listen(port, HOST);
}

function refuse(response, status, error) {
	response.writeHead(status, { 'content-type': 'application/json' });
	response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
}
