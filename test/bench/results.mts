/** What was measured, as it is kept in results/*.json: every sample, so that medians and spreads are made from it later. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contestant } from './loads.mts';
import type { ServiceCounts } from './service/serviceCounts.mts';

/** How long n8n's health check took for others while a load ran, in milliseconds. */
export interface Felt {
	healthMedianMs: number;
	healthP99Ms: number;
	healthMostMs: number;
}

export interface Measured extends Partial<Felt> {
	/** From start to end; where executions follow each other, of all of them. */
	wallMs: number;
	/** CPU time of the process that makes the calls, over all its threads. */
	cpuMs: number;
	/** Peak of the process's memory during the load beyond what it held before. */
	rssMb: number;
	/** Answers that came out of the node. */
	delivered: number;
}

export interface Sample extends Measured, ServiceCounts {
	/** CPU time of the service, which must not be the bottleneck. */
	serviceCpuMs: number;
}

export interface LoadResult {
	title: string;
	measuredAt: string;
	/** Of this package. */
	commit: string;
	/** True where the load or the number of samples was cut short. */
	quick: boolean;
	samples: Partial<Record<Contestant, Sample[]>>;
}

interface Machine {
	cpu: string;
	cores: number;
	memoryGb: number;
	system: string;
	node: string;
	n8n: string;
}

export interface Results {
	machine: Machine;
	loads: Record<string, LoadResult>;
	/** Figures that are no load: bytes, milliseconds. */
	figures: Record<string, number[]>;
}

/** Of several processes that share an account; each list has a number for each run. */
export interface WorkersResults {
	measuredAt: string;
	commit: string;
	sharings: Array<{
		processes: number;
		/** How the service sets the pace. */
		pacing: string;
		/** How long all calls take at the rate that is allowed. */
		seconds: number;
		/** What they got together until the first was done, as a share of what was allowed. */
		share: number[];
		/** Share of the calls. */
		refused: number[];
		/** The least part of the whole that a process had then. */
		leastShare: number[];
	}>;
}

/** `n8n` is the real server, over TLS unless it says `http`. */
export const RESULT_NAMES = [
	...(['n8n-2.x', 'n8n-1.x', 'n8n-http-2.x', 'n8n-http-1.x'] as const),
	...(['in-process-2.x', 'in-process-1.x'] as const),
];

export type ResultsName = (typeof RESULT_NAMES)[number];

const fileOf = (name: ResultsName | 'workers') =>
	fileURLToPath(new URL(`./results/${name}.json`, import.meta.url));

export const readResults = (name: ResultsName) => read<Results>(name);

export const readWorkers = () => read<WorkersResults>('workers');

function read<Kept>(name: ResultsName | 'workers'): Kept | undefined {
	const file = fileOf(name);
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : undefined;
}

/** Adds what was measured now to what is there, so that `--only` renews a part. */
export function writeResults(name: ResultsName, { machine, loads, figures }: Results) {
	const before = readResults(name);
	const file = fileOf(name);
	mkdirSync(dirname(file), { recursive: true });
	const merged: Results = {
		machine,
		loads: { ...before?.loads, ...loads },
		figures: { ...before?.figures, ...figures },
	};
	writeFileSync(file, `${JSON.stringify(merged, rounded, '\t')}\n`);
	return file;
}

/** A hundredth of a millisecond or megabyte is more than is known. */
const rounded = (_key: string, value: unknown) =>
	typeof value === 'number' ? Math.round(value * 100) / 100 : value;

export function thisMachine(node: string, n8n: string): Machine {
	return {
		cpu: cpus()[0].model,
		cores: cpus().length,
		memoryGb: Math.round(totalmem() / 2 ** 30),
		system: `Linux ${release().split('-')[0]}`,
		node,
		n8n,
	};
}

/** Of this package, as it is now. */
export const commit = () =>
	execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();

export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The smallest value that so large a share of all are not above. */
export function percentile(values: number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/** One figure of all samples of a contestant; empty where it was not measured. */
export const valuesOf = (
	load: LoadResult | undefined,
	contestant: Contestant,
	figure: keyof Sample,
): number[] =>
	(load?.samples[contestant] ?? []).flatMap(({ [figure]: value }) =>
		value === undefined ? [] : [value],
	);

/** The median of one figure over the samples of a contestant; undefined where it was not measured. */
export function medianOf(
	load: LoadResult | undefined,
	contestant: Contestant,
	figure: keyof Sample,
): number | undefined {
	const values = valuesOf(load, contestant, figure);
	return values.length > 0 ? median(values) : undefined;
}

/** Whether a contestant delivered less than this package, so that what it cost says nothing. */
export const isLess = (load: LoadResult, contestant: Contestant): boolean =>
	(medianOf(load, contestant, 'delivered') ?? 0) < (medianOf(load, 'own', 'delivered') ?? 0);
