/** What this package sets itself, and whether the results on file reach it. */
import type { Contestant } from './loads.mts';
import {
	median,
	medianOf,
	readResults,
	type LoadResult,
	type Results,
	type Sample,
} from './results.mts';

export interface Verdict {
	measure: string;
	target: string;
	/** Undefined where it has not been measured. */
	value?: string;
	isReached?: boolean;
}

interface Sources {
	server?: Results;
	inProcess?: Results;
}

type Target = (sources: Sources) => Verdict;

/** Our median as a share of another contestant's, which has to be `atMost` so much. */
const ratio =
	(
		measure: string,
		atMost: number,
		of: (sources: Sources) => LoadResult | undefined,
		figure: keyof Sample,
		peer: Contestant,
	): Target =>
	(sources) => {
		const own = medianOf(of(sources), 'own', figure);
		const other = medianOf(of(sources), peer, figure);
		const target = `≤ ${atMost}×`;
		if (own === undefined || !other) return { measure, target };
		const share = own / other;
		return { measure, target, value: `${share.toFixed(2)}×`, isReached: share <= atMost };
	};

/** A claim about one contestant's samples of a load. */
const claim =
	(
		measure: string,
		target: string,
		of: (sources: Sources) => LoadResult | undefined,
		contestant: Contestant,
		judge: (load: LoadResult, median: (figure: keyof Sample) => number) => [string, boolean],
	): Target =>
	(sources) => {
		const load = of(sources);
		const samples = load?.samples[contestant];
		if (!load || !samples) return { measure, target };
		const [value, isReached] = judge(load, (figure) =>
			median(samples.map((sample) => sample[figure])),
		);
		return { measure, target, value, isReached };
	};

const figure =
	(measure: string, name: string, atMost: number, show: (value: number) => string): Target =>
	({ inProcess }) => {
		const values = inProcess?.figures[name];
		const target = `≤ ${show(atMost)}`;
		if (!values) return { measure, target };
		const value = median(values);
		return { measure, target, value: show(value), isReached: value <= atMost };
	};

const onServer = (id: string) => (sources: Sources) => sources.server?.loads[id];
const inProcess = (id: string) => (sources: Sources) => sources.inProcess?.loads[id];

/** Of a service that sets the pace, whatever it hands out at once. */
const pace = (service: string, id: string): Target[] => [
	claim(`${service}: delivered`, 'all', onServer(id), 'own', ({ items }, of) => [
		`${of('delivered')} of ${items}`,
		of('delivered') === items,
	]),
	claim(
		`${service}: time ÷ the least possible`,
		'≤ 1.15×',
		onServer(id),
		'own',
		({ items, leastMs = 0 }, of) => {
			const [value, isReached] = atMost(of('wallMs') / leastMs, 1.15);
			return [value, isReached && of('delivered') === items];
		},
	),
	claim(`${service}: refused`, '< 5 %', onServer(id), 'own', ({ items }, of) => [
		`${((100 * of('refused')) / items).toFixed(1)} %`,
		of('refused') / items < 0.05,
	]),
];

const TARGETS: Target[] = [
	ratio(
		"CPU, 1,000 items at 50 ms ÷ HTTP Request's",
		0.35,
		onServer('1000@50'),
		'cpuMs',
		'httpRequest',
	),
	ratio(
		"time, 1,000 items at 50 ms ÷ HTTP Request's",
		0.5,
		onServer('1000@50'),
		'wallMs',
		'httpRequest',
	),
	ratio(
		"time, 10,000 items at 500 ms, in process ÷ undici's over as many connections",
		1.15,
		inProcess('10000@500'),
		'wallMs',
		'undici',
	),
	claim(
		'connections, 10,000 items at 2 s, Max Concurrent Requests 256',
		'≤ 256',
		onServer('sockets'),
		'own',
		(load, of) => {
			const peak = of('peakSockets');
			return [`${peak}`, peak <= (load.connections ?? 0)];
		},
	),
	ratio(
		"memory, 10,000 items at 50 ms ÷ the declarative node's",
		0.35,
		onServer('10000@50'),
		'rssMb',
		'declarative',
	),
	...pace('100 calls/s, burst 10', 'pace'),
	...pace('100 calls/s, burst 100', 'pace100'),
	claim(
		'paid calls with 30 % duplicates',
		'the distinct values',
		onServer('duplicates'),
		'own',
		({ items }, of) => [
			`${of('paid')} for ${items}`,
			of('paid') === items * 0.7 && of('delivered') === items,
		],
	),
	({ inProcess: results }) => {
		const measure = '10,000 numbers: requests of Check Many Numbers, beside one by one';
		const load = results?.loads.batches;
		const single = medianOf(load, 'own', 'requests');
		const many = medianOf(load, 'ownBatches', 'requests');
		if (!single || !many) return { measure, target: '≥ 50× fewer' };
		const fewer = single / many;
		return {
			measure,
			target: '≥ 50× fewer',
			value: `${fewer.toFixed(0)}× fewer`,
			isReached: fewer >= 50,
		};
	},
	claim(
		"10,000 numbers: time of Check Many Numbers ÷ the service's own",
		'≤ 1.1×',
		inProcess('batches'),
		'ownBatches',
		({ leastMs = 0 }, of) => atMost(of('wallMs') / leastMs, 1.1),
	),
	claim(
		'100 files of 2 MB: memory beyond the input',
		'≤ 40 MB',
		inProcess('media'),
		'own',
		(_load, of) => [`${of('rssMb').toFixed(0)} MB`, of('rssMb') <= 40],
	),
	({ server }) => {
		const measure = 'CPU per item, of 10,000 ÷ of 1,000';
		const many = medianOf(server?.loads['10000@50'], 'own', 'cpuMs');
		const few = medianOf(server?.loads['1000@50'], 'own', 'cpuMs');
		if (!many || !few) return { measure, target: '≤ 1.15×' };
		const [value, isReached] = atMost(many / server!.loads['10000@50'].items / (few / 1_000), 1.15);
		return { measure, target: '≤ 1.15×', value, isReached };
	},
	figure('package load at n8n start', 'loadMs', 15, (ms) => `${ms.toFixed(1)} ms`),
	figure('tarball', 'tarballBytes', 120_000, (bytes) => `${(bytes / 1000).toFixed(1)} kB`),
];

const atMost = (share: number, limit: number): [string, boolean] => [
	`${share.toFixed(2)}×`,
	share <= limit,
];

/** Judged by what is on file for n8n 2.x. */
export const verdicts = (): Verdict[] =>
	TARGETS.map((target) =>
		target({ server: readResults('n8n-2.x'), inProcess: readResults('in-process-2.x') }),
	);
