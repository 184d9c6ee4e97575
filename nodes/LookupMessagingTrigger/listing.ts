import type { GenericValue, IDataObject } from 'n8n-workflow';
import type { Caller } from '../LookupMessaging/engine/client';
import type { Failed, Failure } from '../LookupMessaging/engine/results';
import { isFailed, parameterFailure } from '../LookupMessaging/engine/operation';
import { isObject, quote } from '../LookupMessaging/engine/plan/values';
import { listingsOf } from '../LookupMessaging/operations/toolServer/freeTools';
import {
	callTool,
	listTools,
	type ListedTool,
} from '../LookupMessaging/operations/toolServer/mcpClient';
import {
	isUnknown,
	stateOfWord,
	type JobState,
} from '../LookupMessaging/operations/shared/jobState';
import { readToolResult } from '../LookupMessaging/operations/toolServer/toolResult';
import type { JobKind } from './jobKinds';

/** Jobs as a tool of the tool server lists them. SPEC §4.3 says that listings cost nothing, and shows none of them. */

/** Which tool lists the jobs, and in which fields of an entry the ID and the status are. What is not set is found by its name. */
export interface Listing {
	tool?: string;
	args: IDataObject;
	idField?: string;
	statusField?: string;
}

/** A listing with nothing left to find. */
type FoundListing = Required<Listing>;

/** A job as listed. */
export interface ListedJob {
	id: string;
	/** Undefined if only a check of the job can tell. */
	state?: JobState;
	/** The status word. */
	word?: string;
	/** Whether the word is unknown. The job then counts as running, since a check may cost. */
	isUnknownWord?: boolean;
	/** When the job was created, in milliseconds, if the entry says so. */
	at?: number;
}

/** Most jobs of a listing. The checkpoint has to remember each finished one. */
export const MAX_LISTED = 10_000;
/** How deep the list may be in the answer. */
const MAX_DEPTH = 3;
/** Usual names for the status of a job. */
const STATUS_FIELDS = ['status', 'state', 'audit_status'];
/** Usual names for the time of a job. */
const TIME_FIELDS = ['created_at', 'createdAt', 'submitted_at', 'started_at', 'created', 'date'];

/** The entries of a listing, as they come. */
export async function askForEntries(
	client: Caller,
	{ tool, args }: Pick<FoundListing, 'args' | 'tool'>,
): Promise<Failed | IDataObject[]> {
	const answer = await callTool(client, tool, args, {
		read: (result) => readToolResult(result, { tool, args, splits: false }),
	});
	const { result, text } = answer.record;
	const entries = listIn(result);
	if (entries) return entries;
	const says = typeof text === 'string' && text !== '' ? `: it says ${quote(text)}` : '';
	return { failure: parameterFailure(`the tool ${quote(tool)} returned no list of jobs${says}`) };
}

/** The jobs of a listing, in its order, each once. */
export async function askForJobs(
	client: Caller,
	listing: Listing,
	finishedWords: string[],
	kind: JobKind,
): Promise<Failed | ListedJob[]> {
	const tool = listing.tool ?? (await findTool(client, kind));
	if (isFailed(tool)) return tool;
	const entries = await askForEntries(client, { ...listing, tool });
	if (isFailed(entries)) return entries;
	const found = { tool, args: listing.args, ...fieldsFor(entries, listing, kind) };
	// A status under a name that nobody set is a status not found: each audit would need a check at each poll, which may cost
	const mayLackStatus = kind.noun === 'audit' && listing.statusField !== undefined;
	const failure = problemWith(entries, found, mayLackStatus);
	if (failure) return { failure: listing.tool ? failure : withTool(failure) };
	const jobs = entries.flatMap((entry) => jobOf(entry, found, finishedWords, kind));
	return [...new Map([...jobs].reverse().map((job) => [job.id, job])).values()].reverse();
}

const CHOOSE_TOOL = 'Set Watch to Jobs That a Tool Lists, then choose the tool and its fields';

function withTool(failure: Failure): Failure {
	return { ...failure, reason: `${failure.reason}. ${CHOOSE_TOOL}` };
}

