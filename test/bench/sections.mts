/** What stands between the markers of the pages: tables and sentences made from results and nothing else. */
import { NAMES, type Contestant } from './loads.mts';
import {
	isLess,
	median,
	medianOf,
	RESULT_NAMES,
	type LoadResult,
	type Results,
	type ResultsName,
	type Sample,
	type WorkersResults,
} from './results.mts';
import { figureRows, HEAD, rowsOf, share, SHORT_RUN_MEANS } from './table.mts';
import { inProcessVerdictsOf, verdictsOf, type Sources, type Verdict } from './targets.mts';

export type AllResults = Partial<Record<ResultsName, Results>> & { workers?: WorkersResults };

export const PEERS: Contestant[] = ['own', 'httpRequest', 'declarative', 'pool'];

/** What is shown of a load: `lost` is calls that were paid for and whose answers the node did not return. */
export type Shown = keyof Sample | 'lost';

/** A contestant's median; undefined where it was not measured. */
export function valueOf(
	load: LoadResult,
	contestant: Contestant,
	figure: Shown,
): number | undefined {
	if (figure !== 'lost') return medianOf(load, contestant, figure);
	const [paid, delivered] = (['paid', 'delivered'] as const).map((one) =>
		medianOf(load, contestant, one),
	);
	return paid === undefined || delivered === undefined ? undefined : paid - delivered;
}

export const megabytes = (value: number) =>
	value < 1_000 ? `${value.toFixed(0)} MB` : `${(value / 1_000).toFixed(1)} GB`;
const calls = (value: number) => value.toLocaleString('en');
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const wait = (ms: number) => (ms < 1_000 ? `${ms.toFixed(0)} ms` : seconds(ms));

