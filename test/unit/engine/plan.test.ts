import type { IExecuteFunctions } from 'n8n-workflow';
import { defineOperation, positive } from '../../../nodes/LookupMessaging/engine/operation';
import { planRun } from '../../../nodes/LookupMessaging/engine/plan/plan';
import type { Settings } from '../../../nodes/LookupMessaging/engine/plan/settings';

const operation = defineOperation<{ text: string }>({
	...{ resource: 'test', value: 'ask', name: 'Ask', action: 'Ask', description: 'Asks' },
	fields: [{ displayName: 'Text', name: 'text', type: 'string', default: '' }],
	rules: {},
	prepare: ({ text }) => ({ text: (text as string).toUpperCase() }),
	request: ({ text }) => ({ service: 'main', method: 'GET', path: '/ask', query: { text } }),
	read: () => positive({}),
	output: [],
});

/** Hands out the values as n8n does: each item its own. */
function contextOf(values: unknown[]): IExecuteFunctions {
	const getNodeParameter = (name: string, item: number, _: unknown, options?: object) => {
		if (name !== 'text') return {};
		return options ? '={{ $json.text + "" }}' : values[item];
	};
	const context = { getNodeParameter, getInputData: () => [], getNode: () => ({ type: 'x' }) };
	return context as unknown as IExecuteFunctions;
}

test('a value that an operation cannot read fails its own item, and not the run', async () => {
	const values = ['a', 7, 'b', { toUpperCase: 1 }];
	const settings = { failOnMalformedInput: false } as Settings;
	const plan = await planRun(contextOf(values), operation, 4, settings, () => undefined);
	const failure = {
		cause: 'parameter',
		reason: 'its parameters hold a value that cannot be read',
		scope: 'question',
	};
	expect(plan.slots).toMatchObject([
		{ item: 0, kind: 'asked', question: { text: 'A' } },
		{ item: 1, kind: 'failure', failure },
		{ item: 2, kind: 'asked', question: { text: 'B' } },
		{ item: 3, kind: 'failure', failure },
	]);
	expect(plan.tasks).toHaveLength(2);
});
