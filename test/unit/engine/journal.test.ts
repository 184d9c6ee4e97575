import type { ServiceRequest } from '../../../nodes/LookupMessaging/engine/client';
import type { Failure, Result } from '../../../nodes/LookupMessaging/engine/results';
import { BoundedCache } from '../../../nodes/LookupMessaging/engine/memory/boundedCache';
import { Journal, type JournalKey } from '../../../nodes/LookupMessaging/engine/memory/journal';

const KEY: JournalKey = { resource: 'test', value: 'send', position: '0.0', step: 'send' };
const REQUEST: ServiceRequest = {
	...{ service: 'main', method: 'GET', path: '/send', query: { message: 'a' } },
};
const CHANGED: ServiceRequest = { ...REQUEST, query: { message: 'b' } };
const ANSWER: Result = { value: 1, body: {} };

function execution() {
	const shared = {
		...{ results: new BoundedCache<Result>(), runs: new Set<string>() },
		atWork: new Map<string, Promise<void>>(),
	};
	return (
		more: {
			run?: string;
			isTool?: boolean;
			isByContent?: boolean;
			asksAgainAfterLost?: boolean;
			credential?: string;
		} = {},
	) =>
		new Journal(shared, {
			...{ run: '0', credential: 'c', asksAgainAfterLost: false },
			...{ isTool: more.isByContent ?? false, isByContent: false },
			...more,
		});
}

describe('the journal', () => {
	test('finds a call by run, item and step, whatever its text', () => {
		const open = execution();
		open().keep(KEY, REQUEST, ANSWER);
		expect(open().find(KEY, CHANGED)).toBe(ANSWER);
	});

	test.each<[what: string, key: Partial<JournalKey>]>([
		['item', { position: '1.0' }],
		['part of the item', { position: '0.1' }],
		['step', { step: 'check' }],
		['operation', { value: 'other' }],
		['resource', { resource: 'other' }],
	])('does not find the call of another %s', (_, more) => {
		const open = execution();
		open().keep(KEY, REQUEST, ANSWER);
		expect(open().find({ ...KEY, ...more }, REQUEST)).toBeUndefined();
	});

	test('does not find the call of another run or credential', () => {
		const open = execution();
		open().keep(KEY, REQUEST, ANSWER);
		expect(open({ run: '1' }).find(KEY, REQUEST)).toBeUndefined();
		expect(open({ credential: 'other' }).find(KEY, REQUEST)).toBeUndefined();
	});

	test('does not find a tool call with other values, although a model used its ID again', () => {
		const open = execution();
		open({ isTool: true }).keep(KEY, REQUEST, ANSWER);
		expect(open({ isTool: true }).find(KEY, REQUEST)).toBe(ANSWER);
		expect(open({ isTool: true }).find(KEY, CHANGED)).toBeUndefined();
	});

	describe('of a tool call without an ID', () => {
		const CONTENT = { isByContent: true };
		const LOST: Failure = { cause: 'lost', reason: 'it broke', scope: 'question' };
		const entry = (open: ReturnType<typeof execution>) => open(CONTENT).find(KEY, REQUEST);

		test('finds an equal call of any run, and says of a failure that nothing was sent again', () => {
			const open = execution();
			open({ ...CONTENT, run: '0' }).keep(KEY, REQUEST, { failure: LOST });
			expect(open({ ...CONTENT, run: '1' }).find({ ...KEY, position: '0.3' }, REQUEST)).toEqual({
				failure: {
					...LOST,
					reason:
						"an equal call in this execution has no known result, so it wasn't sent again: it broke",
				},
			});
			expect(open(CONTENT).find(KEY, CHANGED)).toBeUndefined();
			expect(open().find(KEY, REQUEST)).toBeUndefined();
		});

		test('forgets a success that was delivered, found or made by this try, and nothing else', () => {
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

		test('waits for its turn while another run does one of its deeds, and for nobody else', async () => {
			const open = execution();
			const order: string[] = [];
			const enter = async (name: string, deeds: string[]) => {
				const end = await open(CONTENT).takeTurn(deeds);
				order.push(name);
				return end;
			};
			const first = await enter('first', ['a', 'b']);
			const second = enter('second', ['c', 'b']);
			const third = enter('third', ['b', 'a']);
			(await enter('other', ['c', 'd']))();
			expect(order).toEqual(['first', 'other']);
			first();
			(await second)();
			(await third)();
			expect(order).toEqual(['first', 'other', 'second', 'third']);
		});
	});

	test('is empty until its run has an entry', () => {
		const open = execution();
		expect(open().isEmpty()).toBe(true);
		open().keep(KEY, REQUEST, ANSWER);
		expect([open().isEmpty(), open({ run: '1' }).isEmpty()]).toEqual([false, true]);
	});

	test.each<[cause: Failure['cause'], isFound: boolean]>([
		['lost', false],
		['fault', false],
		['refused', true],
	])('finds what was %s with Ask Again After Lost Reply: %p', (cause, isFound) => {
		const open = execution();
		open().keep(KEY, REQUEST, { failure: { cause, reason: '', scope: 'question' } });
		expect(open({ asksAgainAfterLost: true }).find(KEY, REQUEST) !== undefined).toBe(isFound);
		expect(open().find(KEY, REQUEST)).toBeDefined();
	});
});
