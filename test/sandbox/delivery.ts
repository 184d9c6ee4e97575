/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import type { Readable } from 'node:stream';

import type { Reply } from './endpoint';
import { onTheWay, type Surroundings } from './onTheWay';
import type { ErrorStatus, FaultEffect } from './types';

/** What goes over the wire in the end: an answer, a broken connection, or silence. */
export type Delivery = 'reset' | 'hang' | Answer;

export interface Answer {
	status: number;
	headers: Record<string, string>;
	payload: Buffer | Readable | string;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** An endpoint's reply as it is sent when nothing interferes. */
export function plain(reply: Reply, errorStatus: ErrorStatus): Answer {
	const hideStatus = errorStatus === 'ok' && !reply.statusIsStated;
	const status = hideStatus ? 200 : reply.status;
	if (reply.payload !== undefined) {
		return { status, headers: reply.headers ?? {}, payload: reply.payload };
	}
	return {
		status,
		headers: { ...JSON_TYPE, ...reply.headers },
		payload: JSON.stringify(reply.body),
	};
}

/** The delivery of a fault that comes before the endpoint is reached; undefined when the endpoint is to answer. */
export function insteadOfAnswer(
	effect: FaultEffect | undefined,
	key: string | undefined,
	target: string,
): Delivery | undefined {
	switch (effect?.kind) {
		case 'resetBeforeCharge':
			return 'reset';
		case 'hangBeforeCharge':
			return 'hang';
		case 'status':
			return injectedStatus(effect);
		case 'echoKey':
			return json(400, { status: false, error: `Bad request for api_key ${key}: ${target}` });
		case 'redirect':
			return {
				status: effect.status ?? 302,
				headers: { location: effect.to },
				payload: '',
			};
		default:
			return undefined;
	}
}

/** The delivery of a fault that spoils an answer already given (and charged). */
export function spoiled(
	effect: FaultEffect | undefined,
	answer: Answer,
	around: Surroundings,
): Delivery {
	switch (effect?.kind) {
		case 'resetAfterCharge':
			return 'reset';
		case 'hangAfterCharge':
			return 'hang';
		case 'html':
			return {
				status: effect.status ?? answer.status,
				headers: { 'content-type': 'text/html; charset=utf-8' },
				payload: '<!doctype html><html><body><h1>Please stand by</h1></body></html>',
			};
		case 'truncatedJson':
			return { ...answer, payload: half(String(answer.payload)) };
		case 'emptyBody':
			return { ...answer, payload: '' };
		case 'body':
			return replaced(answer, effect);
		default:
			return onTheWay(effect, answer, around);
	}
}

const half = (text: string) => text.slice(0, text.length / 2);

/** Another body, which is JSON also where an event stream was due. */
function replaced(answer: Answer, effect: Extract<FaultEffect, { kind: 'body' }>): Answer {
	const type = typeof effect.body === 'string' ? {} : JSON_TYPE;
	return {
		status: effect.status ?? answer.status,
		headers: { ...answer.headers, ...type },
		payload: text(effect.body),
	};
}

const text = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));

const json = (status: number, body: object): Answer => ({
	status,
	headers: JSON_TYPE,
	payload: JSON.stringify(body),
});

function injectedStatus(effect: Extract<FaultEffect, { kind: 'status' }>): Answer {
	const { status, headers, body = { status: false, error: `Injected status ${status}` } } = effect;
	const type = typeof body === 'string' ? { 'content-type': 'text/plain' } : JSON_TYPE;
	return { status, headers: { ...type, ...headers }, payload: text(body) };
}
