/** How a load is measured, in process or on a server: one sample of everybody in turn, so that all see the same weather. */
import { NAMES, type Contestant, type Load } from './loads.mts';
import { commit, type LoadResult, type Measured, type Sample } from './results.mts';
import { cpuMs } from './usage.mts';
import { startService, type Service } from './service/start.mts';

/** Share of the time that the service may work: beyond it, the load measures the service. */
const BUSY = 0.7;

export interface PlayOptions {
	quick: boolean;
	runs: number;
}

/** Where samples of one contestant are taken, until it is closed. */
export interface Place {
	/** @param begin called when all is warm, at the start of what counts */
	sample(begin: () => Promise<void>): Promise<Measured>;
	close(): Promise<void>;
}

export type OpenPlace = (load: Load, contestant: Contestant, service: Service) => Promise<Place>;

export async function playLoad(
	wanted: Load,
	{ quick, runs }: PlayOptions,
	openPlace: OpenPlace,
): Promise<LoadResult> {
	const load = quick ? { ...wanted, ...wanted.quick } : wanted;
	const samples: Partial<Record<Contestant, Sample[]>> = {};
	const service = await startService(load.service);
	const places = new Map<Contestant, Place>();
	const leave = async (contestant: Contestant) => {
		await places.get(contestant)?.close();
		places.delete(contestant);
	};
	try {
		for (let run = 0; run < Math.min(runs, load.runs ?? runs); run += 1) {
			for (const contestant of load.contestants) {
				if (run > 0 && load.once?.includes(contestant)) continue;
				const place = places.get(contestant) ?? (await openPlace(load, contestant, service));
				places.set(contestant, place);
				const sample = await takeSample(place, service);
				(samples[contestant] ??= []).push(sample);
				console.log(lineOf(load, contestant, sample));
				if (load.isCold || load.isFresh) await leave(contestant);
			}
		}
	} finally {
		for (const contestant of load.contestants) await leave(contestant);
		service.stop();
	}
	const { items, executions = 1, connections } = load;
	return {
		...{ title: titleOf(load), items, executions, connections, samples, commit: commit() },
		leastMs: load.leastMs?.(items),
		measuredAt: new Date().toISOString().slice(0, 10),
		quick: quick || runs < 5,
	};
}

/** What a load is called, with as many items as it has. */
export const titleOf = ({ title, items }: Load) =>
	title.replace('{items}', items.toLocaleString('en'));

async function takeSample(place: Place, service: Service): Promise<Sample> {
	let cpuBefore = 0;
	const measured = await place.sample(async () => {
		await service.reset();
		cpuBefore = cpuMs(service.pid);
	});
	const serviceCpuMs = cpuMs(service.pid) - cpuBefore;
	return { ...measured, ...(await service.counted()), serviceCpuMs };
}

function lineOf({ id }: Load, contestant: Contestant, sample: Sample): string {
	const { wallMs, cpuMs, rssMb, delivered, requests, paid, refused, peakSockets } = sample;
	return [
		id.padEnd(12),
		NAMES[contestant].padEnd(40),
		`wall ${(wallMs / 1000).toFixed(2)} s`,
		`CPU ${(cpuMs / 1000).toFixed(2)} s`,
		`memory ${Math.round(rssMb)} MB`,
		`${delivered} delivered`,
		`${requests} requests (${paid} paid, ${refused} refused)`,
		`sockets: ${peakSockets}`,
		sample.serviceCpuMs > BUSY * wallMs ? 'THE SERVICE WAS BUSY' : '',
	].join('  ');
}
