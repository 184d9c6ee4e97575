import { connect } from 'node:net';
import { freePorts } from './ports.mts';
import { start } from './processes.mts';
import { programOf } from './programs.mts';
import { until } from './wait.mts';

/** A Redis of our own on a free port, that keeps nothing on disk. @throws Skipped where there is none */
export async function startRedis(log: string): Promise<{ port: number; stop(): Promise<void> }> {
	const redis = await programOf('redis');
	const [port] = await freePorts(1);
	const options = [
		'--port',
		String(port),
		'--bind',
		'127.0.0.1',
		'--save',
		'',
		'--appendonly',
		'no',
	];
	const server = start(redis, options, { name: 'redis', log });
	await until('Redis', async () => await answers(port));
	return { port, stop: () => server.stop() };
}

async function answers(port: number): Promise<boolean> {
	return await new Promise((done) => {
		const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
		const end = (is: boolean) => {
			socket.destroy();
			done(is);
		};
		socket.once('data', (data) => end(data.toString().startsWith('+PONG')));
		socket.once('error', () => end(false));
	});
}
