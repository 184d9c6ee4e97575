import type { IDataObject } from 'n8n-workflow';
import * as engine from '../../engine';
import { inOneGo } from '../fakes/inOneGo';

const parseReply = (body: unknown) => inOneGo(engine.parseReply(body));
const parseAnyReply = (body: unknown) => inOneGo(engine.parseAnyReply(body));

describe('a JSON reply', () => {
	test.each<[text: string, body: IDataObject]>([
		['{}', {}],
		['{"status":true,"list":[1,{"a":null}]}', { status: true, list: [1, { a: null }] }],
		[' \r\n\t{"a":1}\n', { a: 1 }],
		['\ufeff{"a":1}', { a: 1 }],
		['{"a":"\ufeffé\\u00e9😀"}', { a: '\ufefféé😀' }],
		['{"a":"data: x\\n\\ndata: y"}', { a: 'data: x\n\ndata: y' }],
		['<br />\n<b>Deprecated</b>: x on line <b>12</b><br />\n{"a":1}', { a: 1 }],
		['Warning: x on line 12\n{"a":{"b":1}}\n', { a: { b: 1 } }],
		['{"a":1}\n<br /><b>Notice</b>: x', { a: 1 }],
	])('is read from the text %j', (text, body) => {
		expect(parseReply(text)).toEqual(body);
	});

	test('is returned as it is if it was parsed already', () => {
		const body = { a: 1 };
		expect(parseReply(body)).toBe(body);
	});

	test.each([
		...['', ' ', '\ufeff', 'null', 'true', '7', '"{}"', '[]', '[{"a":1}]', '{"a":1', "{'a':1}"],
		...['{"a":1}{"b":2}', '<html>Bad Gateway</html>', '<html><script>{"a":1}</script></html>'],
		...['it said {"a":1}', 'undefined', '\ufeff\ufeff{"a":1}', 'data: {"result":{}}\n\n'],
		...[undefined, null, true, 7, [], [{ a: 1 }]],
	])('is not read from %j, which has no object', (body) => {
		expect(parseReply(body)).toBeUndefined();
	});
});

describe('a reply whose HTTP status alone is the answer', () => {
	test.each<[text: unknown, body: IDataObject]>([
		['{"a":1}', { a: 1 }],
		['', {}],
		[' \r\n', {}],
		['\ufeff', {}],
		[undefined, {}],
		[null, {}],
		['ok\n', { text: 'ok' }],
		['[1]', { text: '[1]' }],
		['true', { text: 'true' }],
		['<html></html>', { text: '<html></html>' }],
	])('is read from %j', (text, body) => {
		expect(parseAnyReply(text)).toEqual(body);
	});
});
