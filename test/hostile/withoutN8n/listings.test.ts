import fc from 'fast-check';
import { runPollCycle } from '../../../nodes/LookupMessagingTrigger/pollCycle';
import { JOB_KINDS } from '../../../nodes/LookupMessagingTrigger/jobKinds';
import { openBudget } from '../../../nodes/LookupMessagingTrigger/jobChecks';
import { readCheckpoint } from '../../../nodes/LookupMessagingTrigger/checkpoint';
import type { TriggerSettings } from '../../../nodes/LookupMessagingTrigger/settings';
import {
	answering,
	canBeRead,
	idOf,
	listingServers,
	saysSo,
	type ListingServer,
} from '../../models/listings/pagedServer';
import { FakeClient } from '../../unit/fakes/fakeClient';
import { isFullRun, reportCounts } from '../fullRun';

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

const counts = { listings: 0, jobs: 0, missed: 0, 'cut without a word': 0 };

async function tryOut(server: ListingServer, tool: string | undefined) {
	const { sendTo } = answering(server);
	const cycle = await runPollCycle(
		readCheckpoint({}),
		settingsFor(tool),
		new FakeClient(sendTo),
		openBudget(),
	);
	expect(cycle.failure).toBeUndefined();
	const emitted = cycle.items.map(({ json }) => String(json.batchId)).sort();
	const expected = finishedIn(server);
	counts.listings += 1;
	counts.jobs += expected.length;
	const isFinished = (id: string) =>
		server.finished.some((finished, batch) => finished && idOf(server, batch) === id);
	expect(emitted.filter((id) => !isFinished(id))).toEqual([]);
	expect(new Set(emitted).size).toBe(emitted.length);
	if (canBeRead(server)) {
		const missed = expected.filter((id) => !emitted.includes(id));
		counts.missed += missed.length;
		expect(missed).toEqual([]);
		return;
	}
	const isCut = expected.some((id) => !emitted.includes(id));
	const isSilent = isCut && saysSo(server) && cycle.warning === undefined;
	if (isSilent) counts['cut without a word'] += 1;
	expect(isSilent).toBe(false);
}

describe('the trigger and a listing in pages', () => {
	it.each([undefined, 'list_batches'])(
		'emits every finished job of all pages once, or says that pages are missing (tool %s)',
		async (tool) => {
			const property = fc.asyncProperty(listingServers, async (server) => {
				await tryOut(server, tool);
			});
			await fc.assert(property, { numRuns: isFullRun ? 1_500 : 300, seed: 31 });
		},
	);

	afterAll(() => reportCounts({ part: 'Listings in pages', counts }));
});
