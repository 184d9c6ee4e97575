import type { GenericValue, IDataObject } from 'n8n-workflow';
import { type Answer, type AnswerFile, type Refusal, Rows } from '../../engine/results';
import { MAX_ROWS, positive, unknown } from '../../engine/operation';
import {
	fileNameIn,
	hasTooManyParts,
	inOneGo,
	isObject,
	quote,
	textOf,
} from '../../engine/plan/values';
import { isBase64 } from '../../engine/redaction/redactor';
import { describeRefusal, errorText, hasError, refuses } from '../../engine/refusals/refusal';
import { askedOf } from './jsonRpc';
import { failureOfCall, hasFailed, parseStructure, toolError } from './toolFailure';
import { without } from './toolSchema';

/** Reads the result of a tool call (Model Context Protocol): content blocks, structured content, or the tool's own error. */

/**
 * The answer in a result. A list becomes one item per entry if the user wants it split; text, links and files are then in the
 * first.
 */
export function readToolResult(
	result: IDataObject,
	{ tool, args, splits }: { tool: string; args: IDataObject; splits: boolean },
): Answer | Refusal {
	const blocks = blocksOf(result);
	const unfinished = whyUnfinished(result);
	if (unfinished !== undefined) {
		return { scope: 'question', reason: unfinished, isOwn: true, mayHaveCost: true };
	}
	const asked = askedOf(args);
	if (hasError({ error: result.isError })) {
		const texts = blocks.flatMap(textIn);
		const bodies = [result.structuredContent, ...structuresIn(texts)].filter(isObject);
		return toolError(bodies, texts.join('\n').trim(), asked);
	}

	const { value, text } = valueOf(result, blocks);
	// Gateways pass on the result of another server as JSON
	if (isResult(value)) return readToolResult(value, { tool, args, splits });
	const links = blocks.flatMap(linkOf);
	const files = filesOf(blocks);
	if (files === TOO_MANY) {
		const reason = `the answer has more than ${MAX_FILES} files, so it is returned unchanged, in one item`;
		return { ...positive({}, reason), isAsItCame: true, response: result };
	}
	const rest = { text, links: links.length > 0 ? links : null };
	const whole: Answer = {
		...positive({ tool, result: value, ...rest }),
		response: result,
		...(files && { files }),
	};
	// A tool passes on the failure of its REST call (SPEC §4.3) without marking it
	const isAlone = !files && links.length === 0;
	const refusal = failureOfCall(value, isAlone ? text : null, asked);
	if (refusal?.scope === 'account') return refusal;
	if (refusal) return { ...whole, outcome: 'unknown', reason: describeRefusal(refusal) };
	const entries = splits ? listIn(value) : undefined;
	if (!entries) return whole;
	const rows = Rows.of(entries, (entry, index) => {
		const row = { tool, result: entry, ...(index === 0 && rest) };
		const reason = refuses(entry) ? errorText(entry) : undefined;
		const answer = reason === undefined ? positive(row) : unknown(row, reason);
		return { ...answer, response: entry, ...(index === 0 && files && { files }) };
	});
	return { ...whole, rows };
}

/** Whether a value is the result of a tool, with blocks. */
function isResult(value: GenericValue): value is IDataObject {
	if (!isObject(value)) return false;
	const blocks = blocksOf(value);
	return blocks.length > 0 && blocks.every(({ type }) => BLOCKS.has(textOf(type)));
}
const BLOCKS = new Set(['audio', 'image', 'resource', 'resource_link', 'text']);

/** Why a result has no answer yet: the server wants more input, or is still working. A workflow supports neither. */
function whyUnfinished(result: IDataObject): string | undefined {
	const { resultType, task, content, structuredContent } = result;
	if (resultType === 'input_required') {
		return "the tool asks for more input (input_required), which a workflow can't give";
	}
	// The protocol's drafts differ in whether the task is in the result, or the result itself
	const isAnswer = isObject(task) || content !== undefined || structuredContent !== undefined;
	const { taskId } = isObject(task) ? task : isAnswer ? {} : result;
	if (taskId === undefined) return undefined;
	return `the tool started a background task (${quote(textOf(taskId))}), which this node doesn't support`;
}

/** The value of a result: its structured content, else its text as JSON, else its text. */
function valueOf(
	{ structuredContent }: IDataObject,
	blocks: IDataObject[],
): { value: GenericValue; text: string | null } {
	const texts = blocks.flatMap(textIn);
	const parsed = structuresIn(texts);
	const plain = texts.filter((_, index) => parsed[index] === undefined).join('\n');
	const text = plain === '' ? null : plain;
	const hasFields = !isObject(structuredContent) || Object.keys(structuredContent).length > 0;
	if (structuredContent !== undefined && structuredContent !== null && hasFields) {
		return { value: unwrapped(structuredContent), text };
	}
	const values = parsed.filter((value) => value !== undefined);
	if (values.length === 0) return { value: null, text };
	return { value: values.length === 1 ? values[0] : values, text };
}

