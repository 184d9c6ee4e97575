import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import {
	COST_LOG,
	defineOperation,
	emptyFields,
	type FeatureSettings,
	planRun,
	positive,
	type Settings,
} from '../../engine';
import { workflow } from '../fakes/fakeSend';

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

/** n8n in a run that nobody stops. A slow machine may look for a Stop in a short list, too. */
const UNSTOPPED = {
	getNode: () => ({ type: 'x' }),
	getExecutionCancelSignal: () => undefined,
};

/** Returns the values as n8n does: each item its own. */
function contextOf(values: unknown[]): IExecuteFunctions {
	const getNodeParameter = (name: string, item: number, _: unknown, options?: object) => {
		if (name !== 'text') return {};
		return options ? '={{ $json.text + "" }}' : values[item];
	};
	const getInputData = () => values.map((text) => ({ json: { text } }));
	const context = { ...UNSTOPPED, getNodeParameter, getInputData };
	return context as unknown as IExecuteFunctions;
}

test('a value that an operation cannot read fails its own item, and not the run', async () => {
	const values = ['a', 7, 'b', { toUpperCase: 1 }];
	const settings = { alsoFailItemsIf: [] as string[] } as Settings;
	const plan = await planRun(contextOf(values), operation, 4, settings, EMPTY);
	const failure = {
		cause: 'parameter',
		reason: "its parameters contain a value that can't be read",
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

test('a retry puts into one task what an earlier try put into one task, whatever was left out then', async () => {
	const batch = workflow(async () => await Promise.resolve([]), {
		...{ fields: operation.fields, repeatable: true, questionsPerTask: 3 },
		prepare: ({ text }) => text as string,
	});
	const settings = { alsoFailItemsIf: [] as string[] } as Settings;
	const earlier: Record<string, string> = { b: '1.0', d: '1.0' };
	const answers = { ...EMPTY, positionOf: (_: unknown, key: string) => earlier[key[2]] };
	const { tasks } = await planRun(contextOf([...'abcd']), batch, 4, settings, answers);
	const shown = tasks.map(({ questions }) =>
		questions.map(({ question, position }) => `${question as string} ${position}`),
	);
	expect(shown).toEqual([
		['a 0.0', 'c 2.0'],
		['b 1.0', 'd 1.0'],
	]);
});

describe('tags of Cost Log', () => {
	const ask = workflow(async () => await Promise.resolve([]), {
		...{ fields: operation.fields, repeatable: true, questionsPerTask: 2 },
		prepare: ({ text }) => text as string,
	});

	/** Plans items of a text and a tag. Returns the tasks (tag, and text with its items), and what n8n had to evaluate. */
	async function planOf(items: Array<[text: string, tag: unknown]>, costLog: string) {
		const spendingLimits: IDataObject = { costLog };
		const getNodeParameter = (name: string, item: number, _: unknown, how?: object) => {
			const raw = {
				...{ text: '={{ $json.text }}', options: {}, spendingLimits },
				'spendingLimits.costLog': costLog,
			}[name];
			if (how) return raw;
			if (name === 'options') return {};
			const tag = costLog.includes('fail') && item === 0 ? undefined : 'computed';
			if (tag === undefined) throw new Error('it fails');
			return name === 'spendingLimits' ? { costLog: tag } : tag;
		};
		const json = items.map(([text, tag]) => ({ json: { text, tag } }));
		const getInputData = () => json;
		const fake: unknown = { ...UNSTOPPED, getNodeParameter, getInputData };
		const context = fake as IExecuteFunctions;
		const TAG = { property: COST_LOG, collection: 'spendingLimits' };
		const settings = {
			alsoFailItemsIf: [] as string[],
			tagField: TAG,
			warnings: emptyFields({ context } as FeatureSettings).warnings,
		} as unknown as Settings;
		const plan = await planRun(context, ask, items.length, settings, EMPTY);
		const tasks = plan.tasks.map(({ questions, tag }) => {
			const asked = questions.map(
				({ question, items: asking }) => `${String(question)}@${asking.join()}`,
			);
			return `${tag}: ${asked.join(' ')}`;
		});
		return { plan, tasks };
	}

	test('split batches, and a duplicate has the tag of the first item', async () => {
		const items = [
			['a', 'Acme'],
			['b', 'Byte'],
			['c', ' Acme'],
			['a', 'Byte'],
			['d', 'Acme'],
			['e', ''],
		];
		const { tasks } = await planOf(items as Array<[string, string]>, '={{ $json.tag }}');
		expect(tasks).toEqual(['Acme: a@0,3 c@2', 'Byte: b@1', 'Acme: d@4', ': e@5']);
	});

	test('that cannot be read fail their item, before anything is paid for without a tag', async () => {
		const { plan, tasks } = await planOf(
			[
				['a', 1],
				['b', 2],
			],
			'={{ fail() }}',
		);
		const reason = "Cost Log can't be read: it fails";
		expect(plan.slots).toMatchObject([{ kind: 'failure', failure: { reason } }, { kind: 'asked' }]);
		expect(tasks).toEqual(['computed: b@1']);
	});
});
