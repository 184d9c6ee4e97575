import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { openParameter } from './expressions';
import { fileOf } from './files';
import { parameterFailure, type Failure } from './failure';
import type { AnyOperation, Given, ServiceRequest } from './operation';

/** Names and values that the user adds to a request. */
export type AdditionalParameters = Array<[name: string, value: string]>;

/** What the parameters of one item say. */
type Found = { additional: AdditionalParameters; given: Given } | { failure: Failure };

/**
 * Opens the parameters of a run.
 * @returns reads those of one item; a value that cannot be had (a failing expression) fails that item alone
 */
export function openParameters(
	context: IExecuteFunctions,
	operation: AnyOperation,
): (item: number) => Promise<Found> {
	const fields = operation.fields.map(({ name }) => ({ name, read: openParameter(context, name) }));
	const readOptions = openParameter(context, 'options');

	return async (item) => {
		try {
			const given: Given = {};
			for (const { name, read } of fields) given[name] = read(item);
			const options = (readOptions(item) ?? {}) as IDataObject;
			for (const { name } of operation.options ?? []) given[name] = options[name];
			if (operation.fileField) {
				given.file = await fileOf(context, item, String(given[operation.fileField] ?? ''));
			}
			const added = operation.isClosed ? undefined : options.additionalParameters;
			return { given, additional: readAdditional(added) };
		} catch (error) {
			return { failure: parameterFailure(`its parameters cannot be read: ${error.message}`) };
		}
	};
}

/** Adds the additional parameters where the request carries its own, which win: in its form, its JSON body, or the query. */
export function withAdditional(
	request: ServiceRequest,
	additional: AdditionalParameters,
): ServiceRequest {
	if (additional.length === 0) return request;
	const added = Object.fromEntries(additional);
	const { body, form, query } = request;
	if (form) return { ...request, form: { ...form, fields: { ...added, ...form.fields } } };
	return body
		? { ...request, body: { ...added, ...body } }
		: { ...request, query: { ...added, ...query } };
}

function readAdditional(collection: unknown): AdditionalParameters {
	const rows = (collection as { parameter?: IDataObject[] } | undefined)?.parameter ?? [];
	return rows
		.map(({ name, value }): [string, string] => [String(name ?? '').trim(), String(value ?? '')])
		.filter(([name]) => name !== '');
}
