import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { AnyOperation } from '../../engine';
import { sharedProperties } from '../../../nodes/LookupMessaging/editor/properties';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { magic } from '../../sandbox';

/** Every parameter of every operation, from the catalog, in a workflow whose other parameters are right. */

export interface Field {
	operation: AnyOperation;
	name: string;
	/** The node's parameters, with the given value or expression for this one. */
	parametersWith(value: string): IDataObject;
}

/** What a right workflow has where the placeholder of a field does not say. */
const RIGHT: IDataObject = {
	...{ phoneNumber: magic.PHONE.onWhatsApp, email: 'ada@example.com', ipAddress: '8.8.8.8' },
	...{ phoneNumbers: `${magic.PHONE.onWhatsApp}, +442079460018`, message: 'Hello' },
	...{ query: 'coffee', postUrl: 'https://example.com/posts/1' },
	...{ brandName: 'Example', brandUrl: 'https://example.com', competitors: 'Other' },
	...{ batchId: '={{ $json.batchId }}', auditId: '={{ $json.auditId }}' },
	...{ lookups: ['callerId', 'email', 'geoIp', 'phone', 'whatsApp'], binaryPropertyName: 'data' },
	tool: { __rl: true, mode: 'name', value: 'locate_ip' },
	argumentsJson: '{ "ip": "8.8.8.8" }',
};

/** Options that say what the run does, not what is asked; they have cases of their own. */
const OF_THE_RUN = new Set([
	...['dryRun', 'maxPaidLookups', 'maxRequestsPerMinute', 'maxWait', 'minimumBalance'],
	...['putOutputInField', 'timeout', 'ifSomeItemsFail', 'checkBalance'],
	...['alsoFailItemsIf', 'recheckInconclusiveEmails'],
]);

/** A right row of each option that is a list of rows, by the name of its field. */
const RIGHT_ROWS: Record<string, IDataObject> = {
	additionalParameters: { name: 'note', value: 'x' },
	minimumBalance: { balance: 'email', credits: 1 },
};

/** The fields and options of every operation. */
export const fields: Field[] = operations.flatMap((operation) => [
	...operation.fields.flatMap((field) => ownField(operation, field)),
	...optionsOf(operation)
		.filter(({ option: { name } }) => !OF_THE_RUN.has(name))
		.flatMap((one) => ownOption(operation, one)),
]);

/** An option, and its collection. */
export interface Option {
	option: INodeProperties;
	collection: string;
}

/** The options of an operation in both of its collections. */
export function optionsOf(operation: AnyOperation): Option[] {
	const collections = sharedProperties(operation).filter(({ type }) => type === 'collection');
	return collections.flatMap(({ name, options = [] }) =>
		(options as INodeProperties[]).map((option) => ({ option, collection: name })),
	);
}

/** The settings of a run, of one operation: the engine reads them for all. */
export function settingsOf(operation: AnyOperation): Field[] {
	const options = optionsOf(operation)
		.filter(({ option: { name } }) => OF_THE_RUN.has(name))
		.flatMap((one) => ownOption(operation, one));
	const of = (name: string, shown: IDataObject = {}): Field => ({
		...{ operation, name },
		parametersWith: (value) => ({ ...rightParameters(operation), ...shown, [name]: value }),
	});
	const all = [
		...options,
		of('output'),
		of('selectedFields', { output: 'selectedFields' }),
		of('options'),
		of('spendingLimits'),
		of('includeOtherInputFields'),
	];
	return operation.outcomes ? [...all, of('routeByResult')] : all;
}

/** A right workflow of an operation. */
export function rightParameters({ resource, value, fields: own }: AnyOperation): IDataObject {
	const given = own.filter(({ name }) => name in RIGHT).map(({ name }) => [name, RIGHT[name]]);
	const json = own.some(({ name }) => name === 'argumentsMode') && { argumentsMode: 'json' };
	return { resource, operation: value, ...Object.fromEntries(given), ...json };
}

function ownField(
	operation: AnyOperation,
	{ name, type, displayOptions }: INodeProperties,
): Field[] {
	const shown = Object.fromEntries(
		Object.entries(displayOptions?.show ?? {}).map(([other, values]) => [other, values?.[0]]),
	) as IDataObject;
	// A file is only looked for where one is to be sent
	if (name === 'binaryPropertyName') shown.media = 'binaryField';
	const right = () => ({ ...rightParameters(operation), ...shown });
	const as = (label: string, put: (value: string) => unknown): Field => ({
		...{ operation, name: label },
		parametersWith: (value) => ({ ...right(), [name]: put(value) }) as IDataObject,
	});
	if (type === 'resourceLocator') {
		return [
			as(name, (value) => ({ __rl: true, mode: 'name', value })),
			as(`${name} as a whole`, same),
		];
	}
	if (type !== 'resourceMapper') return [as(name, same)];
	const form = (value: string, kind: string) => ({
		mappingMode: 'defineBelow',
		value: { ip: value },
		schema: [{ id: 'ip', displayName: 'ip', type: kind, required: true, display: true }],
	});
	const kinds = ['string', 'number', 'boolean', 'array', 'object', 'options', 'dateTime'];
	return [
		...kinds.map((kind) => as(`${name}, ${kind}`, (value) => form(value, kind))),
		as(`${name} as a whole`, same),
	];
}

function ownOption(operation: AnyOperation, { option, collection }: Option): Field[] {
	const { name, type, options = [] } = option;
	const right = () => rightParameters(operation);
	const withFile = name === 'mediaFieldName' ? { media: 'binaryField' } : {};
	// It says where the result goes beside the input
	const beside = name === 'putOutputInField' ? { includeOtherInputFields: true } : {};
	const as = (label: string, put: (value: string) => unknown): Field => ({
		...{ operation, name: label },
		parametersWith: (value) =>
			({ ...right(), ...withFile, ...beside, [collection]: { [name]: put(value) } }) as IDataObject,
	});
	if (type !== 'fixedCollection') return [as(`option ${name}`, same)];
	const row = RIGHT_ROWS[name];
	const [{ name: list }] = options;
	return [
		...Object.keys(row).map((field) =>
			as(`option ${name}, ${field}`, (value) => ({ [list]: [{ ...row, [field]: value }] })),
		),
		as(`option ${name} as a whole`, same),
	];
}

function same(value: string): string {
	return value;
}
