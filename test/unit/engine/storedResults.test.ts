import type { IDataObject } from 'n8n-workflow';
import {
	type Answered,
	type AskedQuestions,
	type LookupResult,
	newResults,
	type OutputField,
	type Plan,
	readTime,
	StoredResults,
	StoredRows,
	SLICES,
} from '../../engine';
import { flush, held, yes } from '../fakes/fakeSend';

const DAY = 86_400_000;
const MINUTE = 60_000;
const field = (name: string, type: OutputField['type'], more = {}): OutputField => ({
	...{ name, type, description: '', example: null, ...more },
});
const CHECK = {
	resource: 'test',
	value: 'check',
	output: [
		field('verdict', 'string'),
		field('score', 'number'),
		field('left', 'number', { ofCall: true }),
		field('list', 'array'),
		field('place', 'object'),
	],
};
const keyOf = (value: string) =>
	JSON.stringify([{ service: 'main', method: 'GET', path: '/check', query: { value } }, []]);
const answer = (more: object = {}) =>
	JSON.stringify({ version: 1, record: { verdict: 'good' }, ...more });
const rowOf = (value: string, more: IDataObject = {}): IDataObject => ({
	key: `test.check api.example/check?value=${value}`,
	...{ operation: 'test.check', outcome: 'positive', answer: answer() },
	answeredAt: new Date(Date.now() - MINUTE).toISOString(),
	...more,
});
let accounts = 0;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** What one try of a run knows after it has read the rows. */
function open(
	rows: IDataObject[],
	{
		maxAgeDays = 30,
		output = 'simplified' as 'raw' | 'simplified',
		shared = new StoredRows(),
		account = `an account of its own: ${(accounts += 1)}`,
	} = {},
) {
	const known = new StoredResults({ maxAgeDays, showsResponse: output === 'raw' }).open(shared, {
		...{ baseUrls: { main: 'api.example' }, account },
	});
	// All rows are read at once
	const slices = jest.spyOn(SLICES, 'isOver', 'get').mockReturnValue(false);
	void known.read(rows);
	slices.mockRestore();
	const find = (value: string) => known.find(CHECK, keyOf(value));
	return { known, find, unused: () => Object.fromEntries(known.unused) };
}

const paid = (record: object = { verdict: 'good' }): Answered => ({
	answer: yes({ ...record } as IDataObject),
	response: { body: 1 },
	source: 'service',
});

