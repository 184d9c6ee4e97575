import type { GenericValue, IDataObject } from 'n8n-workflow';
import type { Failure } from '../LookupMessaging/engine/failure';
import { parameterFailure } from '../LookupMessaging/engine/failure';
import { isFailed, type Failed, type Talk } from '../LookupMessaging/engine/talk';
import { callTool } from '../LookupMessaging/engine/toolServer';
import { isUnknown, stateOfWord } from '../LookupMessaging/operations/audit/state';
import { isObject } from '../LookupMessaging/engine/parse';
import { quote } from '../LookupMessaging/operations/shared/text';
import { judgeWords } from '../LookupMessaging/operations/toolServer/judgeWords';
import { readToolResult } from '../LookupMessaging/operations/toolServer/toolResult';
import type { JobKind, JobState } from './jobKinds';

/** Jobs as a tool of the tool server lists them. SPEC §4.3 says that listings cost nothing, and shows none of them. */

/** Which tool lists the jobs, and where an entry has what. */
export interface Listing {
	tool: string;
	args: IDataObject;
	idField: string;
	statusField: string;
}

/** A job as listed. */
export interface ListedJob {
	id: string;
	/** Undefined where the status word does not tell, and a look at the job has to. */
	state?: JobState;
	/** The status word. */
	word?: string;
	/** Whether the word is one that is not known, and the job taken to be running, since a look may cost. */
	isUnknownWord?: boolean;
	/** When it was made, in milliseconds, where the entry says so. */
	at?: number;
}

/** More jobs than a listing can sensibly have; each that is over has to be remembered. */
export const MOST_LISTED = 10_000;
/** How deep the list may be in the answer. */
const DEEPEST = 3;
/** What a listing calls the time of a job. */
const TIME_FIELDS = ['created_at', 'createdAt', 'submitted_at', 'started_at', 'created', 'date'];

/** The entries of a listing, as they come. */
export function* askForEntries({
	tool,
	args,
}: Pick<Listing, 'args' | 'tool'>): Talk<Failed | IDataObject[]> {
	const answer = yield* callTool(
		tool,
		args,
		{ read: (result) => readToolResult(result, { tool, splits: false }) },
		judgeWords,
	);
	if (isFailed(answer)) return answer;
	const { result, text } = answer.record;
	const entries = listIn(result);
	if (entries) return entries;
	const says = typeof text === 'string' && text !== '' ? `: it says ${quote(text)}` : '';
	return { failure: parameterFailure(`the tool ${quote(tool)} gave no list of jobs${says}`) };
}

/** The jobs of a listing, in its order, each once. */
export function* askForJobs(
	listing: Listing,
	finishedWords: string[],
	kind: JobKind,
): Talk<Failed | ListedJob[]> {
	const entries = yield* askForEntries(listing);
	if (isFailed(entries)) return entries;
	const failure = problemWith(entries, listing, kind);
	if (failure) return { failure };
	const jobs = entries.flatMap((entry) => jobOf(entry, listing, finishedWords, kind));
	return [...new Map([...jobs].reverse().map((job) => [job.id, job])).values()].reverse();
}

/** The newest first, where the listing has times; else in its own order. */
export function newestFirst(jobs: ListedJob[]): ListedJob[] {
	if (!jobs.every(({ at }) => at !== undefined)) return jobs;
	return [...jobs].sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
}

/** The names that entries have, for the editor to choose from. */
export function fieldsOf(entries: IDataObject[]): string[] {
	return [...new Set(entries.flatMap((entry) => Object.keys(entry)))];
}

/** The list in an answer: itself, or the first list of objects within; an empty one or null where there is no other. */
function listIn(value: GenericValue, depth = 0): IDataObject[] | undefined {
	if (Array.isArray(value)) {
		return value.length === 0 || value.some(isObject) ? value.filter(isObject) : undefined;
	}
	if (!isObject(value) || depth > DEEPEST) return undefined;
	const lists = Object.values(value).map((member) => listIn(member, depth + 1));
	const isEmpty = Object.values(value).some((member) => member === null);
	return (
		lists.find((list) => list?.length) ?? lists.find((list) => list) ?? (isEmpty ? [] : undefined)
	);
}

/** What keeps a listing from being followed, where that is for sure. */
function problemWith(
	entries: IDataObject[],
	{ tool, idField, statusField }: Listing,
	{ noun }: JobKind,
): Failure | undefined {
	if (entries.length > MOST_LISTED) {
		return parameterFailure(
			`the tool ${quote(tool)} lists ${entries.length} jobs, and the trigger follows ${MOST_LISTED} at most; have it list fewer, by Tool Arguments such as {"limit": 100}`,
		);
	}
	for (const [name, field] of [
		['ID Field', idField],
		['Status Field', statusField],
	]) {
		// Finished audits may have none, and be all that is listed; where there is another, a look at each would tell, and may cost
		const mayBeNone = noun === 'audit' && !entries.some(hasStatus);
		if (field === statusField && mayBeNone) continue;
		const isMissing = entries.length > 0 && entries.every((entry) => !isScalar(entry[field]));
		if (!isMissing) continue;
		const names = fieldsOf(entries).map(quote).join(', ');
		return parameterFailure(
			`${name}: no entry of the tool ${quote(tool)} has the field ${quote(field)}; the fields are ${names}`,
		);
	}
	return undefined;
}

/** Whether an entry says how far its job is, in a field of a usual name. */
function hasStatus(entry: IDataObject): boolean {
	return ['status', 'state', 'audit_status'].some((name) => isScalar(entry[name]));
}

function jobOf(
	entry: IDataObject,
	{ idField, statusField }: Listing,
	finishedWords: string[],
	{ isFree }: JobKind,
): ListedJob[] {
	const { [idField]: id, [statusField]: status } = entry;
	if (!isScalar(id)) return [];
	const word = isScalar(status) ? String(status) : undefined;
	const at = TIME_FIELDS.map((name) => timeOf(entry[name])).find((time) => time !== undefined);
	const isUnknownWord = word !== undefined && isUnknown(word, finishedWords);
	const needsLook = word === undefined || (isUnknownWord && isFree);
	const state = needsLook ? undefined : stateOfWord(word, finishedWords);
	return [{ id: String(id), state, word, isUnknownWord: isUnknownWord && !isFree, at }];
}

function isScalar(value: unknown): value is number | string {
	return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
}

function timeOf(value: unknown): number | undefined {
	if (!isScalar(value)) return undefined;
	const time = typeof value === 'number' ? value : Date.parse(value);
	return Number.isFinite(time) ? time : undefined;
}
