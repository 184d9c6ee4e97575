/** Measures a load, in process or on a server: one sample of each contestant in turn, so that all run under the same conditions. */
import { NAMES, type Contestant, type Load } from './loads.mts';
import { commit, type LoadResult, type Measured, type Sample } from './results.mts';
import { cpuMs } from './usage.mts';
import type { Identity } from './service/identity.mts';
import { startService, type Service } from './service/startService.mts';

/** Largest share of the time that the service may be busy: beyond it, the load measures the service. */
const BUSY = 0.7;

export interface RunLoadOptions {
	quick: boolean;
	runs: number;
	/** Who the service is over TLS; plain http without it. */
	identity?: Identity;
}

/** Takes samples of one contestant until it is closed. */
export interface Sampler {
	/** @param begin called after the warm-up, when the measurement starts */
	sample(begin: () => Promise<void>): Promise<Measured>;
	close(): Promise<void>;
}

export type OpenSampler = (
	load: Load,
	contestant: Contestant,
	service: Service,
) => Promise<Sampler>;

export async function runLoad(
	wanted: Load,
	{ quick, runs, identity }: RunLoadOptions,
	openSampler: OpenSampler,
): Promise<LoadResult> {
	const load = quick ? { ...wanted, ...wanted.quick } : wanted;
	const samples: Partial<Record<Contestant, Sample[]>> = {};
	const service = await startService(load.service, identity);
	const samplers = new Map<Contestant, Sampler>();
	const leave = async (contestant: Contestant) => {
		await samplers.get(contestant)?.close();
		samplers.delete(contestant);
	};
	try {
		for (let run = 0; run < Math.min(runs, load.runs ?? runs); run += 1) {
			for (const contestant of load.contestants) {
				if (run >= (load.runsOf?.[contestant] ?? Infinity)) continue;
				const sampler = samplers.get(contestant) ?? (await openSampler(load, contestant, service));
				samplers.set(contestant, sampler);
				const sample = await takeSample(sampler, service);
				(samples[contestant] ??= []).push(sample);
				console.log(lineOf(load, contestant, sample));
				if (load.isCold || load.isFresh) await leave(contestant);
			}
		}
	} finally {
		for (const contestant of load.contestants) await leave(contestant);
		service.stop();
	}
	return {
		...{ title: titleOf(load), samples, commit: commit() },
		measuredAt: new Date().toISOString().slice(0, 10),
		quick: quick || runs < 5,
	};
}

/** The title of a load, with its number of items. */
export const titleOf = ({ title, items }: Load) =>
	title.replace('{items}', items.toLocaleString('en'));

async function takeSample(sampler: Sampler, service: Service): Promise<Sample> {
	let cpuBefore = 0;
	const measured = await sampler.sample(async () => {
		await service.reset();
		cpuBefore = cpuMs(service.pid);
	});
	const serviceCpuMs = cpuMs(service.pid) - cpuBefore;
	return { ...measured, ...(await service.counts()), serviceCpuMs };
}

function lineOf({ id }: Load, contestant: Contestant, sample: Sample): string {
	const { wallMs, cpuMs, rssMb, delivered, requests, paid, refused, peakSockets, serviceCpuMs } =
		sample;
	return [
		id.padEnd(12),
		NAMES[contestant].padEnd(40),
		`wall ${(wallMs / 1000).toFixed(2)} s`,
		`CPU ${(cpuMs / 1000).toFixed(2)} s`,
		`memory ${Math.round(rssMb)} MB`,
		`${delivered} delivered`,
		`${requests} requests (${paid} paid, ${refused} refused)`,
		`sockets: ${peakSockets}`,
		...feltBy(sample),
		`service busy ${Math.round((100 * serviceCpuMs) / wallMs)} %`,
		serviceCpuMs > BUSY * wallMs ? 'THE SERVICE WAS BUSY' : '',
	].join('  ');
}

function feltBy({ healthMedianMs, healthP99Ms, healthMostMs }: Sample): string[] {
	if (healthMedianMs === undefined) return [];
	const [middle, p99, most] = [healthMedianMs, healthP99Ms, healthMostMs].map((ms = 0) =>
		ms.toFixed(0),
	);
	return [`health ${middle} ms, p99 ${p99}, most ${most}`];
}
