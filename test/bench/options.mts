import { parseArgs } from 'node:util';
import { endWithThisProcess } from '../e2e/machine/processes.mts';
import type { Contestant, Load } from './loads.mts';
import { titleOf } from './runLoad.mts';

export type Release = '1.x' | '2.x';

export interface Options {
	quick: boolean;
	runs: number;
	releases: Release[];
	loads: Load[];
	/** Whether the results are kept: only of whole runs, in which all contestants took part. */
	isKept: boolean;
	/** Folder for CPU profiles; then only this package is measured. */
	profile?: string;
	/** Whether the service on a real server is to speak plain http. */
	http: boolean;
	/** Whether the figures that are no load are wanted. */
	figures: boolean;
}

const FIGURES = 'package';

// However a benchmark ends, no server outlives it
endWithThisProcess();

/**
 * @param releases those that are measured unless one is named
 * @param hasFigures whether there are figures that are no load
 * @returns undefined when help was asked for and given
 */
export function readOptions(
	command: string,
	loads: Load[],
	releases: Release[],
	hasFigures: boolean,
): Options | undefined {
	const figures = hasFigures ? [FIGURES] : [];
	const ids = [...loads.map(({ id }) => id), ...figures];
	const help = `Usage: npm run ${command} -- [options]

  --quick        smaller loads, one sample each, for a first look: nothing is written
  --runs N       samples of each (default 5)
  --only LOADS   some of the loads below, with commas; unless given, all
  --who NAMES    some of those who are measured, with commas: own, httpRequest, nothing, ...; nothing is written, since
                 figures are compared with those of the same run
  --release N    1.x or 2.x (default: ${releases.join(' and ')})
${hasFigures ? '' : '  --http         plain http instead of TLS\n'}  --profile DIR  measure this package alone and write CPU profiles there; results are not written
  --help         this text

The results go to test/bench/results/, where \`npm run bench:tables\` takes the tables from; test/bench/README.md says who is
measured, and how.

Loads (1000@50: 1,000 items, a service that answers after 50 ms):
${described(loads)}${hasFigures ? `\n  ${FIGURES.padEnd(12)} how long n8n takes to load the package, and its size` : ''}
`;
	const { values } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			runs: { type: 'string' },
			only: { type: 'string' },
			who: { type: 'string' },
			release: { type: 'string' },
			http: { type: 'boolean', default: false },
			profile: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		console.log(help);
		return undefined;
	}
	const only = values.only?.split(',') ?? ids;
	const unknown = only.filter((id) => !ids.includes(id));
	if (unknown.length > 0) throw new Error(`There is no load ${unknown.join(', ')}.\n\n${help}`);
	const runs = Number(values.runs ?? (values.quick ? 1 : 5));
	if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs has to be a whole number');
	if (values.release !== undefined && values.release !== '1.x' && values.release !== '2.x') {
		throw new Error('--release has to be 1.x or 2.x');
	}
	const who = values.profile ? OURS : values.who?.split(',');
	return {
		quick: values.quick,
		runs,
		releases: values.release ? [values.release] : releases,
		loads: loads.filter(({ id }) => only.includes(id)).map((load) => among(load, who)),
		isKept: !values.quick && !who,
		profile: values.profile,
		http: values.http,
		figures: only.includes(FIGURES),
	};
}

const described = (loads: Load[]) =>
	loads.map((load) => `  ${load.id.padEnd(12)} ${titleOf(load)}`).join('\n');

const OURS: string[] = ['own', 'ownBatches'] satisfies Contestant[];

const among = (load: Load, who?: string[]): Load =>
	who
		? { ...load, contestants: load.contestants.filter((contestant) => who.includes(contestant)) }
		: load;

/** Arguments of Node for a process whose profile is wanted. */
export const profileFlags = (folder: string) => ['--cpu-prof', `--cpu-prof-dir=${folder}`];

/** Ends with what went wrong, for the person at the terminal. */
export function complain(error: Error) {
	console.error(error.message);
	process.exit(1);
}
