import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import {
	type AnyOperation,
	defineOperation,
	Ledger,
	type LookupResult,
	openMemory,
	type Result,
} from '../../engine';
import { paid, PRICE, workflow, yes } from '../fakes/fakeSend';
import { PAID_CHECK } from '../fakes/paidCheck';

const OPERATION = { resource: 'test', value: 'work' };
const KEY = { ...OPERATION, position: '0.0', step: 'send' };
const { request: REQUEST } = paid('/send');
const ANSWER: LookupResult = { answer: yes(), response: {}, source: 'service' };
const RESULT: Result = { value: 1, body: {} };

/** Sends something, which is not to be done twice. */
const SEND = workflow(async () => await Promise.resolve([]));
/** Asks one question, which may be asked again. */
const CHECK = defineOperation(PAID_CHECK);
const SEND_ONCE: AnyOperation = { ...(CHECK as AnyOperation), repeatable: undefined };

/** Runs of one node in one execution; each call opens the memory of a run. */
function execution({ isForModel = false, json = {} as IDataObject, owner = {} } = {}) {
	return (runIndex = 0, { operation = SEND as AnyOperation, credential = 'c' } = {}) =>
		openMemory(
			{
				getContext: () => owner,
				getExecutionId: () => '7',
				getNode: () => ({ credentials: { lookupMessagingApi: { id: credential } } }),
				getInputData: () => [{ json }],
				getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
			} as unknown as IExecuteFunctions,
			operation,
			{ isForModel },
		);
}

describe('the memory of an execution', () => {
	test('shares no answer between credentials', () => {
		const open = execution();
		open().answers.keep(OPERATION, 'q', ANSWER);
		expect(open(0, { credential: 'other' }).answers.find(OPERATION, 'q')).toBeUndefined();
	});

	test.each<[has: string, what: string, operation: AnyOperation, isJournaled: boolean]>([
		['has a', 'a workflow', SEND, true],
		['has a', 'a workflow that may be repeated', { ...SEND, repeatable: true }, true],
		['has a', 'one call that may not be repeated', SEND_ONCE, true],
		['has no', 'one call that may be repeated, whose answers are stored', CHECK, false],
	])('%s journal for %s', (...[, , operation, isJournaled]) => {
		expect(execution()(0, { operation }).journal !== undefined).toBe(isJournaled);
	});

	test('knows a tool call by its ID, and without one by its values, in any run', () => {
		const called = execution({ isForModel: true, json: { toolCallId: 'call-1' } });
		called().journal?.keep(KEY, REQUEST, RESULT);
		expect(called(1).journal?.find(KEY, REQUEST)).toBe(RESULT);

		const open = execution({ isForModel: true });
		open(0).journal?.keep(KEY, REQUEST, RESULT);
		expect(open(1).journal?.find({ ...KEY, position: '0.7' }, REQUEST)).toBe(RESULT);
		const other = { ...REQUEST, query: { number: '1' } };
		expect(open(1).journal?.find(KEY, other)).toBeUndefined();
	});

	test('lets parallel runs reserve lookups from one budget, and releases those that were not made', () => {
		const open = execution();
		const [one, other] = [open(0).budget, open(1).budget];
		const refused = expect.objectContaining({ cause: 'budget' }) as object;
		const reserved = [one.reserve(3, 5), other.reserve(3, 5), other.reserve(2, 5)];
		expect(reserved).toEqual([undefined, refused, undefined]);
		expect(open(2).budget.reserve(1, 5)).toEqual(refused);
		one.close(new Ledger());
		expect(other.reserve(3, 5)).toBeUndefined();
	});

	test('reserves from the limits of features too, for a run and for rechecks', () => {
		const taken: number[] = [];
		const failure = { cause: 'budget', reason: 'too many', scope: 'question' } as const;
		const { budget } = execution()(0);
		budget.limits = [
			(lookups) => {
				if (lookups > 2) return failure;
				taken.push(lookups);
				return undefined;
			},
		];
		expect(budget.reserve(3, 9)).toBe(failure);
		expect(budget.reserve(0, 9)).toBeUndefined();
		expect(budget.reserve(2, 9)).toBeUndefined();
		expect(budget.reserve(1, 2)).toMatchObject({ cause: 'budget' });
		expect(budget.reserve(1, 3)).toBeUndefined();
		expect(taken).toEqual([2, 1]);
	});

	test('counts what earlier runs have spent', () => {
		const open = execution();
		const ledger = new Ledger();
		ledger.book({ ...PRICE, atMost: 4 }, { charged: 'yes', credits: 4 });
		open(0).budget.close(ledger);
		const { budget } = open(1);
		expect(budget.earlier).toMatchObject({ paidCalls: 1, lookups: 4 });
		expect(budget.reserve(1, 5)).toBeUndefined();
		expect(budget.reserve(1, 5)).toEqual({
			cause: 'budget',
			reason:
				'the run would make 1 paid lookup, after 5 earlier in this execution, which is more than Max Paid Lookups (5)',
			scope: 'question',
		});
	});

	test('continues to count lookups when n8n has stored it, also those of parallel runs', () => {
		const owner = {};
		const open = execution({ owner });
		const ledger = new Ledger();
		ledger.book({ ...PRICE, atMost: 4 }, { charged: 'yes', credits: 4 });
		const [one, other] = [open(0).budget, open(1).budget];
		one.close(ledger);
		other.close(ledger);
		const stored = JSON.parse(JSON.stringify(owner)) as object;
		expect(stored).toEqual({ paidLookups: 8 });

		const { budget } = execution({ owner: stored })(2);
		expect(budget.earlier).toMatchObject({ lookupsBeforeWait: 8, lookups: 0 });
		expect(budget.reserve(2, 9)).toMatchObject({ cause: 'budget' });
		expect(budget.reserve(1, 9)).toBeUndefined();
		budget.close(ledger);
		expect(stored).toEqual({ paidLookups: 12 });
	});
});
