/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { inspect } from 'node:util';
import type { INodeExecutionData } from 'n8n-workflow';
import { budgetViolations, doomedViolations, onceViolations, receiptViolations } from './money';
import type { ExecutionSeen, Seen } from './perform';
import { placeViolations } from './places';
import { isPassing } from './schedule';
import { operationOf } from './subjects';
import { resultOf, tasksOf, wasStopped } from './tasks';
import { paidRequestsOf } from './wire';

/** What always holds, whatever happens. Each check says what it found wrong, in words; nothing where all is well. */

/** Everything that is wrong with what was seen. */
export function violationsOf(seen: Seen): string[] {
	return [
		...quietViolations(seen),
		...seen.executions.flatMap((execution) => {
			const paid = paidRequestsOf(seen, execution);
			return [
				...placeViolations(seen, execution),
				...onceViolations(execution, paid),
				...budgetViolations(execution, paid),
				...doomedViolations(execution, paid),
				...receiptViolations(seen, execution, paid),
				...peaceViolations(seen, execution),
			].map((text) => `execution ${execution.index}: ${text}`);
		}),
	];
}

/** Nothing goes on, nothing is lost, and the key is nowhere. */
function quietViolations({ unhandled, stillOpen, late, executions, apiKey }: Seen): string[] {
	const found = unhandled.map((reason) => `unhandled rejection: ${String(reason)}`);
	if (stillOpen > 0) found.push(`${stillOpen} requests were still under way afterwards`);
	if (late > 0) found.push(`${late} requests or pauses began after the end`);
	for (const { run, index } of executions) {
		if (!run) found.push(`execution ${index} did not end`);
		const shown = inspect(run, { depth: Infinity, maxArrayLength: null, maxStringLength: null });
		if (shown.includes(apiKey)) found.push(`execution ${index} shows the API key`);
	}
	return found;
}

/** Where nothing goes wrong, and nothing is limited, every question is answered. */
function peaceViolations(seen: Seen, execution: ExecutionSeen): string[] {
	const { schedule } = seen;
	const { plan, subjects } = execution;
	const { maxPaidLookups, failOnMalformedInput } = plan.options;
	const isPeace =
		schedule.credits === undefined &&
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
		item.json.error === undefined && resultOf(item, plan)?.source !== 'failed';
	const tasks = tasksOf(execution);
	const errors = tasks.flatMap(({ task }) => (task.error ? [task.error.message] : []));
	const failed = tasks
		.flatMap(({ task }) => (task.data?.main ?? []).flatMap((list) => list ?? []))
		.filter((item) => !isAnswered(item))
		.map(({ json }) => JSON.stringify(json));
	return [...errors, ...failed].map((text) => `failed although nothing was wrong: ${text}`);
}
