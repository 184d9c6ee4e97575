import type { GenericValue, IDataObject } from 'n8n-workflow';
import type { Caller } from '../LookupMessaging/engine/client';
import { catchFailed, type Failed, type Failure } from '../LookupMessaging/engine/results';
import { isFailed, parameterFailure } from '../LookupMessaging/engine/operation';
import { inShort, isObject, quote, textOf } from '../LookupMessaging/engine/plan/values';
import {
	describeRefusal,
	errorText,
	hasError,
	refused,
	refuses,
	speaksOfTrouble,
} from '../LookupMessaging/engine/refusals/refusal';
import { askedOf } from '../LookupMessaging/operations/toolServer/jsonRpc';
import { callTool } from '../LookupMessaging/operations/toolServer/mcpClient';
import { readToolResult } from '../LookupMessaging/operations/toolServer/toolResult';
import type { Argument } from '../LookupMessaging/operations/toolServer/toolSchema';
import {
	isFull,
	isPageOne,
	nextArguments,
	rowsUpTo,
	withHighestLimit,
	type LastPage,
} from './nextPage';
import { readSigns } from './pageSigns';

/**
 * Reads a listing page by page to its end, within a budget. The tool's schema and the pages themselves show how it is paged; if
 * they don't say whether there are more, the next page is requested, which costs nothing.
 */

/** A listing tool and the arguments that the user has set. */
export interface ListingCall {
	tool: string;
	args: IDataObject;
}

export interface Entries {
	entries: IDataObject[];
	/** Why entries may be missing, as a clause. */
	gap?: string;
	/** Why entries were not read that another poll may read: a page failed, or the bounds of a poll were met. */
	pageFailure?: Failure;
}

type JobTest = (entry: IDataObject) => boolean;

interface PageReading {
	/** The arguments that the tool takes; requested only if the first page may not be the whole list. */
	acceptedBy: () => Promise<Argument[]>;
	/** Whether no time is left for further pages. */
	isOver: () => boolean;
	idOf: (entry: IDataObject) => GenericValue;
	/** The key of an entry; undefined for one without an ID. */
	keyOf: (entry: IDataObject) => string | undefined;
	/** Whether an object is an entry, by its members: a test for each name that its ID may have, the best first. */
	jobTests: JobTest[];
	most: number;
}

/** Most pages of a listing in one poll. */
export const MAX_PAGES = 500;
/** Maximum number of pages in a row without new entries although the tool says that there are more. */
const MAX_BARREN = 3;
/** Maximum depth of the list in the answer. */
const MAX_DEPTH = 3;
/** Longest text that may be an ID, a status or a time. Longer ones are not kept. */
const LONGEST = 1_000;

interface Page extends LastPage {
	entries: IDataObject[];
}

/**
 * All entries of a listing.
 * @returns the failure of the first page; a later one is a gap
 */
export async function readEntries(
	client: Caller,
	call: ListingCall,
	reading: PageReading,
): Promise<Entries | Failed> {
	const first = await fetchPage(client, call, 1, reading);
	if (isFailed(first)) return first;
	if (!mayGoOn(first, [], first.rows)) return { entries: first.entries };
	const accepted = await reading.acceptedBy();
	const start = await withHigherLimit(client, call, accepted, first, reading);
	if (isFailed(start)) return start;
	return await readOn(client, call.tool, accepted, start, reading);
}

async function readOn(
	client: Caller,
	tool: string,
	accepted: Argument[],
	start: Page,
	reading: PageReading,
): Promise<Entries> {
	const { isOver, keyOf, most } = reading;
	const entries = [...start.entries];
	const keys = new Set([undefined, ...entries.map(keyOf)]);
	let last = start;
	let barren = 0;
	while (mayGoOn(last, accepted, entries.length)) {
		const goesOn = saysMore(last, accepted, entries.length);
		const args = nextArguments(accepted, last);
		if (args === undefined) {
			return goesOn || isFull(accepted, last) ? { entries, gap: NO_NEXT } : { entries };
		}
		if (entries.length >= most || last.index >= MAX_PAGES) {
			const gap = `a poll reads at most ${MAX_PAGES} pages and ${most} entries`;
			return { entries: entries.slice(0, Math.max(most, start.rows)), ...beyondPoll(gap) };
		}
		if (isOver()) return { entries, ...beyondPoll('the time of the poll was over') };
		const fetch = async () => await fetchPage(client, { tool, args }, last.index + 1, reading);
		const page = await catchFailed(fetch);
		if (isFailed(page)) {
			const { failure } = page;
			return !goesOn && isOfArguments(failure)
				? { entries }
				: { entries, gap: failure.reason, pageFailure: failure };
		}
		const fresh = page.entries.filter((entry) => !keys.has(keyOf(entry)));
		for (const entry of fresh) {
			keys.add(keyOf(entry));
			entries.push(entry);
		}
		barren = fresh.length > 0 ? 0 : barren + 1;
		const mayBeFirst = barren === 1 && isPageOne(accepted, args);
		// Page 1 of a tool that counts from 1 was read already
		last = mayBeFirst ? { ...page, index: last.index } : page;
		if (barren === 0 || mayBeFirst) continue;
		if (!saysMore(last, accepted, entries.length)) return { entries };
		if (barren >= MAX_BARREN) return { entries, gap: 'the tool repeats its pages' };
	}
	return { entries };
}

