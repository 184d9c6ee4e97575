import type { Reply } from '../http/endpoint';
import { injectIntoResponse, type Answer, type RequestContext } from './responseFaults';
import type { ErrorStatus, FaultEffect } from '../types';

/** What the client receives: an answer, a broken connection, or nothing at all. */
export type Delivery = 'reset' | 'hang' | Answer;

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** An endpoint's reply as it is sent without any fault. */
export function withoutFault(reply: Reply, errorStatus: ErrorStatus): Answer {
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

/** The delivery of a fault that happens before the request reaches the endpoint; undefined when there is none. */
export function injectBeforeEndpoint(
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
			return effect.isDone ? undefined : redirected(effect);
		default:
			return undefined;
	}
}

/** The delivery of an answer that the endpoint has given (and charged), with the fault applied to it. */
export function injectAfterEndpoint(
	effect: FaultEffect | undefined,
	answer: Answer,
	context: RequestContext,
): Delivery {
	switch (effect?.kind) {
		case 'resetAfterCharge':
			return 'reset';
		case 'hangAfterCharge':
			return 'hang';
		case 'redirect':
			return redirected(effect);
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
			return injectIntoResponse(effect, answer, context);
	}
}

const redirected = ({ to, status = 302 }: Extract<FaultEffect, { kind: 'redirect' }>): Answer => ({
	status,
	headers: { location: to },
	payload: '',
});

const half = (text: string) => text.slice(0, text.length / 2);

/** Another body. It is JSON even where the client expects an event stream. */
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
