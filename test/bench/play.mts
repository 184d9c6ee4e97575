/** How a load is measured, in process or on a server: one sample of everybody in turn, so that all see the same weather. */
import { NAMES, type Contestant, type Load } from './loads.mts';
import type { LoadResult, Measured, Sample } from './results.mts';
import { cpuMs } from './usage.mts';
import { startService, type Service } from './service/start.mts';

/** Share of the time that the service may work: beyond it, the load measures the service. */
const BUSY = 0.7;

export interface PlayOptions {
	quick: boolean;
	runs: number;
}

/** Takes one sample; `begin` is called when all is warm, at the start of what counts. */
export type TakeSample = (
	load: Load,
	contestant: Contestant,
	service: Service,
	begin: () => Promise<void>,
) => Promise<Measured>;

export async function playLoad(
	wanted: Load,
	{ quick, runs }: PlayOptions,
	takeSample: TakeSample,
): Promise<LoadResult> {
	const load = quick ? { ...wanted, ...wanted.quick } : wanted;
	const samples: Partial<Record<Contestant, Sample[]>> = {};
	const service = await startService(load.service);
	try {
		for (let run = 0; run < Math.min(runs, load.runs ?? runs); run += 1) {
			for (const contestant of load.contestants) {
				let cpuBefore = 0;
				const measured = await takeSample(load, contestant, service, async () => {
					await service.reset();
					cpuBefore = cpuMs(service.pid);
				});
				const serviceCpuMs = cpuMs(service.pid) - cpuBefore;
				const sample = { ...measured, ...(await service.counted()), serviceCpuMs };
				(samples[contestant] ??= []).push(sample);
				console.log(lineOf(load, contestant, sample));
			}
		}
	} finally {
		service.stop();
	}
	const { title, items, executions = 1, connections } = load;
	return {
		...{ title, items, executions, connections, samples },
		leastMs: load.leastMs?.(items),
		measuredAt: new Date().toISOString().slice(0, 10),
		quick: quick || runs < 5,
	};
}

function lineOf({ id }: Load, contestant: Contestant, sample: Sample): string {
	const { wallMs, cpuMs, rssMb, delivered, requests, paid, refused, peakSockets } = sample;
	return [
		id.padEnd(12),
		NAMES[contestant].padEnd(40),
		`wall ${(wallMs / 1000).toFixed(2)} s`,
		`CPU ${(cpuMs / 1000).toFixed(2)} s`,
		`memory +${rssMb.toFixed(0)} MB`,
		`${delivered} delivered`,
		`${requests} requests (${paid} paid, ${refused} refused)`,
		`${peakSockets} sockets`,
		sample.serviceCpuMs > BUSY * wallMs ? 'THE SERVICE WAS BUSY' : '',
	].join('  ');
}
