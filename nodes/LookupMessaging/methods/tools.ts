import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeType,
	ResourceMapperFields,
} from 'n8n-workflow';
import { toEditorError } from '../engine/errors';
import { leadAlone } from '../engine/leadAlone';
import { isFailed, type Failed, type Talk } from '../engine/talk';
import { listTools, type ListedTool } from '../engine/toolServer';
import { openTransport } from '../engine/transport';
import { judgeWords } from '../operations/toolServer/judgeWords';
import { argumentFields } from '../operations/toolServer/toolSchema';

/** What the editor asks the tool server for while a workflow is built. All of it is free. */

const TIMEOUT_MS = 30_000;

async function searchTools(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	return { results: choicesAmong(await toolsOf(this), filter) };
}

/** The tools whose name, title or description has the filter in it, as a picker lists them. */
export function choicesAmong(tools: ListedTool[], filter: string) {
	const wanted = filter.trim().toLowerCase();
	return tools
		.filter(({ name, title, description }) =>
			[name, title, description].some((text) => text?.toLowerCase().includes(wanted)),
		)
		.map(({ name, title, description }) => ({ name: title ?? name, value: name, description }))
		.sort((a, b) => a.name.localeCompare(b.name));
}

/** The fields of the chosen tool. */
async function getToolArguments(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const name = String(this.getNodeParameter('tool', '', { extractValue: true }) ?? '').trim();
	if (name === '') return { fields: [], emptyFieldsNotice: 'Choose a tool first' };
	const tool = (await toolsOf(this)).find((listed) => listed.name === name);
	if (!tool) {
		return { fields: [], emptyFieldsNotice: `The tool server has no tool "${name}"` };
	}
	return { fields: argumentFields(tool), emptyFieldsNotice: 'This tool takes no arguments' };
}

/** @throws NodeOperationError when the tool server cannot be asked */
export async function toolsOf(context: ILoadOptionsFunctions): Promise<ListedTool[]> {
	return await askForEditor(context, listTools(judgeWords));
}

/**
 * Leads a talk of free calls for the editor.
 * @throws NodeOperationError when it fails
 */
export async function askForEditor<Result>(
	context: ILoadOptionsFunctions,
	talk: Talk<Failed | Result>,
): Promise<Result> {
	const transport = await openTransport(context);
	const result = await leadAlone(talk, transport, TIMEOUT_MS);
	if (isFailed(result)) throw toEditorError(context.getNode(), result.failure);
	return result;
}

export const toolMethods: INodeType['methods'] = {
	listSearch: { searchTools },
	resourceMapping: { getToolArguments },
};
