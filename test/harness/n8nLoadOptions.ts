import './n8nEnvironment';
import { LoadOptionsContext } from 'n8n-core';
import type { INode, INodeParameters, INodeType } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { additionalDataFor } from './n8nAdditionalData';
import { CredentialsInMemory, type CredentialsByType } from './n8nCredentials';
import { OWN_PACKAGE, typesFor } from './n8nNodeTypes';

/** What the editor calls a list or a form of a node of this package with: n8n-core's own context, and the node. */
export async function openEditor(
	parameters: INodeParameters,
	credentials: CredentialsByType,
	nodeName = 'lookupMessaging',
): Promise<{ context: LoadOptionsContext; methods: NonNullable<INodeType['methods']> }> {
	const type = `${OWN_PACKAGE}.${nodeName}`;
	const types = await typesFor([{ type }], credentials);
	const node: INode = {
		id: 'node',
		name: 'Node',
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: Object.fromEntries(
			Object.keys(credentials).map((name) => [name, { id: name, name }]),
		),
	};
	const parts = { id: 'workflow', name: 'Workflow', nodes: [node], connections: {} };
	const workflow = new Workflow({ ...parts, active: false, nodeTypes: types });
	const additionalData = additionalDataFor({
		executionId: '1',
		mode: 'internal',
		credentialsHelper: new CredentialsInMemory(types, credentials),
		workflow: parts,
	});
	additionalData.currentNodeParameters = parameters;
	const { methods } = types.getByNameAndVersion(type);
	if (!methods) throw new Error('The node has no methods for the editor');
	const context = new LoadOptionsContext(workflow, workflow.getNode('Node')!, additionalData, '');
	return { context, methods };
}
