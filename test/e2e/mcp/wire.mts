import { createServer, request as send, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../machine/wait.mts';

/** Longest wait for the streams of a run that is over to be closed. */
const IDLE_MS = 10_000;

/** A request as it went by. */
interface WireCall {
	method: string;
	path: string;
	/** The JSON-RPC message, where there was one. */
	message?: { method?: string; id?: unknown; params?: Record<string, unknown> };
	/** HTTP status, once it is known. */
	status?: number;
}

/** A reverse proxy that counts, and passes everything on as it comes. */
export interface Wire {
	url: string;
	calls: WireCall[];
	/** How often something went by: "initialize", "tools/call", or an HTTP method without a message, such as "DELETE". */
	counts(): Record<string, number>;
	/** All that went by, a line for each. */
	text(): string;
	/** Resolves when nothing is under way: a client closes a stream when it has its answer. */
	untilIdle(): Promise<void>;
	close(): Promise<void>;
}

/** Puts itself in front of a server of the same path. */
async function startWire(target: string): Promise<Wire> {
	const calls: WireCall[] = [];
	let underWay = 0;
	const { origin, pathname } = new URL(target);
	const server = createServer((request, response) => {
		underWay += 1;
		response.on('close', () => (underWay -= 1));
		void (async () => {
			const body = await bodyOf(request);
			const { method = '', url: path = '', headers } = request;
			const call: WireCall = { method, path, ...(body.length > 0 && { message: parsed(body) }) };
			calls.push(call);
			const { connection: _, 'transfer-encoding': __, ...kept } = headers;
			const options = {
				...{ method, agent: false },
				headers: { ...kept, 'content-length': String(body.length) },
			};
			const passedOn = send(new URL(path, origin), options, (reply) => {
				call.status = reply.statusCode;
				response.writeHead(reply.statusCode ?? 502, reply.headers);
				response.flushHeaders();
				reply.pipe(response);
				reply.on('error', () => response.destroy());
			});
			passedOn.on('error', () => response.destroy());
			response.on('close', () => passedOn.destroy());
			passedOn.end(body);
		})();
	});
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}${pathname}`,
		calls,
		counts: () => countsOf(calls),
		text: () => calls.map((call) => JSON.stringify(call)).join('\n'),
		untilIdle: async () => {
			const isIdle = async () => underWay === 0;
			await until('the streams of a run to be closed', isIdle, { timeoutMs: IDLE_MS });
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise<void>((done) => server.close(() => done()));
		},
	};
}

/**
 * Has something done through a proxy, whose streams are then to be closed.
 *
 * @throws what it throws, after printing what went by
 */
export async function throughWire<Result>(
	target: string,
	act: (wire: Wire) => Promise<Result>,
): Promise<Result> {
	const wire = await startWire(target);
	try {
		const result = await act(wire);
		await wire.untilIdle();
		return result;
	} catch (error) {
		console.error(wire.text());
		throw error;
	} finally {
		await wire.close();
	}
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}

function parsed(body: Buffer): WireCall['message'] {
	return JSON.parse(body.toString()) as WireCall['message'];
}

function countsOf(calls: WireCall[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { method, message } of calls) {
		const what = message?.method ?? method;
		counts[what] = (counts[what] ?? 0) + 1;
	}
	return counts;
}
