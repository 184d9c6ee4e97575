/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { GenericValue, IDataObject } from 'n8n-workflow';
import { isFullRun } from '../fullRun';
import { leastOf, longestStepMs as longestStepOf } from '../longestStep';
import {
	asSentence,
	canBeExpression,
	classify,
	CLOCK,
	type DecisionTable,
	escapeHtml,
	inShort,
	SLICES,
	isRefusal,
	keyProblem,
	parseAnyReply,
	parseReply,
	quote,
	readBaseUrl,
	readRetryAfter,
	redactor,
	scopeOf,
	type Sliced,
	textOf,
	withExactIntegers,
	withoutTags,
} from '../../engine';
import { EventParser } from '../../../nodes/LookupMessaging/operations/toolServer/eventParser';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { BATCHES, oddStatus, pollOf } from '../../../nodes/LookupMessaging/operations/batch/job';
import {
	isPending,
	readNumber,
	readRow,
	ROWS,
	rowAnswer,
} from '../../../nodes/LookupMessaging/operations/batch/row';
import {
	readFormArguments,
	readJsonArguments,
} from '../../../nodes/LookupMessaging/operations/toolServer/toolArguments';
import { readToolResult } from '../../../nodes/LookupMessaging/operations/toolServer/toolResult';
import {
	argumentFields,
	describeArguments,
} from '../../../nodes/LookupMessaging/operations/toolServer/toolSchema';
import {
	HARD_VALUES,
	hardValue,
	INPUT_FIELDS,
	readInSteps,
	RIGHT,
	type InputField,
} from '../../models/inputFields';
import { FOR_NOW } from '../../models/lookupReplies';
import { KEYS } from '../../sandbox/answers/magicInputs';
import { FakeClock, FakeTransport, startRun } from '../../unit/fakes/fakeSend';
import { inOneGo } from '../../unit/fakes/inOneGo';
import { headOf } from '../../unit/fakes/replies';

/** What patterns of texts stumble over: runs of one piece, with something before or behind that makes them look again. */
const PIECES = [
	'a| |"|:|.|@|1|+|-|(|[|/|\\|,|\n|\u200b|é|😀|\u200c|क्\u200d|a@|1 |::|%|0|<|"a|a"|{"a":|٣|1,|a\n|%2e|=',
	"'|00|1e|tel:|mailto:|https://|\t|x10|·|1/|()|,,|; |insufficient |not found|&|&#|&#0|&amp;|\\u|\\u00|\\x",
	'“,|“a,|“\n|",|"a,|...|\\"|12345678901234567890,|"1234567890123456"|%25|?|#|\u0301|\0|\r|5|73|s|data:\n|data:\n\n|A=|A\n|sk|{{|\\n|s\\',
].flatMap((pieces) => pieces.split('|'));
/** What stands before and behind a run of pieces. */
const AROUND = [
	...[
		...['…', '…x', '"…"', '[…]', '+…1', 'a@…', 'https://…', 'x,…y)z', '?…\n', 's…!', '%…', '&…'],
		'&#…',
	],
].map((text) => text.split('…') as [before: string, after: string]);
/** Nothing, and one of the others in turn. */
const aroundFor = (index: number) => [AROUND[0], AROUND[1 + (index % (AROUND.length - 1))]];
/** Work that goes over a text of this length again and again takes seconds. */
const LENGTH = 80_000;
const MAX_MS = 100;

function cpuMs(work: () => unknown): number {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

/** Asking for processor time takes longer than most of what is measured here; the time of day is enough where it is short. */
function wallMs(work: () => unknown): number {
	const before = performance.now();
	work();
	return performance.now() - before;
}

const repeated = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));

const ODD_KEY = '\\s 5&%/"key';
const schemaOf = (text: string) => ({
	name: text,
	listed: {},
	inputSchema: {
		required: [text],
		properties: { [text]: { description: text, default: text, enum: [text], $ref: `#/${text}` } },
	},
});

