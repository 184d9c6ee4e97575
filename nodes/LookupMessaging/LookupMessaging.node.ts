import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { unknownOperationError } from './engine/output/errors';
import { inputsOf, outputsOf } from './editor/outputs';
import { runOperation } from './engine/run';
import { featuresOf } from './features';
import { subtitleOf } from './editor/subtitle';
import { toolMethods } from './editor/toolLists';
import { operations, resources } from './operations';
import { properties, sharedProperties } from './editor/properties';

/** The action node. What it can do is in operations/, how it does it in engine/. */
export class LookupMessaging implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Lookup & Messaging',
		name: 'lookupMessaging',
		icon: {
			light: 'file:../../icons/lookupMessaging.svg',
			dark: 'file:../../icons/lookupMessaging.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations, resources),
		description:
			'Enrich contacts, validate phone numbers, check WhatsApp and send messages, verify emails, look up caller names, locate IP addresses, search social posts and audit brands',
		defaults: { name: 'Lookup & Messaging' },
		usableAsTool: true,
		inputs: inputsOf(operations),
		outputs: outputsOf(operations),
		credentials: [{ name: 'lookupMessagingApi', required: true }],
		properties,
	};

	methods = toolMethods;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = this.getNodeParameter('resource', 0, '');
		const value = this.getNodeParameter('operation', 0, '');
		const operation = operations.find((each) => each.resource === resource && each.value === value);
		if (operation) {
			return await runOperation(this, operation, featuresOf, sharedProperties(operation));
		}

		const error = unknownOperationError(this.getNode(), resource, value);
		if (!this.continueOnFail()) throw error;
		// A throw would let n8n pass the input on as if it were good
		const json = { error: error.message };
		return [this.getInputData().map((_, item) => ({ json, pairedItem: { item } }))];
	}
}
