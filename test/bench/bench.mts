/** `npm run bench`: this package and its peers on n8n's engine in process, one process per sample. */
import { heard, startChild } from './child.mts';
import { packageFigures } from './figures.mts';
import { IN_PROCESS } from './loads.mts';
import { complain, profileFlags, readOptions, type Line } from './options.mts';
import { playLoad, type OpenPlace } from './play.mts';
import { thisMachine, writeResults, type Measured, type Results } from './results.mts';
import { assertAlike } from './service/alike.mts';
import { printTable } from './table.mts';

const ENGINES = { '1.x': 'n8n-core-1x', '2.x': 'n8n-core' };

/** A process of its own for each sample, so that no other sample's memory, sockets or compiled code is in it. */
const openOn =
	(line: Line, profile?: string): OpenPlace =>
	async (load, contestant, { roots }) => ({
		async sample(begin) {
			const preload = new URL('./inProcess/line1x.cjs', import.meta.url).pathname;
			const child = startChild(
				import.meta.resolve('./inProcess/sample.mts'),
				{ load, contestant, roots },
				{
					node: [
						...(line === '1.x' ? ['--require', preload] : []),
						...(profile ? profileFlags(profile) : []),
					],
				},
			);
			await heard(child);
			await begin();
			const sample = heard<Measured>(child);
			child.send('begin');
			return await sample;
		},
		close: async () => undefined,
	});

async function engineVersion(line: Line): Promise<string> {
	const { default: manifest } = await import(`${ENGINES[line]}/package.json`, {
		with: { type: 'json' },
	});
	return `n8n-core ${manifest.version}`;
}

async function main() {
	const options = readOptions('bench', IN_PROCESS, ['2.x', '1.x'], true);
	if (!options) return;
	await assertAlike();
	for (const line of options.lines) {
		const machine = thisMachine(`Node ${process.versions.node}`, await engineVersion(line));
		const results: Results = { machine, loads: {}, figures: {} };
		const keep = () =>
			options.quick || options.profile || writeResults(`in-process-${line}`, results);
		for (const load of options.loads) {
			results.loads[load.id] = await playLoad(load, options, openOn(line, options.profile));
			keep();
		}
		if (options.figures) results.figures = await packageFigures(line, options.runs);
		keep();
		printTable(`n8n ${line}, in process`, results);
	}
}

await main().catch(complain);
