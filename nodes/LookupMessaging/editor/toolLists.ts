import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeType,
	ResourceMapperFields,
} from 'n8n-workflow';
import type { Caller } from '../engine/client';
import { catchFailed, type Failed } from '../engine/results';
import { openEditorNetwork } from '../engine/network/networks';
import { isFailed } from '../engine/operation';
import { toEditorError } from '../engine/output/errors';
import { plainCaller } from '../engine/network/layers';
import { listTools, type ListedTool } from '../operations/toolServer/mcpClient';
import { canBeExpression, escapeHtml, textOf } from '../engine/plan/values';
import { argumentFields } from '../operations/toolServer/toolSchema';

/** The lists that the editor gets from the tool server while a user builds a workflow. All calls are free. */

const TIMEOUT_MS = 30_000;
const NOT_IN_A_FORM =
	'The name of an argument looks like an expression, which n8n would run. Set Arguments As to JSON to call this tool';

async function searchTools(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	return { results: choicesAmong(await toolsOf(this), filter) };
}

/**
 * The tools whose name, title or description contains the filter, as choices of a list. n8n stores the chosen name in the
 * workflow. So names that n8n would run as expressions are left out, and so are such titles.
 */
export function choicesAmong(tools: ListedTool[], filter: string) {
	const wanted = filter.trim().toLowerCase();
	return tools
		.filter(
			({ name, title, description }) =>
				!canBeExpression(name) &&
				[name, title, description].some((text) => text?.toLowerCase().includes(wanted)),
		)
		.map(({ name, title = name, description }) => ({
			name: canBeExpression(title) ? name : title,
			value: name,
			description,
		}))
		.sort((a, b) => a.name.localeCompare(b.name));
}

/** The fields of the chosen tool. */
async function getToolArguments(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const name = textOf(this.getNodeParameter('tool', '', { extractValue: true })).trim();
	if (name === '') return { fields: [], emptyFieldsNotice: 'Choose a tool first' };
	const tool = (await toolsOf(this)).find((listed) => listed.name === name);
	const without = (emptyFieldsNotice: string) => ({ fields: [], emptyFieldsNotice });
	// n8n shows the notice as HTML
	if (!tool) return without(escapeHtml(`The tool server has no tool "${name}"`));
	const fields = argumentFields(tool);
	if (fields.some(({ id }) => canBeExpression(id))) return without(NOT_IN_A_FORM);
	return { fields, emptyFieldsNotice: 'This tool takes no arguments' };
}

/** @throws NodeOperationError when the calls to the tool server fail */
export async function toolsOf(context: ILoadOptionsFunctions): Promise<ListedTool[]> {
	return await askForEditor(context, listTools);
}

/**
 * Makes free calls for the editor.
 * @throws NodeOperationError when they fail
 */
export async function askForEditor<Value>(
	context: ILoadOptionsFunctions,
	ask: (client: Caller) => Promise<Failed | Value>,
): Promise<Value> {
	const network = await openEditorNetwork(context, TIMEOUT_MS);
	const asked = catchFailed(async () => await ask(plainCaller(network.send)));
	const result = await asked.finally(network.close);
	if (isFailed(result)) throw toEditorError(context.getNode(), result.failure);
	return result;
}

export const toolMethods: INodeType['methods'] = {
	listSearch: { searchTools },
	resourceMapping: { getToolArguments },
};
