import { receiptOf } from '../../harness/parseReceipt';
import { PRODUCTS } from '../../sandbox/types';
import type { ObservedExecution, ObservedRun } from './runSchedule';
import { tasksOf, wasStopped } from './nodeTasks';

/** Balances that the service doesn't show (SPEC §2.1). */
const HIDDEN = ['audit', 'callerinfo', 'scraper'];

/** What a receipt says was taken is what the sandbox took, where one try of one run is all there was. */
export function takenViolations(observed: ObservedRun, execution: ObservedExecution): string[] {
	const { plan, apiKey } = execution;
	const tasks = tasksOf(execution);
	const isAlone = observed.executions.length === 1 && plan.tries === 1 && tasks.length === 1;
	if (!isAlone || wasStopped(observed, execution)) return [];
	const texts = tasks.flatMap(({ task }) => [
		...(task.hints ?? []).map(({ message }) => message),
		(task.error as { description?: string } | undefined)?.description ?? '',
	]);
	const { taken = {} } = receiptOf(texts) ?? {};
	return Object.entries(taken).flatMap(([balance, said]) => {
		if (said === 'unclear' && HIDDEN.includes(balance)) return [];
		const product = PRODUCTS.find((name) => name === balance);
		const spent = product && observed.spent[apiKey][product];
		return spent === said ? [] : [`${balance}: ${said} taken, and ${String(spent)} spent`];
	});
}
