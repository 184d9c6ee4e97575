/** One sample, in this process. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { SandboxRoots } from '../../sandbox/index.ts';
import type { Contestant, Load } from '../loads.mts';
import type { Measured } from '../results.mts';
import { memory, resetPeak } from '../usage.mts';
import { prepareNode } from './node.mts';
import { prepareUndici } from './undici.mts';

interface SampleRequest {
	load: Load;
	contestant: Contestant;
	roots: SandboxRoots;
}

/** Runs so many items once; returns how many were answered. */
export type Run = (items: number, distinct: number) => Promise<number>;

/** Enough for everything to be loaded and compiled; more files would hide what they take in what the process holds already. */
const WARM_UP_ITEMS = 20;
const WARM_UP_FILES = 1;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function measure(run: Run, load: Load): Promise<Measured> {
	const { items, distinct = items, executions = 1, atOnce = false } = load;
	collectGarbage();
	resetPeak(process.pid);
	const before = memory(process.pid);
	const cpuBefore = process.cpuUsage();
	const startedMs = performance.now();
	let delivered = 0;
	if (atOnce) {
		const runs = Array.from({ length: executions }, async () => await run(items, distinct));
		delivered = (await Promise.all(runs)).reduce((sum, answered) => sum + answered, 0);
	} else {
		for (let left = executions; left > 0; left -= 1) delivered += await run(items, distinct);
	}
	const wallMs = performance.now() - startedMs;
	const { user, system } = process.cpuUsage(cpuBefore);
	const rssMb = memory(process.pid).peakMb - before.rssMb;
	return { wallMs, cpuMs: (user + system) / 1000, rssMb, delivered };
}

const { load, contestant, roots } = JSON.parse(process.argv[2]) as SampleRequest;
const run =
	contestant === 'undici' ? prepareUndici(load, roots) : await prepareNode(contestant, load, roots);
if (!load.isCold) {
	const most = load.media ? WARM_UP_FILES : WARM_UP_ITEMS;
	await run(Math.min(load.items, most), most);
}
process.once('disconnect', () => process.exit());
process.send?.('ready');
process.once('message', async () => {
	process.send?.(await measure(run, load), () => process.exit());
});
