import type { GenericValue, IDataObject } from 'n8n-workflow';
import { emptyFieldWarnings } from '../../engine';

/** What a run warns of is tested on n8n; here are the ways to write a field. */

const EMPTY = 'Email is empty. Check the field name in its expression';
const MISSING =
	"Email refers to a field that the item doesn't have. Check the field name in its expression";

/** The warnings about one field of one item. */
function warningsOf(written: GenericValue, email: GenericValue, required = false, json = {}) {
	const field = { displayName: 'Email', name: 'email', type: 'string', default: '' } as const;
	const opened = { property: { ...field, required }, written };
	return emptyFieldWarnings([opened], [{ email }], [{ json }]);
}

describe('an expression', () => {
	test.each<[written: string, item: IDataObject]>([
		['={{ $json.mail }}', { email: 'x' }],
		['={{ $json["e mail"] }}', { email: 'x' }],
		['={{ $json.contact.mail }}', { contact: { email: 'x' } }],
		['={{ $json.mails[0] }}', { mails: [] }],
		['=+49{{ $json.phone }}', { telephone: 'x' }],
		['={{ $json.first }}{{ $json.last }}', { first: 'x' }],
		['={{ $json.mail.trim() }}', { email: 'x' }],
		['=Hello {{ $json.name }}, how are you?', {}],
	])('that names a field that the item does not have causes a warning: %s', (written, item) => {
		expect(warningsOf(written, 'something', false, item)).toEqual([MISSING]);
		expect(warningsOf(written, '', false, item)).toEqual([EMPTY]);
	});

	test.each<[written: string, item: IDataObject]>([
		['={{ $json.email }}', { email: '' }],
		['={{ $json["e mail"].at[0] }}', { 'e mail': { at: [''] } }],
		['={{ $json.email.length }}', { email: 'x' }],
		['={{ $json.email.trim() }}', { email: 'x' }],
		['={{ $json.contact.email }}', { contact: null }],
		['={{ $json.contact }}', { contact: {} }],
		['={{ $json.keys() }}', {}],
		['={{ $json.email ?? "" }}', {}],
		['={{ $json.email || $json.mail }}', {}],
		['={{ $json.contact?.email }}', {}],
		['={{ $json.email ? $json.email : "" }}', {}],
		['=$json.email', {}],
		['$json.email {{ $json.email }}', {}],
	])('that names what the item has, or may lack, causes no warning: %s', (written, item) => {
		for (const value of ['', 'something'])
			expect(warningsOf(written, value, false, item)).toEqual([]);
		const mayLack = /[?|]/.test(written);
		if (mayLack) expect(warningsOf(written, undefined)).toEqual([]);
		if (mayLack) expect(warningsOf(written, undefined, true)).toEqual([EMPTY]);
	});

	test('that gives nothing causes a warning, also of a resource locator', () => {
		const locator = (value: GenericValue) => ({ __rl: true, mode: 'name', value });
		const written = '={{ $("Form").item.json.a }}';
		expect(warningsOf(written, undefined)).toEqual([EMPTY]);
		expect(warningsOf(locator(written), locator(undefined))).toEqual([EMPTY]);
		expect(warningsOf(locator(written), locator('x'))).toEqual([]);
		expect([0, false].flatMap((value) => warningsOf(written, value, true))).toEqual([]);
	});
});

test.each([' ', '='])(
	'a required field without an expression is to be filled in: %j',
	(written) => {
		expect(warningsOf(written, '', true)).toEqual(['Email is empty. Fill it in']);
		expect(warningsOf(written, '')).toEqual([]);
		expect(warningsOf('a@b.example', 'a@b.example', true)).toEqual([]);
	},
);

test('a hidden field causes no warning, and none that could not be read for an item', () => {
	for (const hidden of [null, undefined]) expect(warningsOf(hidden, null, true)).toEqual([]);
	const field = { displayName: 'Email', name: 'email', type: 'string', default: '' } as const;
	const written = '={{ $("Form").item.json.a }}';
	const opened = { property: { ...field, required: true }, written };
	const items = [{ json: {} }, { json: {} }];
	expect(emptyFieldWarnings([opened], [{ email: '' }, {}], items)).toEqual([]);
});
