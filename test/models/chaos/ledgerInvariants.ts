import {
	formViolations,
	ledgerOf,
	linksOf,
	receiptMismatches,
	type LedgerRow,
} from '../../harness/ledger';
import { endpoint, ENDPOINT_OF, type EndpointName } from './endpoints';
import { lastSpending, roundsOf, tasksOf, wasStopped, type NodeTask } from './nodeTasks';
import type { PaidRequest } from './paidRequests';
import type { ObservedExecution, ObservedRun } from './runSchedule';
import { tagOf, type ExecutionPlan } from './schedule';

/** The checks on Cost Log: its rows are those of the receipt, and those of the service's own ledger. */

/** The rows say what the receipt says, and what the service has charged. */
export function costLogViolations(
	observed: ObservedRun,
	execution: ObservedExecution,
	paid: PaidRequest[],
): string[] {
	const { plan } = execution;
	if (plan.options.costLog === undefined || wasStopped(observed, execution)) return [];
	const tasks = tasksOf(execution);
	const rows = tasks.flatMap(({ ledger }) => ledgerOf(ledger));
	const found = tasks.flatMap((task) => taskViolations(task, plan));
	if (new Set(rows.map(({ id }) => id)).size < rows.length) found.push('two rows have one ID');
	if (new Set(rows.map((row) => row.execution)).size > 1) found.push('rows of two executions');
	// A run that fails as a whole has no outputs, so its rows are on the receipt only
	const isWhole = tasks.length === roundsOf(plan) && tasks.every(({ task }) => !task.error);
	const said = isWhole && !plan.options.dryRun && lastSpending(execution);
	const looksBack = plan.options.checkBalance === 'beforeAndAfter';
	if (said) found.push(...receiptMismatches(rows, said, looksBack));
	const names = new Set([
		...rows.map(({ operation }) => ENDPOINT_OF[operation]),
		...paid.map((request) => request.endpoint),
	]);
	return [...found, ...[...names].flatMap((name) => wireViolations(name, rows, paid, isWhole))];
}

/** The rows of one run: their form, and the tag of the item that they name. */
function taskViolations({ ledger, items }: NodeTask, plan: ExecutionPlan): string[] {
	const found = formViolations(ledger, items.length);
	for (const item of ledger) {
		const [{ tag, item: first }] = ledgerOf([item]);
		const due = items[first] && tagOf(items[first], plan);
		if (tag !== due) found.push(`item ${first} has the tag "${due}", its row "${tag}"`);
		if (linksOf(item).length === 0) found.push('a row without a link');
	}
	return found;
}

/** The rows of one endpoint are those of the requests that reached it. What they add up to is on the receipt, which has its own checks. */
function wireViolations(
	name: EndpointName | undefined,
	rows: LedgerRow[],
	paid: PaidRequest[],
	isWhole: boolean,
): string[] {
	if (!name) return ['a row of an operation that is not known'];
	const own = rows.filter(({ operation }) => ENDPOINT_OF[operation] === name);
	const due = paid.filter((one) => one.endpoint === name && one.verdict !== 'notCharged').length;
	const found: string[] = [];
	// Rows may lack where outputs do
	if (own.length > due || (isWhole && own.length < due))
		found.push(`${own.length} rows of ${name}, and ${due} requests`);
	const { account } = endpoint(name);
	if (own.some(({ balance }) => balance !== account)) found.push(`${name} is not of ${account}`);
	return found;
}
