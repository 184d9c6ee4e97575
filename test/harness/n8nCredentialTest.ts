import './n8nEnvironment';
import { ExecuteContext, RoutingNode } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	IDataObject,
	INode,
	INodeCredentialTestResult,
	INodeType,
} from 'n8n-workflow';
import { createEmptyRunExecutionData, Workflow } from 'n8n-workflow';
import { additionalDataFor } from './n8nAdditionalData';
import type { CredentialsByType } from './n8nCredentials';
import { CredentialsInMemory } from './n8nCredentials';
import type { TypeRegistry } from './n8nNodeTypes';
import { typesFor } from './n8nNodeTypes';

interface CredentialTestOptions {
	/** Exactly one credential, by type. */
	credentials: CredentialsByType;
}

const CARRIER_TYPE = 'n8n-nodes-base.noOp';
const CARRIER: INode = {
	id: 'temp',
	name: 'Temp-Node',
	type: CARRIER_TYPE,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/**
 * Does what n8n does when a user saves a credential: sends the credential type's `test.request` through a temporary
 * declarative node, then judges the reply by `test.rules`. (n8n's CredentialsTester lives in its server package.)
 */
export async function credentialTest(
	options: CredentialTestOptions,
): Promise<INodeCredentialTestResult> {
	const [[type, stored]] = Object.entries(options.credentials);
	const types = await typesFor([], options.credentials);
	const { test } = types.credentialType(type);
	if (!test) return failed('No testing function found for this credential.');

	const helper = new CredentialsInMemory(types, options.credentials);
	try {
		const body = await send(type, stored, test, types, helper);
		const refusal = (test.rules ?? []).find(
			(rule) =>
				rule.type === 'responseSuccessBody' &&
				valueAt(body, rule.properties.key) === rule.properties.value,
		);
		return refusal
			? failed(refusal.properties.message)
			: { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		return failed(messageFor(error as FailedRequest, test));
	}
}

async function send(
	type: string,
	stored: ICredentialDataDecryptedObject,
	test: ICredentialTestRequest,
	types: TypeRegistry,
	credentialsHelper: CredentialsInMemory,
): Promise<unknown> {
	const node = { ...CARRIER, credentials: { [type]: { id: type, name: type } } };
	const nodeType = carrierOf(type, test, types);
	const carrierTypes = {
		getByName: () => nodeType,
		getByNameAndVersion: () => nodeType,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: carrierTypes,
	});
	const mode = 'internal';
	const additionalData = additionalDataFor({
		executionId: 'credential-test',
		mode,
		credentialsHelper,
		workflow: { id: '', name: '', nodes: [node], connections: {} },
	});
	const data = credentialsHelper.withDefaults(type, stored, additionalData, mode);
	const context = new ExecuteContext(
		workflow,
		node,
		additionalData,
		mode,
		createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	const decrypted = { id: type, name: type, type, data };
	const output = await new RoutingNode(context, nodeType, decrypted).runNode();
	return output?.[0]?.[0]?.json;
}

/** The no-op node, with one property whose routing is the credential's test request. */
function carrierOf(
	type: string,
	{ request }: ICredentialTestRequest,
	types: TypeRegistry,
): INodeType {
	const { description } = types.getByNameAndVersion(CARRIER_TYPE);
	return {
		description: {
			...description,
			credentials: [{ name: type, required: true }],
			properties: [
				{
					displayName: 'Temp',
					name: 'temp',
					type: 'string',
					routing: { request },
					default: '',
				},
			],
		},
	};
}

type FailedRequest = Error & {
	cause?: { code?: string; response?: { status: number; statusText?: string } };
};

function messageFor({ cause, message }: FailedRequest, test: ICredentialTestRequest): string {
	if (cause?.response) {
		const { status, statusText } = cause.response;
		const rule = (test.rules ?? []).find(
			({ type, properties }) => type === 'responseCode' && properties.value === status,
		);
		if (rule) return rule.properties.message;
		if (status < 199 || status > 299) return statusText || `Received HTTP status code: ${status}`;
	} else if (cause?.code) {
		return cause.code;
	}
	return message;
}

function valueAt(body: unknown, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>((value, key) => (value as IDataObject | undefined)?.[key], body);
}

function failed(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}
