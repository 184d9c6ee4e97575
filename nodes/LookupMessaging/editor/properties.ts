import type { INodeProperties } from 'n8n-workflow';
import { storedResultsProperties } from './storedResults';
import {
	inputFieldsProperties,
	optionProperties,
	outputProperties,
	routingProperties,
} from './options';
import { SPENDING_LIMITS } from './spendingLimits';
import { fieldsOf, toolDescriptionProperty, toolLimitProperties } from './toolVariant';
import type { AnyOperation } from '../engine/operation';
import { operations, resources } from '../operations';

const shared = new Map(operations.map((operation) => [operation, makeShared(operation)]));

/** The parameters that an operation of the catalog has beside its own fields. settings.ts reads them. */
export function sharedProperties(operation: AnyOperation): INodeProperties[] {
	return shared.get(operation) ?? [];
}

/** All parameters of the node, built from the catalog: Resource, Operation, then each operation's own, stamped. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources,
		default: 'phone',
	},
	...resources.map(({ value: resource }): INodeProperties => {
		const own = operations.filter((operation) => operation.resource === resource);
		const [{ value: first }] = own;
		return {
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options: own.map(({ name, value, action, description }) => ({
				name,
				value,
				action,
				description,
			})),
			default: first,
		};
	}),
	...operations.flatMap((operation) =>
		[
			toolDescriptionProperty(operation),
			...fieldsOf(operation),
			...sharedProperties(operation),
		].map((property) => stamp(property, operation)),
	),
];

function makeShared(operation: AnyOperation): INodeProperties[] {
	// Contacts and batches use WhatsApp credits
	const spendingLimits =
		SPENDING_LIMITS[operation.resource.toLowerCase()] ?? SPENDING_LIMITS.whatsapp!;
	return [
		...toolLimitProperties(operation),
		...outputProperties(operation),
		...inputFieldsProperties(operation),
		...routingProperties(operation),
		...storedResultsProperties(operation),
		...(operation.free ? [] : [spendingLimits]),
		optionProperties(operation),
	];
}

/** Shows a parameter for its operation only, in addition to its own conditions. */
function stamp(property: INodeProperties, { resource, value }: AnyOperation): INodeProperties {
	const { show, hide } = property.displayOptions ?? {};
	return {
		...property,
		displayOptions: {
			show: { resource: [resource], operation: [value], ...show },
			...(hide && { hide }),
		},
	};
}
