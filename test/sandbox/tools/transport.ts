import { randomUUID } from 'node:crypto';

import { refusedAlways, type Call, type Reply } from '../http/endpoint';
import { isInitializeRequest } from './sdk';
import { speakMcp } from './server';

const SESSION = 'mcp-session-id';

/** Answers a request to the tool server: JSON-RPC by POST, the end of a session by DELETE. */
export async function answerToolRequest(call: Call): Promise<Reply> {
	const { sessions } = call.state.toolServer;
	if (call.method === 'POST')
		return sessions ? await speakInSession(call, sessions) : await speak(call);
	return call.method === 'DELETE' && sessions ? endSession(call, sessions) : notAllowed(sessions);
}

async function speak(call: Call): Promise<Reply> {
	const response = await speakMcp(call);
	return {
		status: response.status,
		body: undefined,
		payload: await response.text(),
		headers: Object.fromEntries(response.headers),
		statusIsStated: true,
	};
}

async function speakInSession(call: Call, sessions: Set<string>): Promise<Reply> {
	const id = call.headers[SESSION]?.toString();
	const opens = [call.body].flat().some((message) => isInitializeRequest(message));
	const fault = opens ? undefined : faultOfSession(id, sessions);
	if (fault) return fault;
	const reply = await speak(call);
	if (!opens) return inSession(reply, id!);
	if (reply.status !== 200) return reply;
	const opened = randomUUID();
	sessions.add(opened);
	return inSession(reply, opened);
}

const inSession = (reply: Reply, id: string): Reply => ({
	...reply,
	headers: { ...reply.headers, [SESSION]: id },
});

function endSession({ headers }: Call, sessions: Set<string>): Reply {
	const id = headers[SESSION]?.toString();
	const fault = faultOfSession(id, sessions);
	if (fault) return fault;
	sessions.delete(id!);
	return { ...refusedAlways(200, {}), payload: '' };
}

function faultOfSession(id: string | undefined, sessions: Set<string>): Reply | undefined {
	if (id === undefined)
		return rpcError(400, -32000, 'Bad Request: Mcp-Session-Id header is required');
	return sessions.has(id) ? undefined : rpcError(404, -32001, 'Session not found');
}

const rpcError = (status: number, code: number, message: string, headers = {}) =>
	refusedAlways(status, { jsonrpc: '2.0', error: { code, message }, id: null }, headers);

const notAllowed = (sessions: Set<string> | undefined) =>
	rpcError(405, -32000, 'Method not allowed.', { allow: sessions ? 'POST, DELETE' : 'POST' });
