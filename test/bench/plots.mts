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
import { figureRows, HEAD, rowsOf, share, SHORT_RUN_MEANS } from './table.mts';
import { verdicts } from './targets.mts';

const server = readResults('n8n-2.x');
const ROOT = new URL('../../', import.meta.url);
const PAGES = ['README.md', 'docs/PERFORMANCE.md'];

const PEERS: Contestant[] = ['own', 'httpRequest', 'declarative', 'pool'];

/** What is shown of a load: `lost` is calls that were paid for and whose answers did not come out of the node. */
type Shown = keyof Sample | 'lost';

/** A contestant's median; 0 where it was not measured. */
function valueOf(load: LoadResult, contestant: Contestant, figure: Shown): number {
	if (figure !== 'lost') return medianOf(load, contestant, figure) ?? 0;
	return valueOf(load, contestant, 'paid') - valueOf(load, contestant, 'delivered');
}

function barsOf(load: LoadResult, figure: Shown, scale = 1): Bar[] {
	return PEERS.filter((contestant) => load.samples[contestant]).map((contestant) => ({
		label: NAMES[contestant],
		value: valueOf(load, contestant, figure) * scale,
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
		plots['bench-cost.svg'] = barChart(`The same lookups in ${machine.n8n}: shorter is better`, [
			{
				heading: `Time, ${thousand.title}`,
				show: seconds,
				bars: barsOf(thousand, 'wallMs', 0.001),
			},
			{ heading: `CPU, ${thousand.title}`, show: seconds, bars: barsOf(thousand, 'cpuMs', 0.001) },
			{ heading: `Memory, ${many.title}`, show: megabytes, bars: barsOf(many, 'rssMb') },
		]);
		const grown = PEERS.filter((contestant) => many.samples[contestant]);
		plots['bench-growth.svg'] = lineChart(
			`CPU by number of items, 50 ms, ${machine.n8n}`,
			['items', 'CPU seconds'],
			grown.map((contestant) => ({
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
			{
				heading: 'Calls paid for without an answer delivered',
				show: calls,
				bars: barsOf(pace, 'lost'),
			},
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
	return table(['Measure', 'Target', 'Measured', 'Reached'], rows);
}

/** The rows of the short table: what, of which load, and how it is shown. */
const HEADLINES: Array<[what: string, load: string, figure: Shown, show: (n: number) => string]> = [
	['Time, 1,000 items', '1000@50', 'wallMs', (ms) => seconds(ms / 1000)],
	['CPU, 1,000 items', '1000@50', 'cpuMs', (ms) => seconds(ms / 1000)],
	['Memory, 10,000 items', '10000@50', 'rssMb', megabytes],
	['Paid calls, 1,000 items, 30 % duplicates', 'duplicates', 'paid', calls],
	['Answers for 1,000 items, 100 calls/s allowed', 'pace', 'delivered', calls],
	['Paid there, and no answer', 'pace', 'lost', calls],
	['Connections at once, 10,000 items, answers after 2 s', 'sockets', 'peakSockets', calls],
	['Time there', 'sockets', 'wallMs', (ms) => seconds(ms / 1000)],
];

function headlineTable({ loads }: Results): string {
	const rows = HEADLINES.map(([what, id, figure, show]) => [
		what,
		...PEERS.map((contestant) => {
			const load = loads[id];
			if (!load?.samples[contestant]) return 'not measured';
			const times = timesOurs(load, contestant, figure);
			return show(valueOf(load, contestant, figure)) + (times && ` (${times}×)`);
		}),
	]);
	return table(['', ...PEERS.map((contestant) => NAMES[contestant])], rows);
}

/** How many times this package's figure a contestant's is; empty where that says nothing. */
function timesOurs(load: LoadResult, contestant: Contestant, figure: Shown): string {
	if (figure === 'lost' || figure === 'delivered') return '';
	const ours = share(load, contestant, figure);
	return ours && (1 / Number(ours)).toPrecision(2);
}

/** What the short table comes to, in words. */
function summary({ loads, machine }: Results): string {
	const { pace, duplicates, '1000@50': thousand, '1@50': single } = loads;
	if (!thousand || !pace || !duplicates || !single) return '';
	const time = (contestant: Contestant) => seconds(valueOf(thousand, contestant, 'wallMs') / 1000);
	const percent = (part: number) => `${Math.round(100 * part)} %`;
	const cpu = Number(share(thousand, 'httpRequest', 'cpuMs'));
	const saved = 1 - valueOf(duplicates, 'own', 'paid') / duplicates.items;
	return [
		`In ${machine.n8n}, 1,000 lookups at a service that answers after 50 ms take ${time('own')}`,
		`(HTTP Request: ${time('httpRequest')}) and ${percent(cpu)} of HTTP Request's CPU.`,
		`${percent(saved)} duplicates cost ${percent(saved)} less.`,
		`Where the service allows 100 calls a second, all ${calls(valueOf(pace, 'own', 'delivered'))} answers arrive, while`,
		`HTTP Request with its default settings fails and loses the answers of ${valueOf(pace, 'httpRequest', 'lost')} calls that were paid for.`,
		`For one item at a time it makes no difference (${share(single, 'httpRequest', 'wallMs')}× the time),`,
		'and a very slow service is asked over fewer connections, which takes longer.',
	].join(' ');
}

/** What stands between the markers of a page, by the name in the marker. */
function sections(): Record<string, string> {
	const all: Record<string, string> = { targets: targetTable() };
	if (server) Object.assign(all, { headline: headlineTable(server), summary: summary(server) });
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
	const { cpu, cores, memoryGb, system, node, n8n } = machine;
	const each = Object.values(loads);
	const isShort = each.some(({ quick }) => quick);
	const days = [...new Set(each.map(({ measuredAt }) => measuredAt))].sort();
	const commits = [...new Set(each.map(({ commit }) => commit))];
	return [
		`${n8n}, ${node}, ${system}, ${cores} × ${cpu}, ${memoryGb} GB; ${commits.length > 1 ? 'commits' : 'commit'} ${commits.join(', ')}; ${days.join(', ')}.`,
		isShort ? SHORT_RUN_MEANS : '',
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
