/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { PassThrough, Readable } from 'node:stream';

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	classify,
	type OpenResponse,
	redactor,
	type ServiceRequest,
	type Wire,
} from '../../engine';
import {
	Conversation,
	type MessageReader,
} from '../../../nodes/LookupMessaging/operations/toolServer/conversation';
import { EventParser } from '../../../nodes/LookupMessaging/operations/toolServer/eventParser';
import {
	meaningOf,
	type MessageMeaning,
} from '../../../nodes/LookupMessaging/operations/toolServer/jsonRpc';
import { inOneGo } from '../fakes/inOneGo';

const RESULT = { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'a\n\nb' }] } };
const ERROR = { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'No such tool' } };
const NOTE = { jsonrpc: '2.0', method: 'notifications/message', params: { result: 1, error: 2 } };
const PING = { jsonrpc: '2.0', id: 9, method: 'ping' };
const OTHER = { jsonrpc: '2.0', id: 777, result: { content: [] } };
/** More objects than a message is taken apart for. */
const MANY = Array<object>(20_000).fill({});
const data = (message: unknown) => `data: ${JSON.stringify(message)}`;

const POST: ServiceRequest = { service: 'mcp', method: 'POST', path: '/mcp' };
const toServer = (body: IDataObject): ServiceRequest => ({ ...POST, body });
const READER: MessageReader = {
	read: (message): MessageMeaning | undefined => meaningOf(message, 2, toServer),
	resume: (lastEventId) => ({ ...POST, method: 'GET', headers: { 'Last-Event-ID': lastEventId } }),
};

type Chunk = Error | Promise<unknown> | string;

/** A body that arrives in chunks; an error breaks it off, and a promise holds it up. */
function bodyOf(chunks: Chunk[]): Readable {
	return Readable.from(
		(async function* () {
			for (const chunk of chunks) {
				if (chunk instanceof Error) throw chunk;
				if (typeof chunk === 'string') yield Buffer.from(chunk);
				else await chunk;
			}
		})(),
	);
}

const response = (chunks: Chunk[], type = 'text/event-stream', statusCode = 200): OpenResponse => ({
	statusCode,
	headers: { 'content-type': type },
	...opened(bodyOf(chunks)),
});
const opened = (body: Readable) => ({ body, close: () => void body.destroy() });
const NEVER = new Promise(() => undefined);

type Script = Array<Error | OpenResponse>;

/** A wire whose further requests get the replies of a script. */
function fakeWire(script: Script = []) {
	const sent: ServiceRequest[] = [];
	const pauses: number[] = [];
	const lines: string[] = [];
	const stop = new AbortController();
	let time = 0;
	const redact = redactor('sandbox-key-main');
	const wire: Wire = {
		post: async (request) => {
			sent.push(request);
			if (request.method === 'POST') return response([], 'text/plain', 202);
			const next = script.shift() ?? response([], 'text/plain', 405);
			if (next instanceof Error) throw next;
			return next;
		},
		redact: async (body) => await Promise.resolve(inOneGo(redact(body))),
		signal: stop.signal,
		pause: async (ms) => {
			pauses.push(ms);
			time += ms;
			if (time >= 600_000) stop.abort();
		},
		finish: async (work) => await Promise.resolve(inOneGo(work)),
		giveWay: async () => undefined,
		now: () => time,
		log: (line) => void lines.push(line),
		classify: async (raw, json) =>
			await Promise.resolve(inOneGo(classify(raw, redact, POST, json))),
	};
	return { wire, sent, pauses, lines, stop };
}

async function read(chunks: Chunk[], script?: Script) {
	const fake = fakeWire(script);
	const reply = await new Conversation(READER, fake.wire).read(response(chunks));
	return { ...fake, reply };
}

