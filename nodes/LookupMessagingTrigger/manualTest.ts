import type { IPollFunctions } from 'n8n-workflow';
import type { Caller } from '../LookupMessaging/engine/client';
import { isFailed } from '../LookupMessaging/engine/operation';
import { ended } from '../LookupMessaging/engine/plan/values';
import { toPollError, operationError } from '../LookupMessaging/engine/output/errors';
import { catchFailed } from '../LookupMessaging/engine/results';
import { itemsOf, type EmittedItems } from './emittedItems';
import { askForJobs, newestFirst, type ListedJob } from './listing';
import type { Budget, CheckResult } from './jobChecks';
import { check, idIn } from './pollCycle';
import type { TriggerSettings } from './settings';

/** The manual test in the editor: it shows the newest job that would be emitted, or how far the newest job is. */

/** Most audits that a test checks, since SPEC does not say that a check is free. */
const MAX_UNPRICED_CHECKS = 5;

/**
 * Stores nothing, and checks no more jobs than necessary.
 * @throws NodeOperationError with a sentence on the newest job when there is none to show
 */
export async function runManualTest(
	context: IPollFunctions,
	settings: TriggerSettings,
	client: Caller,
	budget: Budget,
): Promise<EmittedItems> {
	const { kind, listing, finishedWords } = settings;
	const node = context.getNode();
	const options = { kind, finishedWords, isOver: budget.isReadingOver };
	const listed =
		listing && (await catchFailed(async () => await askForJobs(client, listing, options)));
	if (listed && isFailed(listed)) throw toPollError(node, listed.failure, false);

	const jobs = listed
		? newestFirst(listed.jobs)
		: [...settings.jobIds].reverse().map((value): ListedJob => ({ id: idIn(kind, value) }));
	const reasons: string[] = [];
	const most = kind.isFree ? Infinity : MAX_UNPRICED_CHECKS;
	for (const job of candidatesAmong(jobs, settings).slice(0, most)) {
		if (reasons.length > 0 && budget.isSpent()) break;
		const result = await check(job.id, settings, client);
		const items = itemsOf(settings, job.id, result);
		if (items) return items;
		if (result.kind === 'problem') throw toPollError(node, result.failure, false);
		reasons.push(whyNotShown(settings, job.id, result));
	}
	throw operationError(node, reasons[0] ?? nothingThere(settings, jobs));
}

/** The jobs to check: those that are over, and the newest one that is not emitted. */
function candidatesAmong(jobs: ListedJob[], { includesFailed }: TriggerSettings): ListedJob[] {
	const over = jobs.filter(
		({ state }) =>
			state === undefined || state === 'finished' || (includesFailed && state === 'failed'),
	);
	const newest = jobs.find(({ state }) => state === 'running' || state === 'failed');
	return newest ? [...over, newest] : over;
}

function whyNotShown({ kind: { noun } }: TriggerSettings, id: string, result: CheckResult): string {
	if (result.kind !== 'known') {
		return `The newest ${noun} (${id}) can't be checked: ${ended(result.failure.reason)} Check the ID, and check that the API key belongs to the account that started it. To start the workflow for it too, switch Include Failed Jobs on.`;
	}
	const { state, progress } = result.status;
	return state === 'failed'
		? `The newest ${noun} (${id}) failed: ${ended(progress)} To start the workflow for it too, switch Include Failed Jobs on.`
		: `The newest ${noun} (${id}) isn't finished: ${ended(progress)} The active workflow starts when it finishes. To test the next nodes, wait for a job to finish, or pin data.`;
}

function nothingThere({ kind: { noun }, listing }: TriggerSettings, jobs: ListedJob[]): string {
	if (!listing)
		return 'Job IDs has no ID. Enter the ID of a job that was started, then test again.';
	const lists = listing.tool === undefined ? 'The account has' : `The tool "${listing.tool}" lists`;
	return jobs.length === 0
		? `${lists} no ${noun} yet. Start one, then test again.`
		: `${lists} no finished ${noun}.`;
}
