import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeType,
} from 'n8n-workflow';
import { isLocalAnswer } from '../LookupMessaging/engine/operation';
import { canBeExpression } from '../LookupMessaging/engine/plan/values';
import type { ListedTool } from '../LookupMessaging/operations/toolServer/mcpClient';
import { askForEditor, choicesAmong, toolsOf } from '../LookupMessaging/editor/toolLists';
import { readJsonArguments } from '../LookupMessaging/operations/toolServer/toolArguments';
import { askForEntries, fieldsOf } from './listing';

/** What the editor asks the tool server for while the trigger is set up. All of it is free. */

/** The tools that can be called without any argument, as listings can, by the filter. */
async function searchListingTools(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const tools = (await toolsOf(this)).filter(needsNothing);
	return { results: choicesAmong(tools, filter) };
}

/** The fields that the entries of the listing have now. Only a tool that can be a listing is called for them. */
async function searchListingFields(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const name = String(
		this.getNodeParameter('listingTool', '', { extractValue: true }) ?? '',
	).trim();
	const tool = (await toolsOf(this)).find((listed) => listed.name === name);
	if (!tool || !needsNothing(tool)) return { results: [] };
	const options = this.getNodeParameter('options', {}) as IDataObject;
	const read = readJsonArguments(options.toolArguments);
	const args = isLocalAnswer(read) ? {} : read.args;
	const entries = await askForEditor(
		this,
		async (client) => await askForEntries(client, { tool: name, args }),
	);
	const wanted = filter.trim().toLowerCase();
	return {
		results: fieldsOf(entries)
			.filter((field) => !canBeExpression(field) && field.toLowerCase().includes(wanted))
			.map((field) => ({ name: field, value: field })),
	};
}

function needsNothing({ inputSchema: { required } }: ListedTool): boolean {
	return !Array.isArray(required) || required.length === 0;
}

export const listingMethods: INodeType['methods'] = {
	listSearch: { searchListingTools, searchListingFields },
};