describe('an event parser', () => {
	const LETTERS = ['a', 'é', '😀', ':', ' ', '\n', '\r', '\ufeff'];
	const PIECES = fc.constantFrom(...LETTERS, 'da', 'ta', 'data', 'data: x', 'id: 7', '\r\n');

	test('reads the same events wherever their text is cut', () => {
		const chunk = fc.array(PIECES, { maxLength: 6 }).map((pieces) => pieces.join(''));
		fc.assert(
			fc.property(fc.array(chunk, { maxLength: 8 }), (chunks) => {
				const [whole, cut] = [new EventParser(), new EventParser()];
				const expected = [...inOneGo(whole.push(chunks.join(''))), whole.end()];
				const events = chunks.flatMap((piece) => inOneGo(cut.push(piece)));
				expect([...events, cut.end()]).toEqual(expected);
				expect(cut.lastEventId).toBe(whole.lastEventId);
			}),
		);
	});

	test.each<[text: string, id?: string, retryMs?: number]>([
		['id: 1\n\n', '1'],
		['id: 1\ndata:\n\n', '1'],
		['id: 1\n\nid\n\n', ''],
		['id: 1\n\nid: 2\n', '1'],
		['id: a\0b\n\n'],
		['retry: 500\n', undefined, 500],
		['retry:0\n', undefined, 0],
		...['-1', 'soon', '9999999999999'].map((pause): [string] => [`retry: ${pause}\n`]),
	])('knows the last event and the pause of %j', (...[text, lastEventId, retryMs]) => {
		const parser = new EventParser();
		inOneGo(parser.push(text));
		expect([parser.lastEventId, parser.retryMs]).toEqual([lastEventId, retryMs]);
	});

	test('counts lines without data, which take memory too', () => {
		const parser = new EventParser();
		inOneGo(parser.push('data\n'.repeat(1_000)));
		expect(parser.pending).toBeGreaterThan(10_000);
	});
});

