/**
 * `npm run mutants`: changes the code in small ways, one at a time, and lists the changes that no test notices.
 *
 *     npm run mutants                              the files of nodes/ and credentials/ that differ from main
 *     npm run mutants -- 'nodes/**\/memory/*.ts'    these files, as git reads paths
 *     npm run mutants -- --all                     engine, features and operations
 *     npm run mutants -- --sample 300 --seed 2     300 mutants of them (or of the files given), others with each seed
 *     --minutes 20      runs as many as it can in that time, once it knows what each test reaches, in a random order
 *     --integration     runs the tests on n8n 2.x as well, on what the unit tests don't notice
 *     --only-by FILE    lists what only this test file notices, and which of its tests that takes; repeatable
 *     --tests PATHS     runs these test files only, for a first answer; repeatable
 *     --effort 0.1      of the time of all tests, what one mutant may take: the least likely to notice it come last; 1
 *                       runs all, as with --tests and --only-by
 *     --workers 2       test processes at once
 *
 * It needs a build. Writes into node_modules/.cache/mutants only.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { copyWithMutants, filesOf, type Mutant } from './copy.mts';
import { Prospects } from './prospects.mts';
import { record, share } from './records.mts';
import { fewestTests, isUnnoticed, lineOf, Outcome, scores } from './report.mts';
import { Worker } from './worker.mts';

const ROOMS = ['engine', 'features', 'operations'].map((room) => `nodes/LookupMessaging/${room}`);
const PROGRESS_MS = 60_000;
/** The slowest fifth of the test files takes three quarters of the time. */
const USUAL_EFFORT = 0.1;

interface Limits {
	/** The test files to run. */
	tests: Set<string>;
	/** Whether all tests that fail are noted, and not the first only. */
	nameAll?: boolean;
	/** After how long no further mutant is begun. */
	minutes?: number;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, 'node_modules/.cache/mutants');
const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		all: { type: 'boolean' },
		sample: { type: 'string' },
		seed: { type: 'string', default: '1' },
		minutes: { type: 'string' },
		effort: { type: 'string' },
		integration: { type: 'boolean' },
		tests: { type: 'string', multiple: true },
		'only-by': { type: 'string', multiple: true },
		workers: { type: 'string', default: '2' },
	},
});

const copy = realpathSync(mkdtempSync(join(tmpdir(), 'mutants-')));
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

mkdirSync(cache, { recursive: true });
const chosen = new Set(chosenFiles());
// All code, whatever is chosen, so that what is recorded of the tests serves each choice
const all = (await copyWithMutants(root, copy, cache)).filter(({ fileName }) =>
	chosen.has(fileName),
);
const mutants = sampled(all);
const isInFull = values.tests !== undefined || values['only-by'] !== undefined;
const effort = Number(values.effort ?? (isInFull ? 1 : USUAL_EFFORT));
const tests = new Set(filesOf(root, values.tests ?? ['test']));
console.log(`${all.length} mutants, of which ${mutants.length} run`);
if (values['only-by']) await showNeeded(filesOf(root, values['only-by']));
else await showScores();

async function showScores(): Promise<void> {
	const planned = mutants.map((mutant) => new Outcome(mutant));
	await run('unit', planned, { tests, minutes: Number(values.minutes ?? Infinity) });
	const outcomes = planned.filter(({ isRun }) => isRun);
	if (values.integration) await run('n8n-2x', outcomes.filter(isUnnoticed), { tests });
	writeFileSync(join(cache, 'report.json'), JSON.stringify(outcomes, null, '\t'));
	console.log(
		outcomes
			.filter(isUnnoticed)
			.map((outcome) => lineOf(root, outcome))
			.sort()
			.join('\n'),
	);
	console.log(scores(outcomes));
}

