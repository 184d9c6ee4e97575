import { type Caller, type Endpoint } from '../client';
import { CallFailed, type Failed, type Refusal, type Result } from '../results';
import type { Call, Send } from './layers';

/** Turns the results of calls into values and exceptions. */

type MakeCall = (endpoint: Endpoint<unknown>, isAttempt: boolean, step?: string) => Promise<Result>;

export function callerOn(make: MakeCall): Caller {
	return {
		async call<Value>(endpoint: Endpoint<Value>, step?: string) {
			const result = await make(endpoint, false, step);
			if ('failure' in result) throw new CallFailed(result.failure);
			// The endpoint's own `read` made the value
			return result.value as Exclude<Value, Refusal>;
		},
		async attempt<Value>(endpoint: Endpoint<Value>, step?: string) {
			const result = await make(endpoint, true, step);
			if (!('failure' in result)) return result.value as Exclude<Value, Refusal>;
			const { failure } = result;
			if (endpoint.tolerates && !endpoint.tolerates(failure)) throw new CallFailed(failure);
			return { failure };
		},
	};
}

/**
 * A caller without a task and without a journal, as for a poll of the trigger or a list of the editor.
 * @param facts what else the layers are to know of its calls
 */
export function plainCaller(send: Send, facts: Partial<Call> = {}): Caller {
	return callerOn(
		async (endpoint, isAttempt) =>
			await send({ ...facts, endpoint, request: endpoint.request, isAttempt }),
	);
}

/** Returns the result of the work, or the failure of a call that ended it. */
export async function catchFailed<Value>(work: () => Promise<Value>): Promise<Failed | Value> {
	return await work().catch(async (error: Error) =>
		error instanceof CallFailed ? { failure: error.failure } : await Promise.reject(error),
	);
}
