import type { Caller } from '../LookupMessaging/engine/client';
import { catchFailed, type Failed, type Failure } from '../LookupMessaging/engine/results';
import { isFailed, isLocalAnswer } from '../LookupMessaging/engine/operation';
import { describePollFailure } from '../LookupMessaging/engine/output/errors';
import { isObject, quote } from '../LookupMessaging/engine/plan/values';
import {
	afterObservation,
	fingerprint,
	knownTest,
	latePolls,
	MAX_LATE_POLLS,
	openTest,
	startingAtNext,
	withoutPassed,
	type Checkpoint,
} from './checkpoint';
import { itemsOf, type EmittedItems } from './emittedItems';
import { checkAll, checkJob, type Budget, type CheckResult } from './jobChecks';
import { badIdFailure, nameOf, type JobKind } from './jobKinds';
import { askForJobs, type ListedJob, type ListedJobs } from './listing';
import type { TriggerSettings } from './settings';

/**
 * One poll cycle of the trigger: it finds the jobs, checks the new ones and returns the items and the next checkpoint. It has
 * no side effects; poll.ts stores and emits.
 */

/** With this many items, no further job is checked in the same cycle. */
const ENOUGH_ITEMS = 10_000;

interface CycleResult {
	items: EmittedItems;
	/** To be stored together with the emission of the items. */
	checkpoint: Checkpoint;
	/** Problems that did not end the cycle, in sentences. */
	warning?: string;
	/** Why the cycle failed; then there are no items. */
	failure?: Failure;
}

/** A new job and the result of its check. */
interface CheckedJob {
	id: string;
	result: CheckResult;
	items?: EmittedItems;
}

/** Whether a job that is over now was already over at the first poll of the listing, and is not emitted. */
type IsPassed = (job: { id: string }) => boolean;

/** @param checkpoint data of earlier cycles */
export async function runPollCycle(
	checkpoint: Checkpoint,
	settings: TriggerSettings,
	client: Caller,
	budget: Budget,
): Promise<CycleResult> {
	const found = await catchFailed(async () => await jobsOf(settings, client, budget));
	if (isFailed(found)) return { items: [], checkpoint, failure: found.failure };

	const { jobs, pageFailure } = found;
	const { before, isPassed, marksAll } = comparedTo(checkpoint, settings);
	// Finished jobs of the pages that failed would start the workflow as new ones at the next poll
	if (pageFailure && marksAll) return { items: [], checkpoint, failure: pageFailure };
	const name = ({ id }: { id: string }) => nameOf(settings.kind, id);
	const isKnown = knownTest(before);
	const open = jobs.filter((job) => !isKnown(name(job)));
	const [passed, candidates] = split(open, settings, isPassed);

	const order = startingAtNext(candidates, name, before);
	const checked = await checkJobs(order, settings, client, budget);
	const { [checked.length]: nextJob } = order;
	const next = nextJob === undefined ? '' : fingerprint(name(nextJob));

	const failure = whyNothing(checked, settings, open.length === jobs.length);
	if (failure) return { items: [], checkpoint: { ...checkpoint, next }, failure };
	const pollsOf = latePolls(before);
	const isLate = (job: CheckedJob) => !isPassed(job) && pollsOf(name(job)) < latePollsFor(job);
	const late = new Set(checked.filter(isLate));
	const emitted = checked.filter((job) => job.items && !isPassed(job) && !late.has(job));
	const over = checked.filter((job) => !emitted.includes(job) && !late.has(job) && isOver(job));
	const after = afterObservation(before, {
		present: jobs.map(name),
		emitted: emitted.map(name),
		passed: [...passed, ...over].map(name),
		open: unchecked(order, checked).filter(isPassed).map(name),
		late: [...late].map((job) => [name(job), pollsOf(name(job)) + 1]),
	});
	return {
		items: emitted.flatMap(({ items = [] }) => items),
		checkpoint: { ...after, scope: settings.scope, next },
		warning: warningOf(checked, open, settings, [
			found.warning,
			aboutMissing(emitted, settings.kind),
		]),
	};
}

