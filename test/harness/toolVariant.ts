import type { INodeType } from 'n8n-workflow';
import { loadPackage, OWN_PACKAGE } from './n8nNodeTypes';

/** The type that n8n makes of the action node for models to call. */
export const TOOL_TYPE = `${OWN_PACKAGE}.lookupMessagingTool`;

/** The node as that type: n8n gives it another name, by which the `@tool` parameters show. */
export async function toolVariant(): Promise<INodeType> {
	const { nodeTypes } = await loadPackage();
	const node = nodeTypes.lookupMessaging as INodeType;
	const description = { ...node.description, name: 'lookupMessagingTool' };
	return Object.assign(Object.create(node) as INodeType, { description });
}
