import type { INodeProperties } from 'n8n-workflow';
import { LookupMessagingTrigger } from '../../../nodes/LookupMessagingTrigger/LookupMessagingTrigger.node';

const { description, methods } = new LookupMessagingTrigger();

/** What a workflow stores of a parameter: the values of its options, or the names of its entries. */
const stored = ({ options = [] }: INodeProperties) =>
	options.map((option) => ('value' in option ? option.value : option.name));

test("the trigger's stored values are frozen", () => {
	expect(description).toMatchObject({ name: 'lookupMessagingTrigger', version: 1, polling: true });
	const own = description.properties.filter(
		({ name, type }) => name !== 'selectedFields' && type !== 'notice',
	);
	expect([...new Map(own.map((property) => [property.name, stored(property)]))]).toEqual([
		['resource', ['batch', 'audit']],
		['jobsToWatch', ['all', 'byId', 'fromTool']],
		['jobIds', []],
		['listingTool', []],
		['batchIdField', []],
		['auditIdField', []],
		['statusField', []],
		['splitIntoItems', []],
		['includeFailedJobs', []],
		['includeAlreadyFinished', []],
		['output', ['simplified', 'raw', 'selectedFields']],
		['options', ['finishedWhen', 'toolArguments']],
	]);
});

test('the trigger needs, with its defaults, nothing that a user may not have', () => {
	const shown = description.properties.filter(({ displayOptions: { show = {} } = {} }) =>
		Object.entries({ jobsToWatch: 'all', resource: 'batch' }).every(
			([name, value]) => !show[name] || show[name].includes(value),
		),
	);
	expect(shown.filter(({ required }) => required)).toEqual([]);
	expect(shown.slice(0, 3).map(({ displayName }) => displayName)).toEqual([
		'Trigger On',
		'Jobs to Watch',
		expect.stringContaining("don't need its ID"),
	]);
});

test('the trigger is no tool for a model, and all lists that its parameters name exist', () => {
	expect(description.usableAsTool).toBeUndefined();
	const named = description.properties
		.flatMap(({ modes = [] }) => modes)
		.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []);
	expect(named.length).toBeGreaterThan(0);
	expect(Object.keys(methods?.listSearch ?? {})).toEqual(expect.arrayContaining(named));
});
