import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import {
	type AnyOperation,
	defineOperation,
	Ledger,
	type LookupResult,
	openMemory,
} from '../../engine';
import { PRICE, workflow, yes } from '../fakes/fakeSend';
import { PAID_CHECK } from '../fakes/paidCheck';

const OPERATION = { resource: 'test', value: 'work' };
const ANSWER: LookupResult = { answer: yes(), response: {}, source: 'service' };

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