function table(head: string[], rows: string[][]): string {
	return [head, head.map(() => '---'), ...rows]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

function targetTable(all: AllResults, verdicts: (sources: Sources) => Verdict[]): string {
	const sources = {
		server: all['n8n-2.x'],
		inProcess: all['in-process-2.x'],
		workers: all.workers,
	};
	const rows = verdicts(sources).map(({ measure, target, value, isReached }) => [
		...[measure, target, value ?? 'not measured'],
		isReached === undefined ? '' : isReached ? 'yes' : '**no**',
	]);
	return table(['Measure', 'Target', 'Measured', 'Reached'], rows);
}

type Row = [what: string, load: string, figure: Shown, show: (value: number) => string];

const THOUSAND: Row[] = [
	['Time, 1,000 items', '1000@50', 'wallMs', seconds],
	['CPU, 1,000 items', '1000@50', 'cpuMs', seconds],
];

/** The rows of the short table: what, its load, and how it is shown. */
const ROWS: Row[] = [
	...THOUSAND,
	['Time, 10,000 items', '10000@50', 'wallMs', seconds],
	['Answers there', '10000@50', 'delivered', calls],
	['Memory there', '10000@50', 'rssMb', megabytes],
	['Others wait for n8n there: median', '10000@50', 'healthMedianMs', wait],
	['and one in a hundred longer than', '10000@50', 'healthP99Ms', wait],
	['Paid calls, 1,000 items, 30 % duplicates', 'duplicates', 'paid', calls],
	['Answers for 1,000 items, 100 calls/s allowed', 'pace', 'delivered', calls],
	['Paid there, and no answer', 'pace', 'lost', calls],
];

/** A row that nobody has measured says so. */
const besideRows = ({ loads }: Results, rows: Row[]) =>
	rows.map(([what, id, name, show]) => {
		const load = loads[id];
		if (!load || valueOf(load, 'own', name) === undefined)
			return [what, 'not measured', '', '', ''];
		return [what, ...PEERS.map((contestant) => cellOf(load, contestant, name, show))];
	});

const beside = (results: Results, rows: Row[]) =>
	table(['', ...PEERS.map((contestant) => NAMES[contestant])], besideRows(results, rows));

function cellOf(load: LoadResult, contestant: Contestant, figure: Shown, show: Row[3]): string {
	const value = valueOf(load, contestant, figure);
	if (value === undefined) return '–';
	const times = timesOurs(load, contestant, figure);
	return show(value) + (times && ` (${times}×)`);
}

/** How many times this package's figure a contestant's is; empty where that says nothing. */
function timesOurs(load: LoadResult, contestant: Contestant, figure: Shown): string {
	if (figure === 'lost' || figure === 'delivered') return '';
	const ours = share(load, contestant, figure);
	return ours && (1 / Number(ours)).toPrecision(2);
}

/** What the short table comes to, in words; of what was measured. */
function summary({ loads, machine }: Results): string {
	const { '1000@50': thousand, '10000@50': many, pace, duplicates, '1@50': single } = loads;
	const sentences = [
		thousand && thousandInWords(thousand, machine.n8n),
		many && feltInWords(many),
		duplicates && duplicatesInWords(duplicates),
		pace && paceInWords(pace),
		single &&
			`For one item at a time it makes no difference (${share(single, 'httpRequest', 'wallMs')}× the time).`,
	];
	return sentences.filter(Boolean).join(' ');
}

const percent = (part: number, digits = 0) => `${(100 * part).toFixed(digits)} %`;
const figure = (load: LoadResult, contestant: Contestant, name: Shown) =>
	valueOf(load, contestant, name) ?? NaN;

function thousandInWords(load: LoadResult, n8n: string): string {
	const time = (contestant: Contestant) => seconds(figure(load, contestant, 'wallMs'));
	const cpu = figure(load, 'own', 'cpuMs') / figure(load, 'httpRequest', 'cpuMs');
	return (
		`In ${n8n}, over TLS, 1,000 lookups at a service that answers after 50 ms take ${time('own')} ` +
		`(HTTP Request: ${time('httpRequest')}) and ${percent(cpu)} of HTTP Request's CPU.`
	);
}

function feltInWords(load: LoadResult): string {
	const peers = PEERS.slice(1).flatMap((peer) => {
		const ms = isLess(load, peer) ? undefined : valueOf(load, peer, 'healthP99Ms');
		return ms === undefined ? [] : [`${NAMES[peer]}: ${wait(ms)}`];
	});
	const beside = peers.length > 0 ? ` (${peers.join(', ')})` : '';
	return `While ${calls(load.items)} run, n8n answers 99 of 100 other requests within ${wait(figure(load, 'own', 'healthP99Ms'))}${beside}.`;
}

function duplicatesInWords(load: LoadResult): string {
	const saved = percent(1 - figure(load, 'own', 'paid') / load.items);
	return `If ${saved} of the items are duplicates, the run makes ${saved} fewer paid calls.`;
}

function paceInWords(load: LoadResult): string {
	const answers = `Where the service allows 100 calls a second, ${calls(figure(load, 'own', 'delivered'))} of ${calls(load.items)} answers arrive`;
	const lost = valueOf(load, 'httpRequest', 'lost');
	return lost === undefined
		? `${answers}.`
		: `${answers}, while HTTP Request with its default settings fails and loses the answers of ${calls(lost)} calls that were paid for.`;
}

/** What n8n's helper takes by itself: no node that calls it can take less. */
function floor({ loads }: Results): string {
	const { '1000@50': thousand, '10000@50': many } = loads;
	const part = (load: LoadResult | undefined, name: Shown, peer: Contestant, what: string) => {
		const ratio = load && figure(load, 'loop', name) / figure(load, peer, name);
		return ratio ? [`${ratio.toFixed(2)}× ${what}`] : [];
	};
	const parts = [
		...part(thousand, 'wallMs', 'httpRequest', "HTTP Request's time (1,000 items)"),
		...part(thousand, 'cpuMs', 'httpRequest', 'its CPU'),
		...part(many, 'rssMb', 'declarative', "the declarative node's memory (10,000 items)"),
	];
	return parts.length > 0
		? `n8n's helper in a loop, 100 at once, and nothing else: ${parts.join(', ')}.`
		: NOT_MEASURED;
}

/** Of the lists that are as long as one execution should have. */
function longLists({ loads }: Results): string {
	const titles: Record<string, string> = {
		'10000@50': '10,000 items, 50 ms',
		'100000@5': '100,000 items, 5 ms',
	};
	const rows = Object.keys(titles).flatMap((id) => {
		const load = loads[id];
		return load
			? (['own', 'nothing'] as const).map((contestant) => longList(load, contestant))
			: [[titles[id], '', 'not measured', ...Array.from({ length: 6 }, () => '')]];
	});
	return table(
		[
			...['List', 'Who', 'Time', 'Answers', 'Memory', 'per 10,000 items'],
			...['Others wait: median', 'p99', 'most'],
		],
		rows,
	);
}

function longList(load: LoadResult, contestant: Contestant): string[] {
	if (valueOf(load, contestant, 'wallMs') === undefined)
		return [load.title, NAMES[contestant], 'not measured'];
	const memory = figure(load, contestant, 'rssMb');
	return [
		load.title,
		NAMES[contestant],
		seconds(figure(load, contestant, 'wallMs')),
		calls(figure(load, contestant, 'delivered')),
		megabytes(memory),
		megabytes((memory * 10_000) / load.items),
		...(['healthMedianMs', 'healthP99Ms', 'healthMostMs'] as const).map((name) =>
			wait(figure(load, contestant, name)),
		),
	];
}

/** Several processes with one account. */
function workersTable(workers: WorkersResults): string {
	const rows = workers.sharings.map(({ processes, pacing, seconds, ...runs }) => [
		...[pacing, String(processes), `${seconds} s`],
		...[percent(median(runs.share)), percent(median(runs.refused), 1)],
		percent(processes * median(runs.leastShare)),
	]);
	const when = `Pace, commit ${workers.commit}, ${workers.measuredAt}`;
	return table(
		[when, 'Processes', 'List', 'Of what is allowed', 'Refused', 'The last has of its share'],
		rows,
	);
}

/** The same comparison on the other line, and over plain http. */
function otherConditions(all: AllResults): string {
	const wanted: Array<[ResultsName, string]> = [
		['n8n-1.x', 'over TLS'],
		['n8n-http-2.x', 'plain http'],
	];
	const rows = wanted.flatMap(([name, how]) => {
		const results = all[name];
		const load = results?.loads['1000@50'];
		if (!load) return [[`${name.replace(/-(http-)?/, ' ')}, ${how}`, 'not measured', '', '', '']];
		const where = `${results.machine.n8n}, ${how}, commit ${load.commit}`;
		return besideRows(
			results,
			THOUSAND.map(([what, ...row]) => [`${what}: ${where}`, ...row]),
		);
	});
	return table(['', ...PEERS.map((contestant) => NAMES[contestant])], rows);
}

const NOT_MEASURED = 'Not measured yet.';

/** By the name in the marker. */
export function sectionsOf(all: AllResults): Record<string, string> {
	const { 'n8n-2.x': server, workers } = all;
	const sections: Record<string, string> = {
		targets: targetTable(all, verdictsOf),
		'targets-in-process': targetTable(all, inProcessVerdictsOf),
		'other-conditions': otherConditions(all),
		summary: server ? summary(server) : NOT_MEASURED,
		headline: server
			? `${beside(server, ROWS)}\n\n${machineOf(server)} ${samplesOf(server)}`
			: NOT_MEASURED,
		floor: server ? floor(server) : NOT_MEASURED,
		'long-lists': server ? longLists(server) : NOT_MEASURED,
		workers: workers ? workersTable(workers) : NOT_MEASURED,
	};
	for (const name of RESULT_NAMES) {
		const results = all[name];
		sections[name] = results
			? [machineLine(results), table(HEAD, rowsOf(results.loads)), ...figureRows(results)].join(
					'\n\n',
				)
			: NOT_MEASURED;
	}
	return sections;
}

const isShort = ({ loads }: Results) => Object.values(loads).some(({ quick }) => quick);

const machineLine = (results: Results) =>
	isShort(results) ? `${machineOf(results)} ${SHORT_RUN_MEANS}` : machineOf(results);

function machineOf({ machine, loads }: Results): string {
	const { cpu, cores, memoryGb, system, node, n8n } = machine;
	const each = Object.values(loads);
	const days = [...new Set(each.map(({ measuredAt }) => measuredAt))].sort();
	const commits = [...new Set(each.map(({ commit }) => commit))];
	return `${n8n}, ${node}, ${system}, ${cores} × ${cpu}, ${memoryGb} GB; ${commits.length > 1 ? 'commits' : 'commit'} ${commits.join(', ')}; ${days.join(', ')}.`;
}

/** How many samples the medians are of. */
const samplesOf = ({ loads }: Results) =>
	`Samples of this package: ${Object.values(loads)
		.map((load) => `${load.samples.own?.length ?? 0} (${load.title})`)
		.join('; ')}.`;
