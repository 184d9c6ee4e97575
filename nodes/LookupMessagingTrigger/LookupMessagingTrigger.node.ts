import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { listingMethods } from './methods';
import { refuseOlderN8n } from './olderN8n';
import { pollJobs } from './poll';
import { triggerProperties } from './properties';

refuseOlderN8n();

/** The trigger: starts the workflow once for each batch or audit that finishes. */
export class LookupMessagingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Lookup & Messaging Trigger',
		name: 'lookupMessagingTrigger',
		icon: {
			light: 'file:../../icons/lookupMessaging.svg',
			dark: 'file:../../icons/lookupMessaging.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["resource"] === "audit" ? "Audit Finished" : "Batch Finished" }}',
		// n8n shows it for both nodes, in the search and on the page with their details
		description:
			'Check phone numbers, emails, WhatsApp, caller names and IP addresses, and enrich contacts. Triggers when a batch or audit finishes.',
		eventTriggerDescription: '',
		defaults: { name: 'Lookup & Messaging Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'lookupMessagingApi', required: true }],
		properties: triggerProperties,
	};

	methods = listingMethods;

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const items = await pollJobs(this);
		return items && [items];
	}
}
