import { spendingOf, type Spending } from '../receipt';
import type { ExecutionSeen, Seen } from './perform';
import { canonicalOf, operationOf } from './subjects';
import { tasksOf, wasStopped } from './tasks';
import type { PaidRequest } from './wire';

/** Nothing is paid for that need not be, nothing twice, and every credit is accounted for. */

/** No request that was charged, or may have been, is sent twice: per question for lookups, per item for deeds. */
export function onceViolations(
	{ plan, subjects, items }: ExecutionSeen,
	paid: PaidRequest[],
): string[] {
	const { isLookup } = operationOf(plan.operation);
	const allowed = (question: string) => {
		if (isLookup) return 1;
		const equal = subjects.filter((subject, n) => {
			const about = subject && canonicalOf(plan.operation, subject.spellings[0]);
			return (
				question === `check of ${about}` || question === `message to ${about}: ${items[n].text}`
			);
		});
		return equal.length;
	};
	const asked = new Map<string, PaidRequest[]>();
	for (const request of paid) {
		if (['givenBack', 'unpaid'].includes(request.verdict)) continue;
		if (request.verdict === 'open' && !isLookup) continue;
		for (const question of request.questions) {
			asked.set(question, [...(asked.get(question) ?? []), request]);
		}
	}
	return [...asked].flatMap(([question, requests]) => {
		const again = plan.options.askAgainAfterLostReply;
		const counted = again ? requests.filter(({ verdict }) => verdict !== 'lost') : requests;
		if (counted.length <= allowed(question)) return [];
		const verdicts = requests.map(
			({ verdict, record }) => `${verdict} (charged ${record.charged})`,
		);
		return [`${question} was sent ${requests.length} times: ${verdicts.join(', ')}`];
	});
}

/** Max Paid Lookups holds over the whole execution. */
export function budgetViolations({ plan }: ExecutionSeen, paid: PaidRequest[]): string[] {
	const most = plan.options.maxPaidLookups ?? 0;
	const lookups = paid
		.filter(({ verdict }) => verdict !== 'unpaid')
		.reduce((sum, { questions }) => sum + questions.length, 0);
	return most > 0 && lookups > most ? [`${lookups} paid lookups of ${most}`] : [];
}

/** After a failure that ends a run, only what was under way still arrives. */
export function doomedViolations({ plan }: ExecutionSeen, paid: PaidRequest[]): string[] {
	const { maxConcurrentRequests = Infinity, ifSomeItemsFail } = plan.options;
	const isStopped =
		plan.onError === 'stopWorkflow' &&
		(ifSomeItemsFail ?? (plan.operation === 'sendMessage' && 'stopNode')) === 'stopNode';
	const ends = ({ record, verdict }: PaidRequest) =>
		(isStopped && ['lost', 'open'].includes(verdict)) ||
		(verdict === 'unpaid' && ![429, 503].includes(record.status ?? 0));
	const runs = plan.tries * Math.ceil(plan.items.length / (plan.loopOf ?? plan.items.length));
	const ended = paid.filter(ends).length;
	const most = maxConcurrentRequests * runs;
	return ended > most ? [`${ended} requests failed for good, though ${most} end all`] : [];
}

/** The receipts agree with the sandbox's ledger to the credit, and what they leave open is within what they say. */
export function receiptViolations(
	seen: Seen,
	execution: ExecutionSeen,
	paid: PaidRequest[],
): string[] {
	if (wasStopped(seen, execution)) return stopViolations(seen, execution, paid);
	const { product, isPriced } = operationOf(execution.plan.operation);
	const of = (...verdicts: string[]) => paid.filter(({ verdict }) => verdicts.includes(verdict));
	const credits = (requests: PaidRequest[]) =>
		requests.reduce((sum, { record }) => sum + record.charged, 0);
	const said = lastSpending(execution);
	if (!said) return of('answered', 'givenBack', 'lost', 'open').length > 0 ? ['no receipt'] : [];
	const found: string[] = [];
	const compare = (what: string, stated: unknown, seenOnWire: unknown) => {
		if (stated !== seenOnWire)
			found.push(`${what}: receipt ${String(stated)}, wire ${String(seenOnWire)}`);
	};
	compare('paid calls', said.paidCalls, of('answered', 'givenBack', 'lost').length);
	compare('lost replies', said.lost, of('lost').length);
	compare('refused calls', said.refused, of('open').length);
	compare('unpaid calls that cost', 0, credits(of('unpaid')));
	const stated = said.credits[product];
	if (isPriced && of('answered').length > 0) compare('credits', stated, credits(of('answered')));
	if (!isPriced && of('answered').length > 0) compare('credits', stated, 'not stated');
	if (credits(of('lost')) > said.mostLostCredits) {
		found.push(`lost replies cost ${credits(of('lost'))}, said at most ${said.mostLostCredits}`);
	}
	if (credits(of('open')) > said.refused) {
		found.push(`refused calls cost ${credits(of('open'))}, said at most ${said.refused}`);
	}
	return found;
}

/** What the last receipt says that the execution has spent. */
function lastSpending(execution: ExecutionSeen): Spending | undefined {
	const texts = tasksOf(execution).flatMap(({ task }) => [
		...(task.hints ?? []).map(({ message }) => message),
		(task.error as { description?: string } | undefined)?.description ?? '',
	]);
	return texts.flatMap((text) => spendingOf(text) ?? []).at(-1);
}

/** After Stop only what was under way still arrives. */
function stopViolations(
	{ log, atStop = 0 }: Seen,
	{ plan }: ExecutionSeen,
	paid: PaidRequest[],
): string[] {
	const { maxConcurrentRequests = Infinity } = plan.options;
	const after = new Set(log.slice(atStop));
	const late = paid.filter(({ record }) => after.has(record)).length;
	return late > maxConcurrentRequests ? [`${late} paid requests after Stop`] : [];
}
