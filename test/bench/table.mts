/** The one table that a run prints: medians with their spread, and this package's share of each peer's. */
import Table from 'cli-table3';
import { NAMES, type Contestant } from './loads.mts';
import {
	isLess,
	median,
	medianOf,
	valuesOf,
	type LoadResult,
	type Results,
	type Sample,
} from './results.mts';

export const HEAD = [
	...['Load', 'Who', 'Wall', 'ours ÷', 'CPU', 'ours ÷', 'Memory', 'ours ÷'],
	...['Delivered', 'Paid', 'Refused', 'Sockets', 'Health p99', 'most'],
];

const LEGEND =
	"medians, ± half the distance between the extremes; ours ÷ is this package's figure divided by the row's";

export function printTable(title: string, { loads, figures }: Results) {
	const table = new Table({ head: HEAD, style: { head: [], border: [], compact: true } });
	for (const row of rowsOf(loads)) table.push(row);
	console.log(`\n${title}: ${LEGEND}\n`);
	console.log(table.toString());
	if (Object.values(loads).some(({ quick }) => quick)) console.log(SHORT_RUN_MEANS);
	for (const line of figureRows({ figures })) console.log(line);
}

const FIGURES: Record<string, [what: string, show: (value: number) => string]> = {
	loadOneFileMs: ['The same code in one file', (ms) => `${ms.toFixed(1)} ms`],
	loadMs: ['Loading the package at the start of n8n', (ms) => `${ms.toFixed(1)} ms`],
	tarballBytes: ['Tarball', (bytes) => `${(bytes / 1000).toFixed(1)} kB`],
	unpackedBytes: ['Unpacked', (bytes) => `${(bytes / 1000).toFixed(0)} kB`],
};

/** A line for each figure that is no load. */
export function figureRows({ figures }: Pick<Results, 'figures'>): string[] {
	return Object.entries(figures).map(([name, values]) => {
		const [what, show] = FIGURES[name];
		return `${what}: ${withSpread(values, show)}`;
	});
}

/** The rows as text, also for the pages in docs/. */
export function rowsOf(loads: Record<string, LoadResult>): string[][] {
	return Object.values(loads).flatMap((load) =>
		Object.keys(load.samples).map((contestant) => rowOf(load, contestant as Contestant)),
	);
}

function rowOf(load: LoadResult, contestant: Contestant): string[] {
	const values = (figure: keyof Sample) => valuesOf(load, contestant, figure);
	const count = (figure: keyof Sample) => Math.round(median(values(figure))).toLocaleString('en');
	return [
		load.quick ? `${load.title} ${SHORT_RUN}` : load.title,
		NAMES[contestant],
		withSpread(values('wallMs'), seconds),
		share(load, contestant, 'wallMs'),
		withSpread(values('cpuMs'), seconds),
		share(load, contestant, 'cpuMs'),
		withSpread(values('rssMb'), (mb) => `${Math.round(mb)} MB`),
		share(load, contestant, 'rssMb'),
		count('delivered'),
		count('paid'),
		count('refused'),
		count('peakSockets'),
		...(['healthP99Ms', 'healthMostMs'] as const).map((figure) => {
			const ms = medianOf(load, contestant, figure);
			return ms === undefined ? '' : `${Math.round(ms)} ms`;
		}),
	];
}

/** The mark of a load with a short run. */
const SHORT_RUN = '†';
export const SHORT_RUN_MEANS = `${SHORT_RUN} Fewer than five samples, or fewer items: for a first look. A short list shows more of what only its\nbeginning costs: compiling, slow start, and finding out how fast a service may be asked.`;

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

/**
 * This package's figure divided by the contestant's. Empty in its own rows, beside somebody who makes no calls or delivered less,
 * and where the contestant's samples differ by more than their median.
 */
function share(load: LoadResult, contestant: Contestant, figure: keyof Sample): string {
	const own = medianOf(load, 'own', figure) ?? 0;
	const other = medianOf(load, contestant, figure) ?? 0;
	const values = valuesOf(load, contestant, figure);
	const isVague = Math.max(...values) - Math.min(...values) > other;
	const isNone = ['own', 'ownBatches', 'nothing'].includes(contestant) || values.length === 0;
	return isNone || isLess(load, contestant) || isVague || own <= 0 || other <= 0
		? ''
		: (own / other).toFixed(2);
}

/** "1.20 s ±0.05": the median and half the distance between the extremes. */
function withSpread(values: number[], show: (value: number) => string): string {
	const half = (Math.max(...values) - Math.min(...values)) / 2;
	return values.length === 1
		? show(values[0])
		: `${show(median(values))} ±${show(half).replace(/ .*/, '')}`;
}
