import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import {
	defineOperation,
	emptyFields,
	type FeatureSettings,
	fieldReader,
	openParameters,
	positive,
} from '../../engine';

/** A context whose one parameter is `raw`, and which keeps for which items it was evaluated. */
function contextOf(raw: unknown, items: IDataObject[], type = 'x.lookupMessaging') {
	const evaluated: number[] = [];
	const context = {
		getInputData: () => items.map((json) => ({ json })),
		getNode: () => ({ type }),
		getNodeParameter(name: string, item: number, fallback: unknown, options?: IDataObject) {
			expect(name).toBe('field');
			if (options?.rawExpressions) return raw ?? fallback;
			evaluated.push(item);
			return typeof raw === 'string' && raw.startsWith('=') ? `evaluated ${item}` : raw;
		},
	} as unknown as IExecuteFunctions;
	return { read: fieldReader(context, 'field'), evaluated };
}

const ITEMS: IDataObject[] = [
	{ a: 'x', 'b c': { d: [10, 20] }, n: 0, no: false, nil: null },
	{ a: 'y', 'b c': { d: [30] }, n: 1, no: true, nil: null },
	{},
];

describe('reading a parameter for many items', () => {
	test.each(['plain', '', '{{ $json.a }}', 7, true, { option: 'plain', list: ['a', 'b'] }])(
		'evaluates %j, which has no expression, once for all',
		(raw) => {
			const { read, evaluated } = contextOf(raw, ITEMS);
			expect([0, 1, 2].map(read)).toEqual([raw, raw, raw]);
			expect(evaluated).toEqual([0]);
		},
	);

	test.each<[string, unknown[]]>([
		['={{ $json.a }}', ['x', 'y']],
		['={{$json.a}}', ['x', 'y']],
		['={{ $json["a"] }}', ['x', 'y']],
		["={{ $json['a'] }}", ['x', 'y']],
		['={{ $json["b c"].d[0] }}', [10, 30]],
		['={{ $json.n }}', [0, 1]],
		['={{ $json.no }}', [false, true]],
		['={{ $json.nil }}', [null, null]],
	])('reads %s from the items', (raw, values) => {
		const { read, evaluated } = contextOf(raw, ITEMS);
		expect([0, 1].map(read)).toEqual(values);
		expect(evaluated).toEqual([]);
	});

	test.each([
		'={{ $json.a.length }}',
		'={{ $json.a.trim() }}',
		'={{ $json.a + $json.n }}',
		'=+{{ $json.a }}',
		'={{ $json.a }} ',
		'={{ $json.a }}{{ $json.n }}',
		'={{ $json["b c"] }}',
		'={{ $json["b c"].d }}',
		'={{ $json }}',
		'={{ $json.constructor }}',
		'={{ $json.__proto__ }}',
		'={{ $json["a\\"] }}',
		"={{ $('Form').item.json.a }}",
		'={{ $input.item.json.a }}',
		'=a',
	])('leaves %s to n8n', (raw) => {
		const { read, evaluated } = contextOf(raw, ITEMS);
		expect([0, 1].map(read)).toEqual(['evaluated 0', 'evaluated 1']);
		expect(evaluated).toEqual([0, 1]);
	});

	test('leaves an item without the field to n8n', () => {
		const { read, evaluated } = contextOf('={{ $json["b c"].d[1] }}', ITEMS);
		expect([0, 1, 2].map(read)).toEqual([20, 'evaluated 1', 'evaluated 2']);
		expect(evaluated).toEqual([1, 2]);
	});

	test('evaluates options with an expression somewhere in them item by item', () => {
		const { read, evaluated } = contextOf({ a: 1, rows: [{ b: '={{ $json.a }}' }] }, ITEMS);
		[0, 1, 2].map(read);
		expect(evaluated).toEqual([0, 1, 2]);
	});

	test("evaluates every item of a tool, whose $json is its caller's", () => {
		const { read, evaluated } = contextOf('={{ $json.a }}', ITEMS, 'x.lookupMessagingTool');
		[0, 1].map(read);
		expect(evaluated).toEqual([0, 1]);
	});

	test('reads a parameter that is hidden as null', () => {
		const { read } = contextOf(undefined, ITEMS);
		expect(read(0) ?? null).toBeNull();
	});
});

