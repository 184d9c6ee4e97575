import { parseArgs } from 'node:util';
import { endWithThisProcess } from '../e2e/machine/processes.mts';
import type { Load } from './loads.mts';

export type Line = '1.x' | '2.x';

export interface Options {
	quick: boolean;
	runs: number;
	lines: Line[];
	loads: Load[];
	/** Folder for CPU profiles; then only this package is measured, and nothing is written to results/. */
	profile?: string;
	/** Whether the figures that are no load are wanted. */
	figures: boolean;
}

const FIGURES = 'package';

// However a benchmark ends, no server outlives it
endWithThisProcess();

/** @returns undefined when help was asked for and given */
export function readOptions(command: string, loads: Load[], lines: Line[]): Options | undefined {
	const ids = [...loads.map(({ id }) => id), FIGURES];
	const extra = loads.filter(({ isExtra }) => isExtra).map(({ id }) => id);
	const help = `Usage: npm run ${command} -- [options]

  --quick        smaller loads, one sample each, results are not written
  --runs N       samples of each contestant (default 5)
  --only LOADS   some loads only, with commas: ${ids.join(', ')};
                 unless given, all but ${extra.join(', ')}
  --line LINE    1.x or 2.x (default: ${lines.join(' and ')})
  --profile DIR  measure this package alone and write CPU profiles there; results are not written
  --help         this text
`;
	const { values } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			runs: { type: 'string' },
			only: { type: 'string' },
			line: { type: 'string' },
			profile: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		console.log(help);
		return undefined;
	}
	const usual = loads.filter(({ isExtra }) => !isExtra).map(({ id }) => id);
	const only = values.only?.split(',') ?? [...usual, FIGURES];
	const unknown = only.filter((id) => !ids.includes(id));
	if (unknown.length > 0) throw new Error(`There is no load ${unknown.join(', ')}.\n\n${help}`);
	const runs = Number(values.runs ?? (values.quick ? 1 : 5));
	if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs has to be a whole number');
	if (values.line !== undefined && values.line !== '1.x' && values.line !== '2.x') {
		throw new Error('--line has to be 1.x or 2.x');
	}
	return {
		quick: values.quick,
		runs,
		lines: values.line ? [values.line] : lines,
		loads: loads
			.filter(({ id }) => only.includes(id))
			.map((load) => (values.profile ? withoutPeers(load) : load)),
		profile: values.profile,
		figures: only.includes(FIGURES),
	};
}

const withoutPeers = (load: Load): Load => ({
	...load,
	contestants: load.contestants.filter((contestant) => contestant.startsWith('own')),
});

/** Arguments of Node for a process whose profile is wanted. */
export const profileFlags = (folder: string) => ['--cpu-prof', `--cpu-prof-dir=${folder}`];

/** Ends with what went wrong, for the person at the terminal. */
export function complain(error: Error) {
	console.error(error.message);
	process.exit(1);
}
