import { describeFailure } from '../LookupMessaging/engine/errors';
import type { Failure } from '../LookupMessaging/engine/failure';
import { leadAlone } from '../LookupMessaging/engine/leadAlone';
import { isLocalAnswer } from '../LookupMessaging/engine/operation';
import { isFailed } from '../LookupMessaging/engine/talk';
import type { GovernedNetwork } from '../LookupMessaging/engine/governed';
import { isObject } from '../LookupMessaging/engine/parse';
import { quote } from '../LookupMessaging/operations/shared/text';
import { emission, type Emission } from './emission';
import { badIdFailure, nameOf, type JobKind } from './jobKinds';
import { askForJobs, type ListedJob } from './listing';
import { lookAtAll, lookAtJob, type Budget, type Fate } from './looks';
import {
	afterLook,
	fingerprint,
	fromNext,
	openRecallerOf,
	recallerOf,
	withoutPassed,
	type Seen,
} from './seen';
import type { TriggerSettings } from './settings';

/** One round of the trigger: what is there, what is new, what it has come to. It changes nothing; poll.ts stores and emits. */

/** Items after which no further job is looked at: the rest comes with the next round. */
const ENOUGH_ITEMS = 10_000;

/** What a round came to. */
export interface Round {
	items: Emission;
	/** What is to be remembered, together with the emission of the items. */
	seen: Seen;
	/** What went wrong on the way, as a sentence. */
	warning?: string;
	/** Set where nothing was learned; then there are no items. */
	failure?: Failure;
}

/** A job of which nothing is known yet, and what a look at it came to. */
interface Told {
	id: string;
	fate: Fate;
	items?: Emission;
}

/** Whether a job that turns out to be over was so at the first look, and is not to be emitted. */
type Takes = (job: { id: string }) => boolean;

/** @param seen what earlier rounds remembered */
export async function goRound(
	seen: Seen,
	settings: TriggerSettings,
	network: GovernedNetwork,
	budget: Budget,
): Promise<Round> {
	const jobs = await jobsOf(settings, network, budget);
	if (isFailed(jobs)) return { items: [], seen, failure: jobs.failure };

	const { scope, kind, listing } = settings;
	const isFirstLook = seen.scope !== scope;
	const leavesFinished = listing !== undefined && !settings.includesFinished;
	const before = isFirstLook && !leavesFinished ? withoutPassed(seen) : seen;
	const takesAll = isFirstLook && leavesFinished;
	const name = ({ id }: { id: string }) => nameOf(kind, id);
	const recalls = recallerOf(before);
	const isOpen = openRecallerOf(before);
	const takesAsSeen: Takes = (job) => takesAll || isOpen(name(job));
	const open = jobs.filter((job) => !recalls(name(job)));
	const [passed, candidates] = split(open, settings, takesAsSeen);

	const order = fromNext(candidates, name, before);
	const told = await lookAtThem(order, settings, network, budget);
	const { [told.length]: nextJob } = order;
	const next = nextJob === undefined ? '' : fingerprint(name(nextJob));

	const failure = whyNothing(told, settings, open.length === jobs.length);
	if (failure) return { items: [], seen: { ...seen, next }, failure };
	const shown = told.filter(({ items }) => items !== undefined);
	const emitted = shown.filter((one) => !takesAsSeen(one));
	const over = told.filter((one) => !emitted.includes(one) && isOver(one));
	const after = afterLook(before, {
		present: jobs.map(name),
		emitted: emitted.map(name),
		passed: [...passed, ...over].map(name),
		open: untold(order, told).filter(takesAsSeen).map(name),
	});
	return {
		items: emitted.flatMap(({ items = [] }) => items),
		seen: { ...after, scope, next },
		warning: warningOf(told, open, settings),
	};
}

/** The jobs to watch, each once: those of the listing, or those that the user names. */
async function jobsOf(
	{ kind, listing, given, finishedWords }: TriggerSettings,
	network: GovernedNetwork,
	budget: Budget,
) {
	if (listing) {
		const talk = askForJobs(listing, finishedWords, kind);
		return await leadAlone(talk, network, budget.timeoutMs());
	}
	return [...new Set(given.map((value) => idIn(kind, value)))].map((id): ListedJob => ({ id }));
}

/** The ID, which may be in an item of Submit or Run, or what was given instead of one. */
export function idIn({ readId, idField }: JobKind, value: unknown): string {
	const given = isObject(value) && idField in value ? value[idField] : value;
	const id = readId(given);
	if (!isLocalAnswer(id)) return id;
	return typeof given === 'string' ? given : (JSON.stringify(given) ?? '');
}

/**
 * The jobs that were over at the first look, and those to look at. Of running ones the next listing tells, and of failed ones
 * too: they may be taken up again, or Fire on Failure be switched on.
 */
