import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { sharedProperties } from '../../../nodes/LookupMessaging/editor/properties';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { optionsOf } from '../../models/hostile/fields';

/** What a user chooses from. */

const titled = operations.map(
	(operation) => [`${operation.resource}.${operation.value}`, operation] as const,
);
const isHiddenFromModels = ({ displayOptions }: INodeProperties) =>
	displayOptions?.hide?.['@tool'] !== undefined;

/** Contacts and emails have an option more than the other lookups. */
const MAX_OPTIONS = new Map([
	['contact.enrich', 9],
	['email.verify', 9],
]);

describe.each(titled)('the options of %s', (name, operation) => {
	const options = optionsOf(operation);

	test('are few, and as a tool very few', () => {
		const own = options.filter(({ collection }) => collection === 'options');
		expect(own.length).toBeLessThanOrEqual(MAX_OPTIONS.get(name) ?? 8);
		const ofTool = options.filter(({ option }) => !isHiddenFromModels(option));
		expect(ofTool.length).toBeLessThanOrEqual(4);
	});

	test('occur once each, and limit spending only if it costs anything', () => {
		const names = options.map(({ option }) => option.name);
		expect(new Set(names).size).toBe(names.length);
		const limits = options.filter(({ collection }) => collection === 'spendingLimits');
		expect(limits.map(({ option }) => option.name)).toEqual(
			operation.free
				? []
				: [
						...['checkBalance', 'costLog', 'dryRun', 'maxPaidLookups', 'maxPaidLookupsPerDay'],
						'minimumBalance',
					],
		);
	});

	test('are on as soon as they are added', () => {
		const switches = options.filter(({ option: { type } }) => type === 'boolean');
		for (const { option } of switches) {
			expect(option).toMatchObject({ default: true });
			expect(option.description).toMatch(/^Whether /);
		}
	});

	test('have choices whose descriptions n8n shows completely, in two lines', () => {
		const inOptions = options.map(({ option }) => option);
		const all = [...operation.fields, ...sharedProperties(operation), ...inOptions];
		const choices = all
			.filter(({ type }) => type === 'options' || type === 'multiOptions')
			.flatMap((property) => property.options as INodePropertyOptions[]);
		const long = [operation, ...choices].filter(({ description = '' }) => description.length > 110);
		expect(long.map(({ description }) => description)).toEqual([]);
	});

	test('include a limit of paid lookups that applies as soon as it is added', () => {
		const limits = [...options.map(({ option }) => option), ...sharedProperties(operation)].filter(
			({ name: of }) => of === 'maxPaidLookups',
		);
		expect(limits.map((limit) => limit.default)).toEqual(operation.free ? [] : [100, 25]);
		for (const { description } of limits) expect(description).toMatch(/ 0 takes the limit away: /);
	});

	test('keep the fields of the input by default in a lookup, and add none for a model', () => {
		const [included] = sharedProperties(operation).filter(
			({ name: of }) => of === 'includeOtherInputFields',
		);
		expect(included === undefined).toBe(operation.subject === undefined);
		if (!included) return;
		expect(included.default).toBe(operation.outcomes !== undefined);
		expect(isHiddenFromModels(included)).toBe(true);
	});
});

test.each([
	...[['email.verify', 'email'] as const, ['geoIp.locate', 'geoip'] as const],
	...[['phone.validate', 'phone'] as const, ['whatsApp.checkNumber', 'whatsapp'] as const],
	...[['batch.submit', 'whatsapp'] as const, ['contact.enrich', 'whatsapp'] as const],
])('a new row of Minimum Balance of %s protects the %s balance', (name, balance) => {
	const [, operation] = titled.find(([title]) => title === name)!;
	const minimum = optionsOf(operation).find(({ option }) => option.name === 'minimumBalance');
	expect(minimum?.option.options).toMatchObject([{ values: [{ default: balance }, {}] }]);
});
