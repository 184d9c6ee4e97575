/** What this package sets itself, and whether results reach it. */
import type { Contestant } from './loads.mts';
import {
	isLess,
	median,
	medianOf,
	type LoadResult,
	type Results,
	type Sample,
	type WorkersResults,
} from './results.mts';

export interface Verdict {
	measure: string;
	target: string;
	/** Undefined where it has not been measured. */
	value?: string;
	isReached?: boolean;
}

export interface Sources {
	/** The real server, over TLS. */
	server?: Results;
	/** n8n's engine alone, over plain http. */
	inProcess?: Results;
	workers?: WorkersResults;
}

type Target = (sources: Sources) => Verdict;

interface Measurement {
	value: number;
	/** Where it is more than the number. */
	text?: string;
	/** Where the number alone does not say so. */
	isReached?: boolean;
}

type Measure = (sources: Sources) => number | Measurement | undefined;

/** Largest share of calls that may be refused where a service sets the pace. */
const MAX_REFUSED = 0.05;

const judged =
	(
		measure: string,
		target: string,
		take: Measure,
		judge: (value: number) => boolean,
		show: (value: number) => string,
	): Target =>
	(sources) => {
		const taken = take(sources);
		if (taken === undefined) return { measure, target };
		const { value, text, isReached = true } = typeof taken === 'number' ? { value: taken } : taken;
		return { measure, target, value: text ?? show(value), isReached: isReached && judge(value) };
	};

const atMost = (measure: string, limit: number, take: Measure, show = times): Target =>
	judged(measure, `≤ ${show(limit)}`, take, (value) => value <= limit, show);

const atLeast = (measure: string, limit: number, take: Measure, show = times): Target =>
	judged(measure, `≥ ${show(limit)}`, take, (value) => value >= limit, show);

const times = (ratio: number) => `${ratio.toFixed(2)}×`;
const ms = (value: number) => `${value.toFixed(0)} ms`;
const megabytes = (value: number) => `${value.toFixed(0)} MB`;
const plain = (value: number) => value.toLocaleString('en');

const onServer =
	(id: string) =>
	({ server }: Sources) =>
		server?.loads[id];
const inProcess =
	(id: string) =>
	({ inProcess: results }: Sources) =>
		results?.loads[id];

type Where = (sources: Sources) => LoadResult | undefined;

/** Our median; undefined where it was not measured. */
const own =
	(where: Where, figure: keyof Sample): Measure =>
	(sources) =>
		medianOf(where(sources), 'own', figure);

/** Our median as a share of another contestant's; undefined where that one delivered less. */
const ratio =
	(where: Where, figure: keyof Sample, peer: Contestant): Measure =>
	(sources) => {
		const load = where(sources);
		const [ours, others] = [medianOf(load, 'own', figure), medianOf(load, peer, figure)];
		return !load || ours === undefined || !others || isLess(load, peer) ? undefined : ours / others;
	};

/** How much longer than a service that sets the pace takes itself; not reached unless all is delivered and little refused. */
const pace =
	(id: string): Measure =>
	(sources) => {
		const load = onServer(id)(sources);
		const wallMs = medianOf(load, 'own', 'wallMs');
		if (!load?.leastMs || wallMs === undefined) return undefined;
		const delivered = medianOf(load, 'own', 'delivered') ?? 0;
		const refused = (medianOf(load, 'own', 'refused') ?? 0) / load.items;
		const value = wallMs / load.leastMs;
		return {
			value,
			text: `${times(value)}, ${plain(delivered)} of ${plain(load.items)}, ${(100 * refused).toFixed(1)} %`,
			isReached: delivered === load.items && refused < MAX_REFUSED,
		};
	};

/** The paid calls of a list with duplicates beyond its distinct values. */
const paidTwice: Measure = (sources) => {
	const load = onServer('duplicates')(sources);
	const paid = medianOf(load, 'own', 'paid');
	if (!load || paid === undefined) return undefined;
	return {
		value: paid - load.items * 0.7,
		text: `${plain(paid)} for ${plain(load.items)}`,
		isReached: medianOf(load, 'own', 'delivered') === load.items,
	};
};

