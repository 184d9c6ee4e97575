import type { GenericValue, IDataObject, INodeProperties } from 'n8n-workflow';
import { emptyFieldWarnings } from '../../engine';

/** The warnings about one field. @param values what it gave for each item; undefined where it gave nothing */
function warningsOf(
	written: GenericValue,
	values: GenericValue[],
	{ required, items }: { required?: boolean; items?: IDataObject[] } = {},
): string[] {
	const field: INodeProperties = {
		...{ displayName: 'Email', name: 'email', type: 'string', default: '', required },
	};
	return emptyFieldWarnings(
		[field],
		{ email: written },
		values.map((email) => ({ email })),
		(items ?? values.map(() => ({}))).map((json) => ({ json })),
	);
}

const REQUIRED = { required: true };
const EMPTY = 'Email is empty. Check the field name in its expression';
const MISSING =
	"Email refers to a field that the item doesn't have. Check the field name in its expression";

describe('an empty field', () => {
	const inAll = (items: number) => [
		`Email is empty in all ${items} items. Check the field name in its expression`,
	];
	const EXPRESSION = '={{ $("Form").item.json.a }}';
	test.each<[title: string, values: GenericValue[], ifRequired: string[], ifOptional: string[]]>([
		['in the one item, whose form has the field', [''], [EMPTY], []],
		['in the one item, where it is null', [null], [EMPTY], []],
		['in the one item, where the expression gives nothing', [undefined], [EMPTY], [EMPTY]],
		['in both items', ['', ' '], inAll(2), inAll(2)],
		['in 3 items', [undefined, '\u200b', []], inAll(3), inAll(3)],
		['in one of two items', [undefined, 'x'], [], []],
		['in no item', ['x', 'y'], [], []],
		['in no item, where 0 and false are values', [0, false], [], []],
	])('causes a warning or none: %s', (_, values, ifRequired, ifOptional) => {
		expect(warningsOf(EXPRESSION, values, REQUIRED)).toEqual(ifRequired);
		expect(warningsOf(EXPRESSION, values)).toEqual(ifOptional);
	});

	test.each<[written: string, values: GenericValue[], ifRequired: string[]]>([
		[' ', [' '], ['Email is empty. Fill it in']],
		['=', ['', ''], ['Email is empty in all 2 items. Fill it in']],
		['a@b.example', ['a@b.example'], []],
	])('causes a warning only if it is required, for %j, which is no expression', (...of) => {
		const [written, values, ifRequired] = of;
		expect(warningsOf(written, values, REQUIRED)).toEqual(ifRequired);
		expect(warningsOf(written, values)).toEqual([]);
	});

	test('causes no warning if it is hidden', () => {
		expect(warningsOf(null, [null, null], REQUIRED)).toEqual([]);
		expect(warningsOf(undefined, [null, null], REQUIRED)).toEqual([]);
	});

	test('causes no warning if it could not be read for an item', () => {
		const field: INodeProperties = {
			...{ displayName: 'Email', name: 'email', type: 'string', default: '', required: true },
		};
		const written = { email: '={{ $("Form").item.json.a }}' };
		const read = [{ email: '' }, {}];
		expect(emptyFieldWarnings([field], written, read, [{ json: {} }, { json: {} }])).toEqual([]);
	});

	test('is found by the value in a resource locator', () => {
		const locator = (value: GenericValue) => ({ __rl: true, mode: 'name', value });
		const written = locator('={{ $json.a }}');
		expect(warningsOf(written, [locator(undefined)], REQUIRED)).toEqual([EMPTY]);
		expect(warningsOf(written, [locator('x')], { items: [{ a: 'x' }] })).toEqual([]);
	});

	test('causes one warning, in the order of the fields', () => {
		const fields = ['Phone Number', 'Email'].map((displayName): INodeProperties => {
			return { displayName, name: displayName, type: 'string', default: '', required: true };
		});
		const written = { Email: '={{ $json.a }}{{ $json.b }}', 'Phone Number': '={{ $json.a }}' };
		const read = { Email: '', 'Phone Number': '' };
		expect(emptyFieldWarnings(fields, written, [read], [{ json: {} }])).toEqual([
			'Phone Number is empty. Check the field name in its expression',
			'Email is empty. Check the field name in its expression',
		]);
	});
});

describe('an expression that names a field', () => {
	test.each<[written: string, item: IDataObject]>([
		['={{ $json.mail }}', { email: 'x' }],
		['={{ $json["e mail"] }}', { email: 'x' }],
		['={{ $json.contact.mail }}', { contact: { email: 'x' } }],
		['={{ $json.mails[0] }}', { mails: [] }],
		['=+49{{ $json.phone }}', { telephone: 'x' }],
		['={{ $json.first }}{{ $json.last }}', { first: 'x' }],
		['={{ $json.mail.trim() }}', { email: 'x' }],
		['=Hello {{ $json.name }}, how are you?', {}],
	])('that the item does not have causes a warning: %s', (written, item) => {
		expect(warningsOf(written, ['something'], { items: [item] })).toEqual([MISSING]);
		expect(warningsOf(written, [''], { items: [item] })).toEqual([EMPTY]);
		expect(warningsOf(written, ['a', 'b'], { items: [item, {}] })).toEqual([
			'Email refers to a field that no item has. Check the field name in its expression',
		]);
	});

	test.each([
		'={{ $json.email ?? undefined }}',
		'={{ $json.contact?.email }}',
		'={{ $json.b || $json.c }}',
	])('causes a warning only if several items all lack it: %s', (written) => {
		expect(warningsOf(written, [undefined])).toEqual([]);
		expect(warningsOf(written, [undefined, undefined])).toEqual([
			'Email is empty in all 2 items. Check the field name in its expression',
		]);
		expect(warningsOf(written, [undefined], REQUIRED)).toEqual([EMPTY]);
	});

	test.each<[written: string, item: IDataObject]>([
		['={{ $json.email }}', { email: '' }],
		['={{ $json["e mail"].at[0] }}', { 'e mail': { at: [''] } }],
		['={{ $json.email.length }}', { email: 'x' }],
		['={{ $json.email.trim() }}', { email: 'x' }],
		['={{ $json.contact.email }}', { contact: null }],
		['={{ $json.keys() }}', {}],
		['={{ $json.email ?? "" }}', {}],
		['={{ $json.email || $json.mail }}', {}],
		['={{ $json.contact?.email }}', {}],
		['={{ $json.email ? $json.email : "" }}', {}],
		['=$json.email', {}],
		['$json.email {{ $json.email }}', {}],
	])('that the item has, or does not need, causes no warning: %s', (written, item) => {
		expect(warningsOf(written, [''], { items: [item] })).toEqual([]);
		expect(warningsOf(written, ['something'], { items: [item] })).toEqual([]);
	});

	test('causes no warning as soon as one item has it', () => {
		const items = [{}, { mail: 'x' }, {}];
		expect(warningsOf('=<{{ $json.mail }}>', ['<>', '<x>', '<>'], { items })).toEqual([]);
		expect(warningsOf('={{ $json.mail }}', [undefined, 'x', undefined], { items })).toEqual([]);
	});
});