/** The tool that lists all jobs of the kind, by its name. Only one that certainly costs nothing is called. */
async function findTool(client: Caller, { noun }: JobKind): Promise<Failed | string> {
	const tools = await listTools(client);
	if (isFailed(tools)) return tools;
	const callable = tools.filter(needsNothing).map(({ name }) => name);
	const found = listingsOf(noun, callable);
	if (found.length === 1) return found[0];
	const names = found.map(quote).join(', ');
	const why =
		found.length === 0
			? `the tool server has no tool such as "list_${noun === 'batch' ? 'batches' : 'audits'}"`
			: `the tool server has several tools that list them (${names})`;
	return {
		failure: parameterFailure(`${why}. ${CHOOSE_TOOL}, or choose Jobs With These IDs`),
	};
}

/** Whether a tool can be called without any argument, as listings can. */
export function needsNothing({ inputSchema: { required } }: ListedTool): boolean {
	return !Array.isArray(required) || required.length === 0;
}

/** The fields for ID and status: those that are set, or the first usual names that an entry has. */
function fieldsFor(entries: IDataObject[], listing: Listing, { noun }: JobKind) {
	const named = (names: string[]) =>
		names.find((name) => entries.some((entry) => isScalar(entry[name]))) ?? names[0];
	const { idField = named([`${noun}_id`, `${noun}Id`, 'id']), statusField = named(STATUS_FIELDS) } =
		listing;
	return { idField, statusField };
}

/** The newest first if all entries have times; else in the listing's order. */
export function newestFirst(jobs: ListedJob[]): ListedJob[] {
	if (!jobs.every(({ at }) => at !== undefined)) return jobs;
	return [...jobs].sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
}

/** The names that entries have, for the editor to choose from. */
export function fieldsOf(entries: IDataObject[]): string[] {
	return [...new Set(entries.flatMap((entry) => Object.keys(entry)))];
}

/** The list in an answer: the answer itself or the first list of objects in it. An empty list or null is the last choice. */
function listIn(value: GenericValue, depth = 0): IDataObject[] | undefined {
	if (Array.isArray(value)) {
		return value.length === 0 || value.some(isObject) ? value.filter(isObject) : undefined;
	}
	if (!isObject(value) || depth > MAX_DEPTH) return undefined;
	const lists = Object.values(value).map((member) => listIn(member, depth + 1));
	const isEmpty = Object.values(value).some((member) => member === null);
	return (
		lists.find((list) => list?.length) ?? lists.find((list) => list) ?? (isEmpty ? [] : undefined)
	);
}

/** Why the trigger certainly cannot follow the listing. */
function problemWith(
	entries: IDataObject[],
	{ tool, idField, statusField }: FoundListing,
	mayLackStatus: boolean,
): Failure | undefined {
	if (entries.length > MAX_LISTED) {
		return parameterFailure(
			`the tool ${quote(tool)} lists ${entries.length} jobs, and the trigger follows ${MAX_LISTED} at most. List fewer with Tool Arguments such as {"limit": 100}`,
		);
	}
	for (const [name, field] of [
		['ID Field', idField],
		['Status Field', statusField],
	]) {
		// If all listed audits are finished, none may have a status. A status under another name is a wrong setting: without it,
		// each audit would need a check, which may cost
		const mayBeNone = mayLackStatus && !entries.some(hasStatus);
		if (field === statusField && mayBeNone) continue;
		const isMissing = entries.length > 0 && entries.every((entry) => !isScalar(entry[field]));
		if (!isMissing) continue;
		const names = fieldsOf(entries).map(quote).join(', ');
		return parameterFailure(
			`${name}: no entry of the tool ${quote(tool)} has the field ${quote(field)}. The fields are ${names}`,
		);
	}
	return undefined;
}

/** Whether an entry has a status field of a usual name. */
function hasStatus(entry: IDataObject): boolean {
	return STATUS_FIELDS.some((name) => isScalar(entry[name]));
}

function jobOf(
	entry: IDataObject,
	{ idField, statusField }: FoundListing,
	finishedWords: string[],
	{ isFree }: JobKind,
): ListedJob[] {
	const { [idField]: id, [statusField]: status } = entry;
	if (!isScalar(id)) return [];
	const word = isScalar(status) ? String(status) : undefined;
	const at = TIME_FIELDS.map((name) => timeOf(entry[name])).find((time) => time !== undefined);
	const isUnknownWord = word !== undefined && isUnknown(word, finishedWords);
	const needsCheck = word === undefined || (isUnknownWord && isFree);
	const state = needsCheck ? undefined : stateOfWord(word, finishedWords);
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
