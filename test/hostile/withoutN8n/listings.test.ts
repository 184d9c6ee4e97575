import fc from 'fast-check';
import { runPollCycle } from '../../../nodes/LookupMessagingTrigger/pollCycle';
import { JOB_KINDS } from '../../../nodes/LookupMessagingTrigger/jobKinds';
import { openBudget } from '../../../nodes/LookupMessagingTrigger/jobChecks';
import { readCheckpoint, type Checkpoint } from '../../../nodes/LookupMessagingTrigger/checkpoint';
import type { TriggerSettings } from '../../../nodes/LookupMessagingTrigger/settings';
import {
	answering,
	canBeRead,
	idOf,
	listingServers,
	PAGE_ERRORS,
	saysSo,
	TWO_COUNTED_PAGES,
	type ListingServer,
	type PageError,
} from '../../models/listings/pagedServer';
import {
	activations,
	auditsAnswering,
	listedAudits,
	neverAnswers,
	shortListings,
	Watcher,
	type Activation,
	type BatchBefore,
	type ListedAudit,
	type ShortListing,
} from '../../models/listings/watchedJobs';
import { expectEqual } from '../../harness/expectEqual';
import { FakeClient } from '../../unit/fakes/fakeClient';
import { isFullRun } from '../fullRun';

const settingsFor = (tool: string | undefined): TriggerSettings => ({
	kind: JOB_KINDS.batch,
	jobIds: [],
	listing: { tool, args: {}, ...(tool && { idField: 'batch_id', statusField: 'status' }) },
	asRows: false,
	finishedWords: ['completed'],
	includesFailed: false,
	includesFinished: true,
	output: { output: 'simplified', selectedFields: [] },
	scope: 'account',
});

/** The batches that are finished and that an entry lists as finished. */
function finishedIn(server: ListingServer): string[] {
	const ids = server.entries
		.filter(({ batch }) => server.finished[batch])
		.filter(({ batch }) => {
			const words = server.entries.filter((entry) => entry.batch === batch);
			return words.some(({ word }) => word.toLowerCase() === 'completed');
		});
	return [...new Set(ids.map(({ batch }) => idOf(server, batch)))].sort();
}

async function tryOut(server: ListingServer, tool: string | undefined) {
	const cycle = await runPollCycle(
		readCheckpoint({}),
		settingsFor(tool),
		new FakeClient(answering(server)),
		openBudget(),
	);
	expect(cycle.failure).toBeUndefined();
	const emitted = cycle.items.map(({ json }) => String(json.batchId)).sort();
	const expected = finishedIn(server);
	const isFinished = (id: string) =>
		server.finished.some((finished, batch) => finished && idOf(server, batch) === id);
	expect(emitted.filter((id) => !isFinished(id))).toEqual([]);
	expect(new Set(emitted).size).toBe(emitted.length);
	if (canBeRead(server)) {
		const missed = expected.filter((id) => !emitted.includes(id));
		expect(missed).toEqual([]);
		return;
	}
	const isCut = expected.some((id) => !emitted.includes(id));
	const isSilent = isCut && saysSo(server) && cycle.warning === undefined;
	expect(isSilent).toBe(false);
}

/** Activates the trigger on a listing with an error, then polls it without one. Nothing finishes meanwhile. */
async function activateWith(server: ListingServer, error: PageError) {
	const settings = { ...settingsFor('list_batches'), includesFinished: false };
	const poll = async (checkpoint: Checkpoint, met?: PageError) => {
		const client = new FakeClient(answering(server, met));
		return await runPollCycle(checkpoint, settings, client, openBudget());
	};
	const first = await poll(readCheckpoint({}), error);
	const second = await poll(first.checkpoint);
	// Only an activation that failed is a first poll again
	expectEqual([first.items, second.items], [[], []]);
}

const POLLS = 40;
/** Six checks at first, then one after 8, 16, 32 … polls. */
const MAX_CHECKS = 6 + Math.floor(Math.log2(POLLS)) - 2;

async function followAudits(audits: ListedAudit[]) {
	const watcher = new Watcher('audit', auditsAnswering(audits), true);
	for (let poll = 0; poll < POLLS; poll += 1) await watcher.poll();
	const log = watcher.warnings.join('\n');
	for (const [index, audit] of audits.entries()) {
		const id = `audit-${index}`;
		const items = watcher.emitted.filter(({ auditId }) => auditId === id);
		const checks = watcher.checks.filter((one) => one === id).length;
		const isEmitted = items.length === 1 || (items.length === 0 && neverAnswers(audit));
		expectEqual([audit, checks <= MAX_CHECKS, isEmitted], [audit, true, true]);
		const [item] = items;
		if (item?.outcome === 'positive') continue;
		if (item) expect(item).toMatchObject({ outcome: 'unknown', reason: expect.any(String) });
		expect(log).toContain(id);
	}
}

