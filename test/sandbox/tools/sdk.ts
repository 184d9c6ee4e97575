/* eslint-disable import-x/no-unresolved -- the lint resolver cannot read the SDK's export patterns; compiler and runtime can */

/** What the tool server takes from the official SDK. */
export { Server } from '@modelcontextprotocol/sdk/server/index.js';
export { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
export {
	CallToolRequestSchema,
	ErrorCode,
	isInitializeRequest,
	ListToolsRequestSchema,
	McpError,
} from '@modelcontextprotocol/sdk/types.js';
export type {
	CallToolRequest,
	CallToolResult,
	Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js';