/** Servers put what is no object, such as the text of a reply, into a field `result` (output schemas are of objects). */
function unwrapped(value: GenericValue): GenericValue {
	if (!isObject(value) || Object.keys(value).length !== 1) return value;
	const { result } = value;
	if (typeof result === 'object' && result !== null) return result;
	return (typeof result === 'string' && structuresIn([result])[0]) || value;
}

/** The list in a value: the value itself, or its only member beside flags such as `status`. */
function listIn(value: GenericValue): IDataObject[] | undefined {
	if (isListOfObjects(value)) return value;
	if (!isObject(value)) return undefined;
	const members = Object.values(value).filter(
		(member) => typeof member !== 'boolean' && member !== null,
	);
	const [only] = members;
	return members.length === 1 && isListOfObjects(only) ? only : undefined;
}

function isListOfObjects(value: unknown): value is IDataObject[] {
	return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

function blocksOf({ content }: IDataObject): IDataObject[] {
	return Array.isArray(content) ? content.filter(isObject) : [];
}

/** The text of a block: a text, or a text file that is part of the result. */
function textIn({ type, text, resource }: IDataObject): string[] {
	if (type === 'text' && typeof text === 'string') return [text];
	return isObject(resource) && typeof resource.text === 'string' ? [resource.text] : [];
}

function linkOf(block: IDataObject): IDataObject[] {
	if (block.type === 'resource_link') return [without(block, ['type'])];
	return isObject(block.resource) ? [without(block.resource, ['blob', 'text'])] : [];
}

/** Most files of an answer: one for each page of a long document. n8n stores each for itself, whatever its size. */
const MAX_FILES = 100;
const TOO_MANY = 'too many';

/** Images, sounds and other files, as `data`, `data_1` and so on. */
function filesOf(blocks: IDataObject[]): Record<string, AnswerFile> | typeof TOO_MANY | undefined {
	const files: AnswerFile[] = [];
	for (const block of blocks) {
		for (const file of fileOf(block)) files.push(file);
		if (files.length > MAX_FILES) return TOO_MANY;
	}
	if (files.length === 0) return undefined;
	return Object.fromEntries(
		files.map((file, index) => [index === 0 ? 'data' : `data_${index}`, file]),
	);
}

function fileOf({ type, data, mimeType, resource }: IDataObject): AnswerFile[] {
	if (isFile(data) && data !== '') return [asFile(data, mimeType, textOf(type))];
	if (!isObject(resource) || !isFile(resource.blob)) return [];
	const [path] = textOf(resource.uri).split(/[?#]/, 1);
	return [asFile(resource.blob, resource.mimeType, 'file', fileNameIn(path))];
}

/** Other text than base64 would become bytes that were not searched for the API key. */
function isFile(value: unknown): value is string {
	return typeof value === 'string' && isBase64(value);
}

function asFile(base64: string, type: unknown, noun: string, name?: string): AnswerFile {
	const mimeType = typeof type === 'string' && type !== '' ? type : 'application/octet-stream';
	return { base64, mimeType, fileName: name ?? `${noun}.${extensionOf(mimeType)}` };
}

/** "svg" for image/svg+xml, "bin" for a type without a known name. */
function extensionOf(mimeType: string): string {
	const [, subtype = ''] = /^[^/]+\/(?:x-)?([a-z0-9]{1,20})(?:\+|;|$)/i.exec(mimeType) ?? [];
	return subtype === '' ? 'bin' : subtype.toLowerCase();
}

/** The JSON in the texts. Texts beyond the maximum number of items remain texts, since parsing other text takes long. */
function structuresIn(texts: string[]) {
	const structures = texts.map((text, index) => (index < MAX_ROWS ? structureIn(text) : undefined));
	const isTooMuch = inOneGo(hasTooManyParts(structures.map((text = '') => text)));
	return structures.map((text) =>
		text === undefined || isTooMuch ? undefined : parseStructure(text),
	);
}

/** What may stand before JSON: a line that ends with a colon, and a fence of Markdown. */
const BEFORE = /^\s*(?:[^[\]{}\n]{1,100}:\s{0,9})?(?:`{3}\w{0,9}\s{0,9})?$/;
const LONGEST_BEFORE = 200;

/** The part of a text that may be JSON. Behind the words of a failure it stays text. */
function structureIn(text: string): string | undefined {
	const at = text.slice(0, LONGEST_BEFORE).search(/[[{]/);
	const before = text.slice(0, Math.max(at, 0));
	if (at < 0 || !BEFORE.test(before) || hasFailed(before)) return undefined;
	const json = text.slice(at).trimEnd();
	return before.includes('```') && json.endsWith('```') ? json.slice(0, -3) : json;
}