describe('a row', () => {
	test('answers its lookup, and no other, with its age', () => {
		const { find, unused } = open([
			{},
			rowOf('a', { answeredAt: ago(1.5 * DAY) }),
			rowOf('b', { outcome: 'negative', answer: answer({ reason: 'gone' }) }),
		]);
		expect(find('a')).toEqual({
			answer: { outcome: 'positive', record: { verdict: 'good' }, reason: undefined },
			...{ response: {}, source: 'stored', ageDays: 1.5 },
		});
		expect(find('b')?.answer).toMatchObject({ outcome: 'negative', reason: 'gone' });
		expect(find('c')).toBeUndefined();
		expect(unused()).toEqual({});
	});

	const record = (fields: object) => answer({ record: fields });
	const written = (json: string) => `{"version":1,"record":${json}}`;
	/** Answers of rows that cannot be used. */
	const MALFORMED: Record<string, IDataObject[string]> = {
		...{ 'no answer': null, 'an answer that is a list': [1], 'the text null': 'null' },
		'cut JSON': answer().slice(0, -2),
		'no version': JSON.stringify({ record: {} }),
		'no record': JSON.stringify({ version: 1 }),
		'a list for a record': answer({ record: [] }),
		'an answer that says yes and nothing else': record({}),
		'an undeclared field': record({ carrier: 'x' }),
		'an inherited field': record({ constructor: 'x' }),
		'a field of the call': record({ left: 1 }),
		'something unheard of': answer({ source: 'x' }),
		'a reason that is no text': answer({ reason: {} }),
		'a response that is no object': answer({ response: 'x' }),
		'the name of the prototype': written('{"place":{"__proto__":{"x":1}}}'),
		'that name in escaped characters': written('{"place":{"\\u005f_proto__":{"x":1}}}'),
		'more levels than can be copied': written(`{"list":${'['.repeat(600)}${']'.repeat(600)}}`),
		'more levels than can be read': written(`{"list":${'['.repeat(200_000)}`),
		'10 MB': answer({ reason: 'x'.repeat(10_000_000) }),
	};
	test.each<[title: string, more: IDataObject, why?: string]>([
		['with a time just within Max Age', { answeredAt: ago(30 * DAY - MINUTE) }],
		['with a time just past it', { answeredAt: ago(30 * DAY + MINUTE) }, 'expired'],
		['of a clock that is a little ahead', { answeredAt: ago(-9 * MINUTE) }],
		['of the future', { answeredAt: ago(-11 * MINUTE) }, 'future'],
		['with an answer that is an object', { answer: JSON.parse(answer()) as IDataObject }],
		['with columns of the table', { id: 7, createdAt: 'x', error: 'x' }],
		['with a null among the fields', { answer: record({ verdict: null }) }],
		['with values of any type', { answer: record({ list: 1, place: [], score: '1' }) }],
		['with an unknown result', { outcome: 'unknown' }, 'malformed'],
		['without a key', { key: null }, 'malformed'],
		['with the key of another operation', { operation: 'test.other' }, 'malformed'],
		['with an inherited outcome', { outcome: 'toString' }, 'malformed'],
		['without a time', { answeredAt: null }, 'malformed'],
		['with a day that is none', { answeredAt: '2026-13-45' }, 'malformed'],
		['of a later version', { answer: answer({ version: 2 }) }, 'otherVersion'],
		['of a version in words', { answer: answer({ version: '1' }) }, 'otherVersion'],
		...Object.entries(MALFORMED).map(([what, broken]): [string, IDataObject, string] => {
			return [`with ${what}`, { answer: broken }, 'malformed'];
		}),
	])('%s is used, or counted as what it is', (...[, more, why]) => {
		const { find, unused } = open([rowOf('good'), rowOf('a', more)]);
		for (let times = 0; times < 2; times += 1) expect(find('a') === undefined).toBe(!!why);
		expect(find('good')).toBeDefined();
		expect(unused()).toEqual(why ? { [why]: 1 } : {});
	});

	test('is replaced by a newer one that can be used, in any order, also of the same second', () => {
		const of = (verdict: string, days: number) =>
			rowOf('a', { answeredAt: ago(days * DAY), answer: answer({ record: { verdict } }) });
		const broken = rowOf('a', { answeredAt: ago(DAY), answer: '{}' });
		const rows = [of('old', 5), of('new', 2), broken];
		for (const each of [rows, rows.toReversed()])
			expect(open(each).find('a')?.answer.record).toEqual({ verdict: 'new' });
		const good = rowOf('a', { answeredAt: '2026-01-01T00:00:00Z' });
		const both = [good, { ...good, answer: '{"version":1' }];
		for (const each of [both, both.toReversed()])
			expect(open(each, { maxAgeDays: 1e6 }).find('a')?.source).toBe('stored');
	});

	test('is one of a hundred that are kept of its key, in any order of 40,000 of them', () => {
		const ROWS = 40_000;
		const timed = Array.from({ length: ROWS }, (_, n) =>
			rowOf('a', { answeredAt: Date.now() - MINUTE - ((n * 7_919) % ROWS) * 1_000 }),
		);
		const malformed = timed.map((row) => ({ ...row, answer: '{}' }));
		const shared = new StoredRows();
		expect(open([...timed, ...timed], { shared }).find('a')?.ageDays).toBe(0);
		expect([...shared.table.values()].map(({ length }) => length)).toEqual([100]);
		const { find, unused } = open(malformed);
		expect([find('a'), find('a')]).toEqual([undefined, undefined]);
		expect(unused()).toEqual({ malformed: 100 });
	});

	test('needs a response if items show it', () => {
		const rows = [rowOf('a'), rowOf('b', { answer: answer({ response: { x: 1 } }) })];
		const { find, unused } = open(rows, { output: 'raw' });
		expect([find('a')?.response, find('b')?.response]).toEqual([undefined, { x: 1 }]);
		expect(unused()).toEqual({ noResponse: 1 });
	});

	test.each([
		['has more parts than an answer of use', `[${'{},'.repeat(100_000)}1]`, 0],
		['is long, and so are others of its key', JSON.stringify('x'.repeat(900_000)), 2],
	])('is not parsed if it %s', (_, list, times) => {
		const text = `{"version":1,"record":{"undeclared":${list}}}`;
		const rows = Array.from({ length: 60 }, (__, n) =>
			rowOf('a', { answer: text, answeredAt: ago(n) }),
		);
		const parse = jest.spyOn(JSON, 'parse');
		expect(open(rows).find('a')).toBeUndefined();
		const parsed = parse.mock.calls.filter(([json]) => json === text);
		parse.mockRestore();
		expect(parsed).toHaveLength(times);
	});

	test('is parsed only when its value is looked up', () => {
		const rows = Array.from({ length: 10_000 }, (_, n) => rowOf(`v${n}`));
		const parse = jest.spyOn(JSON, 'parse');
		const { find } = open(rows);
		expect(parse).toHaveBeenCalledTimes(0);
		expect(find('v9999')).toBeDefined();
		expect(parse.mock.calls.length).toBeLessThan(4);
		parse.mockRestore();
	});
});

