import './n8nEnvironment';
import { getAdditionalKeys } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	ICredentialsExpressionResolveValues,
	IExecuteData,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeParameters,
	INodeProperties,
	IRequestOptionsSimplified,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { ICredentialsHelper, NodeHelpers, Workflow } from 'n8n-workflow';
import type { TypeRegistry } from './n8nNodeTypes';

/** Decrypted credential data by credential type. */
export type CredentialsByType = Record<string, ICredentialDataDecryptedObject>;

/** Expressions in credential fields are resolved against some node; outside an execution n8n uses a stand-in too. */
const STAND_IN: INode = {
	id: 'stand-in',
	name: 'Stand-in',
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** What n8n's server adds to every credential type that authenticates requests. */
const DOMAIN_RESTRICTION: INodeProperties[] = [
	{
		displayName: 'Allowed HTTP Request Domains',
		name: 'allowedHttpRequestDomains',
		type: 'options',
		options: ['all', 'domains', 'none'].map((value) => ({ name: value, value })),
		default: 'all',
	},
	{
		displayName: 'Allowed Domains',
		name: 'allowedDomains',
		type: 'string',
		default: '',
		displayOptions: { show: { allowedHttpRequestDomains: ['domains'] } },
	},
];

/**
 * n8n's CredentialsHelper (it lives in n8n's server, not in n8n-core) over credentials held in memory. A credential is
 * found by its type alone, whatever id and name the workflow gives it; everything after that is n8n's: defaults,
 * expressions in credential fields, `authenticate` as a function.
 */
export class CredentialsInMemory extends ICredentialsHelper {
	constructor(
		private readonly types: TypeRegistry,
		private readonly stored: CredentialsByType,
	) {
		super();
	}

	getParentTypes(name: string): string[] {
		return this.types.parentsOf(name);
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		incoming: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.types.credentialType(typeName);
		const options = incoming as IHttpRequestOptions;
		if (typeof authenticate === 'function') return await authenticate(credentials, options);
		if (authenticate) throw new Error('The harness knows only credentials with a function');
		return options;
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<ICredentialDataDecryptedObject | undefined> {
		return undefined;
	}

	async getDecrypted(
		additionalData: IWorkflowExecuteAdditionalData,
		details: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		resolveValues?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const stored = this.stored[type];
		if (!stored)
			throw new Error(`Credential with ID "${details.id}" does not exist for type "${type}".`);
		if (raw) return structuredClone(stored);
		return this.withDefaults(type, stored, additionalData, mode, executeData, resolveValues);
	}

	/** n8n's applyDefaultsAndOverwrites: fills in the defaults of the type and resolves expressions in the fields. */
	withDefaults(
		type: string,
		stored: ICredentialDataDecryptedObject,
		additionalData: IWorkflowExecuteAdditionalData,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		resolveValues?: ICredentialsExpressionResolveValues,
	): ICredentialDataDecryptedObject {
		const data = NodeHelpers.getNodeParameters(
			this.getCredentialsProperties(type),
			structuredClone(stored) as INodeParameters,
			true,
			false,
			null,
			null,
		)!;
		const keys = getAdditionalKeys(additionalData, mode, null, { isCredential: true });
		const context = resolveValues ?? this.outsideExecution();
		return context.workflow.expression.getParameterValue(
			data,
			context.runExecutionData,
			context.runIndex,
			context.itemIndex,
			context.node.name,
			context.connectionInputData,
			mode,
			keys,
			executeData,
			false,
			data,
		) as ICredentialDataDecryptedObject;
	}

	private outsideExecution(): ICredentialsExpressionResolveValues {
		const workflow = new Workflow({
			nodes: [STAND_IN],
			connections: {},
			active: false,
			nodeTypes: this.types,
		});
		return {
			workflow,
			node: STAND_IN,
			runExecutionData: null,
			runIndex: 0,
			itemIndex: 0,
			connectionInputData: [],
		};
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('Stored credentials cannot be read in the harness');
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(): Promise<void> {}

	getCredentialsProperties(name: string): INodeProperties[] {
		const type = this.types.credentialType(name);
		const combined: INodeProperties[] = [];
		for (const parent of type.extends ?? [])
			NodeHelpers.mergeNodeProperties(combined, this.getCredentialsProperties(parent));
		NodeHelpers.mergeNodeProperties(combined, type.properties);
		if (type.authenticate) NodeHelpers.mergeNodeProperties(combined, DOMAIN_RESTRICTION);
		return combined;
	}
}
