/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { AT_ONCE } from '../../harness/atOnce';
import { inspect } from 'node:util';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isTransient } from './randomFaults';
import {
	balanceViolations,
	budgetViolations,
	abortViolations,
	lostAnswerViolations,
	duplicateChargeViolations,
	paceViolations,
	pollViolations,
	receiptViolations,
	stopViolations,
	takenViolations,
} from './chargeInvariants';
import { unnamedSideEffectViolations } from './sideEffectInvariants';
import { costLogViolations } from './ledgerInvariants';
import { storedViolations } from './storedInvariants';
import { operationOf } from './operations';
import type { ObservedExecution, ObservedRun } from './runSchedule';
import { outputViolations } from './outputInvariants';
import { itemsOf, resultOf, tasksOf, wasStopped } from './nodeTasks';
import { paidRequestsOf } from './paidRequests';

/** The checks on an observed run. Each returns one text per violation, and nothing when all is well. */

/** Returns every violation of an observed run. */
export function violationsOf(observed: ObservedRun): string[] {
	return [
		...leftoverViolations(observed),
		...concurrencyViolations(observed),
		...pollViolations(observed),
		...observed.executions.flatMap((execution) => {
			const paid = paidRequestsOf(observed, execution);
			return [
				...outputViolations(observed, execution, paid),
				...duplicateChargeViolations(execution, paid),
				...budgetViolations(execution, paid),
				...balanceViolations(observed, execution, paid),
				...abortViolations(execution, paid),
				...paceViolations(execution, paid),
				...lostAnswerViolations(observed, execution, paid),
				...unnamedSideEffectViolations(observed, execution, paid),
				...stopViolations(observed, execution),
				...receiptViolations(observed, execution, paid),
				...takenViolations(observed, execution),
				...costLogViolations(observed, execution, paid),
				...storedViolations(observed, execution, paid),
				...unexpectedFailures(observed, execution),
			].map((text) => `execution ${execution.index}: ${text}`);
		}),
	];
}

/** After the end nothing is still running, nothing is left open, and no output shows the API key. */
function leftoverViolations(observed: ObservedRun): string[] {
	const { unhandled, stillOpen, late, executions, sockets, timers, busy } = observed;
	const found = unhandled.map((reason) => `unhandled rejection: ${String(reason)}`);
	if (stillOpen > 0) found.push(`${stillOpen} requests were still under way afterwards`);
	if (late > 0) found.push(`${late} requests or pauses began after the end`);
	if (sockets > 0) found.push(`${sockets} sockets were still open afterwards`);
	if (busy > 0) found.push(`${busy} fair queues were still in use`);
	if (timers > 0) found.push(`${timers} timers were left behind`);
	for (const { run, index, apiKey } of executions) {
		if (!run) found.push(`execution ${index} did not end`);
		const shown = inspect(run, { depth: Infinity, maxArrayLength: null, maxStringLength: null });
		if (shown.includes(apiKey)) found.push(`execution ${index} shows the API key`);
	}
	return found;
}

/** One execution never has more requests in flight than its test lets it. Broken connections stay open at the sandbox, so such runs are skipped. */
function concurrencyViolations({ schedule, executions, peak, atStop }: ObservedRun): string[] {
	const [{ plan }, ...others] = executions;
	const { [AT_ONCE]: most = Infinity } = plan.options;
	const isClear =
		others.length === 0 &&
		atStop === undefined &&
		schedule.faults.every(({ kind }) => !/^(hang|reset)/.test(kind));
	return isClear && peak > most ? [`${peak} requests at once, of ${most}`] : [];
}

/** When nothing goes wrong and nothing is limited, every question is answered. */
function unexpectedFailures(observed: ObservedRun, execution: ObservedExecution): string[] {
	const { schedule } = observed;
	const { plan, subjects } = execution;
	const { maxPaidLookups, alsoFailItemsIf = [] } = plan.options;
	const isUndisturbed =
		schedule.credits === undefined &&
		schedule.credentialGoneAfter === undefined &&
		!plan.options.dryRun &&
		// Time adds up over several waits here, and Max Wait is too short for the sum
		(!operationOf(plan.operation).isWaiting ||
			(observed.executions.length === 1 && plan.operation === 'checkMany')) &&
		!wasStopped(observed, execution) &&
		schedule.faults.every((fault) => isTransient(fault) && fault.times <= 3) &&
		schedule.faults.length <= 2 &&
		!maxPaidLookups &&
		subjects.every((subject) => !subject?.isRefused) &&
		(operationOf(plan.operation).isLookup && !alsoFailItemsIf.includes('inputIsInvalid')
			? true
			: subjects.every((subject) => subject !== undefined));
	if (!isUndisturbed) return [];
	const isAnswered = (item: INodeExecutionData) =>
		item.json.error === undefined && !hasFailed(resultOf(item, plan));
	const tasks = tasksOf(execution);
	const errors = tasks.flatMap(({ task }) => (task.error ? [task.error.message] : []));
	const failed = tasks
		.flatMap(({ task }) => itemsOf(task))
		.filter((item) => !isAnswered(item))
		.map(({ json }) => JSON.stringify(json));
	return [...errors, ...failed].map((text) => `failed although nothing was wrong: ${text}`);
}

function hasFailed(result: IDataObject | undefined): boolean {
	const sections = Object.values(result ?? {}) as Array<IDataObject | null>;
	return [result, ...sections].some((part) => part?.source === 'failed');
}