/** What sees a text of the service, beside what operations read. */
const READERS: Record<string, (text: string) => unknown> = {
	'the redactor': (text) => inOneGo(redactor(KEYS.main)({ [text]: text })),
	'the redactor of an odd key': (text) => inOneGo(redactor(ODD_KEY)({ [text]: text })),
	'the redactor, in a file': (text) =>
		inOneGo(redactor(KEYS.main)({ blob: Buffer.from(text).toString('base64') })),
	'a reply': (text) => inOneGo(parseAnyReply(text)),
	'a reply with an integer that would be rounded': (text) => [
		...withExactIntegers(`[12345678901234567890,"${text}`),
	],
	'an event': (text) => inOneGo(new EventParser().push(`data: ${text}\n\n`)),
	'Retry-After': (text) => readRetryAfter(text, 0),
	'a refusal': (text) =>
		['x', text].map((query) => {
			const request = { service: 'main', method: 'GET', path: '/scrapersearch' } as const;
			return scopeOf(text, { status: 403, request: { ...request, query: { query } } });
		}),
	'a sentence': (text) => [asSentence(text), inShort(text), quote(text)],
	'a hint': (text) => [escapeHtml(text), withoutTags(text), canBeExpression(text)],
	'the result of a tool': (text) => {
		const content = [
			{ type: 'text', text },
			{ type: 'image', data: text, mimeType: `a/${text}` },
			{ type: 'resource', resource: { uri: text, blob: 'QUJD', mimeType: text } },
		];
		const call = { tool: 'x', args: { x: text }, splits: true };
		return [readToolResult({ content }, call), readToolResult({ content, isError: true }, call)];
	},
	'the schema of a tool': (text) => [
		argumentFields(schemaOf(text)),
		describeArguments(schemaOf(text)),
	],
	'arguments of a tool': (text) => [
		readJsonArguments(text),
		...['number', 'boolean', 'array', 'object', 'options', 'string'].map((type) =>
			readFormArguments({ value: { a: text }, schema: [{ id: 'a', type }] }),
		),
	],
};

/** What a field makes of a value, to the end. */
const prepareWith = (reader: InputField, value: GenericValue) => {
	for (const step of readInSteps(reader, value)) void step;
};

/** All that sees a text of a user or a stranger. */
const READ_TEXTS = [
	...INPUT_FIELDS.map((reader) => {
		return [reader.title, (text: string) => prepareWith(reader, text)] as const;
	}),
	...Object.entries(READERS),
];

test.each(READ_TEXTS)(
	'the time to read a text grows no faster than the text: %s',
	async (_, read) => {
		for (const [index, piece] of PIECES.entries()) {
			for (const [before, after] of aroundFor(index)) {
				const text = before + repeated(piece, LENGTH) + after;
				const ms = await holdsUp(LENGTH, () => oneStep(() => read(text)), MAX_MS);
				expect([before, piece, after, ms]).toEqual([before, piece, after, false]);
			}
		}
	},
);

/** A MB of a value holds n8n up for so long at most, in milliseconds of processor time, and a short one no longer than that. */
const MS_PER_MB = 50;
const MEGABYTE = 1_000_000;
const SHARES = isFullRun ? [0.1, 1] : [0.1];
const LEAST_MS = 20;
/** On a slower or busier machine: so many times what `JSON.parse` takes there for as many characters of small objects. */
const TIMES_PARSE = 3;
const SMALL_OBJECTS = `[${'{"a":[1,"b"]},'.repeat(MEGABYTE / 14)}1]`;

/** The longest step of a work, in milliseconds. Between two steps n8n goes on. */
function longestStepMs(steps: Iterator<unknown>, msOf = cpuMs): number {
	let longest = 0;
	for (let isDone = false; !isDone; ) {
		longest = Math.max(
			longest,
			msOf(() => (isDone = steps.next().done === true)),
		);
	}
	return longest;
}

const parseSmallObjects = () => JSON.parse(SMALL_OBJECTS) as unknown;

/** For how long the work on so many characters holds n8n up, if that is too long however often it is tried. */
async function holdsUp(characters: number, work: () => Iterator<unknown>, leastMs = LEAST_MS) {
	const share = characters / MEGABYTE;
	const ms = Math.max(leastMs, MS_PER_MB * share);
	if (longestStepMs(work(), wallMs) <= ms) return false;
	const most = limitOf(share, ms);
	const least = await leastOf(() => longestStepMs(work()), most);
	return least > most(least) && Math.round(least);
}

