/** `npm run bench:tables`: the tables of the measurements on the pages, from results/*.json and nothing else. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import {
	median,
	readResults,
	readWorkers,
	RESULT_NAMES,
	type Results,
	type WorkersResults,
} from './results.mts';
import { figureRows, HEAD, rowsOf, SHORT_RUN_MEANS } from './table.mts';

const ROOT = new URL('../../', import.meta.url);
const PAGES = ['docs/PERFORMANCE.md', 'test/bench/README.md'];

const table = (head: string[], rows: string[][]) =>
	[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const percent = (part: number, digits = 0) => `${(100 * part).toFixed(digits)} %`;

/** Several processes with one account. */
function workersTable({ sharings, commit, measuredAt }: WorkersResults): string {
	const rows = sharings.map(({ processes, pacing, seconds, ...runs }) => [
		...[pacing, String(processes), `${seconds} s`],
		...[percent(median(runs.share)), percent(median(runs.refused), 1)],
		percent(processes * median(runs.leastShare)),
	]);
	const when = `Pace, commit ${commit}, ${measuredAt}`;
	return table(
		[when, 'Processes', 'List', 'Of what is allowed', 'Refused', 'The last has of its share'],
		rows,
	);
}

function measured(results: Results): string {
	const { cpu, cores, memoryGb, system, node, n8n } = results.machine;
	const loads = Object.values(results.loads);
	const days = [...new Set(loads.map(({ measuredAt }) => measuredAt))].sort().join(', ');
	const commits = [...new Set(loads.map(({ commit }) => commit))];
	const machine = `${n8n}, ${node}, ${system}, ${cores} × ${cpu}, ${memoryGb} GB`;
	const when = `${commits.length > 1 ? 'commits' : 'commit'} ${commits.join(', ')}; ${days}.`;
	const short = loads.some(({ quick }) => quick) ? ` ${SHORT_RUN_MEANS}` : '';
	const rows = table(HEAD, rowsOf(results.loads));
	return [`${machine}; ${when}${short}`, rows, ...figureRows(results)].join('\n\n');
}

/** By the name in the marker. */
const tables: Record<string, string> = {};
const workers = readWorkers();
if (workers) tables.workers = workersTable(workers);
for (const name of RESULT_NAMES) {
	const results = readResults(name);
	if (results) tables[name] = measured(results);
}
for (const page of PAGES) {
	const file = fileURLToPath(new URL(page, ROOT));
	const filled = readFileSync(file, 'utf8').replace(
		/(<!-- bench:([\w.-]+) -->)[^]*?(<!-- bench:end -->)/g,
		(whole, begin: string, name: string, end: string) =>
			name in tables ? `${begin}\n\n${tables[name]}\n\n${end}` : whole,
	);
	const config = await resolveConfig(file);
	writeFileSync(file, await format(filled, { ...config, filepath: file }));
}