/** The data to compare with. The first poll of a listing skips the jobs that are finished already. */
function comparedTo(
	checkpoint: Checkpoint,
	{ scope, kind, listing, includesFinished }: TriggerSettings,
): { before: Checkpoint; isPassed: IsPassed; marksAll: boolean } {
	const isFirstPoll = checkpoint.scope !== scope;
	const leavesFinished = listing !== undefined && !includesFinished;
	const marksAll = isFirstPoll && leavesFinished;
	const before = isFirstPoll && !leavesFinished ? withoutPassed(checkpoint) : checkpoint;
	const isOpen = openTest(before);
	const isPassed: IsPassed = ({ id }) => marksAll || isOpen(nameOf(kind, id));
	return { before, isPassed, marksAll };
}

/** The jobs to watch, each once: those of the listing, or those of the user. */
async function jobsOf(
	{ kind, listing, jobIds, finishedWords }: TriggerSettings,
	client: Caller,
	{ isReadingOver }: Budget,
): Promise<Failed | ListedJobs> {
	if (listing) {
		return await askForJobs(client, listing, { kind, finishedWords, isOver: isReadingOver });
	}
	const ids = [...new Set(jobIds.map((value) => idIn(kind, value)))];
	return { jobs: ids.map((id): ListedJob => ({ id })) };
}

/** The ID, which may be in an item of Submit or Run. A value that is no ID is returned as text. */
export function idIn({ readId, idField }: JobKind, value: unknown): string {
	const written = isObject(value) && idField in value ? value[idField] : value;
	const id = readId(written);
	if (!isLocalAnswer(id)) return id;
	return typeof written === 'string' ? written : (JSON.stringify(written) ?? '');
}

/**
 * The jobs that were over at the first poll, and those to check. Running jobs wait for the next listing. So do failed ones:
 * they may be started again, or the user may switch on Include Failed Jobs.
 */
function split(
	open: ListedJob[],
	{ includesFailed }: TriggerSettings,
	isPassed: IsPassed,
): [passed: ListedJob[], candidates: ListedJob[]] {
	const isListedOver = ({ state }: ListedJob) => state === 'failed' || state === 'finished';
	const wasOver = (job: ListedJob) => isListedOver(job) && isPassed(job);
	const waits = ({ state }: ListedJob) =>
		state === 'running' || (state === 'failed' && !includesFailed);
	return [open.filter(wasOver), open.filter((job) => !waits(job) && !wasOver(job))];
}

/** The jobs whose state is still unknown: the cycle did not reach them, or their check failed. */
function unchecked(order: ListedJob[], checked: CheckedJob[]): ListedJob[] {
	return order.filter((_, index) => !checked[index] || checked[index].result.kind === 'problem');
}

async function checkJobs(
	jobs: ListedJob[],
	settings: TriggerSettings,
	client: Caller,
	budget: Budget,
): Promise<CheckedJob[]> {
	let items = 0;
	const checkOne = async ({ id }: ListedJob): Promise<CheckedJob> =>
		withItems(settings, id, await check(id, settings, client));
	return await checkAll(jobs, checkOne, {
		isSpent: budget.isSpent,
		isEnough: (job) => (items += job.items?.length ?? 0) >= ENOUGH_ITEMS,
	});
}

/** Checks one job. Nothing is sent for a value that cannot be an ID. */
export async function check(
	id: string,
	settings: TriggerSettings,
	client: Caller,
): Promise<CheckResult> {
	const read = settings.kind.readId(id);
	return isLocalAnswer(read)
		? { kind: 'unknown', failure: badIdFailure(read) }
		: await checkJob(settings.kind, read, settings, client);
}

/** A body that cannot be returned must not stop the items of the other jobs. */
function withItems(settings: TriggerSettings, id: string, result: CheckResult): CheckedJob {
	try {
		return { id, result, items: itemsOf(settings, id, result) };
	} catch {
		const reason = `the service's answer about ${id} can't be read`;
		const failure: Failure = { cause: 'lost', reason, scope: 'question' };
		return { id, result: { kind: 'problem', failure } };
	}
}