/** What a work may take: so many milliseconds, or on a slower or busier machine what `JSON.parse` takes there at this time. */
function limitOf(share: number, ms: number) {
	let most = ms;
	return (least: number) => {
		if (least > most) most = Math.max(most, TIMES_PARSE * share * cpuMs(parseSmallObjects));
		return most;
	};
}

function* oneStep(work: () => unknown) {
	yield work();
}

/** Replies as far as they are read: a no, a yes, and a job that may be over. */
const ROW = { phone_number: '+12025550102', status: 'completed', wa_status: 'INVALID' };
const GOOD: Record<string, IDataObject[]> = {
	'phone.validate': [{ status: 'INVALID' }, { status: true, valid: false }],
	'callerId.lookUp': [
		{ success: true, name: null, valid: 'INVALID' },
		{ success: false, message: 'Invalid phone number' },
	],
	'whatsApp.checkNumber': [{ status: true, whatsapp: false }],
	'email.verify': [{ balance: 7, status: true, emailexist: false, verdict: 'undeliverable' }],
	'geoIp.locate': [{ status: false }, { status: true, country: 'GB' }],
	'audit.get': [{ status: true, audit_id: 'a1', results: { a: 1 } }],
	'batch.poll': [{ batch_id: 'b', status: 'completed', results: [ROW] }],
	'batch.row': [{ ...ROW, numberstatus: false }],
	'scraper.searchForum': [{ data: [] }, { data: [{ id: 1 }] }],
};

/** All that reads a reply, with the tables that it reads by. */
interface ReplyReader {
	name: string;
	read: (body: IDataObject) => unknown;
	decide: DecisionTable[];
}

const REPLY_READERS: ReplyReader[] = [
	...operations.flatMap((operation): ReplyReader[] => {
		if (!('read' in operation)) return [];
		const { resource, value, decide = [], fields } = operation;
		const hasBasic = fields.some(({ name }) => name === 'responseDetail');
		return [RIGHT, ...(hasBasic ? [{ ...RIGHT, responseDetail: 'basic' }] : [])].map((given) => {
			const question = operation.prepare(given);
			const head = headOf(operation.request(question));
			const read = (body: IDataObject) => operation.read(body, head, question);
			return { name: `${resource}.${value}`, read, decide };
		});
	}),
	{
		name: 'batch.poll',
		decide: [BATCHES],
		read: (body) => {
			const poll = pollOf('b');
			const batch = poll.read(body, headOf(poll.request));
			if (isRefusal(batch)) return batch;
			const stated = Array.from({ length: 100 }, () => rowAnswer(ROW, batch));
			return [stated, oddStatus(batch), batch.rows.map((row) => readNumber(row, batch))];
		},
	},
	{ name: 'batch.row', decide: [ROWS], read: (row) => [readRow(row), isPending(row)] },
];

/** The fields that a reader asks a body for. */
function askedOf({ read }: ReplyReader, body: IDataObject): string[] {
	const names = new Set<string>();
	read(
		new Proxy(body, {
			get: (target, name: string) => {
				names.add(name);
				return target[name];
			},
		}),
	);
	return [...names];
}

/** Fields that are found by a part of their names. */
const BY_NAME = ['errors', 'reason', 'detail', 'warning', 'code', 'queue', 'eta', 'percent'];
const LONG_PIECES = [
	...[' ', '\n', '%', 'not ', '1', '"', "'", '_', '-', '!', '.', '+', '\u0301', '\u0663'],
	...['4 ', '8.8.8.8 ', 'not_', '…'],
];
const AFTER = ['x', '', '%'];
const LONG = 300_000;
/** By piece. Work that grows with the square of the length takes far more than it may at this one. */
const LONG_TEXTS = LONG_PIECES.map(
	(piece, index) => [piece, repeated(piece, LONG) + AFTER[index % AFTER.length]] as const,
);

describe('a long text in a field of a reply', () => {
	test.each(REPLY_READERS.map((reader, nth) => [`${nth} ${reader.name}`, reader] as const))(
		'takes 50 ms per MB at most: %s',
		async (_, reader) => {
			const tooSlow: unknown[] = [];
			for (const good of GOOD[reader.name] ?? [{ status: true }]) {
				const fields = new Set([
					...reader.decide.flatMap(({ rows }) =>
						rows.flatMap(({ when }) => when.flatMap((each) => each.fields)),
					),
					...[...askedOf(reader, good), ...BY_NAME, ...Object.keys(FOR_NOW)],
				]);
				for (const field of fields) {
					for (const [piece, text] of LONG_TEXTS) {
						const body = { ...good, [field]: text };
						const ms = await holdsUp(LONG, () => oneStep(() => reader.read(body)));
						if (ms !== false) tooSlow.push([good, field, piece, ms]);
					}
				}
			}
			expect(tooSlow).toEqual([]);
		},
	);
});

