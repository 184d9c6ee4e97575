import type { IDataObject } from 'n8n-workflow';
import {
	type Failure,
	Journal,
	type JournalKey,
	OpenDeeds,
	SharedJournal,
	type Result,
	type ServiceRequest,
	type Task,
} from '../../engine';
import { tasksOf, workflow } from '../fakes/fakeSend';

const KEY: JournalKey = { resource: 'test', value: 'send', position: '0.0', step: 'send' };
const REQUEST: ServiceRequest = {
	...{ service: 'main', method: 'GET', path: '/send', query: { message: 'a' } },
};
const CHANGED: ServiceRequest = { ...REQUEST, query: { message: 'b' } };
const ANSWER: Result = { value: 1, body: {} };
const DEED: JournalKey = { ...KEY, acts: true };
const LOST: Failure = {
	...{ cause: 'lost', reason: 'it broke', scope: 'question', mayHaveCost: true },
};
const repeated = (place: string): Failure => ({
	...{ cause: 'repeated', scope: 'question' },
	reason: `an equal call in this execution${place} may have been done already, so it wasn't sent again: it broke`,
});

function execution() {
	const shared = new SharedJournal(new OpenDeeds({}));
	return (
		more: {
			run?: string;
			isTool?: boolean;
			isByContent?: boolean;
			credential?: string;
		} = {},
	) =>
		new Journal(shared, {
			...{ run: '0', credential: 'c' },
			...{ isTool: more.isByContent ?? false, isByContent: false },
			...more,
		});
}

