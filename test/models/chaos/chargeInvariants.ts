import { AT_ONCE } from '../../harness/atOnce';
import { endpoint } from './endpoints';
import { usableRow } from './storedRows';
import { canonicalOf, operationOf } from './operations';
import type { ObservedExecution, ObservedRun } from './runSchedule';
import { itemsOf, lastSpending, roundsOf, tasksOf, textsOf, wasStopped } from './nodeTasks';
import type { PaidRequest, Verdict } from './paidRequests';
import { receiptOf, type Spending } from '../../harness/parseReceipt';
import { PRODUCTS } from '../../sandbox/types';

/** The checks on charges: no needless charge, no double charge, and every credit accounted for. */

const among = (paid: PaidRequest[], ...verdicts: Verdict[]) =>
	paid.filter(({ verdict }) => verdicts.includes(verdict));
const creditsOf = (requests: PaidRequest[]) =>
	requests.reduce((sum, { record }) => sum + record.charged, 0);
const lookupsOf = (requests: PaidRequest[]) =>
	requests.reduce((sum, { questions }) => sum + questions.length, 0);

/** No request that was charged, or may have been, is sent twice: per question for lookups, per item for operations that act. */
export function duplicateChargeViolations(
	execution: ObservedExecution,
	paid: PaidRequest[],
): string[] {
	const asked = new Map<string, PaidRequest[]>();
	for (const request of paid) {
		if (['refunded', 'notCharged'].includes(request.verdict)) continue;
		for (const question of request.questions) {
			asked.set(question, [...(asked.get(question) ?? []), request]);
		}
	}
	return [...asked].flatMap(([question, requests]) => {
		if (requests.length <= allowed(execution, question)) return [];
		const verdicts = requests.map(
			({ verdict, record }) => `${verdict} (charged ${record.charged})`,
		);
		return [`${question} was sent ${requests.length} times: ${verdicts.join(', ')}`];
	});
}

/** How often a question may be paid for: once for a lookup, once per item for an action. */
function allowed({ plan, subjects, items }: ObservedExecution, question: string): number {
	const { isLookup, endpoints } = operationOf(plan.operation);
	if (isLookup) return 1;
	const wanting = subjects.filter((subject, n) => {
		if (!subject) return false;
		return endpoints.some((name) => {
			const about = canonicalOf(subject, name);
			return (
				question === `${name} ${about}` || question === `message to ${about}: ${items[n].text}`
			);
		});
	}).length;
	// The check before a message is made once in a run, for all items that need it
	return question.startsWith('checkwanumber') ? Math.min(wanting, roundsOf(plan)) : wanting;
}

/** Max Paid Lookups holds for the whole execution. A Dry Run pays for nothing. */
export function budgetViolations(execution: ObservedExecution, paid: PaidRequest[]): string[] {
	const { maxPaidLookups: most = 0, dryRun } = execution.plan.options;
	const lookups = lookupsOf(paid.filter(({ verdict }) => verdict !== 'notCharged'));
	const found: string[] = [];
	if (most > 0 && lookups > most) found.push(`${lookups} paid lookups of ${most}`);
	if (dryRun && paid.length > 0) found.push(`${paid.length} paid requests of a Dry Run`);
	return [...found, ...dryRunPlanViolations(execution, paid)];
}

/** The execution stays within the plan of the Dry Run before it, unless a later try or round asks again. */
function dryRunPlanViolations(
	{ plan, dryRunPlan }: ObservedExecution,
	paid: PaidRequest[],
): string[] {
	if (!dryRunPlan || plan.tries > 1 || plan.loopOf !== undefined) return [];
	const asked = paid.filter(({ verdict }) => verdict !== 'notCharged');
	const { paidCallsAtMost: calls, paidLookupsAtMost: lookups, creditsAtMost } = dryRunPlan;
	const found: string[] = [];
	if (asked.length > Number(calls)) found.push(`${asked.length} calls, planned ${String(calls)}`);
	if (lookupsOf(asked) > Number(lookups)) {
		found.push(`${lookupsOf(asked)} lookups, planned ${String(lookups)}`);
	}
	for (const [account, credits] of Object.entries(creditsAtMost as Record<string, number>)) {
		const spent = creditsOf(asked.filter((one) => endpoint(one.endpoint).account === account));
		if (spent > credits) found.push(`${spent} credits of ${account}, planned ${credits}`);
	}
	return found;
}

/** The products whose balance the service shows (SPEC §2.1). */
const SHOWN = ['email', 'geoip', 'phone', 'whatsapp'];

