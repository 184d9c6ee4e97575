import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeType,
} from 'n8n-workflow';
import type { Caller } from '../LookupMessaging/engine/client';
import type { Failed } from '../LookupMessaging/engine/results';
import { isLocalAnswer, parameterFailure } from '../LookupMessaging/engine/operation';
import { CREDENTIAL_TYPE } from '../LookupMessaging/engine/plan/settings';
import { canBeExpression, quote, textOf } from '../LookupMessaging/engine/plan/values';
import { isFreeCall } from '../LookupMessaging/operations/toolServer/freeTools';
import type { ListedTool } from '../LookupMessaging/operations/toolServer/mcpClient';
import { askForEditor, choicesAmong, toolsOf } from '../LookupMessaging/editor/toolLists';
import { readJsonArguments } from '../LookupMessaging/operations/toolServer/toolArguments';
import { fingerprint } from './checkpoint';
import { fieldsOf, needsNothing } from './listing';
import { fetchEntries } from './pages';

/** The requests of the editor to the tool server while the trigger is set up. All are free. */

/** The tools that can be called without any argument, as listings can, by the filter. */
async function searchListingTools(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const tools = (await toolsOf(this)).filter(needsNothing);
	return { results: choicesAmong(tools, filter) };
}

/** The fields that the entries of the listing have now. */
async function searchListingFields(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const tool = textOf(this.getNodeParameter('listingTool', '', { extractValue: true })).trim();
	const options = this.getNodeParameter('options', {}) as IDataObject;
	const read = readJsonArguments(options.toolArguments);
	if (tool === '' || isLocalAnswer(read)) return { results: [] };
	const { args } = read;
	const { mcpUrl, apiKey } = await this.getCredentials(CREDENTIAL_TYPE);
	const key = fingerprint(JSON.stringify([mcpUrl, apiKey, tool, args]));
	const fields = await fieldsOnce(key, async () => {
		const whyNot = whyNotRun(await toolsOf(this), tool);
		const ask = async (client: Caller) =>
			whyNot ?? (await fetchEntries(client, { tool, args }, []));
		return fieldsOf((await askForEditor(this, ask)).entries);
	});
	const wanted = filter.trim().toLowerCase();
	return {
		results: fields
			.filter((field) => !canBeExpression(field) && field.toLowerCase().includes(wanted))
			.map((field) => ({ name: field, value: field })),
	};
}

/** How long the fields of a listing are kept: n8n asks for them again with each keystroke in the search. */
const KEPT_MS = 30_000;
/** The fields by the fingerprint of account, tool and arguments. */
const kept = new Map<string, { fields: Promise<string[]>; until: number }>();

async function fieldsOnce(key: string, ask: () => Promise<string[]>): Promise<string[]> {
	const now = Date.now();
	for (const [old, { until }] of kept) if (until <= now) kept.delete(old);
	const fields = kept.get(key)?.fields ?? ask();
	if (!kept.has(key)) kept.set(key, { fields, until: now + KEPT_MS });
	// A failure is no answer: the next search tries again
	fields.catch(() => kept.delete(key));
	return await fields;
}

/** Words of a description about a price. */
const PRICED = /\bcosts?\b(?! nothing)|\bcredits?\b|\bcharge/i;

/** The failure if the editor does not run the tool: it runs only tools that change and cost nothing. */
function whyNotRun(tools: ListedTool[], name: string): Failed | undefined {
	const tool = tools.find((listed) => listed.name === name);
	const failed = (why: string): Failed => ({
		failure: parameterFailure(
			`the fields can't be listed here because ${why}. Choose By Name, and type the name of the field`,
		),
	});
	if (!tool) return failed(`the tool server has no tool ${quote(name)}`);
	const { description = '', listed } = tool;
	const { destructiveHint, readOnlyHint } = Object(listed.annotations) as IDataObject;
	const isFree = isFreeCall(name, {}) || (readOnlyHint === true && !PRICED.test(description));
	return isFree && destructiveHint !== true && needsNothing(tool)
		? undefined
		: failed(`the tool ${quote(name)} can change or cost something, so it wasn't run`);
}

export const listingMethods: INodeType['methods'] = {
	listSearch: { searchListingTools, searchListingFields },
};
