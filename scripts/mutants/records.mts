/** Which tests reach which mutants, recorded once for each test file and kept while nothing that it may load changes. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf, hash } from './copy.mts';
import type { Job, Reply, Worker } from './worker.mts';

const RECORD_LIMIT_MS = 900_000;

/** A test file that reaches a mutant, and what its tests that do so take. */
export interface Candidate {
	job: Job;
	ms: number;
	/** How many mutants the file reaches: a file that reaches few is about them. */
	reaches: number;
}

export interface Records {
	/** The time of all tests. */
	totalMs: number;
	candidates: Map<number, Candidate[]>;
	/** Tests that fail with every mutant off: they aren't run again. */
	failing: string[];
}

/** @param wanted the mutants to look for in the records, by their IDs */
export async function record(
	root: string,
	cache: string,
	workers: Worker[],
	tests: Set<string>,
	wanted: Set<number>,
): Promise<Records> {
	const all = filesOf(root);
	const shared = hash(all.filter(isShared).map((file) => file + read(root, file)));
	const records: Records = { totalMs: 0, candidates: new Map(), failing: [] };
	const files = workers[0].files.filter((file) => tests.has(file));
	await share(workers, files, async (worker, file) => {
		const kept = join(cache, `${hash([shared, file, read(root, file)])}.json`);
		if (!existsSync(kept)) {
			let reply = await worker.run({ file }, RECORD_LIMIT_MS);
			if (reply.failures.length > 0) reply = await worker.run({ file }, RECORD_LIMIT_MS);
			writeFileSync(kept, JSON.stringify(reply));
		}
		const reply = JSON.parse(readFileSync(kept, 'utf8')) as Reply;
		records.totalMs += reply.ms;
		addTo(records, file, reply, wanted);
	});
	return records;
}

/** Gives each worker the next item whenever it is free. */
export async function share<T>(
	workers: Worker[],
	items: Iterable<T>,
	work: (worker: Worker, item: T) => Promise<void>,
): Promise<void> {
	const queue = items[Symbol.iterator]();
	const takeAll = async (worker: Worker) => {
		for (let next = queue.next(); !next.done; next = queue.next()) await work(worker, next.value);
	};
	await Promise.all(workers.map(takeAll));
}

function addTo(
	{ candidates, failing }: Records,
	file: string,
	reply: Reply,
	wanted: Set<number>,
): void {
	const { failures, record: reached, ms } = reply;
	failing.push(...failures.map((failure) => `${file}: ${failure}`));
	if (!reached || reached.failed.length < failures.length) return;
	const { usualMs, failed } = reached;
	const sound = [...usualMs.keys()].filter((index) => !failed.includes(index));
	const tests = new Map<number, number[]>();
	for (const [test, mutants] of reached.inTests.entries())
		for (const mutant of failed.includes(test) ? [] : mutants) {
			const list = tests.get(mutant) ?? [];
			tests.set(mutant, list);
			list.push(test);
		}
	// What is reached while a file is loaded can change all of its tests
	for (const mutant of reached.loaded) tests.set(mutant, sound);
	const sum = (all: number[]) => all.reduce((total, one) => total + one, 0);
	const loadMs = Math.max(ms - sum(usualMs), 0);
	for (const [mutant, only] of tests) {
		if (!wanted.has(mutant)) continue;
		const job = { file, mutant, only, usualMs };
		const testMs = sum(only.map((index) => usualMs[index]));
		const list = candidates.get(mutant) ?? [];
		candidates.set(mutant, list);
		list.push({ job, ms: loadMs + testMs, reaches: tests.size });
	}
}

/** Whether any test may load it; the scripts of this folder change nothing that is recorded. */
const isShared = (file: string) =>
	/^(?:nodes|credentials|test|scripts\/(?!mutants))\/.*(?<!\.test)\.[jm]?[jt]s$/.test(file);
const read = (root: string, file: string) => readFileSync(join(root, file), 'utf8');