describe('the reply among the events of a stream', () => {
	test.each([
		['a result', RESULT],
		['an error', ERROR],
		['an empty result', { jsonrpc: '2.0', id: 2, result: {} }],
		['a result that is null', { jsonrpc: '2.0', id: 2, result: null }],
		['an error without an ID, where no other comes', { ...ERROR, id: null }],
		['an ID that is a text', { ...RESULT, id: '2' }],
	])('is %s', async (_, message) => {
		const { reply } = await read([`event: message\n${data(message)}\n\n`]);
		expect(reply).toMatchObject({ kind: 'ok', status: 200, body: message });
	});

	/** What may stand among the events of a stream, before the reply and behind it. */
	const OTHERS = [
		...[NOTE, PING, OTHER, {}, { a: 1 }, { ...ERROR, id: null }, { ...OTHER, id: null }].map(data),
		...['data: [DONE]', 'data: {"result":', 'data:', 'data', 'event: open', ': {"result":1}', ':'],
		...[`event: ping\n${data(ERROR)}`, 'event: message\nid: 7\nretry: 10', '', '\n'],
		...['database: {"result":1}', data([NOTE, OTHER])],
	];
	const among = fc.array(fc.constantFrom(...OTHERS), { maxLength: 8 });
	const writing = fc.constantFrom(
		...[data(RESULT), data(RESULT).replace('data: ', 'data:'), data([NOTE, OTHER, RESULT])],
		...[`: ping\n:\n${data(RESULT)}\n: bye`, `database: 1\nid: 7\n${data(RESULT)}`],
	);
	const lineEnds = fc.constantFrom('\n', '\r\n', '\r');
	test('is found among any others, whatever ends the lines, and first of two', async () => {
		const isFound = async (before: string[], own: string, behind: string[], lineEnd: string) => {
			const events = [...before, own, ...behind.map((other) => `${other}\n\n${data(ERROR)}`)];
			const { reply } = await read([events.join('\n\n').replaceAll('\n', lineEnd)]);
			expect(reply).toMatchObject({ kind: 'ok', body: RESULT });
		};
		await fc.assert(fc.asyncProperty(among, writing, among, lineEnds, isFound));
	});

	test('is joined from the data lines of one event, wherever it is cut', async () => {
		const lines = JSON.stringify(RESULT, null, 2).split('\n');
		const stream = [...lines.map((line) => `data: ${line}`), '', data(ERROR), '', ''].join('\r\n');
		for (let at = 0; at < stream.length; at += 1) {
			const { reply } = await read([stream.slice(0, at), stream.slice(at)]);
			expect(reply).toMatchObject({ kind: 'ok', body: RESULT });
		}
	});

	test('has no API key in it', async () => {
		const said = { ...RESULT, result: { text: 'your key is sandbox-key-main' } };
		const { reply } = await read([`${data(said)}\n\n`, NEVER]);
		expect(JSON.stringify(reply)).not.toContain('sandbox-key-main');
	});

	test.each([
		['nothing', ''],
		['comments alone', ': ping\n\n: ping\n\n'],
		['notifications alone', `${data(NOTE)}\n\n${data(PING)}\n\n`],
		['a reply to another request alone', `${data(OTHER)}\n\n`],
		['a result without an ID alone', `${data({ ...OTHER, id: null })}\n\n`],
		['an answer that is no event', JSON.stringify(RESULT)],
		['an event of another name', `event: other\n${data(RESULT)}\n\n`],
		['an event cut in two', 'data: {"jsonrpc":"2.0",\n\ndata: "id":2,"result":{}}\n\n'],
	])('is lost if the stream has %s', async (_, stream) => {
		const { reply, sent } = await read([stream]);
		expect(reply).toMatchObject({ cause: 'lost' });
		expect(sent.filter(({ method }) => method === 'GET')).toEqual([]);
	});

	test('is lost at once if it is nested too deeply to be read', async () => {
		const deep = `{"jsonrpc":"2.0","id":2,"result":${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}}`;
		const { reply } = await read([`data: ${deep}\n\n`, NEVER]);
		expect(reply).toMatchObject({ cause: 'lost', reason: expect.stringContaining('too deeply') });
	});

	test('is text if it is a body with very many objects', async () => {
		const text = JSON.stringify({ ...RESULT, result: { content: MANY } });
		const body = response([text], 'application/json');
		expect(await new Conversation(READER, fakeWire().wire).read(body)).toEqual({
			...{ kind: 'asText', status: 200, body: { text }, size: text.length },
			reason: 'the answer has more parts than this node takes apart',
		});
	});

	const NOTE_OF_MANY = { method: 'notifications/message', params: { data: MANY }, jsonrpc: '2.0' };
	const ASKING = { ...PING, method: 'sampling/createMessage', params: { messages: MANY } };
	const WITHIN = { result: { id: 777, method: 'x', content: MANY, more: [1] } };
	const ERROR_OF_MANY = { jsonrpc: '2.0', error: { code: 1, message: 'x', data: MANY } };

	test.each<
		[title: string, message: object, then: 'asText' | 'at once' | 'awaited', sent?: number]
	>([
		['a notification', NOTE_OF_MANY, 'awaited'],
		['a notification that names its version first', { ...NOTE, params: { data: MANY } }, 'awaited'],
		['a question', ASKING, 'awaited', 1],
		['a reply to another request', { ...OTHER, result: { content: MANY } }, 'awaited'],
		['another ID at the end', { result: { content: MANY }, jsonrpc: '2.0', id: 777 }, 'awaited'],
		['no ID', { result: { content: MANY }, jsonrpc: '2.0' }, 'awaited'],
		['no message', MANY, 'awaited'],
		['its ID at the end', { result: { content: MANY }, jsonrpc: '2.0', id: 2 }, 'at once'],
		['its ID as text', { result: { content: MANY }, jsonrpc: '2.0', id: '2' }, 'at once'],
		['an ID within its result alone, where no other comes', WITHIN, 'asText'],
		['no ID in an error, where no other comes', ERROR_OF_MANY, 'asText'],
	])('may follow or be what has very many objects: %s', async (...[, message, then, sent = 0]) => {
		const rest = then === 'asText' ? [`${data(OTHER)}\n\n`] : [`${data(RESULT)}\n\n`, NEVER];
		const found = await read([`${data(message)}\n\n`, ...(then === 'at once' ? [NEVER] : rest)]);
		expect(found.reply).toMatchObject(
			then === 'awaited'
				? { kind: 'ok', body: RESULT }
				: { kind: 'asText', status: 200, body: { text: JSON.stringify(message) } },
		);
		expect(found.sent).toHaveLength(sent);
	});

	test('is lost if it is larger than 64 MB', async () => {
		const { reply } = await read([`data: ${'x'.repeat(65 * 2 ** 20)}`, NEVER]);
		expect(reply).toMatchObject({ cause: 'lost', reason: 'the answer is larger than 64 MB' });
	});
});

