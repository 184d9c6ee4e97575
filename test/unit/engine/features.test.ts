import { operations } from '../../../nodes/LookupMessaging/operations';
import { type FeatureSettings, featuresOf, isToolRun } from '../../engine';

test('the features of a run of a model are only limits and what it may choose', () => {
	const operation = operations.find(({ value }) => value === 'verify');
	const set: Record<string, unknown> = { storedResults: true, spendingLimits: { costLog: '' } };
	const parameter = (name: string, fallback: unknown) => set[name] ?? fallback;
	// n8n shows it by the name of the node or by the execution
	for (const isToolExecution of [undefined, () => true]) {
		const type = isToolExecution ? 'x.lookupMessaging' : 'x.lookupMessagingTool';
		const context = { getNode: () => ({ type }), isToolExecution } as never;
		const run = {
			...{ operation, options: {}, isForModel: isToolRun(context), parameter },
			drawn: (name: string) => set[name] === true,
		} as unknown as FeatureSettings;
		const names = featuresOf(run).map(({ name }) => name);
		expect(names).toEqual(['accountBalance', 'paidLookupsPerDay']);
	}
});
