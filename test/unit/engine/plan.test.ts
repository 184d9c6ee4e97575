import type { IExecuteFunctions } from 'n8n-workflow';
import {
	defineOperation,
	positive,
	type LocalAnswer,
	type OutcomeNames,
} from '../../../nodes/LookupMessaging/engine/operation';
import { readText } from '../../../nodes/LookupMessaging/engine/plan/values';
import { planRun } from '../../../nodes/LookupMessaging/engine/plan/plan';
import { workflow } from '../fakes/fakeSend';
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

/** The memory of an execution that has asked nothing yet. */
const EMPTY = { find: () => undefined, positionOf: () => undefined };

/** Hands out the values as n8n does: each item its own. */
function contextOf(values: unknown[]): IExecuteFunctions {
	const getNodeParameter = (name: string, item: number, _: unknown, options?: object) => {
		if (name !== 'text') return {};
		return options ? '={{ $json.text + "" }}' : values[item];
	};
	const getInputData = () => values.map((text) => ({ json: { text } }));
	const context = { getNodeParameter, getInputData, getNode: () => ({ type: 'x' }) };
	return context as unknown as IExecuteFunctions;
}

test('a value that an operation cannot read fails its own item, and not the run', async () => {
	const values = ['a', 7, 'b', { toUpperCase: 1 }];
	const settings = { failOnMalformedInput: false } as Settings;
	const plan = await planRun(contextOf(values), operation, 4, settings, EMPTY);
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

test('a retry asks together what an earlier try asked together, whatever was left out then', async () => {
	const batch = workflow(async () => await Promise.resolve([]), {
		...{ fields: operation.fields, repeatable: true, questionsPerTask: 3 },
		prepare: ({ text }) => text as string,
	});
	const settings = { failOnMalformedInput: false } as Settings;
	const earlier: Record<string, string> = { b: '1.0', d: '1.0' };
	const answers = { ...EMPTY, positionOf: (_: unknown, key: string) => earlier[key[2]] };
	const { tasks } = await planRun(contextOf([...'abcd']), batch, 4, settings, answers);
	const shown = tasks.map(({ questions }) =>
		questions.map(({ question, position }) => [question, position]),
	);
	expect(shown).toEqual([
		[
			['a', '0.0'],
			['c', '2.0'],
		],
		[
			['b', '1.0'],
			['d', '1.0'],
		],
	]);
});

describe('a value that holds nothing', () => {
	const outcomes: OutcomeNames = { positive: 'Yes', negative: 'No', unknown: 'Unknown' };
	const planOf = async (values: unknown[], failOnMalformedInput: boolean, isLookup = true) => {
		const asked = {
			...operation,
			...(isLookup && { outcomes }),
			prepare: ({ text }: { text?: unknown }) => {
				const read = readText(text, 'Text', 'a text');
				return typeof read === 'string' ? { text: read } : read;
			},
		};
		const settings = { failOnMalformedInput } as Settings;
		return await planRun(contextOf(values), asked, values.length, settings, EMPTY);
	};
	const empty: LocalAnswer = { local: 'empty', field: 'Text', reason: 'is empty' };

	test('is answered locally, and nothing is asked about it', async () => {
		const plan = await planOf(['', 'a', null, '\u200b', ['a']], false);
		expect(plan.slots).toMatchObject([
			{ kind: 'local', local: empty },
			{ kind: 'asked' },
			{ kind: 'local', local: empty },
			{ kind: 'local', local: empty },
			{ kind: 'local', local: { local: 'malformed' } },
		]);
		expect(plan.tasks).toHaveLength(1);
		expect(plan.warnings).toEqual([]);
	});

	test('in all items is warned of', async () => {
		const plan = await planOf(['', null], false);
		expect(plan.warnings).toEqual(['Text is empty in all 2 items. Check its expression']);
	});

	test('is a failure where malformed input is to fail', async () => {
		const { slots } = await planOf(['', 'a'], true);
		const failure = { cause: 'malformed', reason: 'Text is empty', scope: 'question' };
		expect(slots).toMatchObject([{ kind: 'failure', failure }, { kind: 'asked' }]);
	});

	test('is the failure of a parameter where an operation has no outcomes', async () => {
		const { slots } = await planOf(['', 'a'], false, false);
		const failure = { cause: 'parameter', reason: 'Text is empty', scope: 'question' };
		expect(slots).toMatchObject([{ kind: 'failure', failure }, { kind: 'asked' }]);
	});

	test('is not warned of where the settings of the run are wrong', async () => {
		const problem = { cause: 'parameter', reason: 'wrong', scope: 'question' } as const;
		const settings = { problem } as Settings;
		const plan = await planRun(contextOf(['', '']), operation, 2, settings, EMPTY);
		expect(plan.warnings).toEqual([]);
	});
});
