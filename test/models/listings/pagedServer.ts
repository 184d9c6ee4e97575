import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { type Endpoint, interpret, type Reply, type Result } from '../../engine';

/** A tool server with a listing of batches that comes in pages, as random data, and what it answers. */

/** How the tool is paged: by what it takes, and by what its pages say. */
interface Paging {
	by: 'cursor' | 'limit' | 'link' | 'none' | 'offset' | 'page' | 'startingAfter';
	size: number;
	/** Number of the first page. */
	firstPage: 0 | 1;
	says: 'flag' | 'nothing' | 'pages' | 'total' | 'totalInside';
	/** Spelling of names. */
	isCamel: boolean;
	/** Whether the tool also takes a limit, and the highest one. */
	limit?: { maximum?: number };
	/** Whether the answer is text. */
	isText: boolean;
	/** What comes of a page after the last one. */
	beyond: 'empty' | 'error' | 'last';
	/** Type of the arguments. */
	type: 'integer' | 'string';
}

/** One entry of the listing; a batch may have several. */
interface ListedEntry {
	batch: number;
	word: 'COMPLETED' | 'completed' | 'failed' | 'pending' | 'processing';
}

export interface ListingServer {
	paging: Paging;
	entries: ListedEntry[];
	/** The true state by batch. */
	finished: boolean[];
	/** Names of the batches that are sent as numbers. */
	hasNumericIds: boolean;
}

/** The same entry twice would be a page that repeats another one. */
const ENTRIES = {
	maxLength: 60,
	selector: ({ batch, word }: ListedEntry) => `${batch} ${word.toLowerCase()}`,
};

const pagings: fc.Arbitrary<Paging> = fc.record({
	by: fc.constantFrom('cursor', 'limit', 'link', 'none', 'offset', 'page', 'startingAfter'),
	size: fc.integer({ min: 1, max: 25 }),
	firstPage: fc.constantFrom(0 as const, 1 as const),
	says: fc.constantFrom('flag', 'nothing', 'pages', 'total', 'totalInside'),
	isCamel: fc.boolean(),
	limit: fc.option(fc.record({ maximum: fc.option(fc.integer({ min: 25, max: 100 })) }), {
		nil: undefined,
	}) as fc.Arbitrary<Paging['limit']>,
	isText: fc.boolean(),
	beyond: fc.constantFrom('empty', 'error', 'last'),
	type: fc.constantFrom('integer', 'string'),
});

export const listingServers: fc.Arbitrary<ListingServer> = fc
	.uniqueArray(
		fc.record({
			batch: fc.nat({ max: 70 }),
			word: fc.constantFrom(
				...(['COMPLETED', 'completed', 'failed', 'pending', 'processing'] as const),
			),
		}),
		ENTRIES,
	)
	.chain((entries) =>
		fc.record({
			paging: pagings,
			entries: fc.constant<ListedEntry[]>(entries),
			finished: fc.array(fc.boolean(), { minLength: 71, maxLength: 71 }),
			hasNumericIds: fc.boolean(),
		}),
	);

/** Two pages that say only how many there are; asked without a number, the tool gives page 1. */
export const TWO_COUNTED_PAGES: ListingServer = {
	paging: {
		...{ by: 'page', size: 2, firstPage: 1, says: 'pages', isCamel: false },
		...{ isText: true, beyond: 'empty', type: 'integer' },
	},
	entries: [0, 1, 2, 3].map((batch) => ({ batch, word: 'completed' })),
	finished: [true, true, true, true],
	hasNumericIds: false,
};

/** Whether the pages can be read to the end by what the schema and the replies say. */
export function canBeRead({ paging, entries }: ListingServer): boolean {
	const { by, says, size, limit } = paging;
	const inOnePage = limit || by === 'limit' ? Math.max(size, limit?.maximum ?? 1_000) : size;
	if (entries.length <= inOnePage && (by === 'limit' || by === 'none')) return true;
	if (by === 'limit' || by === 'none') return false;
	// Only the ID of the last entry says where the next page begins
	const ids = new Set(entries.map(({ batch }) => batch));
	return by !== 'startingAfter' || (says === 'flag' && ids.size === entries.length);
}

/** Whether the listing says that it has more than it gives. */
export function saysSo({ paging: { by, says, size }, entries }: ListingServer): boolean {
	return entries.length > size && (says !== 'nothing' || by === 'link' || by === 'cursor');
}

/** The ID of a batch, as it is polled. */
export function idOf({ hasNumericIds }: ListingServer, batch: number): string {
	return hasNumericIds ? `${batch + 1}` : `batch-${batch}`;
}

/** An error in place of the entries of a page, or beside them. */
export const PAGE_ERRORS: Array<(page: IDataObject) => IDataObject> = [
	() => ({ status: false, error: 'Internal error', batches: [] }),
	() => ({ status: 'error', message: 'Database timeout', data: [] }),
	() => ({ error: 'Database timeout', batches: null }),
	() => ({ status: 'failed', message: 'Too many requests' }),
	(page) => ({ ...page, status: false, error: 'Not all could be read' }),
];

/** What the call of the listing with this number meets. */
export interface PageError {
	call: number;
	pageWith: (page: IDataObject) => IDataObject;
}

