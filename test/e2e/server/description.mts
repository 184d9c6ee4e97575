import type { INode, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import type { N8n } from './n8n.mts';
import { NODE_TYPE } from './package.mts';

/** What the running n8n knows of our node: from the same file that its editor loads. */
export async function ourDescription(n8n: N8n): Promise<INodeTypeDescription> {
	const response = await fetch(`${n8n.url}/types/nodes.json`, {
		headers: { cookie: n8n.rest.session },
	});
	const known = (await response.json()) as INodeTypeDescription[];
	const description = known.find(({ name }) => name === NODE_TYPE);
	if (!description) throw new Error(`n8n does not know ${NODE_TYPE}`);
	return description;
}

interface OperationChoice {
	resource: { name: string; value: string };
	operation: { name: string; value: string };
}

/** All that the drop-downs Resource and Operation lead to. */
export function operationsOf({ properties }: INodeTypeDescription): OperationChoice[] {
	const resources = choicesOf(properties.find(({ name }) => name === 'resource'));
	return resources.flatMap((resource) =>
		properties
			.filter(({ name }) => name === 'operation')
			.filter(({ displayOptions }) => displayOptions?.show?.resource?.includes(resource.value))
			.flatMap(choicesOf)
			.map((operation) => ({ resource, operation })),
	);
}

function choicesOf(property?: INodeProperties): Array<{ name: string; value: string }> {
	return (property?.options ?? []) as Array<{ name: string; value: string }>;
}

const WITH_AN_INPUT = ['string', 'number', 'boolean', 'options', 'multiOptions', 'resourceLocator'];

/** Names of the parameters that have an input of their own in the editor, with the given values and defaults else. */
export function shownParameters(
	description: INodeTypeDescription,
	values: INode['parameters'],
): string[] {
	const node = { parameters: values, typeVersion: 1, type: NODE_TYPE } as INode;
	const all = NodeHelpers.getNodeParameters(
		...([description.properties, values, true, false, node, description] as const),
	);
	const shown = description.properties.filter(
		(property) =>
			WITH_AN_INPUT.includes(property.type) &&
			NodeHelpers.displayParameter(all ?? values, property, node, description),
	);
	return shown.map(({ name }) => name);
}