describe('the journal', () => {
	const TOOL = { run: 'call_1', isTool: true };

	test.each<
		[what: string, isFound: boolean, more: Partial<JournalKey>, scope?: object, by?: object]
	>([
		['with any text', true, {}],
		['of a tool with the same values', true, {}, TOOL, TOOL],
		['of another item', false, { position: '1.0' }],
		['of another part of the item', false, { position: '0.1' }],
		['of another step', false, { step: 'check' }],
		['of another operation', false, { value: 'other' }],
		['of another resource', false, { resource: 'other' }],
		['of another run', false, {}, { run: '1' }],
		['of another credential', false, {}, { credential: 'other' }],
	])(
		'finds a call by run, item and step: one %s is found, or not (%p)',
		(...[, isFound, more, scope, by]) => {
			const open = execution();
			open(by).keep(KEY, REQUEST, ANSWER);
			const asked = isFound && !by ? CHANGED : REQUEST;
			expect(open(scope).find({ ...KEY, ...more }, asked)).toBe(isFound ? ANSWER : undefined);
			// A model may reuse its ID
			if (by) expect(open(scope).find(KEY, CHANGED)).toBeUndefined();
		},
	);

	test('reads the content of a side effect once, since a batch has a thousand numbers', async () => {
		const journal = execution()();
		let reads = 0;
		const query = {
			get message() {
				reads += 1;
				return 'a';
			},
		};
		const request = { ...REQUEST, query };
		const result = await journal.once(DEED, request, async () => await Promise.resolve(ANSWER));
		expect([result, reads]).toEqual([ANSWER, 1]);
	});

	describe('of a tool call without an ID', () => {
		const CONTENT = { isByContent: true };
		const entry = (open: ReturnType<typeof execution>) => open(CONTENT).find(KEY, REQUEST);

		test('forgets a success that was returned, found or made by this try, and nothing else', () => {
			const open = execution();
			const made = open(CONTENT);
			made.keep(KEY, REQUEST, ANSWER);
			made.forgetDelivered(['1.0']);
			expect(entry(open)).toBe(ANSWER);
			made.forgetDelivered([KEY.position]);
			expect(entry(open)).toBeUndefined();

			open(CONTENT).keep(KEY, REQUEST, ANSWER);
			const found = open(CONTENT);
			found.find(KEY, REQUEST);
			found.forgetDelivered([KEY.position]);
			expect(entry(open)).toBeUndefined();
		});

		test('forgets nothing of a run or of a call that has an ID', () => {
			const open = execution();
			const run = open();
			run.keep(KEY, REQUEST, ANSWER);
			run.forgetDelivered([KEY.position]);
			expect(open().find(KEY, REQUEST)).toBe(ANSWER);
		});
	});

	describe('of side effects with an unknown result', () => {
		const reading = (more: object): Result => ({
			value: { reason: 'it broke', ...more },
			body: {},
		});
		const FREE: Result = { failure: { cause: 'throttled', reason: '', scope: 'question' } };

		test.each<[what: string, first: Result, isFound: boolean]>([
			['without an answer', { failure: LOST }, true],
			[
				'that was refused and may have been charged',
				{ failure: { ...LOST, cause: 'refused' } },
				true,
			],
			['with an answer that does not say', reading({ isUnclear: true }), true],
			['with an unknown answer', reading({ outcome: 'unknown' }), true],
			['with an answer yes', reading({ outcome: 'positive' }), false],
			['with an answer no', reading({ outcome: 'negative' }), false],
			['that succeeded', ANSWER, false],
			['that was certainly not taken', FREE, false],
		])('blocks a repetition, in any run, after one %s: %p', (_, first, isFound) => {
			const open = execution();
			open().keep({ ...DEED, position: '3.0' }, REQUEST, first);
			const inLoop = open({ run: '1' }).find(DEED, REQUEST);
			const inTool = open({ run: 'call_1', isTool: true }).find(DEED, REQUEST);
			const ofItem = open().find(DEED, REQUEST);
			expect([inLoop, ofItem, inTool]).toEqual(
				isFound
					? [
							{ failure: repeated(' (item 3 of run 1)') },
							{ failure: repeated(' (item 3)') },
							{ failure: repeated('') },
						]
					: [undefined, undefined, undefined],
			);
		});

		test('blocks no other text, operation, step or credential, and no call without side effects', () => {
			const open = execution();
			open().keep(DEED, REQUEST, { failure: LOST });
			const later = open({ run: '1' });
			expect(later.find(DEED, CHANGED)).toBeUndefined();
			expect(later.find({ ...DEED, value: 'other' }, REQUEST)).toBeUndefined();
			expect(later.find({ ...DEED, step: 'other' }, REQUEST)).toBeUndefined();
			expect(later.find(KEY, REQUEST)).toBeUndefined();
			expect(open({ run: '1', credential: 'd' }).find(DEED, REQUEST)).toBeUndefined();
		});

		test('knows content in any order of its fields, and a file by its name, type and size', () => {
			const open = execution();
			const body = (fields: IDataObject): ServiceRequest => ({ ...REQUEST, body: fields });
			open().keep(DEED, body({ a: { b: 1, c: 2 }, d: [3] }), { failure: LOST });
			const later = open({ run: '1' });
			expect(later.find(DEED, body({ d: [3], a: { c: 2, b: 1 } }))).toBeDefined();
			expect(later.find(DEED, body({ d: [3], a: { c: 2, b: 2 } }))).toBeUndefined();

			const file = (item: number, bytes: number): ServiceRequest => ({
				...REQUEST,
				form: {
					fields: { message: 'a' },
					file: {
						field: 'media',
						source: { item, property: 'data', fileName: 'a.pdf', mimeType: 'text/plain', bytes },
					},
				},
			});
			open().keep(DEED, file(0, 9), { failure: LOST });
			expect(later.find(DEED, file(5, 9))).toBeDefined();
			expect(later.find(DEED, file(0, 8))).toBeUndefined();
		});

		test('keeps them all, and the side effects that succeeded, whatever the size of their replies', () => {
			const open = execution();
			const huge = { ...ANSWER, size: 51_000_000 };
			open().keep(DEED, REQUEST, huge);
			expect(open().find(DEED, REQUEST)).toMatchObject({
				failure: { cause: 'repeated', reason: expect.stringContaining('too large') },
			});
			expect(open({ run: '1' }).find(DEED, REQUEST)).toBeUndefined();

			const reason = 'x'.repeat(51_000_000);
			open().keep(DEED, CHANGED, { failure: { ...LOST, reason } });
			expect(open().find(DEED, CHANGED)).toMatchObject({ failure: { cause: 'repeated' } });
			expect(open({ run: '1' }).find(DEED, CHANGED)).toMatchObject({
				failure: { cause: 'repeated' },
			});
		});
	});

	describe('of tasks', () => {
		const SEND = workflow(async () => await Promise.resolve([]));
		const [TASK, EQUAL] = tasksOf(SEND, ['a', 'a']);
		/** Does the side effect of a task in a run, unless it finds it. */
		const finds = async (journal: Journal, task: Task, awaits?: string) => {
			await journal.takeUp(SEND, [task]);
			const key = { ...DEED, position: task.questions[0].position };
			const result = journal.find(key, REQUEST);
			if (!result) journal.keep(key, REQUEST, ANSWER);
			journal.end(SEND, task, { isPaid: true, awaits });
			return result !== undefined;
		};

		test('remembers an awaited job for the time after a stored Wait, until it is over', async () => {
			const stored = {};
			const journal = (of: string) => {
				const shared = new SharedJournal(new OpenDeeds(stored));
				const scope = { isTool: false, isByContent: false, credential: 'c' };
				return [of, of].map((name) => new Journal(shared, { ...scope, run: name }));
			};
			const [first, retry] = journal('0');
			await finds(first, TASK, 'it broke');
			expect(await finds(first, EQUAL)).toBe(false);
			const after = journal('1')[0].find(DEED, REQUEST);
			expect(after).toEqual({ failure: repeated(' (item 0 of run 1)') });
			await finds(retry, TASK);
			expect(journal('2')[0].find(DEED, REQUEST)).toBeUndefined();
		});

		test('leaves an awaited job to the next run where the one that took it did not end its task', async () => {
			const open = execution();
			await finds(open(), TASK, 'the job goes on');
			await open({ run: '1' }).takeUp(SEND, [TASK]);
			expect(await finds(open({ run: '2' }), EQUAL, 'the job goes on')).toBe(true);
			expect(await finds(open({ run: '3' }), TASK)).toBe(true);
		});
	});
});
