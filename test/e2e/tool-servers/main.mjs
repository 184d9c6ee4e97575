import { startFastMcp, startHono, startSdk2, startStateful, startStateless } from './servers.mjs';

const STARTS = {
	stateful: startStateful,
	stateless: startStateless,
	sdk2: startSdk2,
	hono: startHono,
	fastmcp: startFastMcp,
};

/** Starts servers on 127.0.0.1 until it is told to end: `node main.mjs stateful=4001 hono=4002`. */
for (const wanted of process.argv.slice(2)) {
	const [name, port] = wanted.split('=');
	await STARTS[name](Number(port));
}
