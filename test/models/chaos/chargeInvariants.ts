import { PRODUCTS, type Product } from '../../sandbox/types';
import { endpoint, ENDPOINTS, type EndpointName } from './endpoints';
import { canonicalOf, operationOf } from './operations';
import type { ExecutionSeen, Seen } from './runSchedule';
import { lastSpending, roundsOf, tasksOf, wasStopped } from './nodeTasks';
import type { PaidRequest, Verdict } from './paidRequests';

/** Nothing is paid for that need not be, nothing twice, and every credit is accounted for. */

const among = (paid: PaidRequest[], ...verdicts: Verdict[]) =>
	paid.filter(({ verdict }) => verdicts.includes(verdict));
const creditsOf = (requests: PaidRequest[]) =>
	requests.reduce((sum, { record }) => sum + record.charged, 0);
const lookupsOf = (requests: PaidRequest[]) =>
	requests.reduce((sum, { questions }) => sum + questions.length, 0);

/** No request that was charged, or may have been, is sent twice: per question for lookups, per item for deeds. */
export function onceViolations(execution: ExecutionSeen, paid: PaidRequest[]): string[] {
	const { plan } = execution;
	const { isLookup } = operationOf(plan.operation);
	const asked = new Map<string, PaidRequest[]>();
	for (const request of paid) {
		if (['givenBack', 'harmless', 'unpaid'].includes(request.verdict)) continue;
		// A deed that was refused may be tried again by the next try
		if (['garbled', 'open'].includes(request.verdict) && !isLookup) continue;
		for (const question of request.questions) {
			asked.set(question, [...(asked.get(question) ?? []), request]);
		}
	}
	const { tries, options } = plan;
	return [...asked].flatMap(([question, requests]) => {
		const lost = requests.filter(({ verdict }) => verdict === 'lost').length;
		const due = allowed(execution, question);
		// Asked again by a later try or round only
		const mayBeLost = options.askAgainAfterLostReply ? due * tries * roundsOf(plan) : due;
		const isTwice = options.askAgainAfterLostReply
			? requests.length - lost > due || lost > mayBeLost
			: requests.length > due;
		if (!isTwice) return [];
		const verdicts = requests.map(
			({ verdict, record }) => `${verdict} (charged ${record.charged})`,
		);
		return [`${question} was sent ${requests.length} times: ${verdicts.join(', ')}`];
	});
}

/** How often a question may be paid for: once, or once for each item that wants the deed. */
function allowed({ plan, subjects, items }: ExecutionSeen, question: string): number {
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
	// A check before a message is made once in a run, for all that want it
	return question.startsWith('checkwanumber') ? Math.min(wanting, roundsOf(plan)) : wanting;
}

/** Max Paid Lookups holds over the whole execution; a Dry Run, and one that the balance does not allow, pays for nothing. */
export function budgetViolations(execution: ExecutionSeen, paid: PaidRequest[]): string[] {
	const { maxPaidLookups: most = 0, dryRun } = execution.plan.options;
	const lookups = lookupsOf(
		paid.filter(({ verdict }) => verdict !== 'unpaid' && verdict !== 'harmless'),
	);
	const found: string[] = [];
	if (most > 0 && lookups > most) found.push(`${lookups} paid lookups of ${most}`);
	if (dryRun && paid.length > 0) found.push(`${paid.length} paid requests of a Dry Run`);
	return [...found, ...foreseenViolations(execution, paid)];
}

/** What a Dry Run before it said is enough, where nothing is asked again by a later try or round. */
function foreseenViolations({ plan, foreseen }: ExecutionSeen, paid: PaidRequest[]): string[] {
	if (!foreseen || plan.tries > 1 || plan.loopOf !== undefined) return [];
	const asked = paid.filter(({ verdict }) => verdict !== 'unpaid' && verdict !== 'harmless');
	const { paidCallsAtMost: calls, paidLookupsAtMost: lookups, creditsAtMost } = foreseen;
	const found: string[] = [];
	if (asked.length > Number(calls)) found.push(`${asked.length} calls, foreseen ${String(calls)}`);
	if (lookupsOf(asked) > Number(lookups)) {
		found.push(`${lookupsOf(asked)} lookups, foreseen ${String(lookups)}`);
	}
	for (const [account, credits] of Object.entries(creditsAtMost as Record<string, number>)) {
		const spent = creditsOf(asked.filter((one) => endpoint(one.endpoint).account === account));
		if (spent > credits) found.push(`${spent} credits of ${account}, foreseen ${credits}`);
	}
	return found;
}

/** What the look at the balance shows (SPEC §2.1). */
const SHOWN = ['email', 'geoip', 'phone', 'whatsapp'];

