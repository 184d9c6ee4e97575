/** The loads, as data. docs/PERFORMANCE.md says what each is for. */
import type { ServiceKind } from './service/main.mts';

/** Who is measured. */
export type Contestant =
	| 'declarative'
	| 'httpRequest'
	| 'loop'
	| 'nothing'
	| 'own'
	| 'ownBatches'
	| 'pool'
	| 'undici';

export const NAMES: Record<Contestant, string> = {
	own: 'Lookup & Messaging',
	ownBatches: 'Lookup & Messaging, Check Many Numbers',
	httpRequest: 'HTTP Request',
	declarative: 'native declarative node',
	pool: 'plain execute, 64 at once',
	undici: 'undici Pool',
	loop: "n8n's helper in a loop, 100 at once",
	nothing: 'n8n itself, no calls',
};

export interface Load {
	id: string;
	/** `{items}` stands for how many there are. */
	title: string;
	items: number;
	/** How many of the items' numbers differ; all, unless given. */
	distinct?: number;
	/** Executions of so many items each: one after the other, or all at once. Default: one execution. */
	executions?: number;
	atOnce?: boolean;
	/** Connections of this package's node and of undici; unless given, the node's own choice. */
	connections?: number;
	/** Each item is a message with a file of 2 MB. */
	media?: boolean;
	service: ServiceKind;
	contestants: Contestant[];
	/** No warm-up, since the service would take it amiss or take its time. */
	isCold?: boolean;
	/** On a server, one for each sample: what a sample leaves in the memory of the process would be in the next. */
	isFresh?: true;
	/** n8n's health check is asked all the while, for what others feel. */
	isWatched?: true;
	/** Samples at most, where a load takes minutes or its figure is a count. */
	runs?: number;
	/** The same for some of the contestants. */
	runsOf?: Partial<Record<Contestant, number>>;
	/** The smaller load that `--quick` runs instead. */
	quick?: Partial<Load>;
}

const fast = (latencyMs: number): ServiceKind => ({ kind: 'fast', latencyMs });

/** Numbers a second that the batches of the load below are worked off with: 100 s for a full one. */
const NUMBERS_PER_SECOND = 10;

const LATENCY_MS = 50;
const CALLS_PER_SECOND = 100;

/** A service that allows 100 calls a second, and saves up so many; refusals say when to come back. */
const paced = (burst: number) =>
	({
		title: `{items} items, 100 calls/s allowed, burst ${burst}`,
		items: 1_000,
		service: {
			kind: 'sandbox',
			options: { latencyMs: LATENCY_MS, pace: { callsPerSecond: CALLS_PER_SECOND, burst } },
		},
		isCold: true,
		quick: { items: 300 },
	}) satisfies Partial<Load>;

const PEERS: Contestant[] = ['own', 'declarative', 'pool'];

/** Who is measured in process, by load: who adds nothing to what another load shows is left out. */
const IN_PROCESS_PEERS: Record<number, Record<number, Contestant[]>> = {
	1_000: {
		5: ['own', 'declarative'],
		50: [...PEERS, 'undici'],
		500: ['own', 'declarative'],
	},
	10_000: {
		5: ['own', 'declarative', 'undici'],
		50: ['own', 'declarative', 'undici'],
		500: ['own', 'declarative', 'undici'],
	},
};

