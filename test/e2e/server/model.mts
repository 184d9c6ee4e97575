import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A stand-in for a language model: speaks the chat completions of the usual model servers, and answers by a rule. */

/** A message of the conversation, as the model is sent it. */
interface Message {
	role: 'assistant' | 'system' | 'tool' | 'user';
	content: string | Array<{ text?: string }> | null;
}

/** A tool that the model may call. */
interface OfferedTool {
	name: string;
	description: string;
	parameters: { properties?: Record<string, { description?: string }> };
}

/** What one request to the model holds. */
export interface Turn {
	/** What the user wrote last. */
	question: string;
	/** What the tools answered since then. */
	results: string[];
	tools: OfferedTool[];
	/** All of it, as text. */
	text: string;
}

/** What the model does: it calls tools, or ends the conversation. */
export type Move = { say: string } | { call: Array<{ tool: string; args: object }> };

export interface Model {
	/** For the Base URL of a credential. */
	url: string;
	turns: Turn[];
	close(): Promise<void>;
}

interface ChatRequest {
	messages: Message[];
	tools?: Array<{ function: OfferedTool }>;
	stream?: boolean;
}

/** Starts a model that makes these moves. */
export async function startModel(move: (turn: Turn) => Move): Promise<Model> {
	const turns: Turn[] = [];
	const server = createServer((request, response) => {
		void readJson(request).then((asked) => {
			const turn = turnOf(asked);
			turns.push(turn);
			answer(response, messageOf(move(turn), turns.length), asked.stream === true);
		});
	});
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/v1`,
		turns,
		close: async () => {
			server.closeAllConnections();
			await new Promise((done) => server.close(done));
		},
	};
}

async function readJson(request: IncomingMessage): Promise<ChatRequest> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest;
}

function turnOf({ messages, tools = [] }: ChatRequest): Turn {
	const asked = messages.findLastIndex(({ role }) => role === 'user');
	const results = messages.slice(asked).filter(({ role }) => role === 'tool');
	return {
		question: textOf(messages[asked]),
		results: results.map(textOf),
		tools: tools.map((tool) => tool.function),
		text: JSON.stringify({ messages, tools }),
	};
}

function textOf({ content }: Message): string {
	return Array.isArray(content) ? content.map(({ text }) => text ?? '').join('') : (content ?? '');
}

function messageOf(move: Move, turn: number) {
	if ('say' in move) return { role: 'assistant', content: move.say };
	const calls = move.call.map(({ tool, args }, index) => ({
		...{ index, id: `call-${turn}-${index}`, type: 'function' },
		function: { name: tool, arguments: JSON.stringify(args) },
	}));
	return { role: 'assistant', content: null, tool_calls: calls };
}

function answer(response: ServerResponse, message: object, streams: boolean): void {
	const reason = 'tool_calls' in message ? 'tool_calls' : 'stop';
	const head = { id: 'chat', created: 0, model: 'stand-in' };
	if (!streams) {
		const choices = [{ index: 0, message, finish_reason: reason }];
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }));
		return;
	}
	response.setHeader('content-type', 'text/event-stream');
	for (const choice of [{ delta: message }, { delta: {}, finish_reason: reason }]) {
		const chunk = {
			...head,
			object: 'chat.completion.chunk',
			choices: [{ index: 0, finish_reason: null, ...choice }],
		};
		response.write(`data: ${JSON.stringify(chunk)}\n\n`);
	}
	response.end('data: [DONE]\n\n');
}