/** With Check Balance First nothing is paid for that the account cannot pay, and nothing before the look at it. */
export function balanceViolations(
	{ schedule, executions, log }: Seen,
	execution: ExecutionSeen,
	paid: PaidRequest[],
): string[] {
	const { plan, subjects, index } = execution;
	const isAlone = executions.length === 1;
	if (!plan.options.checkBalanceFirst || !isAlone || paid.length === 0) return [];
	const found: string[] = [];
	const look = log.findIndex(({ path }) => path.endsWith('/checkbalance'));
	if (look === -1 || look > log.indexOf(paid[0].record)) found.push('paid before the balance');
	const [name] = operationOf(plan.operation).endpoints;
	const { isPriced, account } = endpoint(name);
	const isTold = SHOWN.includes(account) && !schedule.faults.some(({ kind }) => isGarbling(kind));
	if (schedule.credits === undefined || !isTold || index !== 0 || plan.loopOf !== undefined) {
		return found;
	}
	const asked = new Set(
		subjects.flatMap((subject) => (subject ? [canonicalOf(subject, name)] : [])),
	);
	const most = isPriced ? asked.size : 1;
	if (schedule.credits < most) {
		found.push(`paid for something, although ${most} credits were wanted of ${schedule.credits}`);
	}
	return found;
}

const isGarbling = (kind: string) => ['nothing', 'nulls', 'onlyStatus'].includes(kind);

/** After a failure that ends a run, only what was under way still arrives. */
export function doomedViolations({ plan }: ExecutionSeen, paid: PaidRequest[]): string[] {
	const { maxConcurrentRequests = Infinity, ifSomeItemsFail } = plan.options;
	const isDeed = !operationOf(plan.operation).isLookup;
	const isStopped =
		plan.onError === 'stopWorkflow' && (ifSomeItemsFail ?? (isDeed && 'stopNode')) === 'stopNode';
	// A contact goes on without the lookups that fail, and a tool call at another path
	const goesOn = ['callTool', 'enrichContact'].includes(plan.operation);
	const ends = ({ record, verdict }: PaidRequest) =>
		(isStopped && !goesOn && ['harmless', 'lost', 'open'].includes(verdict)) ||
		(verdict === 'unpaid' && ![429, 503].includes(record.status ?? 0));
	const runs = plan.tries * roundsOf(plan);
	const ended = paid.filter(ends);
	// Of a contact each lookup has a line of its own; a tool server is asked at two paths
	const lines = new Set(ended.map(({ endpoint: name, record }) => `${name} ${record.path}`)).size;
	const most = maxConcurrentRequests * runs * Math.max(1, lines);
	return ended.length > most
		? [`${ended.length} requests failed for good, though ${most} end all`]
		: [];
}

/** A refusal that names a time is heeded: whoever asked does not ask again before. */
export function paceViolations({ plan }: ExecutionSeen, paid: PaidRequest[]): string[] {
	if (!operationOf(plan.operation).isLookup) return [];
	const refusedUntil = new Map<string, number>();
	return paid.flatMap(({ record, questions, verdict }) => {
		const [question] = questions;
		const until = refusedUntil.get(question) ?? 0;
		const seconds =
			verdict === 'unpaid' && record.fault?.kind === 'status'
				? Number(record.fault.headers?.['retry-after'])
				: NaN;
		refusedUntil.set(question, record.at + 1_000 * (seconds || 0));
		return record.at < until ? [`${question} was asked again ${until - record.at} ms early`] : [];
	});
}

/** SPEC's floor between two polls of a job, in milliseconds. */
const FASTEST_POLL_MS = 2_000;

/** A job is not polled faster than SPEC §4.2 has it, whatever becomes of the polls. */
export function pollViolations({ log }: Seen): string[] {
	const polledAt = new Map<string, number>();
	return log.flatMap(({ method, url, path, at }) => {
		if (method !== 'GET' || !/\/batch\/|\/audit$/.test(path)) return [];
		const sinceMs = at - (polledAt.get(url) ?? -Infinity);
		polledAt.set(url, at);
		return sinceMs < FASTEST_POLL_MS ? [`${path} was polled again after ${sinceMs} ms`] : [];
	});
}

/** The receipts agree with the sandbox's ledger to the credit, and what they leave open is within what they say. */
export function receiptViolations(
	seen: Seen,
	execution: ExecutionSeen,
	paid: PaidRequest[],
): string[] {
	if (wasStopped(seen, execution)) return [];
	const count = (...verdicts: Verdict[]) => among(paid, ...verdicts).length;
	const said = lastSpending(execution);
	if (!said) {
		return count('answered', 'givenBack', 'lost', 'open', 'garbled') > 0 ? ['no receipt'] : [];
	}
	const found: string[] = [];
	/** What a garbled answer is booked as is the operation's to say. */
	const within = (what: string, stated: number, least: number, unclear: number) => {
		if (stated < least || stated > least + unclear)
			found.push(`${what}: receipt ${stated}, wire ${least} and ${unclear} unclear`);
	};
	const garbled = count('garbled');
	within('paid calls', said.paidCalls, count('answered', 'givenBack', 'lost'), garbled);
	within('lost replies', said.lost, count('lost'), garbled);
	within('refused calls', said.refused, count('open'), garbled);
	const all = count('answered', 'garbled', 'givenBack', 'lost', 'open');
	within('paid and refused calls', said.paidCalls + said.refused, all, 0);
	within('unpaid calls that cost', 0, creditsOf(among(paid, 'harmless', 'unpaid')), 0);
	return [...found, ...creditViolations(said.credits, paid)];
}