const operation = defineOperation<unknown>({
	...{ resource: 'test', value: 'ask', name: 'Ask', action: 'Ask', description: 'Asks' },
	fields: [
		{ displayName: 'Text', name: 'text', type: 'string', default: '', required: true },
		{ displayName: 'Country', name: 'country', type: 'string', default: '' },
	],
	options: [{ displayName: 'Hint', name: 'hint', type: 'string', default: '' }],
	rules: {},
	prepare: () => ({}),
	request: () => ({ service: 'main', method: 'GET', path: '/ask', query: {} }),
	read: () => positive({}),
	output: [],
});

/** Reads the parameters of all items; what is not a plain reference is evaluated to nothing. Returns the warnings. */
async function warningsOf(parameters: IDataObject, items: IDataObject[], more: IDataObject = {}) {
	const resolve = (value: unknown): unknown => {
		if (typeof value === 'string' && value.startsWith('=')) {
			if (value.includes('fail')) throw new Error('this expression fails');
			return undefined;
		}
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner)]));
	};
	const context = {
		getInputData: () => items.map((json) => ({ json })),
		getNode: () => ({ type: 'x.lookupMessaging' }),
		getNodeParameter: (name: string, _: number, fallback: unknown, options?: IDataObject) => {
			const [first, inner] = name.split('.');
			const held = parameters[first];
			const raw = (inner ? Object(held)[inner] : held) ?? fallback;
			return options?.rawExpressions ? raw : resolve(raw);
		},
		...more,
	} as unknown as IExecuteFunctions;
	const { read, values, opened } = openParameters(context, operation, {
		timeoutMs: 1000,
		alsoFailItemsIf: [],
	});
	for (const index of items.keys()) await read(index);
	return emptyFields({ context } as FeatureSettings).warnings?.(opened, values) ?? [];
}

describe('the warnings about the fields of a run', () => {
	const FORMS = [{ text: '', country: '' }, { text: ' ' }];
	const plain = { text: '={{ $json.text }}', country: '={{ $json.country }}' };

	test('name each field that is empty in all items', async () => {
		expect(await warningsOf(plain, FORMS)).toEqual([
			'Text is empty in all 2 items. Check the field name in its expression',
			'Country is empty in all 2 items. Check the field name in its expression',
		]);
		expect(await warningsOf(plain, [...FORMS, { text: 'x', country: 'GB' }])).toEqual([]);
	});

	test('of one item name the required field, and not the optional one', async () => {
		const warnings = ['Text is empty. Check the field name in its expression'];
		expect(await warningsOf(plain, [{ text: '', country: '' }])).toEqual(warnings);
	});

	test('name a misspelt field of an optional one and of an option', async () => {
		const options = { hint: '={{ $json.hnt }}', dryRun: '={{ $json.x }}' };
		const misspelt = { text: 'x', country: '={{ $json.contry }}', options };
		expect(await warningsOf(misspelt, [{ country: 'GB', hint: 'a' }])).toEqual([
			'Country is empty. Check the field name in its expression',
			'Hint is empty. Check the field name in its expression',
		]);
	});

	test('leave out hidden fields and fields without an expression', async () => {
		expect(await warningsOf({ text: 'x' }, FORMS)).toEqual([]);
		expect(await warningsOf({ text: 'x', country: '', options: { hint: '' } }, FORMS)).toEqual([]);
	});

	test('leave out a field whose expression fails, and none of the others', async () => {
		expect(await warningsOf({ text: '={{ fail }}', country: 'x' }, FORMS)).toEqual([]);
		const failing = { ...plain, options: '={{ fail }}' };
		expect(await warningsOf(failing, FORMS)).toHaveLength(2);
	});

	test('do not exist if nothing was read', async () => {
		expect(await warningsOf(plain, [])).toEqual([]);
	});
});
