import type { IDataObject } from 'n8n-workflow';
import type { Caller } from '../LookupMessaging/engine/client';
import type { Failed, Failure } from '../LookupMessaging/engine/results';
import { isFailed, isLocalAnswer, parameterFailure } from '../LookupMessaging/engine/operation';
import { quote, textOf } from '../LookupMessaging/engine/plan/values';
import { listingsOf } from '../LookupMessaging/operations/toolServer/freeTools';
import { listTools, type ListedTool } from '../LookupMessaging/operations/toolServer/mcpClient';
import {
	isUnknown,
	stateOfWord,
	type JobState,
} from '../LookupMessaging/operations/shared/jobState';
import { argumentsOf, type Argument } from '../LookupMessaging/operations/toolServer/toolSchema';
import type { JobKind } from './jobKinds';
import { readEntries } from './pages';
import { isScalar } from './pageSigns';

/** Jobs as a tool of the tool server lists them. SPEC §4.3 says that listings cost nothing, and shows none of them. */

/**
 * Which tool lists the jobs, and which fields of an entry are the ID and the status. Settings that are missing are found by their
 * usual names.
 */
export interface Listing {
	tool?: string;
	args: IDataObject;
	idField?: string;
	statusField?: string;
}

/** The tool that was called, and the fields that its entries have. */
type FoundListing = Required<Omit<Listing, 'args'>>;

export interface ListedJob {
	id: string;
	/** Undefined if only a check of the job can tell. */
	state?: JobState;
	word?: string;
	/** Whether the word is unknown. The job then counts as running, since a check may cost. */
	isUnknownWord?: boolean;
	/** Whether it was listed before as running, and is not listed now. */
	hasLeft?: boolean;
	/** When the job was created, in milliseconds, if the entry says so. */
	at?: number;
}

/** Most jobs of a listing. The checkpoint has to remember each finished one. */
export const MAX_LISTED = 10_000;
/** Usual names for the status of a job. */
const STATUS_FIELDS = ['status', 'state', 'audit_status'];
/** Usual names for the time of a job. */
const TIME_FIELDS = ['created_at', 'createdAt', 'submitted_at', 'started_at', 'created', 'date'];

interface ListingOptions {
	kind: JobKind;
	finishedWords: string[];
	/** Whether no time is left for further pages. */
	isOver: () => boolean;
}

export interface ListedJobs {
	jobs: ListedJob[];
	/** What was not read of the listing, in sentences. */
	warning?: string;
	/** Why jobs were not read that another poll may read. */
	pageFailure?: Failure;
}

/** The jobs of a listing, in its order, each once. */
export async function askForJobs(
	client: Caller,
	listing: Listing,
	{ kind, finishedWords, isOver }: ListingOptions,
): Promise<Failed | ListedJobs> {
	const tools = listing.tool === undefined ? await listTools(client) : undefined;
	if (tools && isFailed(tools)) return tools;
	const tool = listing.tool ?? findTool(tools ?? [], kind);
	if (isFailed(tool)) return tool;
	const { idField, statusField } = listing;
	const idNames = idField === undefined ? [`${kind.noun}_id`, `${kind.noun}Id`, 'id'] : [idField];
	const statusNames = statusField === undefined ? STATUS_FIELDS : [statusField];
	const idOf = (entry: IDataObject) =>
		idNames.map((name) => idIn(entry, name, kind)).find(isScalar);
	const statusOf = (entry: IDataObject) => statusNames.map((name) => entry[name]).find(isScalar);
	const read = await readEntries(
		client,
		{ tool, args: listing.args },
		{
			idOf,
			// A job may be listed again with another status
			keyOf: (entry) => idOf(entry) && JSON.stringify([idOf(entry), statusOf(entry)]),
			jobTests: idNames.map(
				(name) => (entry) => idIn(entry, name, kind) !== undefined && statusOf(entry) !== undefined,
			),
			isOver,
			most: MAX_LISTED,
			acceptedBy: async () => acceptedBy(tools ?? (await listTools(client)), tool),
		},
	);
	if (isFailed(read)) return read;
	const { entries, gap, pageFailure } = read;
	const firstOf = (names: string[]) =>
		names.find((name) => entries.some((entry) => isScalar(entry[name]))) ?? names[0];
	const found = { tool, idField: firstOf(idNames), statusField: firstOf(statusNames) };
	// Without the chosen status field, the status counts as missing: each audit would need a check at each poll, which may cost
	const mayLackStatus = kind.noun === 'audit' && statusField !== undefined;
	const failure = problemWith(entries, found, mayLackStatus);
	if (failure && listing.tool) return { failure };
	if (failure) return { failure: { ...failure, reason: `${failure.reason}. ${CHOOSE_TOOL}` } };
	const jobs = entries.flatMap((entry) => jobOf(entry, found, finishedWords, kind));
	const warnings = [
		gap === undefined ? [] : [aboutGap(tool, entries.length, gap, kind)],
		jobs.length === entries.length ? [] : [aboutNameless(entries.length - jobs.length, found)],
	].flat();
	return {
		jobs: eachOnce(jobs),
		...(warnings.length > 0 && { warning: warnings.join(' ') }),
		...(pageFailure && { pageFailure }),
	};
}

