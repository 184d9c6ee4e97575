import type { IDataObject } from 'n8n-workflow';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { type AnyOperation, type FeatureSettings, featuresOf, isToolRun } from '../../engine';

const operationOf = (name: string) =>
	operations.find(({ resource, value }) => `${resource}.${value}` === name) as AnyOperation;

/** The names of the features that are on. @param set what the user has set beside the defaults */
function namesOf(
	operation: AnyOperation,
	{ options = {}, ...set }: IDataObject & { options?: IDataObject } = {},
	isForModel = false,
): string[] {
	const run = {
		...{ operation, options, isForModel },
		context: {
			getNodeParameter: (name: string, _: number, fallback: unknown) => set[name] ?? fallback,
		},
		parameter: (name: string, fallback: unknown) => set[name] ?? fallback,
		drawn: (name: string) => set[name] === true,
	} as unknown as FeatureSettings;
	return featuresOf(run).map(({ name }) => name);
}

describe('the features of a run', () => {
	const verify = operationOf('email.verify');
	const always = ['accountBalance', 'paidLookupsPerDay'];
	const byDefault = [...always, 'equalRuns', 'emptyFields'];

	test('are those that every paid run needs, unless the user switches on more', () => {
		expect(namesOf(verify)).toEqual(byDefault);
		expect(namesOf(operationOf('whatsApp.sendMessage'))).toEqual([...always, 'emptyFields']);
		expect(namesOf(operationOf('account.getBalance'))).toEqual(['emptyFields']);
	});

	test.each<[feature: string, set: Parameters<typeof namesOf>[1]]>([
		['storedResults', { storedResults: true }],
		['costLog', { spendingLimits: { costLog: '' } }],
		['skipCatchAll', { options: { [`${verify.groupOption}`]: true } }],
		['recheckInconclusive', { options: { recheckInconclusiveEmails: true } }],
		['flatColumns', { output: 'flatColumns' }],
	])('have %s, if the user switches it on', (feature, set) => {
		const expected = byDefault.filter(
			(name) => name !== 'equalRuns' || feature !== 'storedResults',
		);
		expect(namesOf(verify, set).sort()).toEqual([...expected, feature].sort());
	});

	test('of a model are only limits and what it may choose', () => {
		const set = { storedResults: true, spendingLimits: { costLog: '' } };
		// n8n shows it by the name of the node or by the execution
		for (const isToolExecution of [undefined, () => true]) {
			const type = isToolExecution ? 'x.lookupMessaging' : 'x.lookupMessagingTool';
			const context = { getNode: () => ({ type }), isToolExecution } as never;
			expect(namesOf(verify, set, isToolRun(context))).toEqual(always);
		}
	});

	test('are none for stored results, costs or rechecks where the operation has none', () => {
		const set = {
			...{ storedResults: true, spendingLimits: { costLog: '' } },
			options: { recheckInconclusiveEmails: true },
		};
		expect(namesOf(operationOf('account.getBalance'), set)).toEqual(['emptyFields']);
	});
});
