import type { GenericValue, IDataObject } from 'n8n-workflow';
import { isObject, numberIn } from '../LookupMessaging/engine/plan/values';
import { plainName } from '../LookupMessaging/operations/shared/replyWords';

/**
 * The hints of a page of a listing about the next pages. SPEC §4.3 shows no listing tool, so the names are the usual ones of
 * APIs, in any spelling. All functions are pure.
 */

export interface PageSigns {
	/** Where the next page begins: a cursor, a number, or a link; with its name in the page. */
	next?: { name: string; value: number | string };
	/** Whether the page says that there are more, or that there are not. */
	hasMore?: boolean;
	/** Number of entries, and of pages, of the whole list. */
	total?: number;
	pages?: number;
	/** Number of this page. */
	page?: number;
}

/** Maximum depth of the hints in the answer. */
const MAX_DEPTH = 3;
const MORE = ['hasmore', 'hasnext', 'hasnextpage', 'more', 'moreavailable', 'next', 'nextpage'];
/** Only a yes is about the list: a no may be about something else. */
const CUT = ['truncated', 'istruncated', 'incomplete'];
const NEXT = [
	...['nextcursor', 'nextpagetoken', 'nexttoken', 'nextpage', 'nextoffset', 'nextmarker'],
	...['nextlink', 'nexturl', 'next', 'endcursor', 'continuationtoken', 'continuation'],
];
/** These may also repeat what was sent. They count only if no other name is about a next page. */
const NEXT_OR_SENT = ['cursor', 'pagetoken'];
const TOTAL = [
	...['total', 'totalcount', 'totalitems', 'totalresults', 'totalrecords', 'totalelements'],
	...['totalrows', 'totalentries', 'totaljobs', 'totalbatches', 'totalaudits'],
];
/** The number of entries, of the page or of the list. */
const COUNT = 'count';
const PAGES = ['totalpages', 'pages', 'pagecount', 'numpages', 'lastpage'];
const PAGE = ['page', 'currentpage', 'pagenumber'];

/**
 * @param values the answer of the tool, and other values that may contain the hints
 * @param rows entries of the page
 * @param sent the arguments of its call
 */
export function readSigns(values: unknown[], rows: number, sent: IDataObject): PageSigns {
	const said = new Map<string, GenericValue>();
	for (const value of values) collect(value, said);
	const among = (names: string[]) => names.filter((name) => said.has(name));
	const numberAmong = (names: string[]) =>
		names.map((name) => countOf(said.get(name))).find((number) => number !== undefined);

	const names = among(NEXT);
	const isSent = (name: string) => Object.values(sent).includes(said.get(name));
	const mayBeNext = names.length > 0 ? names : among(NEXT_OR_SENT).filter((name) => !isSent(name));
	const [next] = mayBeNext.flatMap((name) => {
		const value = said.get(name);
		return isScalar(value) ? [{ name, value }] : [];
	});
	const flags = among(MORE).flatMap((name) => flagOf(said.get(name)) ?? []);
	const isCut = among(CUT).some((name) => flagOf(said.get(name)));
	const saysNo = flags.includes(false) && !flags.includes(true);
	const endsHere =
		saysNo ||
		(next === undefined &&
			names.some((name) => ['', false, null].some((none) => said.get(name) === none)));
	const goesOn = flags.includes(true) || isCut || (next !== undefined && !saysNo);
	const count = countOf(said.get(COUNT));
	return {
		...(next && !saysNo && { next }),
		hasMore: goesOn || (endsHere ? false : undefined),
		// A count that does not exceed the entries may be that of the page
		total: numberAmong(TOTAL) ?? (count !== undefined && count > rows ? count : undefined),
		pages: numberAmong(PAGES),
		page: numberAmong(PAGE),
	};
}

/** The arguments in the query of a link to the next page. */
export function queryOf(link: number | string): Map<string, string> | undefined {
	if (typeof link !== 'string' || !/^(?:https?:\/\/|\/|\?)/.test(link)) return undefined;
	const [, query = ''] = link.split('#', 1)[0].split('?');
	return new Map([...new URLSearchParams(query)].map(([name, value]) => [plainName(name), value]));
}

/**
 * The members of an object and of the objects in it; those nearer to the top take precedence. Lists contain entries, and no
 * hints.
 */
function collect(value: unknown, said: Map<string, GenericValue>) {
	let level = [value].filter(isObject);
	for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
		for (const [name, member] of level.flatMap(Object.entries<GenericValue>)) {
			const plain = plainName(name);
			if (member === undefined || isObject(member) || said.has(plain)) continue;
			said.set(plain, member);
		}
		level = level.flatMap((object) => Object.values(object).filter(isObject));
	}
}

export function isScalar(value: unknown): value is number | string {
	return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
}

function flagOf(value: GenericValue): boolean | undefined {
	if (typeof value === 'boolean') return value;
	const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
	return word === 'true' || (word === 'false' ? false : undefined);
}

/** A number of entries or pages. */
export function countOf(value: unknown): number | undefined {
	const number = numberIn(value);
	return Number.isSafeInteger(number) && number !== undefined && number >= 0 ? number : undefined;
}
