import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { type AnyOperation, fieldReader, openParameters } from '../../engine';

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

test('an option that is set to nothing is read as empty, and one that is not set as missing', async () => {
	const options = ['hint', 'more'].map((name) => ({ name, displayName: name, type: 'string' }));
	const context = {
		getInputData: () => [{ json: {} }],
		getNode: () => ({ type: 'x' }),
		getNodeParameter: (name: string) => (name === 'options' ? { hint: undefined } : {}),
	} as unknown as IExecuteFunctions;
	const operation = { fields: [], options } as unknown as AnyOperation;
	const settings = { timeoutMs: 1000, alsoFailItemsIf: [] };
	const { params } = (await openParameters(context, operation, settings).read(0)) as {
		params: object;
	};
	expect(params).toMatchObject({ hint: '', more: undefined });
});
