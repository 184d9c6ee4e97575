/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import type { Port } from './faultList';

/** A request that reached an address that no request should ever reach. */
interface Stray {
	url: string;
	headers: IncomingMessage['headers'];
	body: string;
}

/** Ports without the service behind them, and the origin that redirects point to. */
export interface BrokenPorts {
	/** The URL to enter as a root, so that a call meets the port. */
	urls: Record<Port, string>;
	/** Another origin. `strays` records every request to it. */
	elsewhere: string;
	strays: Stray[];
	close(): Promise<void>;
}

export async function openBrokenPorts(): Promise<BrokenPorts> {
	const sockets = new Set<Socket>();
	const strays: Stray[] = [];
	const elsewhere = createHttpServer((request, response) => {
		let body = '';
		request.on('data', (chunk: Buffer) => (body += chunk.toString()));
		request.on('end', () => {
			strays.push({ url: request.url ?? '', headers: request.headers, body });
			response.end('{"status":true}');
		});
	});
	const servers: Server[] = [
		elsewhere,
		// With the request there, or it would not have been sent
		createServer((socket) => void socket.once('readable', () => socket.resetAndDestroy())),
		createServer((socket) => void socket.resume()),
		createHttpsServer(selfSigned(), (_, response) => void response.end('{}')),
		plainTextAfterRequest(sockets),
	];
	for (const server of servers) {
		server.on('connection', (socket) => {
			sockets.add(socket);
			socket.on('error', () => {});
			socket.once('close', () => sockets.delete(socket));
		});
		server.on('tlsClientError', () => {});
		await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	}
	const stopTrusting = trustPort((servers[4].address() as AddressInfo).port);
	const [http, resets, silent, https, plainInTls] = servers.map(
		(server) => `127.0.0.1:${(server.address() as AddressInfo).port}`,
	);
	return {
		urls: {
			refused: 'http://127.0.0.1:1',
			noHost: 'http://no-such-host.invalid',
			noTls: `https://${http}`,
			selfSigned: `https://${https}`,
			resets: `http://${resets}`,
			silent: `http://${silent}`,
			plainInTls: `https://${plainInTls}`,
		},
		elsewhere: `http://${http}`,
		strays,
		async close() {
			stopTrusting();
			for (const socket of sockets) socket.destroy();
			await Promise.all(
				servers.map(async (server) => await new Promise((done) => server.close(done))),
			);
		},
	};
}

/** Reads a request over TLS, then answers it in plain text within the same connection. */
function plainTextAfterRequest(sockets: Set<Socket>): Server {
	return createHttpsServer(selfSigned(), (request) => {
		const raw = [...sockets].find(({ remotePort }) => remotePort === request.socket.remotePort);
		raw?.write('HTTP/1.1 200 OK\r\ncontent-length: 15\r\n\r\n{"status":true}');
	});
}

/** Lets this process accept any certificate of one port. Returns what ends that. */
function trustPort(port: number) {
	const connect = tls.connect.bind(tls) as (...args: unknown[]) => tls.TLSSocket;
	const trusting = (options: unknown, ...more: unknown[]) => {
		const isPort = Number((options as tls.ConnectionOptions | undefined)?.port) === port;
		return connect(
			isPort ? { ...(options as object), rejectUnauthorized: false } : options,
			...more,
		);
	};
	tls.connect = trusting as typeof tls.connect;
	return () => (tls.connect = connect as typeof tls.connect);
}

const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const COMMON_NAME = [0x55, 0x04, 0x03];

/** A new self-signed certificate (X.509 in DER; RFC 5280 §4.1). */
function selfSigned() {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const algorithm = der(0x30, der(0x06, Buffer.from(ECDSA_WITH_SHA256)));
	const called = der(0x30, der(0x06, Buffer.from(COMMON_NAME)), der(0x0c, Buffer.from('test')));
	const name = der(0x30, der(0x31, called));
	const [from, to] = ['20200101000000Z', '20990101000000Z'].map((time) => Buffer.from(time));
	const content = der(
		0x30,
		der(0xa0, der(0x02, Buffer.from([2]))),
		der(0x02, Buffer.from([1])),
		...[algorithm, name, der(0x30, der(0x18, from), der(0x18, to)), name],
		publicKey.export({ type: 'spki', format: 'der' }),
	);
	const signature = sign('sha256', content, privateKey);
	const cert = der(0x30, content, algorithm, der(0x03, Buffer.from([0]), signature));
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
		cert: `-----BEGIN CERTIFICATE-----\n${cert.toString('base64')}\n-----END CERTIFICATE-----\n`,
	};
}

/** One value of the Distinguished Encoding Rules: tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
	const content = Buffer.concat(parts);
	const { length } = content;
	const size = length < 128 ? [length] : [0x82, length >> 8, length & 255];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
