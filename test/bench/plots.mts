/** `npm run bench:plots`: the plots and tables in the documentation, from results/*.json and nothing else. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { NAMES, type Contestant } from './loads.mts';
import {
	medianOf,
	readResults,
	RESULT_NAMES,
	type LoadResult,
	type Results,
	type Sample,
} from './results.mts';
import { barChart, lineChart, type Bar } from './svg.mts';
import { figureRows, HEAD, rowsOf, share, SHORT_RUN } from './table.mts';
import { verdicts } from './targets.mts';

const server = readResults('n8n-2.x');
const ROOT = new URL('../../', import.meta.url);
const PAGES = ['README.md', 'docs/PERFORMANCE.md'];

const PEERS: Contestant[] = ['own', 'httpRequest', 'declarative', 'pool'];

function barsOf(
	load: LoadResult,
	figure: 'cpuMs' | 'delivered' | 'refused' | 'rssMb' | 'wallMs',
	scale = 1,
): Bar[] {
	return PEERS.filter((contestant) => load.samples[contestant]).map((contestant) => ({
		label: NAMES[contestant],
		value: (medianOf(load, contestant, figure) ?? 0) * scale,
		isOwn: contestant === 'own',
	}));
}

const seconds = (value: number) => `${value.toFixed(1)} s`;
const megabytes = (value: number) => `${value.toFixed(0)} MB`;
const calls = (value: number) => value.toLocaleString('en');

function plotsOf({ loads, machine }: Results): Record<string, string> {
	const plots: Record<string, string> = {};
	const [thousand, many, pace] = [loads['1000@50'], loads['10000@50'], loads.pace];
	if (thousand && many) {
		plots['bench-cost.svg'] = barChart(`The same lookups in ${machine.n8n}, a service at 50 ms`, [
			{ heading: `CPU, ${thousand.title}`, show: seconds, bars: barsOf(thousand, 'cpuMs', 0.001) },
			{
				heading: `Wall, ${thousand.title}`,
				show: seconds,
				bars: barsOf(thousand, 'wallMs', 0.001),
			},
			{ heading: `Memory, ${many.title}`, show: megabytes, bars: barsOf(many, 'rssMb') },
		]);
		plots['bench-growth.svg'] = lineChart(
			`CPU by number of items, ${machine.n8n}`,
			['items', 'CPU seconds'],
			PEERS.map((contestant) => ({
				label: NAMES[contestant],
				isOwn: contestant === 'own',
				points: [loads['1@50'], thousand, many].flatMap((load): Array<[number, number]> => {
					const cpuMs = medianOf(load, contestant, 'cpuMs');
					return cpuMs === undefined ? [] : [[load.items, cpuMs / load.executions / 1000]];
				}),
			})),
		);
	}
	if (pace) {
		plots['bench-pace.svg'] = barChart(pace.title, [
			{ heading: 'Answers delivered', show: calls, bars: barsOf(pace, 'delivered') },
			{ heading: 'Calls refused', show: calls, bars: barsOf(pace, 'refused') },
		]);
	}
	return plots;
}

function table(head: string[], rows: string[][]): string {
	return [head, head.map(() => '---'), ...rows]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

function targetTable(): string {
	const rows = verdicts().map(({ measure, target, value, isReached }) => [
		...[measure, target, value ?? 'not measured'],
		isReached === undefined ? '' : isReached ? 'yes' : '**no**',
	]);
	return table(['Measure', 'At least', 'Measured', 'Reached'], rows);
}

/** The rows of the short table: load, figure, how it is shown, and whether more of it is better. */
const HEADLINES: Array<
	[what: string, load: string, figure: keyof Sample, show: (n: number) => string, isGain?: true]
> = [
	['CPU, 1,000 items at 50 ms', '1000@50', 'cpuMs', (ms) => seconds(ms / 1000)],
	['Wall, the same', '1000@50', 'wallMs', (ms) => seconds(ms / 1000)],
	['Memory, 10,000 items', '10000@50', 'rssMb', megabytes],
	['Connections at once, 10,000 items at 2 s', 'sockets', 'peakSockets', calls],
	['Answers delivered of 1,000, 100 calls a second allowed', 'pace', 'delivered', calls, true],
	['Paid calls for 1,000 items, 30 % duplicates', 'duplicates', 'paid', calls],
];

function headlineTable({ loads }: Results): string {
	const rows = HEADLINES.map(([what, id, figure, show, isGain]) => [
		what,
		...PEERS.map((contestant) => {
			const value = medianOf(loads[id], contestant, figure);
			if (value === undefined) return '';
			const ours = isGain ? '' : share(loads[id], contestant, figure);
			return ours === '' ? show(value) : `${show(value)} (${ours}×)`;
		}),
	]);
	return table(['', ...PEERS.map((contestant) => NAMES[contestant])], rows);
}

/** What stands between the markers of a page, by the name in the marker. */
function sections(): Record<string, string> {
	const all: Record<string, string> = { targets: targetTable() };
	if (server) all.headline = headlineTable(server);
	for (const name of RESULT_NAMES) {
		const results = readResults(name);
		all[name] = results
			? [machineLine(results), table(HEAD, rowsOf(results.loads)), ...figureRows(results)].join(
					'\n\n',
				)
			: 'Not measured yet.';
	}
	return all;
}

function machineLine({ machine, loads }: Results): string {
	const { cpu, cores, memoryGb, system, node, n8n, commit } = machine;
	const isShort = Object.values(loads).some(({ quick }) => quick);
	const days = [...new Set(Object.values(loads).map(({ measuredAt }) => measuredAt))].sort();
	return [
		`${n8n}, ${node}, ${system}, ${cores} × ${cpu}, ${memoryGb} GB; commit ${commit}, ${days.join(', ')}.`,
		isShort
			? `Loads marked ${SHORT_RUN} are from an earlier, short run with fewer than five samples.`
			: '',
	]
		.join(' ')
		.trim();
}

async function fillPage(page: string, contents: Record<string, string>) {
	const file = fileURLToPath(new URL(page, ROOT));
	if (!existsSync(file)) return;
	const before = readFileSync(file, 'utf8');
	const filled = before.replace(
		/(<!-- bench:([\w.-]+) -->)[^]*?(<!-- bench:end -->)/g,
		(whole, begin: string, name: string, end: string) =>
			name in contents ? `${begin}\n\n${contents[name]}\n\n${end}` : whole,
	);
	const config = await resolveConfig(file);
	writeFileSync(file, await format(filled, { ...config, filepath: file }));
}

const folder = fileURLToPath(new URL('docs/images/', ROOT));
mkdirSync(folder, { recursive: true });
for (const [name, svg] of Object.entries(server ? plotsOf(server) : {})) {
	writeFileSync(`${folder}${name}`, svg);
	console.log(`docs/images/${name}`);
}
const contents = sections();
for (const page of PAGES) await fillPage(page, contents);