describe('a server that sends a request while it works', () => {
	const asking = (method: string, id: number | string = 9) => ({ jsonrpc: '2.0', id, method });
	const REFUSED = { jsonrpc: '2.0', id: 9, error: { code: -32601, message: 'Method not found' } };

	test.each([
		['a ping', asking('ping'), { jsonrpc: '2.0', id: 9, result: {} }],
		['a ping with a text as its ID', asking('ping', 'a'), { jsonrpc: '2.0', id: 'a', result: {} }],
		...['sampling/createMessage', 'roots/list', 'elicitation/create'].map(
			(method): [string, object, object] => [method, asking(method), REFUSED],
		),
	])('gets an answer to %s', async (_, message, answer) => {
		const { reply, sent } = await read([`${data(message)}\n\n`, `${data(RESULT)}\n\n`]);
		expect(reply).toMatchObject({ kind: 'ok', body: RESULT });
		expect(sent).toEqual([{ ...POST, body: answer }]);
	});

	test('gets no more than 100 answers in one call', async () => {
		const stream = `${data(PING)}\n\n`.repeat(1_000);
		const { sent } = await read([stream, `${data(RESULT)}\n\n`, NEVER]);
		await new Promise(setImmediate);
		expect(sent.length).toBeLessThanOrEqual(100);
	});
});

describe('progress', () => {
	const progress = (params: object) =>
		`${data({ jsonrpc: '2.0', method: 'notifications/progress', params })}\n\n`;

	test.each([
		[{ progressToken: 2, progress: 3 }, ['3']],
		[{ progressToken: 2, progress: 3, total: 10 }, ['3 of 10']],
		[{ progressToken: 2, progress: 3, message: 'Half\n\u0007way' }, ['3 (Half way)']],
		[{ progressToken: 3, progress: 1 }, []],
		[{ progressToken: 2 }, []],
		[{ progress: 1 }, []],
	])('of this call with a number is logged, and no other: %j', async (params, logged) => {
		const { lines } = await read([progress(params), `${data(RESULT)}\n\n`]);
		expect(lines).toEqual(logged);
	});

	test('is logged once a second', async () => {
		const fake = fakeWire();
		const times = [0, 0, 500, 1_000, 1_000, 1_999];
		const stream = [1, 2, 3, 4].map((n) => progress({ progressToken: 2, progress: n }));
		await new Conversation(READER, { ...fake.wire, now: () => times.shift() ?? 0 }).read(
			response([...stream, `${data(RESULT)}\n\n`]),
		);
		expect(fake.lines.map((line) => line.slice(-1))).toEqual(['1', '3']);
	});
});

