/**
 * The one endpoint that the latency loads call, with nothing else: the sandbox keeps a log, a ledger and the numbering plans,
 * and would be the bottleneck. It answers like the sandbox (sameAnswers.mts compares them).
 */
import { createServer as createHttp, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TlsIdentity } from '../../sandbox/index.ts';
import type { ServiceCounts } from './serviceCounts.mts';

const PATH = '/api/v1/checkwanumber';

interface FastService {
	baseUrl: string;
	reset(): void;
	counts(): ServiceCounts;
}

/** @param tls speaks plain http without it */
export async function startFastService(latencyMs: number, tls?: TlsIdentity): Promise<FastService> {
	let requests = 0;
	let peakSockets = 0;
	/** By the caller's port, which a connection and the one encrypted in it have in common. */
	const open = new Set<number | undefined>();
	// Patient: who opens thousands of connections may take long to use them
	const patience = { keepAliveTimeout: 60_000, headersTimeout: 0, requestTimeout: 0 };
	const listener: RequestListener = (request, response) => {
		requests += 1;
		const port = request.socket.remotePort;
		// A connection that was told to close with its last reply is over then, not when its socket is gone
		response.once('finish', () => response.shouldKeepAlive || open.delete(port));
		const [path, query] = (request.url ?? '').split('?');
		const number = new URLSearchParams(query).get('number') ?? '';
		if (path !== PATH) return answer(response, 404, { status: false, error: 'Not found' });
		setTimeout(() => answer(response, 200, answerTo(number)), latencyMs);
	};
	const server = tls
		? createHttps({ ...patience, ...tls, handshakeTimeout: 0x7fff_ffff }, listener)
		: createHttp(patience, listener);
	server.on('connection', (socket: Socket) => {
		const { remotePort } = socket;
		open.add(remotePort);
		peakSockets = Math.max(peakSockets, open.size);
		socket.once('close', () => open.delete(remotePort));
	});
	// Who opens a connection per item opens thousands at once
	await new Promise<void>((done) =>
		server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, done),
	);
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/api/v1`,
		reset() {
			requests = 0;
			peakSockets = open.size;
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