/** Each job once, at its first place. If its entries have different states, only a check can decide. */
function eachOnce(jobs: ListedJob[]): ListedJob[] {
	const byId = new Map<string, ListedJob>();
	for (const job of jobs) {
		const before = byId.get(job.id);
		const isOpen = before !== undefined && before.state !== job.state;
		byId.set(job.id, isOpen ? { ...job, state: undefined, isUnknownWord: false } : job);
	}
	return [...byId.values()];
}

function aboutGap(tool: string, read: number, gap: string, { noun }: JobKind): string {
	const entries = read === 1 ? '1 entry' : `${read} entries`;
	return `The trigger read ${entries} of the tool ${quote(tool)}, and there may be more: ${gap}. ${noun === 'batch' ? 'A batch' : 'An audit'} that wasn't read doesn't start the workflow.`;
}

function aboutNameless(count: number, { tool, idField }: FoundListing): string {
	return `The tool ${quote(tool)} lists ${count} entries without an ID in the field ${quote(idField)}. The trigger leaves them out.`;
}

const CHOOSE_TOOL = 'Set Jobs to Watch to From a Tool, then choose the tool and its fields';

/** The arguments of a tool; none if the server doesn't say. */
function acceptedBy(tools: Failed | ListedTool[], tool: string): Argument[] {
	const listed = isFailed(tools) ? undefined : tools.find(({ name }) => name === tool);
	return listed ? argumentsOf(listed.inputSchema) : [];
}

/** The tool that lists all jobs of the kind, by its name. Only one that certainly costs nothing is called. */
function findTool(tools: ListedTool[], { noun }: JobKind): Failed | string {
	const found = listingsOf(
		noun,
		tools.filter(needsNothing).map(({ name }) => name),
	);
	if (found.length === 1) return found[0];
	const [wanting] = tools.filter(
		(tool) => !needsNothing(tool) && listingsOf(noun, [tool.name]).length > 0,
	);
	if (found.length === 0 && wanting) return { failure: parameterFailure(whyNotAlone(wanting)) };
	const names = found.map(quote).join(', ');
	const why =
		found.length === 0
			? `the tool server has no tool such as "list_${noun === 'batch' ? 'batches' : 'audits'}"`
			: `the tool server has several tools that list them (${names})`;
	return {
		failure: parameterFailure(`${why}. ${CHOOSE_TOOL}, or choose By ID`),
	};
}

/** Whether a tool can be called without any argument, as listings can. */
export function needsNothing({ inputSchema: { required } }: ListedTool): boolean {
	return !Array.isArray(required) || required.length === 0;
}

function whyNotAlone({ name, inputSchema: { required } }: ListedTool): string {
	const names = (Array.isArray(required) ? required : []).map((one) => quote(textOf(one)));
	return `the tool ${quote(name)} can't be called without arguments (${names.join(', ')}). ${CHOOSE_TOOL}, and add the option Tool Arguments`;
}

/** The ID in a field of an entry, as it is sent. A text that can't be sent is unchanged. */
function idIn(entry: IDataObject, field: string, { readId }: JobKind): string | undefined {
	const { [field]: value } = entry;
	if (!isScalar(value)) return undefined;
	const id = readId(value);
	return isLocalAnswer(id) ? textOf(value) : id;
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
	const isMissing = (field: string) => entries.every((entry) => !isScalar(entry[field]));
	// If all listed audits are finished, none may have a status. A status under another name is a wrong setting: without it,
	// each audit would need a check, which may cost
	const isStatusMissing =
		isMissing(statusField) && !(mayLackStatus && STATUS_FIELDS.every(isMissing));
	const name = isMissing(idField) ? 'ID Field' : isStatusMissing ? 'Status Field' : undefined;
	if (name === undefined || entries.length === 0) return undefined;
	const field = name === 'ID Field' ? idField : statusField;
	const names = fieldsOf(entries).map(quote).join(', ');
	return parameterFailure(
		`${name}: no entry of the tool ${quote(tool)} has the field ${quote(field)}. The fields are ${names}`,
	);
}

function jobOf(
	entry: IDataObject,
	{ idField, statusField }: FoundListing,
	finishedWords: string[],
	kind: JobKind,
): ListedJob[] {
	const { isFree } = kind;
	const { [statusField]: status } = entry;
	const id = idIn(entry, idField, kind);
	if (id === undefined) return [];
	const word = isScalar(status) ? textOf(status) : undefined;
	const at = TIME_FIELDS.map((name) => timeOf(entry[name])).find((time) => time !== undefined);
	const isUnknownWord = word !== undefined && isUnknown(word, finishedWords);
	const needsCheck = word === undefined || (isUnknownWord && isFree);
	const state = needsCheck ? undefined : stateOfWord(word, finishedWords);
	return [{ id, state, word, isUnknownWord: isUnknownWord && !isFree, at }];
}

function timeOf(value: unknown): number | undefined {
	if (!isScalar(value)) return undefined;
	const time = typeof value === 'number' ? value : Date.parse(value);
	return Number.isFinite(time) ? time : undefined;
}