async function activate({ batches, isCut }: Activation) {
	let isOver = false;
	/** Tries to activate the trigger; 0 when it is active. */
	let attempts = 0;
	const idFor = (index: number) => `batch-${index}`;
	const failsNow = ({ isBroken }: BatchBefore) => isBroken && attempts === 1;
	const watcher = new Watcher(
		'batch',
		{
			list: () =>
				batches.map(({ word }, index) => ({
					id: idFor(index),
					status: isOver ? 'completed' : word,
				})),
			answer: (id) => {
				const batch = batches[Number(id.split('-')[1])];
				if (failsNow(batch)) return 500;
				const status = isOver || batch.isFinished ? 'completed' : 'processing';
				const row = { phone_number: '+12025550102', status, wa_status: 'VALID_CONFIRMED' };
				return { status, total_numbers: 1, results: [{ ...row, numberstatus: true }] };
			},
		},
		false,
	);
	let isActive = false;
	while (!isActive) {
		attempts += 1;
		isActive = await watcher.poll(isCut && attempts === 1);
		expectEqual(watcher.emitted, []);
	}
	const due = batches.flatMap((batch, index) =>
		batch.isFinished && !failsNow(batch) ? [] : [idFor(index)],
	);
	isOver = true;
	attempts = 0;
	for (let poll = 0; poll < 3; poll += 1) await watcher.poll();
	expectEqual(watcher.emitted.map(({ batchId }) => batchId).sort(), due.sort());
}

/** Follows a listing without jobs that are over. Each job that it had starts the workflow once. */
async function followShort({ kind, ends, listed, fails }: ShortListing) {
	let poll = 0;
	const seen = new Set<string>();
	const ids = ends.map((_, index) => `${kind}-${index}`);
	const endOf = (id: string) => ends[Number(id.split('-')[1])];
	const list = () => {
		const running = ids.filter((id) => endOf(id) > poll).slice(0, listed[poll] ?? 0);
		if (poll < LISTED_POLLS) for (const id of running) seen.add(id);
		return running.map((id) => ({ id, status: 'processing' }));
	};
	const answer = (id: string) => {
		if (fails[poll]) return 500;
		const status = endOf(id) > poll ? 'processing' : 'completed';
		return kind === 'audit' && status === 'completed' ? { status, overall_score: 7 } : { status };
	};
	const watcher = new Watcher(kind, { list, answer }, false);
	for (; poll < POLLS; poll += 1) await watcher.poll();
	const isEnded = (id: string) => seen.has(id) && endOf(id) < Infinity;
	const emitted = watcher.emitted.map((item) => item[`${kind}Id`]);
	expectEqual(emitted.sort(), ids.filter(isEnded).sort());
	if (kind === 'batch') return;
	const checks = (id: string) => watcher.checks.filter((one) => one === id).length;
	expect(Math.max(...ids.map(checks))).toBeLessThanOrEqual(MAX_CHECKS + LISTED_POLLS);
}
const LISTED_POLLS = 12;

describe('the trigger and a listing in pages', () => {
	it.each([undefined, 'list_batches'])(
		'emits every finished job of all pages once, or says that pages are missing (tool %s)',
		async (tool) => {
			const property = fc.asyncProperty(listingServers, async (server) => {
				await tryOut(server, tool);
			});
			const examples: Array<[ListingServer]> = [[TWO_COUNTED_PAGES]];
			await fc.assert(property, { numRuns: isFullRun ? 400 : 60, seed: 31, examples });
		},
	);

	it('emits no job that was finished before it was activated, whatever page has an error', async () => {
		const errors = fc.record({
			call: fc.integer({ min: 1, max: 4 }),
			pageWith: fc.constantFrom(...PAGE_ERRORS),
		});
		const property = fc.asyncProperty(listingServers.filter(canBeRead), errors, activateWith);
		await fc.assert(property, { numRuns: isFullRun ? 800 : 100, seed: 34 });
	});

	it('emits every job once that leaves the listing while it runs, and checks audits less and less often', async () => {
		const property = fc.asyncProperty(shortListings, followShort);
		await fc.assert(property, { numRuns: isFullRun ? 800 : 60, seed: 35 });
	});

	it('checks an audit that is listed as finished a few times, and emits it once if it is ever answered', async () => {
		const property = fc.asyncProperty(listedAudits, followAudits);
		await fc.assert(property, { numRuns: isFullRun ? 800 : 20, seed: 32 });
	});

	it('passes over exactly the jobs that are known to be finished when it is activated', async () => {
		const property = fc.asyncProperty(activations, activate);
		await fc.assert(property, { numRuns: isFullRun ? 1_200 : 60, seed: 33 });
	});
});
