import type { IDataObject } from 'n8n-workflow';
import { withExactIntegers } from '../plan/exactIntegers';
import { isObject } from '../plan/values';
import { SLICE, type Sliced } from '../redaction/slices';

/** Finds the JSON in the text of a reply. */

/** The JSON object in a reply body: plain JSON, or the JSON-RPC response in server-sent events (SPEC §4.3, Streamable HTTP). */
export function* parseReply(body: unknown, contentType = ''): Sliced<IDataObject | undefined> {
	if (typeof body !== 'string') return isObject(body) ? body : undefined;
	if (/^text\/event-stream\b/i.test(contentType)) return yield* responseIn(body);
	return yield* parseObject(body);
}

/** Like parseReply, for endpoints that need only the status: other text becomes `{ text }`, and no content `{}`. */
export function* parseAnyReply(body: unknown, contentType = ''): Sliced<IDataObject> {
	const json = yield* parseReply(body, contentType);
	if (json) return json;
	const text = typeof body === 'string' ? body.trim() : '';
	return text === '' ? {} : { text };
}

/** The first response among the events of a stream. The data lines of an event are joined (WHATWG HTML §9.2.6). */
function* responseIn(stream: string): Sliced<IDataObject | undefined> {
	const lineEnd = /\r\n|\r|\n|$/g;
	let data: string[] = [];
	let work = 0;
	for (let start = stream.startsWith('\ufeff') ? 1 : 0; start <= stream.length; ) {
		lineEnd.lastIndex = start;
		const end = lineEnd.exec(stream);
		const line = stream.slice(start, end?.index);
		start = (end?.index ?? stream.length) + (end?.[0].length || 1);
		if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
		if (data.length > 0 && (line === '' || start > stream.length)) {
			const message = yield* parseObject(data.join('\n'));
			if (isResponse(message)) return message;
			data = [];
		}
		work += LINE + line.length;
		if (work > SLICE) {
			work = 0;
			yield;
		}
	}
	return undefined;
}

/** What a line costs beside its characters. */
const LINE = 16;

/** The stream also carries notifications of the server. */
function isResponse(message: IDataObject | undefined): boolean {
	return message !== undefined && ('result' in message || 'error' in message);
}

function* parseObject(text: string): Sliced<IDataObject | undefined> {
	if (!/^\ufeff?\s*\{/.test(text)) return undefined;
	try {
		const exact = yield* withExactIntegers(text.replace(/^\ufeff/, ''));
		return JSON.parse(exact) as IDataObject;
	} catch {
		return undefined;
	}
}