/** Whether a page failed by its arguments. Some tools refuse a page after the last one, and a higher limit. */
function isOfArguments({ cause, reason }: Failure): boolean {
	return (cause === 'parameter' || cause === 'refused') && !speaksOfTrouble(reason);
}

function beyondPoll(gap: string): Pick<Entries, 'gap' | 'pageFailure'> {
	const remedy =
		'Set Jobs to Watch to From a Tool, and choose a tool or Tool Arguments that list fewer jobs';
	return {
		gap,
		pageFailure: parameterFailure(`the listing wasn't read to its end: ${gap}. ${remedy}`),
	};
}

const NO_NEXT = 'the tool takes no argument for the next page';

function saysMore(page: Page, accepted: Argument[], read: number): boolean {
	const { hasMore, total = 0, pages = 0, page: number = page.index } = page.signs;
	return hasMore === true || total > Math.max(read, rowsUpTo(accepted, page)) || pages > number;
}

/** Whether others may follow: the page says so, or nothing says that it is the last one. */
function mayGoOn(page: Page, accepted: Argument[], read: number): boolean {
	if (saysMore(page, accepted, read)) return true;
	const { hasMore, total, pages } = page.signs;
	return page.rows > 0 && [hasMore, total, pages].every((sign) => sign === undefined);
}

/** The first page with as many entries as the tool returns. It is unchanged if the tool takes no such limit, or returns no more. */
async function withHigherLimit(
	client: Caller,
	{ tool, args }: ListingCall,
	accepted: Argument[],
	first: Page,
	reading: PageReading,
): Promise<Failed | Page> {
	const higher = withHighestLimit(accepted, args);
	const hasOtherWay = nextArguments(accepted, first) !== undefined;
	if (!higher || (hasOtherWay && !saysMore(first, accepted, first.rows))) return first;
	const fetch = async () => await fetchPage(client, { tool, args: higher }, 1, reading);
	const page = await catchFailed(fetch);
	if (isFailed(page)) return hasOtherWay || isOfArguments(page.failure) ? first : page;
	return page.rows <= first.rows ? first : page;
}

async function fetchPage(
	client: Caller,
	call: ListingCall,
	index: number,
	{ idOf, jobTests }: PageReading,
): Promise<Failed | Page> {
	const found = await fetchEntries(client, call, jobTests);
	if (isFailed(found)) return found;
	const { length: rows } = found.entries;
	const signs = readSigns(found.around, rows, call.args);
	const lastId = found.entries.slice(-1).map(idOf)[0];
	return { args: call.args, signs, rows, index, lastId, entries: found.entries.map(lean) };
}

/** The entries of one page, as received, and the values around them. An error beside a list makes it a failed page. */
export async function fetchEntries(
	client: Caller,
	{ tool, args }: ListingCall,
	jobTests: JobTest[],
): Promise<Failed | { entries: IDataObject[]; around: unknown[] }> {
	const answer = await callTool(client, tool, args, {
		read: (result) => readToolResult(result, { tool, args, splits: false }),
	});
	const { result, text } = answer.record;
	const { content, nextCursor, _meta } = answer.response ?? {};
	const around = [result, { nextCursor }, _meta];
	const entries = listIn(result, jobTests);
	const isBlank = result === null && Array.isArray(content) && content.length === 0;
	const body = isObject(result) ? result : {};
	const words = [errorText(body), text].filter((told) => typeof told === 'string');
	if (!entries?.length && (isBlank || words.some(saysNone))) return { entries: [], around };
	const error = wrappersIn(result, new Set(entries)).find((one) => hasErrorBeside(one, args));
	if (error) {
		const refusal = refused(error, { status: 200, ...askedOf(args) });
		const facts = { scope: refusal.scope, reason: describeRefusal(refusal) };
		// A page with entries is not beyond the last one
		const isLost = entries !== undefined && entries.length > 0;
		return {
			failure: isLost ? { cause: 'lost', ...facts } : { cause: 'refused', ...facts, refusal },
		};
	}
	if (entries) return { entries, around };
	const says = typeof text === 'string' && text !== '' ? `: it says ${quote(text)}` : '';
	return { failure: parameterFailure(`the tool ${quote(tool)} returned no list of jobs${says}`) };
}

