import type { Caller } from '../LookupMessaging/engine/client';
import { catchFailed, type Failed, type Failure } from '../LookupMessaging/engine/results';
import { isFailed, isLocalAnswer, localFailure } from '../LookupMessaging/engine/operation';
import { describePollFailure } from '../LookupMessaging/engine/output/errors';
import { ended, isObject, quote } from '../LookupMessaging/engine/plan/values';
import {
	afterObservation,
	fingerprint,
	knownTest,
	openTest,
	startingAtNext,
	waitedPolls,
	withoutPassed,
	withWaits,
	type Checkpoint,
} from './checkpoint';
import { itemsOf, type EmittedItems } from './emittedItems';
import { checkAll, checkJob, type Budget, type CheckResult } from './jobChecks';
import { nameOf, type JobKind } from './jobKinds';
import { askForJobs, type ListedJob, type ListedJobs } from './listing';
import type { TriggerSettings } from './settings';
import {
	goesOnWaiting,
	hasWaited,
	isDue,
	isRare,
	waitAfter,
	waitAllowed,
	wasReached,
	type CheckedJob,
} from './waits';

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

	const { pageFailure } = found;
	const { before, isPassed, marksAll } = comparedTo(checkpoint, settings);
	// Finished jobs that were not read would start the workflow as new ones at the next poll
	if (pageFailure && marksAll) return { items: [], checkpoint, failure: pageFailure };
	const jobs = [...notListed(before.running, found), ...found.jobs];
	const name = ({ id }: { id: string }) => nameOf(settings.kind, id);
	const isKnown = knownTest(before);
	const open = jobs.filter((job) => !isKnown(name(job)));
	const [passed, candidates] = split(open, settings, isPassed);

	const polls = waitedPolls(before);
	const waitedBy = (job: ListedJob) => polls(name(job));
	const due = candidates.filter((job) => isDue(waitedBy(job)));
	const order = startingAtNext(due, name, before);
	const checked = await checkJobs(order, settings, client, budget, waitedBy);
	const { [checked.length]: nextJob } = order;
	const next = nextJob === undefined ? '' : fingerprint(name(nextJob));
	const met = new Map(checked.filter(wasReached).map((job) => [job.id, job]));
	const waits = candidates.map((job): [string, number] => [
		name(job),
		waitAfter(waitedBy(job), met.get(job.id)),
	]);

	const failure = whyNothing(checked, settings, open.length === jobs.length);
	if (failure) {
		const running = notOver(open, passed, settings);
		return { items: [], checkpoint: { ...withWaits(checkpoint, waits), next, running }, failure };
	}
	const isLate = (job: CheckedJob) => !isPassed(job) && goesOnWaiting(job);
	const emitted = checked.filter((job) => job.items && !isPassed(job) && !isLate(job));
	const over = checked.filter((job) => !emitted.includes(job) && !isLate(job) && isOver(job));
	const gone = checked.filter(isGone);
	const running = notOver(open, [...passed, ...over, ...emitted, ...gone], settings);
	const after = afterObservation(before, {
		present: jobs.map(name),
		emitted: emitted.map(name),
		passed: [...passed, ...over].map(name),
		open: candidates.filter((job) => isPassed(job) && !met.has(job.id)).map(name),
	});
	return {
		items: emitted.flatMap(({ items = [] }) => items),
		checkpoint: { ...withWaits(after, waits), scope: settings.scope, next, running },
		warning: warningOf(checked, open, settings, [
			found.warning,
			aboutIncomplete(emitted, settings.kind),
		]),
	};
}

/**
 * The jobs that were running, and are not listed any more: a listing may have only the newest, or those that run. After a page that
 * failed they wait.
 */
function notListed(running: string[], { jobs, pageFailure }: ListedJobs): ListedJob[] {
	const listed = new Set(jobs.map(({ id }) => id));
	const state = pageFailure ? 'running' : undefined;
	return running.filter((id) => !listed.has(id)).map((id) => ({ id, state, hasLeft: true }));
}

/** The IDs to remember of a listing: those of jobs that may start the workflow later. */
function notOver(open: ListedJob[], over: Array<{ id: string }>, { listing }: TriggerSettings) {
	const ids = new Set(over.map(({ id }) => id));
	const isWatched = ({ id, state }: ListedJob) => state !== 'failed' && !ids.has(id);
	return listing ? open.filter(isWatched).map(({ id }) => id) : [];
}

