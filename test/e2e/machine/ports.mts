import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections and to servers that ask for any (from 32,768 on Linux, 49,152 on macOS
 * and Windows): n8n listens seconds after its port was chosen, and must find it free.
 */
const FIRST = 15_000;
const COUNT = 15_000;

/** The port that is looked at next; other processes begin elsewhere. */
let next = Math.floor(Math.random() * COUNT);

/** Ports on 127.0.0.1 that are free. This process uses none of them twice, until it has used all. */
export async function freePorts(count: number): Promise<number[]> {
	const ports: number[] = [];
	for (let tried = 0; ports.length < count && tried < COUNT; tried += 1) {
		const port = FIRST + next;
		next = (next + 1) % COUNT;
		if (await isFree(port)) ports.push(port);
	}
	return ports;
}

/** Whether a port of 127.0.0.1 can be listened on now. */
export async function isFree(port: number): Promise<boolean> {
	const server = createServer();
	return await new Promise<boolean>((done) => {
		server.once('error', () => done(false));
		server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
	});
}