test.each<[unknown, string | undefined]>([
	['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z'],
	['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
	['2026-01-02 03:04:05.678901+00', '2026-01-02T03:04:05.678Z'],
	['2026-01-02 03:04:05+0100', '2026-01-02T02:04:05.000Z'],
	['2026-01-02T03:04:05.6-05:30', '2026-01-02T08:34:05.600Z'],
	['2026-01-02T03:04Z', '2026-01-02T03:04:00.000Z'],
	['2026-01-02', '2026-01-02T00:00:00.000Z'],
	[new Date(0), '1970-01-01T00:00:00.000Z'],
	[1_767_323_045_678, '2026-01-02T03:04:05.678Z'],
	['1767323045678', '2026-01-02T03:04:05.678Z'],
	['02.01.2026', undefined],
	['2026-1-2', undefined],
	['', undefined],
	[null, undefined],
	[{}, undefined],
	[Infinity, undefined],
])('the time %p is %s', (value, iso) => {
	const time = readTime(value);
	expect(Number.isFinite(time) ? new Date(time).toISOString() : undefined).toBe(iso);
});

describe('a new result', () => {
	test('may be changed by a later node: the next try returns the original row', async () => {
		const { known } = open([]);
		known.keep(CHECK, keyOf('a'), paid());
		const plan: Plan = { slots: [], tasks: [], known: new Map(), warnings: [] };
		const rowsOut = async () => await newResults(CHECK as never, plan, known);
		const before = JSON.stringify(await rowsOut());
		for (const { json, pairedItem } of await rowsOut()) {
			json.key = 'changed';
			if (Array.isArray(pairedItem)) pairedItem.push({ item: 9 });
		}
		expect(before).toContain('value=a');
		expect(JSON.stringify(await rowsOut())).toBe(before);
	});
});

describe('the outbox', () => {
	const GREY: Answered = {
		...paid(),
		answer: { outcome: 'unknown', record: {}, isRefunded: true },
	};
	/** Asks for `a`, through the layer of an execution; the reply comes later. */
	const asking = (known: StoredResults) => {
		const reply = held<LookupResult>();
		const next = jest.fn(async () => [await reply.released]);
		const heard = jest.fn();
		const asked: AskedQuestions = {
			...{ operation: CHECK as never, questions: ['a'], keys: [keyOf('a')], heard },
			waitFor: async (other) => void (await other),
			giveWay: () => undefined,
		};
		return { result: known.ask(asked, next), next, reply, heard };
	};

	test('has a question asked after another execution that asks it, and looks for an answer before each check', async () => {
		const [one, other, last] = [0, 1, 2].map(() => open([], { account: 'at once' }).known);
		const first = asking(one);
		const second = asking(other);
		const third = asking(last);
		await flush();
		expect(second.next).not.toHaveBeenCalled();
		first.reply.release(GREY);
		expect(await first.result).toEqual([GREY]);
		await flush();
		const recheck = asking(one);
		second.reply.release(paid());
		expect(await second.result).toEqual([paid()]);
		const stored = { source: 'stored', answer: { record: { verdict: 'good' } } };
		expect(await recheck.result).toMatchObject([stored]);
		expect([recheck.next.mock.calls, recheck.heard.mock.calls]).toMatchObject([[], [[[stored]]]]);
		expect([await third.result, third.next.mock.calls]).toMatchObject([[stored], []]);
	});

	test('does not hold up a question whose other execution stops or fails', async () => {
		const [one, other] = [0, 1].map(() => open([], { account: 'failing' }).known);
		const first = asking(one);
		const second = asking(other);
		first.reply.release({ failure: { cause: 'lost', reason: 'it broke', scope: 'question' } });
		await first.result;
		second.reply.release(paid());
		expect(await second.result).toEqual([paid()]);
		expect(second.next).toHaveBeenCalled();
	});

	test('continues if a returned row is older, or cannot be used', async () => {
		open([], { account: 'account' }).known.keep(CHECK, keyOf('stale'), paid());
		for (const more of [{ answeredAt: ago(DAY) }, { answer: '{}' }]) {
			const { known, find } = open([rowOf('stale', { ...more })], { account: 'account' });
			expect(find('stale')?.answer.record).toEqual({ verdict: 'good' });
			expect(await known.newRows()).toHaveLength(1);
		}
	});

	test('drops the oldest when it is full', () => {
		const { known } = open([], { account: 'full' });
		for (const value of ['old', 'middle', 'new'])
			known.keep(CHECK, keyOf(value), { ...paid(), size: 1_900_000 });
		const { find } = open([], { account: 'full' });
		expect(['old', 'middle', 'new'].map((value) => find(value) !== undefined)).toEqual([
			false,
			true,
			true,
		]);
	});
});
