/** `npm run bench:plots`: the plots and tables in the documentation, from results/*.json and nothing else. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { NAMES } from './loads.mts';
import {
	isLess,
	readResults,
	readWorkers,
	RESULT_NAMES,
	type LoadResult,
	type Results,
} from './results.mts';
import { megabytes, PEERS, sectionsOf, valueOf, type AllResults, type Shown } from './sections.mts';
import { barChart, type Bar } from './svg.mts';

const ROOT = new URL('../../', import.meta.url);
const PAGES = ['docs/PERFORMANCE.md', 'test/bench/README.md'];

function barsOf(load: LoadResult, figure: Shown, scale = 1): Bar[] {
	return PEERS.flatMap((contestant) => {
		const value = valueOf(load, contestant, figure);
		const isOwn = contestant === 'own';
		return value === undefined || isLess(load, contestant)
			? []
			: [{ label: NAMES[contestant], value: value * scale, isOwn }];
	});
}

const seconds = (value: number) => `${value.toFixed(1)} s`;

function plotsOf({ loads, machine }: Results): Record<string, string> {
	const plots: Record<string, string> = {};
	const { '1000@50': thousand, '10000@50': many } = loads;
	if (thousand && many) {
		const title = `The same lookups in ${machine.n8n}, over TLS: shorter is better`;
		const groups = [
			{
				heading: `Time, ${thousand.title}`,
				show: seconds,
				bars: barsOf(thousand, 'wallMs', 0.001),
			},
			{ heading: `CPU, ${thousand.title}`, show: seconds, bars: barsOf(thousand, 'cpuMs', 0.001) },
			{ heading: `Memory, ${many.title}`, show: megabytes, bars: barsOf(many, 'rssMb') },
		];
		// A bar alone compares nothing
		plots['bench-cost.svg'] = barChart(
			title,
			groups.filter(({ bars }) => bars.length > 1),
		);
	}
	return plots;
}

async function fillPage(page: string, contents: Record<string, string>) {
	const file = fileURLToPath(new URL(page, ROOT));
	const before = readFileSync(file, 'utf8');
	const filled = before.replace(
		/(<!-- bench:([\w.-]+) -->)[^]*?(<!-- bench:end -->)/g,
		(whole, begin: string, name: string, end: string) =>
			name in contents ? `${begin}\n\n${contents[name]}\n\n${end}` : whole,
	);
	const config = await resolveConfig(file);
	writeFileSync(file, await format(filled, { ...config, filepath: file }));
}

const all: AllResults = {
	...Object.fromEntries(RESULT_NAMES.map((name) => [name, readResults(name)])),
	workers: readWorkers(),
};
const folder = fileURLToPath(new URL('docs/images/', ROOT));
mkdirSync(folder, { recursive: true });
const { 'n8n-2.x': server } = all;
for (const [name, svg] of Object.entries(server ? plotsOf(server) : {})) {
	writeFileSync(`${folder}${name}`, svg);
	console.log(`docs/images/${name}`);
}
const contents = sectionsOf(all);
for (const page of PAGES) await fillPage(page, contents);
