import type { GenericValue, IExecuteFunctions } from 'n8n-workflow';
import {
	CLOCK,
	COST_LOG,
	isLongerThan,
	type LocalAnswer,
	openParameters,
	type Params,
	planRun,
	type Settings,
} from '../../engine';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { HARD_VALUES, INPUT_FIELDS, readInSteps } from '../../models/inputFields';

const LONG = 20_000;
/** Most characters that are put into a normal form at once. Twice as many take four times as long. */
const MAX_NORMALIZED = 5_000;

describe('a text of any length', () => {
	const normalize = jest.spyOn(String.prototype, 'normalize');
	afterAll(() => normalize.mockRestore());

	test.each(INPUT_FIELDS)('is limited before it is normalized: $title', (reader) => {
		for (const [name, valueOf] of Object.entries(HARD_VALUES)) {
			normalize.mockClear();
			Array.from(readInSteps(reader, valueOf(LONG)));
			const longest = normalize.mock.contexts.map((text) => String(text).length);
			expect([name, Math.max(0, ...longest) > MAX_NORMALIZED]).toEqual([name, false]);
		}
	});
});

describe('the size of a value', () => {
	test.each<[string, unknown, boolean]>([
		['a text of the limit', 'x'.repeat(992), false],
		['a longer text', 'x'.repeat(993), true],
		['a list of short texts', Array.from({ length: 100 }, () => 'xx'), true],
		['a short list', Array.from({ length: 50 }, () => 'xx'), false],
		['an object with a long name', { ['x'.repeat(1_000)]: 1 }, true],
		['a list in a list', [[['x'.repeat(1_000)]]], true],
		['a million numbers', new Array(1_000_000).fill(1), true],
		['nothing', undefined, false],
	])('is measured for %s without reading its texts', (_, value, isLong) => {
		expect(isLongerThan(1_000, value)).toBe(isLong);
	});

	test('is measured for a value that contains itself', () => {
		const circle: { self?: unknown } = {};
		circle.self = circle;
		expect(isLongerThan(1_000, circle)).toBe(true);
	});
});

describe('a parameter of n8n', () => {
	const [operation] = operations.filter(({ value }) => value === 'verify');
	const contextOf = (values: Record<string, GenericValue>) =>
		({
			getNode: () => ({ type: 'x' }),
			getInputData: () => [{ json: {} }],
			getExecutionCancelSignal: () => undefined,
			getNodeParameter: (name: string) => values[name] ?? null,
		}) as unknown as IExecuteFunctions;
	const TAG = { property: COST_LOG, collection: 'spendingLimits' };
	const SETTINGS = { timeoutMs: 1, alsoFailItemsIf: [] };
	const read = async (values: Record<string, GenericValue>, hasCostLog = false) =>
		await openParameters(contextOf(values), operation, {
			...SETTINGS,
			...(hasCostLog && { tagField: TAG }),
		}).read(0);
	const rows = (count: number, value: string) => ({
		additionalParameters: {
			parameter: Array.from({ length: count }, (_, n) => ({ name: `p${n}`, value })),
		},
	});

	const LONG_TEXT = 'x'.repeat(2_000_000);
	const MANY = 'Additional Parameters has more than 100 parameters, or more than 20,000 characters';
	const more = (name: string, most = '2,000,000') =>
		`${name} has more than the ${most} characters that this node takes`;
	const SHORTEN = 'Shorten it, or split it into several items';
	test.each<[string, Record<string, GenericValue>, problem: string, remedy?: string]>([
		['a text', { email: LONG_TEXT }, more('Email')],
		['a list', { email: new Array(300_000).fill(1) as number[] }, more('Email')],
		['the options', { options: { anything: LONG_TEXT } }, more('Options')],
		['the limits', { spendingLimits: { anything: LONG_TEXT } }, more('Spending Limits')],
		['the cost log', { 'spendingLimits.costLog': 'x'.repeat(1_001) }, more('Cost Log', '1,000')],
		['many Additional Parameters', { options: rows(101, 'x') }, MANY, 'Remove some'],
		['long Additional Parameters', { options: rows(2, 'x'.repeat(10_000)) }, MANY, 'Remove some'],
	])(
		'that is too long fails its item before anything reads it: %s',
		async (...[, values, problem, remedy = SHORTEN]) => {
			const reason = `${problem}. ${remedy}`;
			const found = await read(values, true);
			expect(found).toEqual({ failure: { cause: 'parameter', reason, scope: 'question' } });
		},
	);

	test('of usual length is read', async () => {
		const found = await read({ email: 'a@b.example', options: rows(100, 'x') }, true);
		expect(found).toMatchObject({ params: { email: 'a@b.example' } });
	});
});