/** Results that a finished job lacks. */
function missingOf({ result, items }: CheckedJob): number {
	return items && result.kind === 'known' ? (result.status.missing ?? 0) : 0;
}

/** How many more checks a finished job gets before it is emitted. A check of an audit may cost something. */
function latePollsFor(job: CheckedJob): number {
	if (missingOf(job) > 0) return MAX_LATE_POLLS;
	return job.items && job.result.kind === 'known' && job.result.status.isBare ? 1 : 0;
}

/** A warning about jobs that are returned without all of their results. */
function aboutMissing(emitted: CheckedJob[], { noun }: JobKind): string {
	const lacking = emitted.filter((job) => missingOf(job) > 0);
	return lacking
		.map(
			(job) =>
				`The ${noun} ${job.id} is finished, and ${missingOf(job)} of its results are missing. If they come later, Get returns them.`,
		)
		.join(' ');
}

function isOver({ result, items }: CheckedJob): boolean {
	return items !== undefined || (result.kind === 'known' && result.status.state !== 'running');
}

/**
 * Why the cycle failed, if it did: nothing is emitted, and there is a problem of every check, or all checks failed. If all Job
 * IDs are unknown and none was ever known, the key may be that of another account.
 */
function whyNothing(
	checked: CheckedJob[],
	{ kind, listing }: TriggerSettings,
	isAllNew: boolean,
): Failure | undefined {
	if (checked.some(({ items }) => items !== undefined)) return undefined;
	const problems = checked.flatMap(({ result }) =>
		result.kind === 'problem' ? [result.failure] : [],
	);
	const ofAll = problems.find(({ scope }) => scope === 'account');
	if (ofAll || checked.some(({ result }) => result.kind === 'known')) return ofAll;
	if (problems.length > 0) return problems[0];
	const first = checked.find(({ id }) => !isLocalAnswer(kind.readId(id))) ?? checked[0];
	if (listing || !isAllNew || first?.result.kind !== 'unknown') return undefined;
	const { failure } = first.result;
	if (isLocalAnswer(kind.readId(first.id))) return failure;
	const reason = `the service knows none of the Job IDs under this API key: ${failure.reason}`;
	return { ...failure, reason };
}

function warningOf(
	checked: CheckedJob[],
	open: ListedJob[],
	{ kind, listing, jobIds }: TriggerSettings,
	others: Array<string | undefined>,
): string | undefined {
	const nothing = listing || jobIds.length > 0 ? '' : 'Job IDs has no ID, so nothing is watched.';
	const warnings = [
		nothing,
		...others,
		aboutChecks(checked),
		aboutStatuses(checked, kind),
		aboutWords(open, kind),
	].filter((text) => text);
	return warnings.length === 0 ? undefined : warnings.join(' ');
}

function aboutChecks(checked: CheckedJob[]): string {
	const failed = checked.flatMap(({ result, items }) =>
		result.kind === 'known' || items ? [] : [result.failure],
	);
	return failed.length === 0
		? ''
		: `${failed.length} of ${checked.length} jobs couldn't be checked. ${describePollFailure(failed[0], true)}`;
}

/** Jobs without items that the user should know about. */
function aboutStatuses(checked: CheckedJob[], { noun }: JobKind): string {
	const odd = checked.flatMap(({ id, result, items }) =>
		result.kind === 'known' && result.status.odd !== undefined && !items
			? [`The ${noun} ${id}: ${result.status.odd}.`]
			: [],
	);
	const rest =
		odd.length > MAX_NAMED ? [`The same is true of ${odd.length - MAX_NAMED} more.`] : [];
	return [...odd.slice(0, MAX_NAMED), ...rest].join(' ');
}

/** Maximum number of jobs in a warning. */
const MAX_NAMED = 10;

function aboutWords(open: ListedJob[], { noun }: JobKind): string {
	const unknown = open.filter(({ isUnknownWord }) => isUnknownWord);
	const words = [...new Set(unknown.map(({ word = '' }) => quote(word)))];
	return words.length === 0
		? ''
		: `The listing has ${unknown.length} ${noun}(s) with an unknown status (${words.join(', ')}). The trigger treats it as running. If it means finished, add it to Finished When.`;
}
