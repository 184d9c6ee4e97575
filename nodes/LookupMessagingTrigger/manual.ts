import type { IPollFunctions } from 'n8n-workflow';
import { toPollError, toTestError } from '../LookupMessaging/engine/errors';
import { leadAlone } from '../LookupMessaging/engine/leadAlone';
import { isFailed } from '../LookupMessaging/engine/talk';
import type { GovernedNetwork } from '../LookupMessaging/engine/governed';
import { emission, type Emission } from './emission';
import { askForJobs, newestFirst, type ListedJob } from './listing';
import type { Budget, Fate } from './looks';
import { fateOf, idIn } from './round';
import type { TriggerSettings } from './settings';

/** The test in the editor: the newest job that would have been emitted, or how far the newest one is. */

/** Audits that a test looks at, since SPEC does not say that a look is free. */
const MOST_UNPRICED_LOOKS = 5;

/**
 * Stores nothing, and looks at no more jobs than it takes.
 * @throws NodeOperationError with a sentence on the newest job when there is none to show
 */
export async function testTrigger(
	context: IPollFunctions,
	settings: TriggerSettings,
	network: GovernedNetwork,
	budget: Budget,
): Promise<Emission> {
	const { kind, listing } = settings;
	const node = context.getNode();
	const listed =
		listing &&
		(await leadAlone(
			askForJobs(listing, settings.finishedWords, kind),
			network,
			budget.timeoutMs(),
		));
	if (listed && isFailed(listed)) throw toPollError(node, listed.failure, false);

	const jobs = listed
		? newestFirst(listed)
		: [...settings.given].reverse().map((value): ListedJob => ({ id: idIn(kind, value) }));
	const told: string[] = [];
	const most = kind.isFree ? Infinity : MOST_UNPRICED_LOOKS;
	for (const job of candidatesAmong(jobs, settings).slice(0, most)) {
		if (told.length > 0 && budget.isSpent()) break;
		const fate = await fateOf(job.id, settings, network, budget);
		const items = emission(settings, job.id, fate);
		if (items) return items;
		if (fate.kind === 'problem') throw toPollError(node, fate.failure, false);
		told.push(tell(settings, job.id, fate));
	}
	throw toTestError(node, told[0] ?? nothingThere(settings, jobs));
}

/** What is worth a look: jobs that are over, and the newest of those that run. */
function candidatesAmong(jobs: ListedJob[], { firesOnFailure }: TriggerSettings): ListedJob[] {
	const over = jobs.filter(
		({ state }) =>
			state === undefined || state === 'finished' || (firesOnFailure && state === 'failed'),
	);
	const newest = jobs.find(({ state }) => state === 'running' || state === 'failed');
	return newest ? [...over, newest] : over;
}

function tell({ kind: { noun } }: TriggerSettings, id: string, fate: Fate): string {
	if (fate.kind !== 'seen') {
		return `The newest ${noun} (${id}) cannot be looked at: ${fate.failure.reason}. Check the ID, and that the API key is of the account that started it. Fire on Failure would emit it.`;
	}
	const { state, progress } = fate.look;
	return state === 'failed'
		? `The newest ${noun} (${id}) ended badly: ${progress}. Fire on Failure would emit it.`
		: `The newest ${noun} (${id}) is not finished: ${progress}. The active workflow will emit it when it is; to test what follows, finish a job first, or pin data.`;
}

function nothingThere({ kind: { noun }, listing }: TriggerSettings, jobs: ListedJob[]): string {
	if (!listing)
		return 'Job IDs holds no ID. Give the ID of a job that was started, and test again.';
	return jobs.length === 0
		? `The tool "${listing.tool}" lists no ${noun} yet. Start one, and test again.`
		: `None of the jobs that the tool "${listing.tool}" lists is finished.`;
}
