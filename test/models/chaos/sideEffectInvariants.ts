import { operationOf } from './operations';
import type { PaidRequest } from './paidRequests';
import type { ObservedExecution, ObservedRun } from './runSchedule';
import { tasksOf, wasStopped } from './nodeTasks';

/** The check on the last error: it names what all tries have done. */

/** Where the node fails in the end, its error lists at least as many items as side effects were done, or may have been. */
export function unnamedSideEffectViolations(
	observed: ObservedRun,
	execution: ObservedExecution,
	paid: PaidRequest[],
): string[] {
	const { plan } = execution;
	const { isLookup, endpoints } = operationOf(plan.operation);
	const [task, ...others] = tasksOf(execution);
	if (isLookup || others.length > 0 || !task?.task.error) return [];
	if (plan.loopOf !== undefined || wasStopped(observed, execution)) return [];
	const { message, description } = task.task.error as { message: string; description?: string };
	const said = `${message} ${description ?? ''}`;
	const listed = new Set([...itemsIn(said, 'Done already'), ...itemsIn(said, 'Possibly done')]);
	const done = new Set(
		paid
			.filter(({ endpoint, verdict }) => endpoint === endpoints[0] && verdict === 'answered')
			.flatMap(({ questions }) => questions),
	);
	const jobs = new Set(said.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []);
	return done.size > listed.size + (plan.operation === 'runAuditAndWait' ? jobs.size : 0)
		? [`${done.size} side effects done, ${listed.size} items named: ${said}`]
		: [];
}

/** The items of a list such as "Done already: items 0–3, 7". */
function itemsIn(text: string, list: string): number[] {
	const [, ranges = ''] = new RegExp(`${list}: items? ([\\d–, ]+)`).exec(text) ?? [];
	return ranges.split(', ').flatMap((range) => {
		const [from, to = from] = range.split('–').map(Number);
		return range === '' ? [] : Array.from({ length: to - from + 1 }, (_, index) => from + index);
	});
}
