import type { Failure, Result, ServiceRequest } from '../../../nodes/LookupMessaging/engine/client';
import { BoundedCache } from '../../../nodes/LookupMessaging/engine/memory/answerStore';
import { Journal, type JournalKey } from '../../../nodes/LookupMessaging/engine/memory/journal';

const KEY: JournalKey = { resource: 'test', value: 'send', position: '0.0', step: 'send' };
const REQUEST: ServiceRequest = {
	...{ service: 'main', method: 'GET', path: '/send', query: { message: 'a' } },
};
const CHANGED: ServiceRequest = { ...REQUEST, query: { message: 'b' } };
const ANSWER: Result = { value: 1, body: {} };

function execution() {
	const shared = { results: new BoundedCache<Result>(), runs: new Set<string>() };
	return (
		more: {
			run?: string;
			isTool?: boolean;
			asksAgainAfterLost?: boolean;
			credential?: string;
		} = {},
	) =>
		new Journal(shared, {
			...{ run: '0', credential: 'c', isTool: false, asksAgainAfterLost: false },
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
