/** `npm run bench:workers`: processes with n8n's engine each that share one account of the sandbox, which sets the pace. */
import { parseArgs } from 'node:util';
import type { CallPace } from '../sandbox/index.ts';
import { nextMessage, startChild } from './child.mts';
import type { Load } from './loads.mts';
import type { Measured } from './results.mts';
import { startService } from './service/startService.mts';

const { values } = parseArgs({
	options: {
		workers: { type: 'string', default: '2' },
		seconds: { type: 'string', default: '60' },
		'calls-per-second': { type: 'string', default: '50' },
		latency: { type: 'string', default: '50' },
	},
});
const perSecond = Number(values['calls-per-second']);
const count = Number(values.workers);
const items = Math.floor((perSecond * Number(values.seconds)) / count);

const PACES: Array<[string, CallPace]> = [
	['bucket, burst 10', { callsPerSecond: perSecond, burst: 10 }],
	['fixed windows of 1 s', { callsPerSecond: perSecond, burst: 1, windowSeconds: 1 }],
];

for (const [name, pace] of PACES) {
	const options = { latencyMs: Number(values.latency), pace };
	const service = await startService({ kind: 'sandbox', options });
	const load = { id: 'workers', items, isCold: true } as Partial<Load>;
	const children = Array.from({ length: count }, () =>
		startChild(import.meta.resolve('./inProcess/sample.mts'), {
			...{ load, contestant: 'own', roots: service.roots },
		}),
	);
	try {
		await Promise.all(children.map(async (child) => await nextMessage(child)));
		await service.reset();
		const ends = children.map(async (child) => await nextMessage<Measured>(child));
		for (const child of children) child.send('begin');
		const measured = await Promise.all(ends);
		const { refused, requests } = await service.counts();
		const walls = measured.map(({ wallMs }) => wallMs);
		const wholeMs = Math.max(...walls);
		const delivered = measured.reduce((sum, one) => sum + one.delivered, 0);
		console.log(`${name}, ${count} workers with ${items} items each, ${perSecond} calls a second`);
		console.log(`  ${delivered} delivered in ${(wholeMs / 1000).toFixed(1)} s`);
		const ofAllowed = (100_000 * delivered) / wholeMs / perSecond;
		console.log(`  ${ofAllowed.toFixed(0)} % of what is allowed until the last was done`);
		console.log(`  ${refused} refused, ${((100 * refused) / requests).toFixed(1)} % of the calls`);
		for (const ms of walls) {
			const own = items / (ms / 1000);
			const share = (100 * count * own) / perSecond;
			console.log(
				`  a worker: ${own.toFixed(1)} a second, ${share.toFixed(0)} % of an equal share`,
			);
		}
	} finally {
		for (const child of children) if (child.connected) child.disconnect();
		service.stop();
	}
}
