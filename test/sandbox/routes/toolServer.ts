import type { Endpoint } from '../http/endpoint';

// eslint-disable-next-line @typescript-eslint/no-require-imports -- import() wants an extension that Jest doesn't find
const transport = () => require('../tools/transport') as typeof import('../tools/transport');

/**
 * The tool server (SPEC §4.3): JSON-RPC by POST. With sessions, an initialize opens one, every other request has to name
 * it, and DELETE ends it. It never opens a stream of its own accord, so GET is not allowed. The SDK is large, and is loaded
 * at the first request.
 */
const toolServerAt = (path: string): Endpoint => ({
	host: 'tools',
	methods: ['GET', 'POST', 'DELETE'],
	path,
	keyInHeaders: true,
	answer: async (call) => await transport().answerToolRequest(call),
});

export const toolServer = toolServerAt('/mcp');

/** SPEC §4.3: the root path also works. */
export const toolServerRoot = toolServerAt('/');