function creditViolations(
	credits: Record<string, number | 'not stated'>,
	paid: PaidRequest[],
): string[] {
	const names = [...new Set(paid.map((request) => request.endpoint))];
	const accounts = new Map(names.map((name) => [endpoint(name).account, name]));
	return [...accounts].flatMap(([account, name]) => {
		const own = paid.filter((request) => endpoint(request.endpoint).account === account);
		const answered = among(own, 'answered');
		const stated = credits[account];
		if (answered.length === 0) return [];
		if (!endpoint(name).isPriced) {
			return stated === 'not stated' ? [] : [`${account}: receipt ${stated}, price not stated`];
		}
		const least = creditsOf(answered);
		const most = least + lookupsOf(among(own, 'garbled'));
		return typeof stated === 'number' && stated >= least && stated <= most
			? []
			: [`${account} credits: receipt ${String(stated)}, wire ${least} to ${most}`];
	});
}

/** The whole ledger of a key: what was debited is on the receipts, or within what they leave open. */
export function ledgerViolations(seen: Seen): string[] {
	const keys = new Set(seen.executions.map(({ apiKey }) => apiKey));
	return [...keys].flatMap((key) => {
		const own = seen.executions.filter(({ apiKey }) => apiKey === key);
		const receipts = own.flatMap((execution) => lastSpending(execution) ?? []);
		if (own.some((execution) => wasStopped(seen, execution))) return [];
		return PRODUCTS.flatMap((product) => {
			const spenders = own.flatMap(({ plan }) => operationOf(plan.operation).endpoints);
			const isPriced = spenders
				.filter((name) => endpoint(name).product === product)
				.every((name) => endpoint(name).isPriced);
			if (!isPriced) return [];
			const sum = (of: (said: (typeof receipts)[number]) => number) =>
				receipts.reduce((total, said) => total + of(said), 0);
			const stated = sum(({ credits }) => Number(credits[accountOf(product)] ?? 0));
			const open = sum(
				({ mostLostCredits, mostRefusedCredits }) => mostLostCredits + mostRefusedCredits,
			);
			const spent = seen.spent[key][product];
			return spent > stated + open
				? [`${product} of ${key}: ${spent} spent, receipts say ${stated} and ${open} open`]
				: [];
		});
	});
}

function accountOf(product: Product): string {
	const names = Object.keys(ENDPOINTS) as EndpointName[];
	const name = names.find((each) => endpoint(each).product === product && each !== 'tool');
	return name ? endpoint(name).account : product;
}

/** After Stop no request starts that was not under way, and none that is paid arrives but those. */
export function stopViolations(seen: Seen, execution: ExecutionSeen): string[] {
	if (!wasStopped(seen, execution)) return [];
	// Of several executions the others go on
	return seen.executions.length === 1 && seen.startedAfterStop > 0
		? [`${seen.startedAfterStop} requests started after Stop`]
		: [];
}

/** What the service has answered, and was paid for, comes out: then, and in all later rounds. */
export function keptViolations(
	seen: Seen,
	execution: ExecutionSeen,
	paid: PaidRequest[],
): string[] {
	const { plan, subjects, items } = execution;
	const { endpoints, isWaiting } = operationOf(plan.operation);
	if (isWaiting || plan.options.dryRun || wasStopped(seen, execution)) return [];
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
		// Of deeds that are alike nobody can tell which was done, unless all were
		const due = operationOf(plan.operation).isLookup ? 1 : count(asked, question);
		return count(answers, question) >= due;
	};
	// With a loop an earlier round may have come before the answer
	const last = tasksOf(execution).at(-1);
	if (!last || last.task.error) return [];
	const lost = (last.task.data?.main ?? [])
		.flatMap((list) => list ?? [])
		.filter(({ json, pairedItem }) => {
			const from = (pairedItem as { item?: number } | undefined)?.item;
			const source = last.items[from ?? -1];
			if (!source || !isAnswered(source.n)) return false;
			const result = (plan.options.includeInputFields ? json.result : json) as typeof json;
			return json.error !== undefined || result?.source === 'failed';
		});
	return lost.map(({ json }) => `paid for, and not delivered: ${JSON.stringify(json)}`);
}
