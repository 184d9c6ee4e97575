import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeType,
} from 'n8n-workflow';
import { toEditorError } from '../LookupMessaging/engine/errors';
import { leadAlone } from '../LookupMessaging/engine/leadAlone';
import { isLocalAnswer } from '../LookupMessaging/engine/operation';
import { isFailed, type Failed, type Talk } from '../LookupMessaging/engine/talk';
import { listTools, type ListedTool } from '../LookupMessaging/engine/toolServer';
import { openTransport } from '../LookupMessaging/engine/transport';
import { judgeWords } from '../LookupMessaging/operations/toolServer/judgeWords';
import { readJsonArguments } from '../LookupMessaging/operations/toolServer/toolArguments';
import { askForEntries, fieldsOf } from './listing';

/** What the editor asks the tool server for while the trigger is set up. All of it is free. */

const TIMEOUT_MS = 30_000;

/** The tools that can be called without any argument, as listings can, by the filter. */
async function searchListingTools(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const wanted = filter.trim().toLowerCase();
	const results = (await lead(this, listTools(judgeWords)))
		.filter(needsNothing)
		.filter(({ name, title, description }) =>
			[name, title, description].some((text) => text?.toLowerCase().includes(wanted)),
		)
		.map(({ name, title, description }) => ({ name: title ?? name, value: name, description }))
		.sort((a, b) => a.name.localeCompare(b.name));
	return { results };
}

/** The fields that the entries of the listing have now. Only a tool that can be a listing is called for them. */
async function searchListingFields(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const name = String(
		this.getNodeParameter('listingTool', '', { extractValue: true }) ?? '',
	).trim();
	const tool = (await lead(this, listTools(judgeWords))).find((listed) => listed.name === name);
	if (!tool || !needsNothing(tool)) return { results: [] };
	const options = this.getNodeParameter('options', {}) as IDataObject;
	const read = readJsonArguments(options.toolArguments);
	const args = isLocalAnswer(read) ? {} : read.args;
	const entries = await lead(this, askForEntries({ tool: name, args }));
	const wanted = filter.trim().toLowerCase();
	return {
		results: fieldsOf(entries)
			.filter((field) => field.toLowerCase().includes(wanted))
			.map((field) => ({ name: field, value: field })),
	};
}

function needsNothing({ inputSchema: { required } }: ListedTool): boolean {
	return !Array.isArray(required) || required.length === 0;
}

/** @throws NodeOperationError when the tool server cannot be asked */
async function lead<Result>(
	context: ILoadOptionsFunctions,
	talk: Talk<Failed | Result>,
): Promise<Result> {
	const transport = await openTransport(context);
	const result = await leadAlone(talk, transport, TIMEOUT_MS);
	if (isFailed(result)) throw toEditorError(context.getNode(), result.failure);
	return result;
}

export const listingMethods: INodeType['methods'] = {
	listSearch: { searchListingTools, searchListingFields },
};