const manyNames = (count: number) =>
	JSON.stringify(
		Object.fromEntries(Array.from({ length: count }, (_, n) => [`name${n}`, n % 2 ? 'a b' : 1])),
	);
/** What makes a body 2 MB long, with as many names as a reply may have (`hasTooManyParts`). */
const MANY_NAMES = {
	'an object in it': `"more":${manyNames(190_000)}`,
	'a hundred objects in it': Array.from(
		{ length: 100 },
		(_, n) => `"m${n}":${manyNames(1_900)}`,
	).join(),
};

describe('a reply with many names', () => {
	test.each(REPLY_READERS.map((reader, nth) => [`${nth} ${reader.name}`, reader] as const))(
		'is read within 50 ms per MB: %s',
		async (_, reader) => {
			const [good] = GOOD[reader.name] ?? [{ status: true }];
			for (const [name, names] of Object.entries(MANY_NAMES)) {
				const text = `${JSON.stringify(good).slice(0, -1)},${names}}`;
				const most = limitOf(text.length / MEGABYTE, (MS_PER_MB * text.length) / MEGABYTE);
				// What is kept of a body is kept for that one alone
				const least = await leastOf(() => {
					const body = JSON.parse(text) as IDataObject;
					return cpuMs(() => reader.read(body));
				}, most);
				expect([name, least > most(least) && Math.round(least)]).toEqual([name, false]);
			}
		},
	);
});

/** A key of 1,000 characters that do not repeat. */
const LONG_KEY = Array.from({ length: 1_000 }, (_, n) => ((n * n * 31) % 36).toString(36)).join('');

/** The credential, and what is made of the key when it is first used. */
const OF_CREDENTIAL: Record<string, (text: string) => Iterator<unknown>> = {
	'the base URL': (text) => oneStep(() => readBaseUrl({ baseUrl: text }, 'main')),
	'the Tool Server URL': (text) =>
		oneStep(() => readBaseUrl({ mcpUrl: `https://a.example/${text}` }, 'mcp')),
	'the key': (text) => oneStep(() => keyProblem({ apiKey: text }, 'mcp')),
	'the first use of a key': (text) =>
		oneStep(() =>
			inOneGo(redactor(text.slice(0, 2_000))({ text: `${LONG_KEY} ${text.slice(0, 2_000)}` })),
		),
	'the key in a text': (text) =>
		redactor(LONG_KEY)({ text: `${text}${LONG_KEY}`, [text]: 1, list: [text.toUpperCase()] }),
};

describe('a value of a user', () => {
	const characters = SHARES.map((share) => share * MEGABYTE);

	test.each(INPUT_FIELDS)('blocks n8n for 50 ms per MB at most: $title', async (reader) => {
		for (const name of Object.keys(HARD_VALUES)) {
			for (const size of characters) {
				const value = hardValue(name, size);
				const ms = await holdsUp(size, () => readInSteps(reader, value));
				expect([name, size, ms]).toEqual([name, size, false]);
			}
		}
	});

	test.each(Object.entries(OF_CREDENTIAL))(
		'in the credential blocks n8n for 50 ms per MB at most: %s',
		async (_, work) => {
			for (const name of Object.keys(HARD_VALUES)) {
				for (const size of characters) {
					const text = textOf(hardValue(name, size));
					const ms = await holdsUp(size, () => work(text));
					expect([name, size, ms]).toEqual([name, size, false]);
				}
			}
		},
	);
});

/** A clock whose time and turns are n8n's own, and whose waits are over at once. */
class OwnTurns extends FakeClock {
	override now = CLOCK.now;
	override nextTick = CLOCK.nextTick as () => Promise<undefined>;
}

