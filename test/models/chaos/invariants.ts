/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { inspect } from 'node:util';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isPassing } from './randomFaults';
import {
	balanceViolations,
	budgetViolations,
	doomedViolations,
	keptViolations,
	ledgerViolations,
	onceViolations,
	paceViolations,
	pollViolations,
	receiptViolations,
	stopViolations,
} from './chargeInvariants';
import { operationOf } from './operations';
import type { ExecutionSeen, Seen } from './runSchedule';
import { placeViolations } from './outputInvariants';
import { resultOf, tasksOf, wasStopped } from './nodeTasks';
import { paidRequestsOf } from './paidRequests';

/** What always holds, whatever happens. Each check says what it found wrong, in words; nothing where all is well. */

/** Everything that is wrong with what was seen. */
export function violationsOf(seen: Seen): string[] {
	return [
		...quietViolations(seen),
		...crowdViolations(seen),
		...ledgerViolations(seen),
		...pollViolations(seen),
		...seen.executions.flatMap((execution) => {
			const paid = paidRequestsOf(seen, execution);
			return [
				...placeViolations(seen, execution, paid),
				...onceViolations(execution, paid),
				...budgetViolations(execution, paid),
				...balanceViolations(seen, execution, paid),
				...doomedViolations(execution, paid),
				...paceViolations(execution, paid),
				...keptViolations(seen, execution, paid),
				...stopViolations(seen, execution),
				...receiptViolations(seen, execution, paid),
				...peaceViolations(seen, execution),
			].map((text) => `execution ${execution.index}: ${text}`);
		}),
	];
}

/** Nothing goes on, nothing is lost, and the key is nowhere. */
function quietViolations(seen: Seen): string[] {
	const { unhandled, stillOpen, late, executions, sockets, timers, occupied } = seen;
	const found = unhandled.map((reason) => `unhandled rejection: ${String(reason)}`);
	if (stillOpen > 0) found.push(`${stillOpen} requests were still under way afterwards`);
	if (late > 0) found.push(`${late} requests or pauses began after the end`);
	if (sockets > 0) found.push(`${sockets} sockets were still open afterwards`);
	if (occupied > 0) found.push(`${occupied} lines were not left`);
	if (timers > 0) found.push(`${timers} timers were left behind`);
	for (const { run, index, apiKey } of executions) {
		if (!run) found.push(`execution ${index} did not end`);
		const shown = inspect(run, { depth: Infinity, maxArrayLength: null, maxStringLength: null });
		if (shown.includes(apiKey)) found.push(`execution ${index} shows the API key`);
	}
	return found;
}

/** Of one execution no more requests are under way than it may have; what breaks off lingers at the sandbox. */
function crowdViolations({ schedule, executions, peak, atStop }: Seen): string[] {
	const [{ plan }, ...others] = executions;
	const { maxConcurrentRequests: most = Infinity } = plan.options;
	const isClear =
		others.length === 0 &&
		atStop === undefined &&
		schedule.faults.every(({ kind }) => !/^(hang|reset)/.test(kind));
	return isClear && peak > most ? [`${peak} requests at once, of ${most}`] : [];
}

/** Where nothing goes wrong, and nothing is limited, every question is answered. */
function peaceViolations(seen: Seen, execution: ExecutionSeen): string[] {
	const { schedule } = seen;
	const { plan, subjects } = execution;
	const { maxPaidLookups, failOnMalformedInput } = plan.options;
	const isPeace =
		schedule.credits === undefined &&
		schedule.credentialGoneAfter === undefined &&
		!plan.options.dryRun &&
		// The pauses of several waits are added up here, which Max Wait is too short for
		(!operationOf(plan.operation).isWaiting ||
			(seen.executions.length === 1 && plan.operation === 'checkMany')) &&
		!wasStopped(seen, execution) &&
		schedule.faults.every((fault) => isPassing(fault) && fault.times <= 3) &&
		schedule.faults.length <= 2 &&
		!maxPaidLookups &&
		subjects.every((subject) => !subject?.isRefused) &&
		(operationOf(plan.operation).isLookup && !failOnMalformedInput
			? true
			: subjects.every((subject) => subject !== undefined));
	if (!isPeace) return [];
	const isAnswered = (item: INodeExecutionData) =>
		item.json.error === undefined && !hasFailed(resultOf(item, plan));
	const tasks = tasksOf(execution);
	const errors = tasks.flatMap(({ task }) => (task.error ? [task.error.message] : []));
	const failed = tasks
		.flatMap(({ task }) => (task.data?.main ?? []).flatMap((list) => list ?? []))
		.filter((item) => !isAnswered(item))
		.map(({ json }) => JSON.stringify(json));
	return [...errors, ...failed].map((text) => `failed although nothing was wrong: ${text}`);
}

function hasFailed(result: IDataObject | undefined): boolean {
	const sections = Object.values(result ?? {}) as Array<IDataObject | null>;
	return [result, ...sections].some((part) => part?.source === 'failed');
}
