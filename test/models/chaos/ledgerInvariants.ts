import {
	formViolations,
	ledgerOf,
	linksOf,
	receiptMismatches,
	sumOf,
	type LedgerRow,
} from '../../harness/ledger';
import { endpoint, ENDPOINT_OF, type EndpointName } from './endpoints';
import { lastSpending, roundsOf, tasksOf, wasStopped, type NodeTask } from './nodeTasks';
import type { PaidRequest, Verdict } from './paidRequests';
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
	return [
		...found,
		...[...names].flatMap((name) => wireViolations(name, rows, paid, { isWhole, looksBack })),
	];
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

/** The rows of one endpoint, and the requests that reached it. Rows may lack where outputs do; a look back closes open ones. */
function wireViolations(
	name: EndpointName | undefined,
	rows: LedgerRow[],
	paid: PaidRequest[],
	{ isWhole, looksBack }: { isWhole: boolean; looksBack: boolean },
): string[] {
	if (!name) return ['a row of an operation that is not known'];
	const { account, isPriced } = endpoint(name);
	const own = rows.filter(({ operation }) => ENDPOINT_OF[operation] === name);
	const wire = paid.filter((request) => request.endpoint === name);
	const among = (...verdicts: Verdict[]) =>
		wire.filter(({ verdict }) => verdicts.includes(verdict));
	const found: string[] = [];
	const within = (what: string, stated: number, least: number, most: number) => {
		if (stated > most || (isWhole && stated < least))
			found.push(`${what} of ${name}: ledger ${stated}, wire ${least} to ${most}`);
	};
	const open = own.filter(({ charged }) => charged === 'perhaps');
	// Each operation decides how it books an incomplete answer
	const unclear = among('incomplete').length;
	const closed = among('answered', 'refunded').length;
	const lost = among('lost', 'refused').length;
	within('rows', own.length, closed + lost + unclear, closed + lost + unclear);
	const told = looksBack ? lost : 0;
	within('closed calls', own.length - open.length, closed, closed + unclear + told);
	within('calls that may have been charged', open.length, lost - told, lost + unclear);
	if (own.some(({ balance }) => balance !== account)) found.push(`${name} is not of ${account}`);
	const isRight = ({ credits, charged }: LedgerRow) =>
		(credits !== null) === isPriced || (looksBack && charged === 'no');
	if (!own.every(isRight)) found.push(`price of ${name}`);
	if (!isPriced || !isWhole) return found;
	const spent = wire.reduce((sum, { record }) => sum + record.charged, 0);
	const { least, most } = sumOf(own);
	// What an incomplete answer cost cannot be read from it
	const unread = among('incomplete').reduce((sum, { questions }) => sum + questions.length, 0);
	if (spent < least - unread || spent > most)
		found.push(`${account} credits: ${spent} spent, ledger ${least} to ${most}`);
	return found;
}
