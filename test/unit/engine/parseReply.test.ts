import type { IDataObject } from 'n8n-workflow';
import * as replies from '../../../nodes/LookupMessaging/engine/network/parseReply';
import { inOneGo } from '../fakes/inOneGo';

const parseReply = (body: unknown, type?: string) => inOneGo(replies.parseReply(body, type));
const parseAnyReply = (body: unknown, type?: string) => inOneGo(replies.parseAnyReply(body, type));

describe('a JSON reply', () => {
	test.each<[text: string, body: IDataObject]>([
		['{}', {}],
		['{"status":true,"list":[1,{"a":null}]}', { status: true, list: [1, { a: null }] }],
		[' \r\n\t{"a":1}\n', { a: 1 }],
		['\ufeff{"a":1}', { a: 1 }],
		['{"a":"\ufeffé\\u00e9😀"}', { a: '\ufefféé😀' }],
		['{"a":"data: x\\n\\ndata: y"}', { a: 'data: x\n\ndata: y' }],
	])('is read from the text %j, whatever its content type', (text, body) => {
		for (const type of [undefined, 'application/json; charset=utf-8', 'text/html', '']) {
			expect(parseReply(text, type)).toEqual(body);
		}
	});

	test('is returned as it is when it was parsed already', () => {
		const body = { a: 1 };
		expect(parseReply(body)).toBe(body);
		expect(parseReply(body, 'text/event-stream')).toBe(body);
	});

	test.each([
		'',
		' ',
		'\ufeff',
		'null',
		'true',
		'7',
		'"{}"',
		'[]',
		'[{"a":1}]',
		'{"a":1',
		'{"a":1}{"b":2}',
		"{'a':1}",
		'<html>Bad Gateway</html>',
		'undefined',
		'\ufeff\ufeff{"a":1}',
		'data: {"result":{}}\n\n',
	])('is not read from %j, which holds no object', (text) => {
		expect(parseReply(text)).toBeUndefined();
		expect(parseReply(text, 'application/json')).toBeUndefined();
	});

	test.each([undefined, null, true, 7, [], [{ a: 1 }]])('is not read from %j', (body) => {
		expect(parseReply(body)).toBeUndefined();
	});
});

describe('a reply of server-sent events', () => {
	const RESULT = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'a\n\nb' }] } };
	const ERROR = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'No such tool' } };
	const NOTE = {
		jsonrpc: '2.0',
		method: 'notifications/progress',
		params: { result: 1, error: 2 },
	};
	const ASKING = { jsonrpc: '2.0', id: 9, method: 'ping' };
	const data = (message: unknown) => `data: ${JSON.stringify(message)}`;
	const read = (...lines: string[]) => parseReply(lines.join('\n'), 'text/event-stream');

	test.each([
		'text/event-stream',
		'text/event-stream; charset=utf-8',
		'text/event-stream;charset=UTF-8',
		'Text/Event-Stream',
	])('is read under the content type %s', (type) => {
		expect(parseReply(`${data(RESULT)}\n\n`, type)).toEqual(RESULT);
	});

	test.each([
		['a result', RESULT],
		['an error', ERROR],
		['an empty result', { jsonrpc: '2.0', id: 1, result: {} }],
		['a result that is null', { jsonrpc: '2.0', id: 1, result: null }],
	])('gives %s', (_, message) => {
		expect(read('event: message', data(message), '', '')).toEqual(message);
	});

	test.each([
		['a response alone', [data(RESULT), '', '']],
		['notifications before it', [data(NOTE), '', data(NOTE), '', data(RESULT), '', '']],
		['a request of the server before it', [data(ASKING), '', data(RESULT), '', '']],
		['notifications after it', [data(RESULT), '', data(NOTE), '', '']],
		['another response after it', [data(RESULT), '', data(ERROR), '', '']],
		['comments', [': ping', '', ':', data(RESULT), ': {"result":1}', '', ': bye', '', '']],
		['a comment that looks like an event', [':data: {"result":1}', '', data(RESULT), '', '']],
		['other fields', ['event: message', 'id: 7', 'retry: 10', data(RESULT), '', '']],
		['fields that only start alike', ['database: {"result":1}', data(RESULT), '', '']],
		['blank lines in between and at the start', ['', '', '', data(RESULT), '', '', '']],
		['no blank line at the end', [data(NOTE), '', data(RESULT)]],
		['no space after the colon', [data(RESULT).replace('data: ', 'data:'), '', '']],
		['events without data', ['event: open', '', 'data:', '', 'data', '', data(RESULT), '', '']],
		['data that is no JSON', ['data: [DONE]', '', 'data: {"result":', '', data(RESULT), '', '']],
		['data that is a list', ['data: [{"result":1}]', '', data(RESULT), '', '']],
	])('is found among %s, whatever ends the lines', (_, lines) => {
		for (const lineEnd of ['\n', '\r\n', '\r']) {
			expect(parseReply(lines.join(lineEnd), 'text/event-stream')).toEqual(RESULT);
		}
	});

	test('is joined from the data lines of one event', () => {
		const lines = JSON.stringify(RESULT, null, 2)
			.split('\n')
			.map((line) => `data: ${line}`);
		expect(lines.length).toBeGreaterThan(5);
		for (const lineEnd of ['\n', '\r\n', '\r']) {
			const stream = [...lines, '', data(ERROR), '', ''].join(lineEnd);
			expect(parseReply(stream, 'text/event-stream')).toEqual(RESULT);
		}
	});

	test('is not joined from the data of several events', () => {
		expect(read('data: {"jsonrpc":"2.0",', '', 'data: "result":{}}', '', '')).toBeUndefined();
	});

	test('keeps the line breaks between its data lines', () => {
		expect(read('data: {"result":1', 'data: 2}', '', '')).toBeUndefined();
	});

	test('may start with a byte order mark', () => {
		expect(parseReply(`\ufeff${data(RESULT)}\n\n`, 'text/event-stream')).toEqual(RESULT);
	});

	test.each([
		['nothing', ''],
		['blank lines', '\n\n\n'],
		['comments alone', ': ping\n\n: ping\n\n'],
		['notifications alone', `${data(NOTE)}\n\n${data(ASKING)}\n\n`],
		['an answer that is no event', JSON.stringify(RESULT)],
		['a page', '<html>Bad Gateway</html>'],
	])('is missing where the stream holds %s', (_, stream) => {
		expect(parseReply(stream, 'text/event-stream')).toBeUndefined();
	});
});

describe('a reply whose HTTP status alone is the answer', () => {
	test.each<[text: unknown, type: string, body: IDataObject]>([
		['{"a":1}', 'application/json', { a: 1 }],
		['data: {"result":1}\n\n', 'text/event-stream', { result: 1 }],
		['', '', {}],
		[' \r\n', 'text/plain', {}],
		['\ufeff', 'application/json', {}],
		[undefined, '', {}],
		[null, '', {}],
		['ok\n', 'text/plain', { text: 'ok' }],
		['[1]', 'application/json', { text: '[1]' }],
		['true', 'application/json', { text: 'true' }],
		['<html></html>', 'text/html', { text: '<html></html>' }],
	])('is read from %j as %s', (text, type, body) => {
		expect(parseAnyReply(text, type)).toEqual(body);
	});
});
