import type { IDataObject } from 'n8n-workflow';

/**
 * The JSON object that a reply body holds, or undefined: plain JSON (a byte order mark does no harm), or the JSON-RPC
 * response in a stream of server-sent events (SPEC §4.3, Streamable HTTP).
 */
export function parseReply(body: unknown, contentType = ''): IDataObject | undefined {
	if (typeof body !== 'string') return isObject(body) ? body : undefined;
	if (/^text\/event-stream\b/i.test(contentType)) {
		return events(body).map(parseObject).find(isResponse);
	}
	return parseObject(body);
}

/** As parseReply, for replies whose HTTP status says it all: other text comes as `{ text }`, and no content as `{}`. */
export function parseAnyReply(body: unknown, contentType = ''): IDataObject {
	const json = parseReply(body, contentType);
	if (json) return json;
	const text = typeof body === 'string' ? body.trim() : '';
	return text === '' ? {} : { text };
}

/** The data of each event (WHATWG HTML §9.2.6: several data lines of an event are joined). */
function events(stream: string): string[] {
	return stream
		.replace(/^\ufeff/, '')
		.split(/\r?\n\r?\n|\r\r/)
		.map((event) =>
			event
				.split(/\r\n|\r|\n/)
				.filter((line) => line.startsWith('data:'))
				.map((line) => line.slice(5).replace(/^ /, ''))
				.join('\n'),
		);
}

/** Notifications of the server come in the same stream and are passed over. */
function isResponse(message: IDataObject | undefined): boolean {
	return message !== undefined && ('result' in message || 'error' in message);
}

function parseObject(text: string): IDataObject | undefined {
	try {
		const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