/** `npm run bench`: one process per sample, n8n's engine in it, the same number of connections for all who have one. */
export const IN_PROCESS: Load[] = [
	{
		id: '1@50',
		title: '20 executions of 1 item, 50 ms',
		items: 1,
		executions: 20,
		service: fast(50),
		contestants: PEERS,
	},
	...[5, 50, 500].flatMap((latencyMs): Load[] => [
		{
			id: `1000@${latencyMs}`,
			title: `{items} items, ${latencyMs} ms`,
			items: 1_000,
			connections: 64,
			service: fast(latencyMs),
			contestants: IN_PROCESS_PEERS[1_000][latencyMs],
		},
		{
			id: `10000@${latencyMs}`,
			title: `{items} items, ${latencyMs} ms`,
			items: 10_000,
			// At 500 ms, 64 connections would measure nothing but the waiting
			connections: latencyMs === 500 ? 256 : 64,
			service: fast(latencyMs),
			contestants: IN_PROCESS_PEERS[10_000][latencyMs],
			quick: { items: 2_000 },
		},
	]),
	{
		id: 'duplicates',
		title: '1,000 items, 700 distinct, 50 ms',
		items: 1_000,
		distinct: 700,
		service: { kind: 'sandbox', options: { latencyMs: 50 } },
		contestants: PEERS,
	},
	{ id: 'pace', ...paced(10), contestants: PEERS, runsOf: { declarative: 1, pool: 1 } },
	{
		id: 'batches',
		title: '{items} numbers, one by one and in batches, 50 ms',
		items: 10_000,
		service: {
			kind: 'sandbox',
			options: { latencyMs: 50, batchNumbersPerSecond: NUMBERS_PER_SECOND },
		},
		isCold: true,
		contestants: ['own', 'ownBatches'],
		runs: 2,
		runsOf: { own: 1 },
		quick: { items: 500 },
	},
	{
		id: 'media',
		title: '100 messages with 2 MB each',
		items: 100,
		media: true,
		service: { kind: 'sandbox', options: { latencyMs: 50 } },
		contestants: ['own'],
	},
	{
		id: 'executions',
		title: '500 executions of 1 item side by side, 50 ms',
		items: 1,
		executions: 500,
		atOnce: true,
		service: fast(50),
		contestants: PEERS,
	},
];

const SERVER_PEERS: Contestant[] = ['own', 'httpRequest', 'declarative', 'pool'];

/** `npm run bench:n8n`: every node with its defaults. */
export const SERVER: Load[] = [
	{
		id: '1@50',
		title: '20 executions of 1 item, 50 ms',
		items: 1,
		executions: 20,
		service: fast(LATENCY_MS),
		contestants: ['own', 'httpRequest', 'nothing'],
	},
	{
		id: '1000@50',
		title: '{items} items, 50 ms',
		items: 1_000,
		service: fast(LATENCY_MS),
		contestants: [...SERVER_PEERS, 'loop', 'nothing'],
	},
	{
		id: '10000@50',
		title: '{items} items, 50 ms',
		items: 10_000,
		service: fast(LATENCY_MS),
		contestants: ['own', 'httpRequest', 'declarative', 'loop', 'nothing'],
		runs: 3,
		runsOf: { httpRequest: 1, declarative: 1, loop: 1 },
		isFresh: true,
		isWatched: true,
		quick: { items: 2_000 },
	},
	{
		id: '100000@5',
		title: '{items} items, 5 ms',
		items: 100_000,
		service: fast(5),
		// What n8n itself does with so many items is the least that others feel
		contestants: ['own', 'nothing'],
		runs: 1,
		isFresh: true,
		isWatched: true,
		quick: { items: 5_000 },
	},
	{
		id: 'duplicates',
		title: '{items} items, 30 % duplicates, 50 ms',
		items: 1_000,
		distinct: 700,
		service: { kind: 'sandbox', options: { latencyMs: LATENCY_MS } },
		contestants: SERVER_PEERS,
		// Of the peers it is known what it costs without duplicates
		runsOf: { httpRequest: 1, declarative: 1, pool: 1 },
	},
	{
		id: 'pace',
		...paced(10),
		contestants: SERVER_PEERS,
		runsOf: { httpRequest: 1, declarative: 1, pool: 1 },
	},
	{ id: 'pace100', ...paced(100), contestants: ['own'] },
	{
		id: 'executions',
		title: '500 executions of 1 item side by side, 50 ms',
		items: 1,
		executions: 500,
		atOnce: true,
		service: fast(LATENCY_MS),
		contestants: ['own', 'httpRequest', 'nothing'],
		runs: 3,
	},
	{
		id: 'sockets',
		title: '{items} items, 2 s',
		items: 3_000,
		connections: 256,
		service: fast(2_000),
		contestants: ['own', 'httpRequest', 'declarative'],
		runs: 1,
		quick: { items: 1_000 },
	},
];