/** With Check Balance, nothing is paid before the balance is known, and nothing when the balance is too small. */
export function balanceViolations(
	{ schedule, executions, log }: ObservedRun,
	execution: ObservedExecution,
	paid: PaidRequest[],
): string[] {
	const { plan, subjects, index } = execution;
	const isAlone = executions.length === 1;
	if ((plan.options.checkBalance ?? 'off') === 'off' || !isAlone || paid.length === 0) return [];
	const found: string[] = [];
	const look = log.findIndex(({ path }) => path.endsWith('/checkbalance'));
	if (look === -1 || look > log.indexOf(paid[0].record)) found.push('paid before the balance');
	const [name] = operationOf(plan.operation).endpoints;
	const { isPriced, account } = endpoint(name);
	const isTold =
		SHOWN.includes(account) && !schedule.faults.some(({ kind }) => removesFields(kind));
	if (schedule.credits === undefined || !isTold || index !== 0 || plan.loopOf !== undefined) {
		return found;
	}
	const asked = new Set(
		subjects.flatMap((subject) => (subject ? [canonicalOf(subject, name)] : [])),
	);
	for (const about of asked) {
		if (usableRow(execution, `${name} ${about}`)) asked.delete(about);
	}
	const most = isPriced ? asked.size : 1;
	if (schedule.credits < most) {
		found.push(`paid for something, although ${most} credits were wanted of ${schedule.credits}`);
	}
	return found;
}

const removesFields = (kind: string) => ['nothing', 'nulls', 'onlyStatus'].includes(kind);

/** After a failure that ends a run, only the requests in flight still arrive. */
export function abortViolations({ plan }: ObservedExecution, paid: PaidRequest[]): string[] {
	const { [AT_ONCE]: atOnce = Infinity, ifSomeItemsFail } = plan.options;
	const isSideEffect = !operationOf(plan.operation).isLookup;
	const isStopped =
		plan.onError === 'stopWorkflow' &&
		(ifSomeItemsFail ?? (isSideEffect && 'stopNode')) === 'stopNode';
	// A contact continues without the lookups that fail, and a tool call at another path
	const goesOn = ['callTool', 'enrichContact'].includes(plan.operation);
	const ends = ({ record, verdict }: PaidRequest) =>
		(isStopped && !goesOn && ['lost', 'refused'].includes(verdict)) ||
		(verdict === 'notCharged' && ![429, 503].includes(record.status ?? 0));
	const runs = plan.tries * roundsOf(plan);
	const ended = paid.filter(ends);
	// Each lookup of a contact has its own queue; a tool server is asked at two paths
	const lines = new Set(ended.map(({ endpoint: name, record }) => `${name} ${record.path}`)).size;
	const most = atOnce * runs * Math.max(1, lines);
	return ended.length > most
		? [`${ended.length} requests failed for good, though ${most} end all`]
		: [];
}

/** A refusal that names a time is respected: the same question is not asked again before it. */
export function paceViolations({ plan }: ObservedExecution, paid: PaidRequest[]): string[] {
	if (!operationOf(plan.operation).isLookup) return [];
	const refusedUntil = new Map<string, number>();
	return paid.flatMap(({ record, questions, verdict }) => {
		const [question] = questions;
		const until = refusedUntil.get(question) ?? 0;
		const seconds =
			verdict === 'notCharged' && record.fault?.kind === 'status'
				? Number(record.fault.headers?.['retry-after'])
				: NaN;
		refusedUntil.set(question, record.at + 1_000 * (seconds || 0));
		return record.at < until ? [`${question} was asked again ${until - record.at} ms early`] : [];
	});
}

/** The shortest time between two polls of a job (SPEC §4.2), in milliseconds. */
const FASTEST_POLL_MS = 2_000;

/** A job is not polled faster than SPEC §4.2 allows, whether or not the polls succeed. */
export function pollViolations({ log }: ObservedRun): string[] {
	const polledAt = new Map<string, number>();
	return log.flatMap(({ method, url, path, at }) => {
		if (method !== 'GET' || !/\/batch\/|\/audit$/.test(path)) return [];
		const sinceMs = at - (polledAt.get(url) ?? -Infinity);
		polledAt.set(url, at);
		return sinceMs < FASTEST_POLL_MS ? [`${path} was polled again after ${sinceMs} ms`] : [];
	});
}

/** The receipt agrees with the sandbox's log to the credit. What it leaves open is within the limits that it states. */
export function receiptViolations(
	observed: ObservedRun,
	execution: ObservedExecution,
	paid: PaidRequest[],
): string[] {
	if (wasStopped(observed, execution)) return [];
	const count = (...verdicts: Verdict[]) => among(paid, ...verdicts).length;
	const said = lastSpending(execution);
	if (!said) {
		return count('answered', 'refunded', 'lost', 'refused', 'incomplete') > 0 ? ['no receipt'] : [];
	}
	const found: string[] = [];
	/** Each operation decides how it books an incomplete answer. */
	const within = (what: string, stated: number, least: number, unclear: number) => {
		if (stated < least || stated > least + unclear)
			found.push(`${what}: receipt ${stated}, wire ${least} and ${unclear} unclear`);
	};
	const incomplete = count('incomplete');
	const open = count('lost', 'refused');
	if (Object.keys(said.judged).length === 0)
		within('calls that may have been charged', said.open, open, incomplete);
	within('unpaid calls that cost', 0, creditsOf(among(paid, 'notCharged')), 0);
	return [...found, ...creditViolations(said, paid)];
}

