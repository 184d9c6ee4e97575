import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, ContentBlock, Tool } from '@modelcontextprotocol/sdk/types.js';

/** A call of a tool. */
export interface ToolCall {
	tool: string;
	args: Record<string, unknown>;
}

/** What a user is to get of a call. */
export type Content =
	| { error: string }
	| { result: unknown; text: string | null; links: unknown[] | null; files: File[] };

export interface File {
	mimeType: string;
	base64: string;
}

/** What a server lists and answers, as the official client has it: the measure of ours. */
interface Baseline {
	tools: Tool[];
	contents: Content[];
}

export async function askOfficially(url: string, calls: ToolCall[]): Promise<Baseline> {
	const client = new Client({ name: 'e2e', version: '1.0.0' });
	await client.connect(new StreamableHTTPClientTransport(new URL(url)));
	try {
		const { tools } = await client.listTools();
		const contents = await Promise.all(
			calls.map(async ({ tool, args }): Promise<Content> => {
				try {
					const result = await client.callTool({ name: tool, arguments: args });
					return contentOf(result as CallToolResult);
				} catch (error) {
					return { error: wordsOf(error) };
				}
			}),
		);
		return { tools, contents };
	} finally {
		await client.close();
	}
}

/** Without what the client says before the words of the server. */
function wordsOf(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	return message.replace(/^(?:MCP error -?\d+: )+/, '');
}

/** The structured content, else the text where that is JSON; the other text; links; files. */
function contentOf(answer: CallToolResult): Content {
	const texts = answer.content.flatMap(textIn);
	if (answer.isError) return { error: wordsOf(texts.join('\n')) };
	const structures = texts.flatMap(structureIn);
	const plain = texts.filter((text) => structureIn(text).length === 0);
	const links = answer.content.flatMap(linkIn);
	return {
		result:
			answer.structuredContent ?? (structures.length > 1 ? structures : (structures[0] ?? null)),
		text: plain.length > 0 ? plain.join('\n') : null,
		links: links.length > 0 ? links : null,
		files: answer.content.flatMap(fileIn),
	};
}

function textIn(block: ContentBlock): string[] {
	if (block.type === 'text') return [block.text];
	return block.type === 'resource' && 'text' in block.resource ? [block.resource.text] : [];
}

function structureIn(text: string): object[] {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? [value] : [];
	} catch {
		return [];
	}
}

function linkIn(block: ContentBlock): object[] {
	if (block.type === 'resource_link') return [without(block, ['type'])];
	return block.type === 'resource' ? [without(block.resource, ['blob', 'text'])] : [];
}

function without(object: object, names: string[]): object {
	return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

function fileIn(block: ContentBlock): File[] {
	if (block.type === 'image' || block.type === 'audio')
		return [{ mimeType: block.mimeType, base64: block.data }];
	if (block.type !== 'resource' || !('blob' in block.resource)) return [];
	const { mimeType = 'application/octet-stream', blob } = block.resource;
	return [{ mimeType, base64: blob }];
}
