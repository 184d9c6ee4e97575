/**
 * The one endpoint that the latency loads call, with nothing else: the sandbox keeps a log, a ledger and the numbering plans,
 * and would be the bottleneck. It answers like the sandbox (`likeTheSandbox` in start.mts compares them).
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ServiceCounts } from './serviceCounts.mts';

const PATH = '/api/v1/checkwanumber';

export interface FastService {
	baseUrl: string;
	reset(): void;
	counts(): ServiceCounts;
}

export async function startFastService(latencyMs: number): Promise<FastService> {
	let requests = 0;
	let open = 0;
	let peakSockets = 0;
	// Patient: who opens thousands of connections may take long to use them
	const patience = { keepAliveTimeout: 60_000, headersTimeout: 0, requestTimeout: 0 };
	const server = createServer(patience, (request, response) => {
		requests += 1;
		const [path, query] = (request.url ?? '').split('?');
		const number = new URLSearchParams(query).get('number') ?? '';
		if (path !== PATH) return answer(response, 404, { status: false, error: 'Not found' });
		setTimeout(() => answer(response, 200, answerTo(number)), latencyMs);
	});
	const ended = new WeakSet<Socket>();
	// A connection that was told to close with its last reply is over then, not when its socket is gone
	const end = (socket: Socket) => {
		if (!ended.has(socket)) open -= 1;
		ended.add(socket);
	};
	server.on('connection', (socket) => {
		open += 1;
		peakSockets = Math.max(peakSockets, open);
		socket.once('close', () => end(socket));
	});
	server.on('request', ({ socket }, response) => {
		response.once('finish', () => response.shouldKeepAlive || end(socket));
	});
	// Who opens a connection per item opens thousands at once
	await new Promise<void>((done) =>
		server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, done),
	);
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
		reset() {
			requests = 0;
			peakSockets = open;
		},
		counts: () => ({ requests, paid: requests, refused: 0, peakSockets }),
	};
}

/** The sandbox's rule: on WhatsApp when the last digit is 1 to 7. */
const answerTo = (number: string) => ({
	status: true,
	number,
	whatsapp: /[1-7]$/.test(number),
});

function answer(response: ServerResponse, status: number, body: object) {
	const payload = JSON.stringify(body);
	response.writeHead(status, {
		'content-type': 'application/json; charset=utf-8',
		'content-length': Buffer.byteLength(payload),
	});
	response.end(payload);
}
