import { createServer, type AddressInfo } from 'node:net';

/** Ports on 127.0.0.1 that were free a moment ago, all different. */
export async function freePorts(count: number): Promise<number[]> {
	const servers = Array.from({ length: count }, () => createServer());
	try {
		return await Promise.all(
			servers.map(
				(server) =>
					new Promise<number>((done, refuse) => {
						server.once('error', refuse);
						server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port));
					}),
			),
		);
	} finally {
		await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
	}
}

/** Whether a port of 127.0.0.1 can be listened on now. */
export async function isFree(port: number): Promise<boolean> {
	const server = createServer();
	return await new Promise<boolean>((done) => {
		server.once('error', () => done(false));
		server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
	});
}