function split(
	open: ListedJob[],
	{ firesOnFailure }: TriggerSettings,
	takesAsSeen: Takes,
): [passed: ListedJob[], candidates: ListedJob[]] {
	const isOver = ({ state }: ListedJob) => state === 'failed' || state === 'finished';
	const isPassed = (job: ListedJob) => isOver(job) && takesAsSeen(job);
	const waits = ({ state }: ListedJob) =>
		state === 'running' || (state === 'failed' && !firesOnFailure);
	return [open.filter(isPassed), open.filter((job) => !waits(job) && !isPassed(job))];
}

/** The jobs of which nothing was learned: their turn did not come, or their look went wrong. */
function untold(order: ListedJob[], told: Told[]): ListedJob[] {
	return order.filter((_, index) => !told[index] || told[index].fate.kind === 'problem');
}

async function lookAtThem(
	jobs: ListedJob[],
	settings: TriggerSettings,
	network: GovernedNetwork,
	budget: Budget,
): Promise<Told[]> {
	let items = 0;
	const tellOf = async ({ id }: ListedJob): Promise<Told> => {
		const fate = await fateOf(id, settings, network, budget);
		return shaped(settings, id, fate);
	};
	return await lookAtAll(jobs, tellOf, {
		isSpent: budget.isSpent,
		isEnough: (told) => (items += told.items?.length ?? 0) >= ENOUGH_ITEMS,
	});
}

/** What one job has come to; what cannot be an ID is not asked about. */
export async function fateOf(
	id: string,
	settings: TriggerSettings,
	network: GovernedNetwork,
	budget: Budget,
): Promise<Fate> {
	const read = settings.kind.readId(id);
	return isLocalAnswer(read)
		? { kind: 'unknown', failure: badIdFailure(read) }
		: await lookAtJob(settings.kind, read, settings, network, budget.timeoutMs());
}

/** A body that makes no output must not keep the others from coming out. */
function shaped(settings: TriggerSettings, id: string, fate: Fate): Told {
	try {
		return { id, fate, items: emission(settings, id, fate) };
	} catch {
		const reason = `what the service answered of ${id} could not be made sense of`;
		return { id, fate: { kind: 'problem', failure: { cause: 'lost', reason, scope: 'question' } } };
	}
}

function isOver({ fate, items }: Told): boolean {
	return items !== undefined || (fate.kind === 'seen' && fate.look.state !== 'running');
}

/**
 * Why the round failed, if it did: nothing was emitted, and there is a problem that every look would meet, or no look told
 * anything. Where all IDs are unknown and none ever was known, the key may be that of another account.
 */
function whyNothing(
	told: Told[],
	{ kind, listing }: TriggerSettings,
	isAllNew: boolean,
): Failure | undefined {
	if (told.some(({ items }) => items !== undefined)) return undefined;
	const problems = told.flatMap(({ fate }) => (fate.kind === 'problem' ? [fate.failure] : []));
	const ofAll = problems.find(({ scope }) => scope === 'account');
	if (ofAll || told.some(({ fate }) => fate.kind === 'seen')) return ofAll;
	if (problems.length > 0) return problems[0];
	const first = told.find(({ id }) => !isLocalAnswer(kind.readId(id))) ?? told[0];
	if (listing || !isAllNew || first?.fate.kind !== 'unknown') return undefined;
	const { failure } = first.fate;
	if (isLocalAnswer(kind.readId(first.id))) return failure;
	const reason = `the service knows none of the Job IDs under this API key: ${failure.reason}`;
	return { ...failure, reason };
}

function warningOf(
	told: Told[],
	open: ListedJob[],
	{ kind, listing, given }: TriggerSettings,
): string | undefined {
	const nothing = listing || given.length > 0 ? '' : 'Job IDs holds no ID: nothing is watched.';
	const warnings = [nothing, aboutLooks(told), aboutWords(open, kind)].filter(
		(text) => text !== '',
	);
	return warnings.length === 0 ? undefined : warnings.join(' ');
}

function aboutLooks(told: Told[]): string {
	const open = told.flatMap(({ fate, items }) =>
		fate.kind === 'seen' || items ? [] : [fate.failure],
	);
	return open.length === 0
		? ''
		: `${open.length} of ${told.length} jobs could not be looked at. ${describeFailure(open[0])}`;
}

function aboutWords(open: ListedJob[], { noun }: JobKind): string {
	const unknown = open.filter(({ isUnknownWord }) => isUnknownWord);
	const words = [...new Set(unknown.map(({ word = '' }) => quote(word)))];
	return words.length === 0
		? ''
		: `The listing has ${unknown.length} ${noun}(s) with a status that is not known (${words.join(', ')}), taken to be running. If it means finished, add it to Finished When.`;
}