describe('a list of 50,000 numbers', () => {
	const BATCH = 1_000;
	const numbers = Array.from({ length: 50_000 }, (_, n) => `+49151${10_000_000 + n}`);
	const characters = numbers.join().length;
	const batches = operations.filter(
		({ resource, value }) => resource === 'batch' && ['checkMany', 'submit'].includes(value),
	);
	const rowOf = (number: string) => ({
		...{ phone_number: number, status: 'completed', wa_status: 'VALID_CONFIRMED' },
		...{ numberstatus: true, businessnumber: false, formatted_number: number, country: 'DE' },
		...{
			carrier: 'Example Mobile',
			validation: { line_type: 'mobile', timezone: 'Europe/Berlin' },
		},
	});
	/** By the first number of each batch, which is its ID too. */
	const finished = new Map<string, string>();
	for (let first = 0; first < numbers.length; first += BATCH) {
		const results = numbers.slice(first, first + BATCH).map(rowOf);
		const [{ phone_number: id }] = results;
		const body = { batch_id: id, status: 'completed', total_numbers: BATCH, results };
		finished.set(encodeURIComponent(id), Buffer.from(JSON.stringify(body)).toString());
	}

	test.each(batches.map((operation) => [operation.value, operation] as const))(
		'blocks n8n for 50 ms per MB at most while its batches start and end: %s',
		async (_, operation) => {
			const tasks = Array.from(finished.keys(), (_id, nth) =>
				numbers.slice(nth * BATCH, (nth + 1) * BATCH).map((number) => ({ number })),
			) as unknown as string[][];
			const run = async () => {
				const service = new FakeTransport(async (request) => {
					const [first] = (request.body?.phone_numbers ?? []) as string[];
					const started = { batch_id: first, status: 'processing', total_numbers: BATCH };
					const body = finished.get(request.path.split('/').at(-1) ?? '');
					const response = { statusCode: 200, headers: {}, body: body ?? JSON.stringify(started) };
					return await SLICES.finish(classify(response, redactor(KEYS.main), request));
				});
				const options = { clock: new OwnTurns() };
				const { performed } = startRun(operation, tasks, service, { concurrency: 100 }, options);
				const ms = await longestStepOf(async () => await performed);
				expect(new Set((await performed).outcomes)).toEqual(new Set(['positive']));
				return ms;
			};
			const share = characters / MEGABYTE;
			const most = limitOf(share, MS_PER_MB * share);
			const least = await leastOf(run, most);
			expect(least > most(least) && Math.round(least)).toBe(false);
		},
	);
});

describe('a reply of 10 MB', () => {
	const CHARACTERS = 10_000_000;
	/** Most characters between two pauses, with what a search needs of the next ones. */
	const MOST = 100_000;
	const slicesOf = (work: Sliced<unknown>) => {
		let slices = 1;
		while (!work.next().done) slices += 1;
		return slices;
	};
	const list = (entry: string, characters = CHARACTERS) =>
		JSON.parse(`[${repeated(entry, characters)}1]`) as unknown[];
	const BODIES: Record<string, () => object> = {
		'one text': () => ({ a: repeated('\\', CHARACTERS) }),
		'a text full of keys': () => ({ a: repeated(KEYS.main, CHARACTERS) }),
		'a file': () => ({ a: repeated('QUJD', CHARACTERS) }),
		'a list of numbers': () => list('1,'),
		'a list of lists': () => list('[],'),
		'a list of objects': () => list('{"a":"b"},'),
	};

	test.each(Object.entries(BODIES))('lets n8n run other work meanwhile: %s', (_, body) => {
		expect(slicesOf(redactor(KEYS.main)(body()))).toBeGreaterThan(CHARACTERS / MOST);
	});

	test.each(['\n', '\r\n', 'data:\n', 'data: {}\n\n', ':\n'])(
		'lets n8n run other work meanwhile: events of %j',
		(piece) => {
			const stream = repeated(piece, CHARACTERS);
			expect(slicesOf(new EventParser().push(stream))).toBeGreaterThan(CHARACTERS / MOST);
		},
	);

	it('of usual size is read without a pause', () => {
		const body = JSON.stringify({ status: true, data: list('{"a":"b"},', MEGABYTE / 100) });
		expect(slicesOf(parseReply(body))).toBe(1);
		expect(slicesOf(redactor(KEYS.main)({ status: true, number: '+442079460123' }))).toBe(1);
	});
});