describe('a stream that breaks off', () => {
	const PRIMED = 'id: e1\nretry: 500\ndata:\n\n';
	const FURTHER = 'e1 500 e2 500 e3 500';
	const GROWING = 'e1 1000 e1 1500 e1 2250 e1 3375';
	const rest = () => response([`id: e2\n${data(RESULT)}\n\n`]);
	const further = (id: string) => response([`id: ${id}\ndata:\n\n`]);
	const busy = response([], 'text/plain', 503);
	const slowDown = { ...response([], 'text/plain', 429), headers: { 'retry-after': '60' } };
	const broken = new Error('aborted');
	const down = new Error('connect ECONNREFUSED');

	test.each<[how: string, chunks: Chunk[], script: Script, tries: string]>([
		['after its end', [PRIMED], [rest()], 'e1 500'],
		['after a break', [PRIMED, broken], [rest()], 'e1 500'],
		['after a cut event', [PRIMED, 'id: e5\ndata: {"jso', broken], [rest()], 'e1 500'],
		['by one body', [PRIMED], [response([JSON.stringify(RESULT)], 'text/json')], 'e1 500'],
		['as long as it has more', [PRIMED], [further('e2'), further('e3'), rest()], FURTHER],
		['no sooner than the server wants', [PRIMED], [slowDown, rest()], 'e1 500 e1 60000'],
		['at growing intervals', ['id: e1\n\n'], [down, busy, down, rest()], GROWING],
	])('is continued from its last event, %s', async (_, chunks, script, tries) => {
		const { reply, pauses, sent } = await read(chunks, script);
		expect(reply).toMatchObject({ kind: 'ok', body: RESULT });
		const ids = tries.split(' ').filter((word) => word.startsWith('e'));
		expect(sent.map(({ method, headers, body }) => [method, headers, body])).toEqual(
			ids.map((id) => ['GET', { 'Last-Event-ID': id }, undefined]),
		);
		expect(ids.map((id, index) => `${id} ${pauses[index]}`).join(' ')).toBe(tries);
		expect(pauses).toHaveLength(ids.length);
	});

	test('keeps the headers of the reply that it began with', async () => {
		const first = response([PRIMED]);
		first.headers['mcp-session-id'] = 'a';
		const reply = await new Conversation(READER, fakeWire([rest()]).wire).read(first);
		expect(reply).toMatchObject({ kind: 'ok', headers: { 'mcp-session-id': 'a' } });
	});

	test.each<[why: string, chunks: Chunk[], status?: number]>([
		['no header can have its ID, which is empty', [`${PRIMED}id:\ndata:\n\n`]],
		['no header can have its ID, of other letters', [`${PRIMED}id: \u010d\ndata:\n\n`]],
		['it has no event ID', [`${data(NOTE)}\n\n`, new Error('aborted')]],
		['the server does not return the rest', [PRIMED], 400],
	])('is lost if %s', async (...[, chunks, status]) => {
		const { reply, sent, pauses } = await read(chunks, [response([], 'text/plain', status)]);
		expect(reply).toMatchObject({ cause: 'lost' });
		expect([sent.length, pauses]).toEqual(status ? [1, [500]] : [0, []]);
	});

	test('is continued until the time-out, with pauses', async () => {
		const script = Array.from({ length: 100 }, () => response(['retry: 0\n\n']));
		const { reply, pauses } = await read(['id: e1\nretry: 0\n\n'], script);
		expect(reply).toMatchObject({ cause: 'lost' });
		expect(pauses.slice(0, 4)).toEqual([500, 1_500, 2_250, 3_375]);
		expect(Math.max(...pauses)).toBe(30_000);
	});

	test('is continued twice a second and 500 times at most, if each stream has a new event', async () => {
		const script = Array.from({ length: 1_000 }, (_, n) => response([`id: n${n}\nretry: 0\n\n`]));
		const { reply, pauses, sent } = await read(['id: e1\nretry: 0\n\n'], script);
		expect(reply).toMatchObject({ cause: 'lost' });
		expect(sent).toHaveLength(500);
		expect(Math.min(...pauses)).toBe(500);
	});

	test('ends the call at the time-out at once', async () => {
		const fake = fakeWire();
		const body = new PassThrough();
		body.write(PRIMED);
		const reading = new Conversation(READER, fake.wire).read({ ...response([]), ...opened(body) });
		setImmediate(() => fake.stop.abort());
		expect(await reading).toMatchObject({ cause: 'lost' });
		expect(fake.sent).toEqual([]);
	});
});

describe('a reply of one body', () => {
	const OK = { kind: 'ok', body: RESULT };
	const said = { ...RESULT, result: { text: 'é😀' } };
	const text = (message: unknown) => JSON.stringify(message);

	test.each<[how: string, body: string, reply: object, status?: number]>([
		['a result', text(RESULT), OK],
		['a result without an ID', text({ result: {} }), { kind: 'ok', body: { result: {} } }],
		['an answer to another request', text(OTHER), { cause: 'lost', status: 200 }],
		['a list', text([OTHER, RESULT]), OK],
		['a list without it', text([OTHER]), { cause: 'lost' }],
		['after a byte order mark', `\ufeff${text(said)}`, { kind: 'ok', body: said }],
		['events that are not named as such', `event: message\n${data(RESULT)}\n\n`, OK],
		['no events', ': none\n\n', { cause: 'lost' }],
		['an error', text(ERROR), { kind: 'httpError', status: 400 }, 400],
		['a page', '<html>', { cause: 'lost', status: 502 }, 502],
	])('is read: %s', async (...[, body, reply, status]) => {
		const bytes = Buffer.from(body);
		const cut = bytes.indexOf('😀') + 2;
		const pieces = Readable.from([bytes.subarray(0, cut), bytes.subarray(cut)]);
		const from = { ...response([], 'application/json', status), ...opened(pieces) };
		expect(await new Conversation(READER, fakeWire().wire).read(from)).toMatchObject(reply);
	});
});