describe('a field with many numbers', () => {
	const submit = operations.filter(
		({ resource, value }) => (resource === 'batch' && value === 'submit') || value === 'checkMany',
	);
	const NUMBERS = 10_000;
	const planOf = async (operation: (typeof operations)[number], stopAt = Infinity) => {
		let pauses = 0;
		let now = 0;
		jest.spyOn(CLOCK, 'now').mockImplementation(() => (now += 0.1));
		jest.spyOn(CLOCK, 'nextTick').mockImplementation(async () => void (pauses += 1));
		const phoneNumbers = Array.from({ length: NUMBERS }, (_, n) => `+4420794${60_000 + n}`).join();
		const params: Record<string, unknown> = { phoneNumbers, numbersFrom: 'list' };
		const context = {
			getNode: () => ({ type: 'x' }),
			getInputData: () => [{ json: {} }],
			getExecutionCancelSignal: () => ({ aborted: pauses >= stopAt }),
			getNodeParameter: (name: string) => params[name] ?? null,
		} as unknown as IExecuteFunctions;
		const settings = { alsoFailItemsIf: [] as string[] } as Settings;
		const answers = { find: () => undefined, positionOf: () => undefined };
		const plan = await planRun(context, operation, 1, settings, answers);
		jest.restoreAllMocks();
		return { plan, pauses: () => pauses };
	};

	test.each(submit.map((operation) => ({ operation, of: operation.value })))(
		'lets n8n run other work meanwhile, and notices Stop: $of',
		async ({ operation }) => {
			const { plan, pauses } = await planOf(operation);
			expect(plan.slots).toHaveLength(NUMBERS);
			expect(pauses()).toBeGreaterThan(100);
			const { plan: stopped } = await planOf(operation, 3);
			expect(stopped.slots.length).toBeLessThan(1_000);
			expect(stopped.slots.at(-1)).toMatchObject({ kind: 'failure' });
		},
	);
});

describe('a list in one field', () => {
	const MOST = 10_000;
	const numbers = (count: number) =>
		Array.from({ length: count }, (_, n) => `+4420794${60_000 + n}`);
	const ids = (count: number) => Array.from({ length: count }, (_, n) => `b-${n}`);
	const listed = operations.flatMap(({ resource, value, prepare }) => {
		if (resource !== 'batch') return [];
		const [field, name] =
			value === 'get' ? ['Batch ID', 'batchId'] : ['Phone Numbers', 'phoneNumbers'];
		const read = (list: unknown) =>
			prepare({ numbersFrom: 'list', [name]: list } as Params) as
				| LocalAnswer
				| { parts: Iterable<unknown> };
		return [{ of: value, field, read, entries: value === 'get' ? ids : numbers }];
	});

	test.each(listed)('has 10,000 entries at most: $of', ({ field, read, entries }) => {
		const problem = (count: string) => ({
			...{ local: 'parameter', field },
			reason: `has ${count} entries, more than the 10,000 that one field takes. Split it into several items`,
		});
		// What is trimmed from an entry is none
		expect(read('\u0001,'.repeat(10_001))).toMatchObject(problem('10,001'));
		expect(read(`${'\u00a0,'.repeat(20_000)}${entries(1)[0]}`)).not.toMatchObject({ field });
		for (const list of [
			entries(MOST),
			entries(MOST).join(),
			`${entries(MOST).join(' ; \r\n')}\n, \n`,
		]) {
			const found = read(list);
			expect('parts' in found && [...found.parts]).toHaveLength(MOST);
		}
		for (const list of [
			entries(MOST + 1),
			entries(MOST + 1).join(),
			JSON.stringify(entries(MOST + 1)),
		])
			expect(read(list)).toEqual(problem('10,001'));
		expect(read('1\n'.repeat(950_000))).toEqual(problem('950,000'));
		expect(read(','.repeat(1_900_000))).not.toMatchObject({ local: 'parameter' });
	});

	test.each(listed)('that is too long is refused before its entries are read: $of', ({ read }) => {
		const untouched = new Proxy(numbers(MOST + 1), {
			get: (list, name) => {
				if (name !== 'length') throw new Error(`looked at ${String(name)}`);
				return list.length;
			},
		});
		expect(read(untouched)).toMatchObject({ local: 'parameter' });
	});
});
