import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeType,
	ResourceMapperFields,
} from 'n8n-workflow';
import { toEditorError } from '../engine/errors';
import { leadAlone } from '../engine/leadAlone';
import { isFailed } from '../engine/talk';
import { listTools, type ListedTool } from '../engine/toolServer';
import { openTransport } from '../engine/transport';
import { judgeWords } from '../operations/toolServer/judgeWords';
import { argumentFields } from '../operations/toolServer/toolSchema';

/** What the editor asks the tool server for while a workflow is built. All of it is free. */

const TIMEOUT_MS = 30_000;

/** The tools whose name, title or description has the filter in it. */
async function searchTools(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const wanted = filter.trim().toLowerCase();
	const results = (await toolsOf(this))
		.filter((tool) =>
			[tool.name, tool.title, tool.description].some((text) =>
				text?.toLowerCase().includes(wanted),
			),
		)
		.map(({ name, title, description }) => ({ name: title ?? name, value: name, description }))
		.sort((a, b) => a.name.localeCompare(b.name));
	return { results };
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
async function toolsOf(context: ILoadOptionsFunctions): Promise<ListedTool[]> {
	const transport = await openTransport(context);
	const tools = await leadAlone(listTools(judgeWords), transport, TIMEOUT_MS);
	if (isFailed(tools)) throw toEditorError(context.getNode(), tools.failure);
	return tools;
}

export const toolMethods: INodeType['methods'] = {
	listSearch: { searchTools },
	resourceMapping: { getToolArguments },
};
