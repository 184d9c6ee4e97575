import type { GenericValue, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { localFailure, parameterFailure, type Failure } from './failure';
import {
	isLocalAnswer,
	type AnyOperation,
	type Given,
	type LocalAnswer,
	type ServiceRequest,
} from './operation';
import type { Settings } from './settings';

/** One call to make, for one item or for all items that ask the same. */
export interface PlannedCall {
	request: ServiceRequest;
	/** What `prepare` made of the first item that asks. */
	question: unknown;
	/** Index of the first item that asks; the others share its answer. */
	firstItem: number;
}

/** What is to be done for one item. */
export type PlannedItem = {
	/** Value of the operation's subject as the user gave it; undefined where the operation has no subject. */
	input: GenericValue;
} & (
	| { kind: 'call'; call: PlannedCall }
	| { kind: 'failure'; failure: Failure }
	| { kind: 'local'; local: LocalAnswer }
);

/** The whole run before anything is sent. */
export interface Plan {
	items: PlannedItem[];
	calls: PlannedCall[];
}

/** Reads the parameters of all items, answers locally what can be, and lets equal questions share one call. */
export function planRun(
	context: IExecuteFunctions,
	operation: AnyOperation,
	itemCount: number,
	settings: Settings,
): Plan {
	const calls = new Map<string, PlannedCall>();
	const planItem = (item: number): PlannedItem => {
		const read = readParameters(context, operation, item);
		if ('failure' in read) return { input: null, kind: 'failure', failure: read.failure };

		const { given, additional } = read;
		const input = operation.subject === undefined ? undefined : given[operation.subject];
		const question = operation.prepare(given);
		if (isLocalAnswer(question)) return { input, ...planLocally(question, operation, settings) };

		const request = withAdditional(operation.request(question), additional);
		if ('cause' in request) return { input, kind: 'failure', failure: request };
		const key = operation.repeatable
			? equalityKey(operation, question, additional)
			: `item ${item}`;
		const call = calls.get(key) ?? { request, question, firstItem: item };
		calls.set(key, call);
		return { input, kind: 'call', call };
	};
	const items = Array.from({ length: itemCount }, (_, item) => planItem(item));
	return { items, calls: [...calls.values()] };
}

/** Malformed input of a lookup is data, unless the user wants it to fail; a wrong parameter always fails its item. */
function planLocally(
	local: LocalAnswer,
	operation: AnyOperation,
	{ failOnMalformedInput }: Settings,
) {
	const isData =
		operation.outcomes !== undefined &&
		(local.local === 'reserved' || (local.local !== 'parameter' && !failOnMalformedInput));
	return isData
		? ({ kind: 'local', local } as const)
		: ({ kind: 'failure', failure: localFailure(local) } as const);
}

type AdditionalParameters = Array<[name: string, value: string]>;

function readParameters(
	context: IExecuteFunctions,
	operation: AnyOperation,
	item: number,
): { additional: AdditionalParameters; given: Given } | { failure: Failure } {
	try {
		const given: Given = {};
		for (const { name } of operation.fields) {
			given[name] = context.getNodeParameter(name, item, null);
		}
		const options = context.getNodeParameter('options', item, {});
		for (const { name } of operation.options ?? []) given[name] = options[name];
		return { given, additional: readAdditional(options.additionalParameters) };
	} catch (error) {
		return {
			failure: parameterFailure(`its parameters cannot be read: ${error.message}`),
		};
	}
}

function readAdditional(collection: unknown): AdditionalParameters {
	const rows = (
		collection as { parameter?: Array<{ name?: unknown; value?: unknown }> } | undefined
	)?.parameter;
	return (rows ?? [])
		.map(({ name, value }): [string, string] => [String(name ?? '').trim(), String(value ?? '')])
		.filter(([name]) => name !== '');
}

/** Adds the additional parameters where the request carries its own: in the JSON body, or in the query. */
function withAdditional(
	request: ServiceRequest,
	additional: AdditionalParameters,
): Failure | ServiceRequest {
	const own: IDataObject = request.body ?? request.query ?? {};
	const taken = additional.find(([name]) => name === 'api_key' || name in own);
	if (taken) {
		return parameterFailure(
			`Additional Parameters has "${taken[0]}", which this node sets itself; remove it there`,
		);
	}
	const added = Object.fromEntries(additional);
	return request.body
		? { ...request, body: { ...request.body, ...added } }
		: { ...request, query: { ...request.query, ...added } };
}

/** Two items ask the same when everything sent is the same in its canonical spelling. */
function equalityKey(
	operation: AnyOperation,
	question: unknown,
	additional: AdditionalParameters,
): string {
	const canonical = operation.canonical?.(question) ?? question;
	return JSON.stringify([operation.request(canonical), additional]);
}
