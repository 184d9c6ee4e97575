import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { openParameter } from './expressions';
import { fileOf } from './files';
import { parameterFailure, type Failure } from './failure';
import type { AnyOperation, Given, ServiceRequest } from './operation';
import { textOf } from './text';

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
	const fields = operation.fields.map(({ name, displayName }) => ({
		name,
		displayName,
		read: openParameter(context, name),
	}));
	const readOptions = openParameter(context, 'options');

	return async (item) => {
		let reading = 'its parameters';
		try {
			const given: Given = {};
			for (const { name, displayName, read } of fields) {
				reading = displayName;
				given[name] = read(item);
			}
			reading = 'its options';
			const options = optionsIn(readOptions(item));
			for (const { name } of operation.options ?? []) given[name] = options[name];
			if (operation.fileField) {
				given.file = await fileOf(context, item, textOf(given[operation.fileField]));
			}
			const added = operation.isClosed ? undefined : options.additionalParameters;
			const additional = readAdditional(added);
			return 'failure' in additional ? additional : { given, additional };
		} catch (error) {
			return { failure: parameterFailure(`${reading} cannot be read: ${whyUnreadable(error)}`) };
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

/** The options of an item, whatever an expression gave in their place. */
export function optionsIn(value: unknown): IDataObject {
	return typeof value === 'object' && value !== null ? (value as IDataObject) : {};
}

/** n8n's own words where an expression fails; those of the language where a value is of no kind that can be handed on. */
function whyUnreadable(error: Error): string {
	return ['RangeError', 'TypeError'].includes(error.name)
		? 'it is neither text nor a number, a list or plain data'
		: error.message;
}

function readAdditional(collection: unknown): AdditionalParameters | { failure: Failure } {
	if (collection === undefined || collection === null || collection === '') return [];
	const rows: unknown = optionsIn(collection).parameter ?? [];
	if (!Array.isArray(rows) || typeof collection !== 'object') {
		return { failure: parameterFailure('Additional Parameters is no list of names and values') };
	}
	return rows
		.map(optionsIn)
		.map(({ name, value }): [string, string] => [textOf(name).trim(), textOf(value)])
		.filter(([name]) => name !== '');
}