/** Calls of the client, answered by the server. */
export function answering(server: ListingServer, error?: PageError) {
	const counts = { listings: 0 };
	return async (endpoint: Endpoint<unknown>): Promise<Result> => {
		const reply = replyTo(server, endpoint, counts, error);
		return await Promise.resolve(
			interpret(endpoint, reply, (where, error) => {
				throw new Error(`Fault in ${where}`, { cause: error });
			}),
		);
	};
}

function replyTo(
	server: ListingServer,
	{ request }: Endpoint<unknown>,
	counts: { listings: number },
	error?: PageError,
): Reply {
	const ok = (body: IDataObject): Reply => ({ kind: 'ok', status: 200, headers: {}, body });
	if (request.service !== 'mcp') {
		const id = decodeURIComponent(request.path.split('/').at(-1) ?? '');
		const batch = server.entries.find((entry) => idOf(server, entry.batch) === id)?.batch ?? 0;
		const status = server.finished[batch] ? 'completed' : 'processing';
		const row = { phone_number: '+12025550102', status, wa_status: 'VALID_CONFIRMED' };
		return ok({
			batch_id: id,
			status,
			total_numbers: 1,
			results: [{ ...row, numberstatus: true }],
		});
	}
	const { method, params } = request.body as { method: string; params: IDataObject };
	const result = (value: IDataObject) => ok({ jsonrpc: '2.0', id: 1, result: value });
	if (method === 'tools/list') {
		const inputSchema = { type: 'object', properties: propertiesOf(server.paging) };
		return result({ tools: [{ name: 'list_batches', inputSchema }] });
	}
	counts.listings += 1;
	const whole = pageOf(server, params.arguments as IDataObject);
	const page = error?.call === counts.listings ? error.pageWith(whole ?? {}) : whole;
	if (!page) return result({ isError: true, content: [{ type: 'text', text: 'No such page' }] });
	return result(
		server.paging.isText
			? { content: [{ type: 'text', text: JSON.stringify(page) }] }
			: { content: [], structuredContent: page },
	);
}

const ARGUMENTS: Record<Paging['by'], string | undefined> = {
	cursor: 'cursor',
	limit: undefined,
	link: 'page',
	none: undefined,
	offset: 'offset',
	page: 'page',
	startingAfter: 'starting_after',
};

function propertiesOf({ by, limit, type, isCamel }: Paging): IDataObject {
	const name = ARGUMENTS[by];
	const own = by === 'cursor' || by === 'startingAfter' ? 'string' : type;
	const takesLimit = limit !== undefined || by === 'limit';
	const maximum = limit?.maximum;
	return {
		status: { type: 'string' },
		...(name && { [spelled(name, isCamel)]: { anyOf: [{ type: own }, { type: 'null' }] } }),
		...(takesLimit && { limit: { type: 'integer', ...(maximum && { maximum }) } }),
	};
}

function pageOf(server: ListingServer, args: IDataObject): IDataObject | undefined {
	const { paging, entries } = server;
	const { by, firstPage, says, isCamel, limit, beyond } = paging;
	const named = (name: string) => spelled(name, isCamel);
	const own = ARGUMENTS[by];
	const given = own === undefined ? undefined : args[named(own)];
	const wanted = typeof args.limit === 'number' ? args.limit : paging.size;
	const size = Math.min(wanted, Math.max(paging.size, limit?.maximum ?? 1_000));
	const ids = entries.map(({ batch }) => idOf(server, batch));
	const last = Math.max(0, Math.ceil(entries.length / size) - 1);
	const number = Number(given ?? firstPage);
	let start = 0;
	if (by === 'page' || by === 'link') start = (number - firstPage) * size;
	if (by === 'offset') start = Number(given ?? 0);
	if (by === 'cursor') start = Number(String(given ?? 'at-0').slice(3));
	if (by === 'startingAfter') start = given === undefined ? 0 : ids.lastIndexOf(String(given)) + 1;
	if (start < 0 || (start > 0 && start >= entries.length)) {
		if (beyond === 'error' || start < 0) return undefined;
		start = beyond === 'last' && by === 'page' ? last * size : entries.length;
	}
	const end = Math.min(entries.length, start + size);
	const hasMore = end < entries.length;
	const batches = entries.slice(start, end).map(({ batch, word }) => ({
		batch_id: server.hasNumericIds ? batch + 1 : `batch-${batch}`,
		status: word,
	}));
	const link = `https://tools.example.com/batches?page=${number + 1}&limit=${size}`;
	const total = { [named('total_count')]: entries.length };
	return {
		batches,
		...(says === 'flag' && { [named('has_more')]: hasMore }),
		...(says === 'pages' && { [named('total_pages')]: last + 1 }),
		...(says === 'total' && { total: entries.length }),
		...(says === 'totalInside' && { meta: { pagination: total } }),
		...(by === 'cursor' && { [named('next_cursor')]: hasMore ? `at-${end}` : null }),
		...(by === 'link' && { next: hasMore ? link : null }),
	};
}

function spelled(name: string, isCamel: boolean): string {
	return isCamel ? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : name;
}