const growth: Measure = ({ server }) => {
	const [few, many] = ['1000@50', '10000@50'].map((id) => {
		const cpuMs = medianOf(server?.loads[id], 'own', 'cpuMs');
		return cpuMs && cpuMs / server!.loads[id].items;
	});
	return few && many ? many / few : undefined;
};

const fewerRequests: Measure = (sources) => {
	const load = inProcess('batches')(sources);
	const single = medianOf(load, 'own', 'requests');
	const many = medianOf(load, 'ownBatches', 'requests');
	return single && many ? single / many : undefined;
};

const batchTime: Measure = (sources) => {
	const load = inProcess('batches')(sources);
	const wallMs = medianOf(load, 'ownBatches', 'wallMs');
	return load?.leastMs && wallMs ? wallMs / load.leastMs : undefined;
};

const loadRatio: Measure = ({ inProcess: results }) => {
	const [asItIs, inOneFile] = ['loadMs', 'loadOneFileMs'].map((name) => results?.figures[name]);
	return asItIs && inOneFile ? median(asItIs) / median(inOneFile) : undefined;
};

const TARGETS: Target[] = [
	atMost(
		"1,000 items: time ÷ HTTP Request's",
		0.35,
		ratio(onServer('1000@50'), 'wallMs', 'httpRequest'),
	),
	atMost(
		"1,000 items: CPU ÷ HTTP Request's",
		0.35,
		ratio(onServer('1000@50'), 'cpuMs', 'httpRequest'),
	),
	atMost(
		"1,000 items: CPU ÷ that of n8n's helper in a loop",
		1.15,
		ratio(onServer('1000@50'), 'cpuMs', 'loop'),
	),
	atMost('CPU per item, of 10,000 ÷ of 1,000', 1.15, growth),
	atMost(
		"10,000 items: memory ÷ the declarative node's",
		0.4,
		ratio(onServer('10000@50'), 'rssMb', 'declarative'),
	),
	atMost("10,000 items: n8n's health check, p99", 50, own(onServer('10000@50'), 'healthP99Ms'), ms),
	atMost('100,000 items: the same', 100, own(onServer('100000@5'), 'healthP99Ms'), ms),
	atMost('100,000 items: its longest', 250, own(onServer('100000@5'), 'healthMostMs'), ms),
	atMost('100 calls/s, burst 10: time ÷ least, answers, refused (< 5 %)', 1.2, pace('pace')),
	atMost('the same with burst 100', 1.15, pace('pace100')),
	atLeast(
		'fixed windows, two processes: share of what is allowed',
		0.9,
		({ workers }) => {
			const measured = workers?.sharings.find(
				({ pacing, processes, seconds }) =>
					pacing === 'fixed windows' && processes === 2 && seconds === 60,
			);
			return measured && median(measured.share);
		},
		(share) => share.toFixed(2),
	),
	judged(
		'paid calls with 30 % duplicates',
		'distinct values',
		paidTwice,
		(beyond) => beyond === 0,
		plain,
	),
	atMost('connections, 3,000 items at 2 s', 256, own(onServer('sockets'), 'peakSockets'), plain),
	atMost('loading the package ÷ the same code in one file', 1.5, loadRatio),
];

const IN_PROCESS_TARGETS: Target[] = [
	atMost(
		"10,000 items at 500 ms: time ÷ undici's",
		1.15,
		ratio(inProcess('10000@500'), 'wallMs', 'undici'),
	),
	atLeast(
		'10,000 numbers: times fewer requests by Check Many Numbers',
		50,
		fewerRequests,
		(fewer) => `${fewer.toFixed(0)}×`,
	),
	atMost("10,000 numbers: its time ÷ the service's own", 1.1, batchTime),
	atMost(
		'100 files of 2 MB: memory beyond the input',
		40,
		own(inProcess('media'), 'rssMb'),
		megabytes,
	),
];

export const verdictsOf = (sources: Sources): Verdict[] => TARGETS.map((target) => target(sources));

export const inProcessVerdictsOf = (sources: Sources): Verdict[] =>
	IN_PROCESS_TARGETS.map((target) => target(sources));
