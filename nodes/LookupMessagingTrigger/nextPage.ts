import type { GenericValue, IDataObject } from 'n8n-workflow';
import { numberIn } from '../LookupMessaging/engine/plan/values';
import type { Argument } from '../LookupMessaging/operations/toolServer/toolSchema';
import { plainName } from '../LookupMessaging/operations/shared/replyWords';
import { countOf, queryOf, type PageSigns } from './pageSigns';

/** The arguments that fetch the next page, from the tool's schema and the last page. All functions are pure. */

export interface LastPage {
	/** The arguments of its call. */
	args: IDataObject;
	signs: PageSigns;
	rows: number;
	/** How many different pages were read with it. */
	index: number;
	/** ID of its last entry. */
	lastId?: GenericValue;
}

/** Names of arguments, in the order of the search. */
const CURSOR = [
	...['cursor', 'nextcursor', 'pagetoken', 'nextpagetoken', 'nexttoken', 'continuationtoken'],
	...['continuation', 'token', 'marker', 'after', 'aftercursor', 'endcursor', 'next'],
];
const PAGE = ['page', 'pagenumber', 'pageno', 'pageindex', 'pagenum'];
const OFFSET = ['offset', 'skip', 'startindex', 'start', 'from'];
const AFTER_ID = ['startingafter', 'startafter', 'afterid', 'lastid'];
const LIMIT = [
	...['limit', 'pagesize', 'perpage', 'maxresults', 'maxitems', 'pagelimit'],
	...['count', 'size', 'first', 'top', 'take'],
];
/** The requested limit if the schema names no maximum. */
const HIGH_LIMIT = 1_000;

/** The same call with the highest limit of the tool; undefined if it takes none, or if the user has set it. */
export function withHighestLimit(accepted: Argument[], args: IDataObject): IDataObject | undefined {
	const limit = argumentAmong(accepted, LIMIT);
	if (!limit || limit.name in args) return undefined;
	const { maximum } = limit.schema;
	const highest = typeof maximum === 'number' && maximum >= 1 ? maximum : HIGH_LIMIT;
	return { ...args, [limit.name]: asTyped(limit, highest) };
}

/** The arguments of the next page; undefined if the tool seems to have none for it. */
export function nextArguments(accepted: Argument[], last: LastPage): IDataObject | undefined {
	const { args, signs } = last;
	const { next } = signs;
	const link = next && queryOf(next.value);
	if (link) {
		const linked = accepted.flatMap((argument): Array<[string, GenericValue]> => {
			const value = link.get(plainName(argument.name));
			return value === undefined ? [] : [[argument.name, asTyped(argument, value)]];
		});
		if (linked.length > 0) return { ...args, ...Object.fromEntries(linked) };
	}
	const named = next && !link && argumentFor(accepted, next);
	if (named) return { ...args, [named.name]: asTyped(named, next.value) };
	const page = argumentAmong(accepted, PAGE);
	if (page) return { ...args, [page.name]: asTyped(page, pageOf(page, last) + 1) };
	const offset = argumentAmong(accepted, OFFSET);
	if (offset) return { ...args, [offset.name]: asTyped(offset, rowsUpTo(accepted, last)) };
	const after = signs.hasMore && argumentAmong(accepted, AFTER_ID);
	if (!after || last.lastId === undefined) return undefined;
	return { ...args, [after.name]: asTyped(after, last.lastId) };
}

/** Whether a call requested the page with the number 1, which is the first one or the second. */
export function isPageOne(accepted: Argument[], args: IDataObject): boolean {
	const page = argumentAmong(accepted, PAGE);
	return page !== undefined && countOf(args[page.name]) === 1;
}

/** Whether a page has exactly as many entries as its call allowed, so that it may not be all. */
export function isFull(accepted: Argument[], { args, rows }: LastPage): boolean {
	const limit = argumentAmong(accepted, LIMIT);
	return limit !== undefined && countOf(args[limit.name]) === rows;
}

/** Position in the list at which the last page ends, by its offset. */
export function rowsUpTo(accepted: Argument[], { args, rows }: LastPage): number {
	const offset = argumentAmong(accepted, OFFSET);
	return rows + (offset ? (countOf(args[offset.name] ?? offset.schema.default) ?? 0) : 0);
}

/** The argument for a value that a page returns about the next one: the one of the same name, or one of its kind. */
function argumentFor(
	accepted: Argument[],
	{ name, value }: NonNullable<PageSigns['next']>,
): Argument | undefined {
	const stem = name.replace(/^next(?=.)/, '');
	const same = argumentAmong(accepted, [stem, name]);
	if (same) return same;
	const isNumber = countOf(value) !== undefined;
	if (name === 'nextoffset') return argumentAmong(accepted, OFFSET);
	if (name === 'nextpage' && isNumber) return argumentAmong(accepted, PAGE);
	return argumentAmong(accepted, CURSOR);
}

/** The number of the fetched page. A tool that doesn't say may count from 0: then page 1 is requested first. */
function pageOf({ name, schema }: Argument, { args, signs }: LastPage): number {
	const said = [args[name], signs.page, schema.default, schema.minimum].map(countOf);
	return said.find((number) => number !== undefined) ?? 0;
}

function argumentAmong(accepted: Argument[], names: string[]): Argument | undefined {
	return names
		.map((name) => accepted.find((argument) => plainName(argument.name) === name))
		.find((argument) => argument !== undefined);
}

/** A value in the type that the argument takes. */
function asTyped({ schema: { type } }: Argument, value: GenericValue): GenericValue {
	const types: unknown[] = [type].flat();
	if (types.includes('string')) return typeof value === 'number' ? `${value}` : value;
	const isNumeric = types.includes('integer') || types.includes('number');
	return (isNumeric ? numberIn(value) : undefined) ?? value;
}
