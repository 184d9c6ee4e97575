import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { openMemory } from '../../../nodes/LookupMessaging/engine/memory';
import type { AnyOperation } from '../../../nodes/LookupMessaging/engine/operation';
import type { Settlement } from '../../../nodes/LookupMessaging/engine/perform';
import type { Settings } from '../../../nodes/LookupMessaging/engine/settings';
import { turn, yes } from './stage';

const SETTINGS = { asksAgainAfterLost: false } as Settings;
const ANSWER: Settlement = { kind: 'answer', answer: yes(), response: {} };

/** Runs of one node in one execution; each call opens the memory of another run. */
function execution({ type = 'x.lookupMessaging', json = {} as IDataObject } = {}) {
	const life = {};
	return (runIndex = 0) =>
		openMemory(
			{
				getContext: () => life,
				getNode: () => ({ type }),
				getInputData: () => [{ json }],
				getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
			} as unknown as IExecuteFunctions,
			{ resource: 'test', value: 'talk' } as AnyOperation,
			SETTINGS,
		);
}

const CALL = { service: 'main', method: 'GET', path: '/send', query: { message: 'a' } } as const;
const REPLY = { kind: 'ok', status: 200, headers: {}, body: {} } as const;

describe('the memory of an execution', () => {
	test('has a question that several runs ask at the same time asked once', async () => {
		const open = execution();
		let asked = 0;
		const ask = async (memory: ReturnType<typeof open>) =>
			await memory.onceAsked('q', async () => {
				asked += 1;
				await turn();
				memory.settle('q', ANSWER, 0, 'execution');
				return 'asked';
			});
		const told = await Promise.all([open(), open(), open()].map(ask));
		expect(asked).toBe(1);
		expect(told).toEqual([{ asked: 'asked' }, { remembered: ANSWER }, { remembered: ANSWER }]);
	});

	test('lets one after the other ask where nobody gets an answer', async () => {
		const open = execution();
		let underWay = 0;
		let peak = 0;
		const ask = async (memory: ReturnType<typeof open>) =>
			await memory.onceAsked('q', async () => {
				underWay += 1;
				peak = Math.max(peak, underWay);
				await turn();
				underWay -= 1;
			});
		await Promise.all([open(), open(), open()].map(ask));
		expect(peak).toBe(1);
	});

	test('lets the next ask where one failed with an exception', async () => {
		const open = execution();
		const broken = open().onceAsked('q', async () => await Promise.reject(new Error('broken')));
		await expect(broken).rejects.toThrow('broken');
		expect(await open().onceAsked('q', async () => 'asked')).toEqual({ asked: 'asked' });
	});

	test('has parallel runs take from one number of lookups, and gets back what was not made', () => {
		const open = execution();
		const [one, other] = [open(), open()];
		expect([one.setAside(3, 5), other.setAside(3, 5), other.setAside(2, 5)]).toEqual([
			...[true, false, true],
		]);
		expect(one.taken()).toBe(5);
		one.book(one.earlier);
		expect(other.setAside(3, 5)).toBe(true);
	});

	test('knows a deed by its place in the run, whatever its text, and in that run alone', () => {
		const open = execution();
		open(0).keep(CALL, '0.0.0', REPLY);
		const changed = { ...CALL, query: { message: 'b' } };
		expect(open(0).replyTo(changed, '0.0.0')).toBe(REPLY);
		expect(open(0).replyTo(CALL, '1.0.0')).toBeUndefined();
		expect(open(1).replyTo(CALL, '0.0.0')).toBeUndefined();
	});

	test('knows a tool’s deed by the ID of the call, and keeps none without one', () => {
		const type = 'x.lookupMessagingTool';
		const anonymous = execution({ type });
		anonymous().keep(CALL, '0.0.0', REPLY);
		expect(anonymous().replyTo(CALL, '0.0.0')).toBeUndefined();

		const named = execution({ type, json: { toolCallId: 'call-1' } });
		named().keep(CALL, '0.0.0', REPLY);
		expect(named().replyTo(CALL, '0.0.0')).toBe(REPLY);
		// Whatever ID the model gives to another call
		const another = { ...CALL, query: { ...CALL.query, message: 'another' } };
		expect(named().replyTo(another, '0.0.0')).toBeUndefined();
	});

	test('forgets the oldest where it would grow too large', () => {
		const open = execution();
		const memory = open();
		memory.settle('old', ANSWER, 30_000_000, 'execution');
		memory.settle('new', ANSWER, 30_000_000, 'execution');
		expect(memory.settlementOf('old')).toBeUndefined();
		expect(memory.settlementOf('new')).toEqual(ANSWER);
	});
});