/** Sentences of services that have no jobs to list. */
const NONE =
	/^\W{0,3}(?:(?:there are|you have|found) )?(?:no|0|you (?:do|have)(?: not|n['’]t) (?:\w+ )?any) (?:(?:active|audit|brand|finished|running|whatsapp) )?(?:audits?|batch(?:es)?|jobs?|records?|results?)(?: (?:are|available|been|exist|for|found|have|the|this|were|yet|your|account)){0,8}(?:[.!] .*|\W{0,3})$/i;

function saysNone(words: string): boolean {
	return NONE.test(inShort(words)) && !speaksOfTrouble(words);
}

/** The objects around the list in an answer: itself, and those with a list in them. */
function wrappersIn(value: unknown, jobs: Set<unknown>, depth = 0): IDataObject[] {
	if (!isObject(value) || jobs.has(value) || depth > MAX_DEPTH) return [];
	const members = Object.values(value);
	const inner = members.flatMap((member) => wrappersIn(member, jobs, depth + 1));
	return depth === 0 || inner.length > 0 || members.some(Array.isArray) ? [value, ...inner] : [];
}

/** Whether an object has an error beside its lists. A status may repeat what the listing was narrowed to. */
function hasErrorBeside({ status, success, error, errors }: IDataObject, args: IDataObject) {
	const said = Object.values(args).includes(status) ? undefined : status;
	const isCount = typeof errors === 'number';
	return refuses({ status: said, success, error }) || (!isCount && hasError({ error: errors }));
}

/**
 * The entries in an answer: its jobs, by the first name of an ID that any of them has, or else its first list of objects. An empty
 * list or null is the last choice.
 */
function listIn(value: GenericValue, jobTests: JobTest[]): IDataObject[] | undefined {
	const found = jobTests.map((isJob) => jobsIn(value, isJob)).find(({ length }) => length > 0);
	const lists = found ? [found] : listsIn(value);
	return lists.find(({ length }) => length > 0) ?? lists[0];
}

/** Names of a list of jobs, and status words of a call. An object with such a list is an envelope, though it may have an ID. */
const OF_JOBS = /audits|batches|jobs/i;
const OF_CALL = /^(?:error|fail|ok|success|successful|200)$/i;

/** The jobs in a value, such as a list for each status. Some servers send a list of one job as the job alone. */
function jobsIn(value: unknown, isJob: JobTest, depth = 0): IDataObject[] {
	if (Array.isArray(value)) {
		const objects = value.filter(isObject);
		return objects.some(isJob) ? objects : [];
	}
	if (!isObject(value) || depth > MAX_DEPTH) return [];
	const lists = Object.keys(value).filter((name) => Array.isArray(value[name]));
	const mayBeCall = lists.length > 0 && 'id' in value && OF_CALL.test(textOf(value.status));
	if (isJob(value) && !mayBeCall && !lists.some((name) => OF_JOBS.test(name))) return [value];
	return Object.values(value).flatMap((member) => jobsIn(member, isJob, depth + 1));
}

const NOTHING: IDataObject[] = [];

function listsIn(value: GenericValue, depth = 0): IDataObject[][] {
	if (Array.isArray(value)) {
		return value.length === 0 || value.some(isObject) ? [value.filter(isObject)] : [];
	}
	if (!isObject(value) || depth > MAX_DEPTH) return [];
	const members = Object.values(value);
	const lists = members.flatMap((member) => listsIn(member, depth + 1));
	return members.includes(null) ? [...lists, NOTHING] : lists;
}

/** The possible IDs, statuses and times of an entry. Thousands of entries are kept until the last page. */
function lean(entry: IDataObject): IDataObject {
	const members = Object.entries(entry).filter(
		([, value]) =>
			typeof value === 'number' || (typeof value === 'string' && value.length <= LONGEST),
	);
	return Object.fromEntries(members);
}
