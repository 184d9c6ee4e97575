/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

import { isObject } from '../accounts/apiKeys';
import type { FaultEffect } from '../types';

/** An answer as it is sent. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	payload: Buffer | Readable | string;
}

/** What a fault needs to know about the request, besides the answer that it changes. */
export interface RequestContext {
	/** The API key that the request carried. */
	key: string;
	/** Resolves with false when the sandbox cancels its pending delays. */
	wait(ms: number): Promise<boolean>;
}

/** Faults of a correct answer in transit: its compression, charset, speed, length, shape, or extra content. */
export function injectIntoResponse(
	effect: FaultEffect | undefined,
	answer: Answer,
	{ key, wait }: RequestContext,
): Answer {
	switch (effect?.kind) {
		case 'gzip':
			return compressed(answer, effect.broken === true);
		case 'charset':
			return encoded(answer, effect.charset);
		case 'padding':
			return withFields(answer, { padding: 'x'.repeat(effect.bytes) });
		case 'headerFlood':
			return { ...answer, headers: { ...answer.headers, ...manyHeaders(effect.bytes) } };
		case 'drip':
			return {
				...answer,
				payload: Readable.from(characters(textOf(answer), effect.everyMs, wait)),
			};
		case 'cutShort':
			return cutShort(answer);
		case 'reshaped':
			return reshaped(answer, effect.as);
		case 'echo':
			return echoingKey(answer, key);
		default:
			return answer;
	}
}

const textOf = ({ payload }: Answer) => (typeof payload === 'string' ? payload : '');

function compressed(answer: Answer, isBroken: boolean): Answer {
	const bytes = gzipSync(textOf(answer));
	return {
		...answer,
		headers: { ...answer.headers, 'content-encoding': 'gzip' },
		payload: isBroken ? Buffer.from(textOf(answer)) : bytes,
	};
}

function encoded(answer: Answer, charset: 'bom' | 'latin1' | 'utf-16'): Answer {
	if (charset === 'bom') return { ...answer, payload: Buffer.from(`\ufeff${textOf(answer)}`) };
	if (charset === 'utf-16') {
		return { ...answer, payload: Buffer.from(`\ufeff${textOf(answer)}`, 'utf16le') };
	}
	const { payload } = withFields(answer, { note: 'Größe' });
	return { ...answer, payload: Buffer.from(String(payload), 'latin1') };
}

const manyHeaders = (bytes: number) =>
	Object.fromEntries(
		Array.from({ length: Math.ceil(bytes / 100) }, (_, n) => [`x-flood-${n}`, 'y'.repeat(100)]),
	);

async function* characters(text: string, everyMs: number, wait: RequestContext['wait']) {
	for (const character of text) {
		if (!(await wait(everyMs))) return;
		yield character;
	}
}

/** Announces the full length, and breaks off after half of it. */
function cutShort(answer: Answer): Answer {
	const text = textOf(answer);
	async function* half() {
		yield await Promise.resolve(text.slice(0, text.length / 2));
		throw new Error('cut short');
	}
	const headers = { ...answer.headers, 'content-length': String(Buffer.byteLength(text)) };
	return { ...answer, headers, payload: Readable.from(half()) };
}

/** Fields that a client doesn't expect. They must not pollute its objects. */
const EXTRA = JSON.parse(
	'{ "__proto__": { "polluted": true }, "constructor": { "prototype": { "polluted": true } }, "extra": [[{ "a": null }]], "note": "new" }',
) as object;

function reshaped(answer: Answer, as: 'extra' | 'nulls' | 'retyped'): Answer {
	if (as === 'extra') return withFields(answer, EXTRA);
	const other = as === 'nulls' ? () => null : retyped;
	return changeBody(answer, (body) =>
		Object.fromEntries(Object.entries(body).map(([name, value]) => [name, other(value)])),
	);
}

/** A value of another JSON type. */
function retyped(value: unknown): unknown {
	if (typeof value === 'string') return 7;
	if (typeof value === 'object') return 'none';
	return String(value);
}

/** The whole answer with the API key in its fields and headers, plain and in other encodings. */
function echoingKey(answer: Answer, key: string): Answer {
	const bytes = Buffer.from(key);
	const echo = {
		[key]: key,
		address: `https://api.example.com/v1?api_key=${encodeURIComponent(key)}&x=1`,
		form: new URLSearchParams({ api_key: key }).toString(),
		percent: percent(bytes),
		base64: bytes.toString('base64'),
		base64url: `token=${bytes.toString('base64url')}!`,
		basic: `Basic ${Buffer.from(`user:${key}:1`).toString('base64')}`,
		hex: `0x${bytes.toString('hex')}`,
		json: `{"api_key":"${escaped(key)}"}`,
		escaped: ESCAPED,
	};
	const withEcho = withFields(answer, { echo });
	const quoted = JSON.stringify(ESCAPED);
	const shown = headerText(key);
	return {
		...withEcho,
		headers: {
			...withEcho.headers,
			'x-api-key': shown,
			'set-cookie': `key=${encodeURIComponent(key)}`,
			'www-authenticate': `Bearer realm="${shown}"`,
		},
		payload: String(withEcho.payload)
			.split(quoted)
			.join(`"${escaped(key)}"`),
	};
}

/** Placeholder for the key until the body is text, because JSON can escape it only there. */
const ESCAPED = 'escaped key';

const escaped = (text: string) =>
	[...Array(text.length).keys()]
		.map((n) => `\\u${text.charCodeAt(n).toString(16).padStart(4, '0')}`)
		.join('');

const percent = (bytes: Buffer) =>
	[...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const headerText = (text: string) => text.replace(/[^\x20-\x7e]/g, '?');

/** Adds fields to a JSON body; to the result of a JSON-RPC reply, and to the JSON text in it. */
function withFields(answer: Answer, fields: object): Answer {
	return changeBody(answer, (body) => spread(body, fields));
}

/** Treats `__proto__` as an ordinary field name. */
const spread = (body: object, fields: object) =>
	Object.fromEntries([...Object.entries(body), ...Object.entries(fields)]);

type Change = (body: Record<string, unknown>) => object;

function changeBody(answer: Answer, change: Change): Answer {
	const text = textOf(answer);
	const body = parsed(text);
	if (!isObject(body)) return answer;
	const isRpc = isObject(body.result);
	const next = isRpc
		? { ...body, result: changeResult(body.result as object, change) }
		: change(body);
	return { ...answer, payload: JSON.stringify(next) };
}

/** A tool's answer is in its result twice: as text and as structured content. */
function changeResult(result: object, change: Change): object {
	const { content, structuredContent, ...rest } = result as Record<string, unknown>;
	const others = change(rest);
	if (!Array.isArray(content)) return others;
	const texts = content.map((block: Record<string, unknown>) => {
		const body = parsed(String(block.text));
		return isObject(body) ? { ...block, text: JSON.stringify(change(body)) } : block;
	});
	return {
		...others,
		content: texts,
		...(isObject(structuredContent) && { structuredContent: change(structuredContent) }),
	};
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
