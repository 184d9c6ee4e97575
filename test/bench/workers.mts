/** `npm run bench:workers`: processes with n8n's engine each that share one account of the sandbox, which sets the pace. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { CallPace } from '../sandbox/index.ts';
import { nextMessage, startChild } from './child.mts';
import type { Load } from './loads.mts';
import { commit, type Measured, type WorkersResults } from './results.mts';
import { startService, type Service } from './service/startService.mts';

interface Sharing {
	processes: number;
	pacing: string;
	/** How long all calls take at the rate that is allowed. */
	seconds: number;
}

/** Three minutes show how much of a minute goes into the search for one's part. */
const USUAL: Sharing[] = [
	{ processes: 2, pacing: 'token bucket', seconds: 60 },
	{ processes: 2, pacing: 'fixed windows', seconds: 60 },
	{ processes: 2, pacing: 'fixed windows', seconds: 180 },
	{ processes: 4, pacing: 'token bucket', seconds: 60 },
	{ processes: 4, pacing: 'fixed windows', seconds: 60 },
];

const { values } = parseArgs({
	options: {
		runs: { type: 'string', default: '1' },
		'no-save': { type: 'boolean', default: false },
	},
});
const perSecond = 50;
const latencyMs = 50;
const FILE = fileURLToPath(new URL('./results/workers.json', import.meta.url));

/** By name. A bucket also gives what it held at the beginning. */
const PACINGS: Record<string, CallPace> = {
	'token bucket': { callsPerSecond: perSecond, burst: 10 },
	'fixed windows': { callsPerSecond: perSecond, burst: 1, windowSeconds: 1 },
};

interface Run {
	/** What they got together until the first was done, as a share of what was allowed: while all had work. */
	share: number;
	/** Share of the calls. */
	refused: number;
	/** The least part of the whole that a worker had when the first was done; all alike have 1 ÷ processes. */
	leastShare: number;
}

/** Answers so far. */
async function progressOf(child: ChildProcess): Promise<number> {
	const answer = once(child, 'message');
	child.send('progress');
	return ((await answer)[0] as { answered: number }).answered;
}

const endOf = async (child: ChildProcess) =>
	await new Promise<Measured>((done, fail) => {
		child.on('message', (message: object) => 'wallMs' in message && done(message as Measured));
		child.once('exit', (code) => fail(new Error(`A worker ended (${code})`)));
	});

async function measure(children: ChildProcess[], items: number, pace: CallPace, service: Service) {
	await Promise.all(children.map(async (child) => await nextMessage(child)));
	await service.reset();
	const ends = children.map(endOf);
	for (const child of children) child.send('begin');
	const first = await Promise.race(
		ends.map(async (end, index) => ({ index, wallMs: (await end).wallMs })),
	);
	const had = await Promise.all(
		children.map(async (child, index) => (index === first.index ? items : await progressOf(child))),
	);
	const measured = await Promise.all(ends);
	if (measured.some(({ delivered }) => delivered !== items)) throw new Error('Answers are missing');
	const { refused, requests } = await service.counts();
	const saved = pace.windowSeconds === undefined ? pace.burst : 0;
	const allowed = (perSecond * first.wallMs) / 1_000 + saved;
	const all = had.reduce((sum, one) => sum + one, 0);
	return {
		share: all / allowed,
		refused: refused / requests,
		leastShare: Math.min(...had) / all,
	};
}

async function runOnce({ processes, pacing, seconds }: Sharing): Promise<Run> {
	const pace = PACINGS[pacing];
	const items = Math.floor((perSecond * seconds) / processes);
	const options = { latencyMs, pace };
	const service = await startService({ kind: 'sandbox', options });
	const load = { id: 'workers', items, isCold: true } as Partial<Load>;
	const children = Array.from({ length: processes }, () =>
		startChild(import.meta.resolve('./inProcess/worker.mts'), {
			...{ load, contestant: 'own', roots: service.roots },
		}),
	);
	try {
		return await measure(children, items, pace, service);
	} finally {
		for (const child of children) if (child.connected) child.disconnect();
		service.stop();
	}
}

const percent = (share: number, digits = 0) => `${(100 * share).toFixed(digits)} %`;

function print({ pacing, processes, seconds }: Sharing, run: Run) {
	console.log(`${pacing}, ${processes} processes, ${perSecond} calls a second, ${seconds} s:`);
	console.log(`  of what is allowed: ${percent(run.share)} until the first is done`);
	console.log(
		`  ${percent(run.refused, 1)} of the calls refused; the last has ${percent(processes * run.leastShare)} of an equal share`,
	);
}

function save(sharings: WorkersResults['sharings']) {
	const kept: WorkersResults = {
		measuredAt: new Date().toISOString().slice(0, 10),
		commit: commit(),
		sharings,
	};
	const rounded = (_key: string, value: unknown) =>
		typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value;
	writeFileSync(FILE, `${JSON.stringify(kept, rounded, '\t')}\n`);
}

const measured: WorkersResults['sharings'] = [];
for (const sharing of USUAL) {
	const runs: Record<keyof Run, number[]> = { share: [], refused: [], leastShare: [] };
	for (let n = 0; n < Number(values.runs); n += 1) {
		const run = await runOnce(sharing);
		print(sharing, run);
		for (const key of Object.keys(run) as Array<keyof Run>) runs[key].push(run[key]);
	}
	measured.push({ ...sharing, ...runs });
}
if (!values['no-save']) save(measured);