/** What only `files` notice: run first by them in full, then by the other tests. */
async function showNeeded(files: string[]): Promise<void> {
	const own = mutants.map((mutant) => new Outcome(mutant));
	const isUnit = files.some((file) => /\/(?:unit|withoutN8n)\//.test(file));
	await run(isUnit ? 'unit' : 'n8n-2x', own, {
		tests: new Set(files),
		nameAll: true,
	});
	const noticed = own.filter((outcome) => !isUnnoticed(outcome));
	const others = noticed.map(({ mutant }) => new Outcome(mutant));
	const isOther = { tests: new Set([...tests].filter((file) => !files.includes(file))) };
	await run('unit', others, isOther);
	if (values.integration || !isUnit) await run('n8n-2x', others.filter(isUnnoticed), isOther);
	const onlyOwn = noticed.filter((_, index) => isUnnoticed(others[index]));
	console.log(
		`${mutants.length} mutants: ${noticed.length} noticed, ${onlyOwn.length} by no other test`,
	);
	for (const outcome of onlyOwn)
		console.log(`${lineOf(root, outcome)}\n    ${outcome.by.join('\n    ')}`);
	console.log(['Tests that together notice all of these:', ...fewestTests(onlyOwn)].join('\n  '));
}

function chosenFiles(): string[] {
	if (positionals.length > 0) return filesOf(root, positionals);
	if (values.all || values.sample || values.minutes) return filesOf(root, ROOMS);
	const git = (...args: string[]) =>
		execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
	const [base] = git('merge-base', 'main', 'HEAD');
	const added = git('ls-files', '--others', '--exclude-standard');
	return [...git('diff', '--name-only', '--diff-filter=d', base), ...added];
}

/** By what a mutant is and not by its place, so that a seed names the same mutants after a change elsewhere. */
function sampled(mutants: Mutant[]): Mutant[] {
	if (!values.sample && !values.minutes) return mutants;
	const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
	const texts = new Map([...chosen].map((file) => [file, textOf(file)]));
	const ranked = mutants.map((mutant) => {
		const { fileName, mutatorName, replacement, location } = mutant;
		const line = texts.get(fileName)?.split('\n')[location.start.line].trim();
		const text = JSON.stringify([values.seed, fileName, line, mutatorName, replacement]);
		return { mutant, rank: createHash('sha256').update(text).digest('hex') };
	});
	ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1));
	return ranked.slice(0, Number(values.sample ?? Infinity)).map(({ mutant }) => mutant);
}

/** Runs the project's tests on each mutant, until one fails, and notes which. */
async function run(project: string, wanted: Outcome[], limits: Limits): Promise<void> {
	if (wanted.length === 0) return;
	const { tests, nameAll, minutes = Infinity } = limits;
	const started = Date.now();
	const since = () => `${Math.round((Date.now() - started) / 1000)} s`;
	const workers = Array.from({ length: Number(values.workers) }, () => new Worker(copy, project));
	try {
		for (const worker of workers) await worker.start();
		const { candidates, failing, totalMs } = await record(
			root,
			cache,
			workers,
			tests,
			new Set(wanted.map(({ mutant }) => Number(mutant.id))),
		);
		console.log(`${project}: recorded what each test reaches, ${since()}`);
		for (const failure of failing) console.log(`  red without a mutant, left out: ${failure}`);
		const until = Date.now() + minutes * 60_000;
		const timer = setInterval(() => {
			const ran = wanted.filter(({ isRun }) => isRun);
			const noticed = ran.filter((outcome) => !isUnnoticed(outcome)).length;
			console.log(`  ${ran.length} of ${wanted.length} mutants, ${noticed} noticed, ${since()}`);
		}, PROGRESS_MS);
		const prospects = new Prospects();
		await share(workers, wanted, async (worker, outcome) => {
			if (Date.now() > until) return;
			const { id, fileName } = outcome.mutant;
			let leftMs = totalMs * effort;
			for (const candidate of prospects.sorted(fileName, candidates.get(Number(id)) ?? [])) {
				const { job, ms } = candidate;
				const isTooSlow = outcome.isReached && ms > leftMs;
				outcome.isReached = true;
				if (isTooSlow) {
					outcome.notRun++;
					continue;
				}
				leftMs -= ms;
				const { failures } = await worker.run({ ...job, nameAll }, 30_000 + 10 * ms);
				prospects.tried(fileName, candidate, failures.length > 0);
				outcome.by.push(...failures.map((failure) => `${job.file}: ${failure}`));
				if (failures.length > 0 && !nameAll) break;
			}
			outcome.isRun = true;
		}).finally(() => clearInterval(timer));
		console.log(`${project}: done, ${since()}`);
	} finally {
		for (const worker of workers) worker.stop();
	}
}
