/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { createServer, Server } from 'node:https';
import type { AddressInfo } from 'node:net';

import fastify, {
	type FastifyError,
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
	type FastifyServerFactory,
} from 'fastify';

import { ADMIN_PREFIX } from './admin';
import type { Delivery } from '../faults/faultInjection';
import type { Endpoint } from './endpoint';
import { readForm } from './formBody';
import { looseNumbersIn } from './looseNumbers';
import { endpoints } from '../routes';
import type { Service } from './service';
import type { Traffic } from './traffic';
import type { HostName, RequestRecord, TlsIdentity } from '../types';

/** Large enough for a message with media well beyond the service's own limit, which is an endpoint's to refuse. */
const BODY_LIMIT = 32 * 1024 * 1024;

/** Builds one host of the service with its endpoints; it does not listen yet. */
export function buildHost(
	host: HostName,
	service: Service,
	traffic: Traffic,
	tls?: TlsIdentity,
): FastifyInstance {
	const app = fastify({
		...(tls && { serverFactory: overTls(tls) }),
		bodyLimit: BODY_LIMIT,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { querystringParser: parseQuery },
	});
	const records = new WeakMap<FastifyRequest, RequestRecord>();
	acceptAnyBody(app);
	app.server.on('connection', (socket) => traffic.connected(socket));

	app.addHook('onRequest', async (request, reply) => {
		if (host === 'main' && request.url.startsWith(ADMIN_PREFIX)) return;
		const record = recordOf(host, request);
		records.set(request, record);
		reply.raw.once('close', traffic.arrived(record));
	});

	const serve = (endpoint?: Endpoint) => async (request: FastifyRequest, reply: FastifyReply) => {
		const record = records.get(request);
		if (!record) return await reply.code(404).send({ ok: false, error: 'No such admin route' });
		record.body = request.body;
		traffic.looseNumbers.push(...looseNumbersIn(record));
		const params = request.params as Record<string, string>;
		const delivery = await service.serve(endpoint, record, params);
		return deliver(delivery, record, request, reply, service);
	};
	for (const endpoint of endpoints) {
		if (endpoint.host !== host) continue;
		app.route({ method: endpoint.methods, url: endpoint.path, handler: serve(endpoint) });
	}
	app.setNotFoundHandler(serve());
	app.setErrorHandler((error: FastifyError, request, reply) => {
		const status = error.statusCode ?? 500;
		const record = records.get(request);
		if (record) record.status = status;
		return reply.code(status).send({ status: false, error: error.message });
	});
	return app;
}

const overTls =
	(tls: TlsIdentity): FastifyServerFactory =>
	(handler) =>
		createServer(tls, handler);

/** Starts listening on 127.0.0.1 and returns the root address, without a slash at its end. */
export async function listen(app: FastifyInstance, port: number): Promise<string> {
	await app.listen({ host: '127.0.0.1', port });
	const scheme = app.server instanceof Server ? 'https' : 'http';
	return `${scheme}://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

function recordOf(host: HostName, request: FastifyRequest): RequestRecord {
	return {
		host,
		method: request.method,
		path: request.url.split('?')[0],
		url: request.url,
		query: request.query as Record<string, string>,
		headers: { ...request.headers },
		body: undefined,
		charged: 0,
		at: Date.now(),
	};
}

/** Form decoding, as services do it: `+` is a space, so a plus sign has to come as %2B (SPEC §4). */
const parseQuery = (text: string) => Object.fromEntries(new URLSearchParams(text));

/** JSON and forms are parsed where they are declared as such; everything else, and what is none of them, stays text. */
function acceptAnyBody(app: FastifyInstance) {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		/^multipart\/form-data/i,
		{ parseAs: 'buffer' },
		async (request: FastifyRequest, body: Buffer) =>
			(await readForm(body, request.headers['content-type'] ?? '')) ?? body.toString(),
	);
	app.addContentTypeParser(
		'*',
		{ parseAs: 'string' },
		async (request: FastifyRequest, body: string) => {
			if (body === '') return undefined;
			if (!request.headers['content-type']?.includes('json')) return body;
			try {
				return JSON.parse(body);
			} catch {
				return body;
			}
		},
	);
}

async function deliver(
	delivery: Delivery,
	record: RequestRecord,
	request: FastifyRequest,
	reply: FastifyReply,
	service: Service,
) {
	if (typeof delivery === 'object') {
		record.status = delivery.status;
		return await reply.code(delivery.status).headers(delivery.headers).send(delivery.payload);
	}
	reply.hijack();
	const { fault } = record;
	if (fault && 'isAnnounced' in fault && fault.isAnnounced) reply.raw.writeProcessing();
	if (delivery === 'hang') await service.delays.wait(Infinity);
	const { socket } = request.raw;
	// Node's reset of a connection that is just being ended fails, and the socket never says that it is closed
	if (socket.writableEnded) socket.destroy();
	else socket.resetAndDestroy();
}