/** The data to compare with. The first poll of a listing skips the jobs that are finished already. */
function comparedTo(
	checkpoint: Checkpoint,
	{ scope, kind, listing, includesFinished }: TriggerSettings,
): { before: Checkpoint; isPassed: IsPassed; marksAll: boolean } {
	const isFirstPoll = checkpoint.scope !== scope;
	const leavesFinished = listing !== undefined && !includesFinished;
	const marksAll = isFirstPoll && leavesFinished;
	const known = isFirstPoll ? { ...checkpoint, running: [] } : checkpoint;
	const before = isFirstPoll && !leavesFinished ? withoutPassed(known) : known;
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

async function checkJobs(
	jobs: ListedJob[],
	settings: TriggerSettings,
	client: Caller,
	budget: Budget,
	waitedBy: (job: ListedJob) => number,
): Promise<CheckedJob[]> {
	let items = 0;
	const checkOne = async (job: ListedJob): Promise<CheckedJob> =>
		withItems(settings, job, await check(job.id, settings, client), waitedBy(job));
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
		? { kind: 'unknown', failure: localFailure({ ...read, local: 'parameter' }) }
		: await checkJob(settings.kind, read, settings, client);
}

/** A body that cannot be returned must not stop the items of the other jobs. */
function withItems(
	settings: TriggerSettings,
	job: ListedJob,
	result: CheckResult,
	waited: number,
): CheckedJob {
	const { id } = job;
	const checked = { id, result, waited, mayWait: waitAllowed(job, result, settings) };
	try {
		return { ...checked, items: itemsOf(settings, id, result, hasWaited(checked)) };
	} catch {
		const reason = `the service's answer about ${id} can't be read`;
		const failure: Failure = { cause: 'lost', reason, scope: 'question' };
		return withItems(settings, job, { kind: 'problem', failure }, waited);
	}
}

/** A warning about jobs that are returned without their end or all of their results. */
function aboutIncomplete(emitted: CheckedJob[], { noun }: JobKind): string {
	const sentences = emitted.flatMap(({ id, result }) => {
		if (result.kind !== 'known') return [];
		const { state, missing = 0, progress } = result.status;
		if (state === 'running') {
			return [
				`The ${noun} ${id} is listed as finished, and it started the workflow as it is: ${ended(progress)} If it changes later, Get returns it.`,
			];
		}
		return missing > 0
			? [
					`The ${noun} ${id} is finished, and ${missing} of its results are missing. If they come later, Get returns them.`,
				]
			: [];
	});
	return someOf(sentences);
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
	const problems = checked.flatMap((job) =>
		job.result.kind === 'problem' && !isRare(job) ? [job.result.failure] : [],
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
		aboutChecks(checked, kind),
		aboutStatuses(checked, kind),
		aboutWords(open, kind),
	].filter((text) => text);
	return warnings.length === 0 ? undefined : warnings.join(' ');
}

function aboutChecks(checked: CheckedJob[], { noun }: JobKind): string {
	const failed = checked.flatMap((job) =>
		job.result.kind === 'known' || job.items ? [] : [{ ...job, failure: job.result.failure }],
	);
	if (failed.length === 0) return '';
	const rare = failed
		.filter(isRare)
		.map(
			({ id }) =>
				`The trigger checks the ${noun} ${id} less and less often. Get returns it as soon as the service does.`,
		);
	const gone = failed
		.filter(isGone)
		.map(
			({ id }) =>
				`The ${noun} ${id} has left the listing and isn't found, so the trigger no longer checks it.`,
		);
	const [first] = failed;
	const goesOn = !isRare(first) && !isGone(first);
	// A job that this key can't read stays unknown
	const isRead = first.result.kind === 'problem';
	const sentences = [
		`${failed.length} of ${checked.length} jobs couldn't be checked.`,
		describePollFailure(first.failure, goesOn && isRead),
		goesOn && !isRead ? 'The next poll tries again.' : '',
		...[someOf(rare), someOf(gone)],
	];
	return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Whether a job that is in no listing was not found as often as it is checked. */
function isGone(job: CheckedJob): boolean {
	return job.result.kind === 'unknown' && hasWaited(job);
}

/** Jobs without items that the user should know about. */
function aboutStatuses(checked: CheckedJob[], { noun }: JobKind): string {
	const odd = checked.flatMap(({ id, result, items }) =>
		result.kind === 'known' && result.status.odd !== undefined && !items
			? [`The ${noun} ${id}: ${ended(result.status.odd)}`]
			: [],
	);
	return someOf(odd);
}

/** The first of many sentences of the same kind. */
function someOf(sentences: string[]): string {
	const rest =
		sentences.length > MAX_NAMED
			? [`The same is true of ${sentences.length - MAX_NAMED} more.`]
			: [];
	return [...sentences.slice(0, MAX_NAMED), ...rest].join(' ');
}

/** Maximum number of jobs in a warning. */
const MAX_NAMED = 10;

function aboutWords(open: ListedJob[], { noun }: JobKind): string {
	const unknown = open.filter(({ isUnknownWord }) => isUnknownWord);
	const words = [...new Set(unknown.map(({ word = '' }) => quote(word)))];
	return words.length === 0
		? ''
		: `The listing has ${unknown.length} ${noun}(s) with an unknown status (${words.join(', ')}). The trigger treats it as running. If it means finished, add it to Finished When. Jobs that have it by then start the workflow only with Include Already Finished on.`;
}