/** The credits of each balance, its calls without a price and its free calls, as the receipt and the wire have them. */
function creditViolations(said: Spending, paid: PaidRequest[]): string[] {
	const names = [...new Set(paid.map((request) => request.endpoint))];
	const accounts = new Map(names.map((name) => [endpoint(name).account, name]));
	return [...accounts].flatMap(([account, name]) => {
		const own = paid.filter((request) => endpoint(request.endpoint).account === account);
		const unclear = among(own, 'incomplete');
		const found: string[] = [];
		const within = (what: string, stated = 0, least: number, most: number) => {
			if (stated < least || stated > most)
				found.push(`${what} of ${account}: receipt ${stated}, wire ${least} to ${most}`);
		};
		const answered = among(own, 'answered');
		const free = among(own, 'answered', 'refunded').filter(({ record }) => record.charged === 0);
		if (!endpoint(name).isPriced) {
			const all = among(own, 'answered', 'refunded').length;
			const sum = (said.unpriced[account] ?? 0) + (said.free[account] ?? 0);
			within('calls without a price', sum, all, all + unclear.length);
			return found;
		}
		const spent = creditsOf(answered);
		within('credits', said.credits[account], spent, spent + lookupsOf(unclear));
		const [charged, most] = [creditsOf(own), (said.credits[account] ?? 0) + said.mostOpen];
		if (charged > most) found.push(`${charged} credits of ${account} charged, receipt ${most}`);
		within('free calls', said.free[account], free.length, free.length + unclear.length);
		if (said.unpriced[account]) found.push(`calls of ${account} without a price`);
		return found;
	});
}

/** After Stop, no request starts that was not already in flight. */
export function stopViolations(observed: ObservedRun, execution: ObservedExecution): string[] {
	if (!wasStopped(observed, execution)) return [];
	// The other executions continue
	return observed.executions.length === 1 && observed.startedAfterStop > 0
		? [`${observed.startedAfterStop} requests started after Stop`]
		: [];
}

/** Every answer that was paid for is delivered, in this round and in all later ones. */
export function lostAnswerViolations(
	observed: ObservedRun,
	execution: ObservedExecution,
	paid: PaidRequest[],
): string[] {
	const { plan, subjects, items } = execution;
	const { endpoints, isWaiting } = operationOf(plan.operation);
	if (isWaiting || plan.options.dryRun || wasStopped(observed, execution)) return [];
	const [name] = endpoints;
	const questionOf = (n: number) => {
		const subject = subjects[n];
		if (!subject || subject.parts) return undefined;
		const about = canonicalOf(subject, name);
		return name === 'sendwasms' ? `message to ${about}: ${items[n].text}` : `${name} ${about}`;
	};
	const asked = items.map((_, n) => questionOf(n));
	const answers = among(paid, 'answered').flatMap(({ questions }) => questions);
	const count = (all: unknown[], one: unknown) => all.filter((other) => other === one).length;
	const isAnswered = (n: number) => {
		const question = asked[n];
		if (question === undefined) return false;
		// Equal actions cannot be told apart, unless all of them were done
		const due = operationOf(plan.operation).isLookup ? 1 : count(asked, question);
		return count(answers, question) >= due;
	};
	// In a loop, an earlier round may have ended before the answer came
	const last = tasksOf(execution).at(-1);
	if (!last || last.task.error) return [];
	const lost = itemsOf(last.task).filter(({ json, pairedItem }) => {
		const from = (pairedItem as { item?: number } | undefined)?.item;
		const source = last.items[from ?? -1];
		if (!source || !isAnswered(source.n)) return false;
		const result = (plan.options.includeOtherInputFields ? json.result : json) as typeof json;
		return json.error !== undefined || result?.source === 'failed';
	});
	return lost.map(({ json }) => `paid for, and not delivered: ${JSON.stringify(json)}`);
}

/** Balances that the service doesn't show (SPEC §2.1). */
const HIDDEN = ['audit', 'callerinfo', 'scraper'];

/** What a receipt says was taken is what the sandbox took, where one try of one run is all there was. */
export function takenViolations(observed: ObservedRun, execution: ObservedExecution): string[] {
	const { plan, apiKey } = execution;
	const tasks = tasksOf(execution);
	const isAlone = observed.executions.length === 1 && plan.tries === 1 && tasks.length === 1;
	if (!isAlone || wasStopped(observed, execution)) return [];
	const { taken = {} } = receiptOf(textsOf(execution)) ?? {};
	return Object.entries(taken).flatMap(([balance, said]) => {
		if (said === 'unclear' && HIDDEN.includes(balance)) return [];
		const product = PRODUCTS.find((name) => name === balance);
		const spent = product && observed.spent[apiKey][product];
		return spent === said ? [] : [`${balance}: ${said} taken, and ${String(spent)} spent`];
	});
}
