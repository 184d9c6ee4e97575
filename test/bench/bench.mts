/** `npm run bench`: this package and its peers on n8n's engine in process, one process per sample. */
import { nextMessage, startChild } from './child.mts';
import { packageFigures } from './figures.mts';
import { IN_PROCESS } from './loads.mts';
import { complain, profileFlags, readOptions, type Release } from './options.mts';
import { runLoad, type OpenSampler } from './runLoad.mts';
import { thisMachine, writeResults, type Measured, type Results } from './results.mts';
import { assertSameAnswers } from './service/sameAnswers.mts';
import { printTable } from './table.mts';

const ENGINES = { '1.x': 'n8n-core-1x', '2.x': 'n8n-core' };

/** A process of its own for each sample, so that no other sample's memory, sockets or compiled code is in it. */
const openOn =
	(release: Release, profile?: string): OpenSampler =>
	async (load, contestant, { roots }) => ({
		async sample(begin) {
			const preload = new URL('./inProcess/useN8n1x.cjs', import.meta.url).pathname;
			const child = startChild(
				import.meta.resolve('./inProcess/sample.mts'),
				{ load, contestant, roots },
				{
					node: [
						...(release === '1.x' ? ['--require', preload] : []),
						...(profile ? profileFlags(profile) : []),
					],
				},
			);
			await nextMessage(child);
			await begin();
			const sample = nextMessage<Measured>(child);
			child.send('begin');
			return await sample;
		},
		close: async () => undefined,
	});

async function engineVersion(release: Release): Promise<string> {
	const { default: manifest } = await import(`${ENGINES[release]}/package.json`, {
		with: { type: 'json' },
	});
	return `n8n-core ${manifest.version}`;
}

async function main() {
	const options = readOptions('bench', IN_PROCESS, ['2.x', '1.x'], true);
	if (!options) return;
	await assertSameAnswers();
	for (const release of options.releases) {
		const machine = thisMachine(`Node ${process.versions.node}`, await engineVersion(release));
		const results: Results = { machine, loads: {}, figures: {} };
		const keep = () => options.isKept && writeResults(`in-process-${release}`, results);
		for (const load of options.loads) {
			results.loads[load.id] = await runLoad(load, options, openOn(release, options.profile));
			keep();
		}
		if (options.figures) results.figures = await packageFigures(release, options.runs);
		keep();
		printTable(`n8n ${release}, in process`, results);
	}
}

await main().catch(complain);
