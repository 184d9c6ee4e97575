import type { IDataObject } from 'n8n-workflow';
import { linksOf } from '../../harness/ledger';
import { receiptOf } from '../../harness/parseReceipt';
import { ENDPOINT_OF, type EndpointName } from './endpoints';
import { DEFAULT_MAX_AGE_DAYS, usableRow, type StoredRow } from './storedRows';
import type { Section, Subject } from './lookupSubjects';
import { itemsOf, resultOf, roundsOf, tasksOf, wasStopped, type NodeTask } from './nodeTasks';
import { canonicalOf, operationOf, partFor, SECTIONS } from './operations';
import { paidRequestsOf, type PaidRequest } from './paidRequests';
import type { ObservedExecution, ObservedRun } from './runSchedule';
import type { ExecutionPlan } from './schedule';

/** The checks on stored results: what a row answers costs nothing, and paid answers are returned as rows. */

export function storedViolations(
	observed: ObservedRun,
	execution: ObservedExecution,
	paid: PaidRequest[],
): string[] {
	if (!execution.plan.storedRows) return [];
	const found = neededCallViolations(execution, paid);
	if (wasStopped(observed, execution)) return found;
	return [
		...found,
		...tasksOf(execution).flatMap((task) => storedItemViolations(task, execution)),
		...newResultViolations(observed, execution, paid),
		...paidAgainViolations(observed, execution, paid),
	];
}

/** Nothing is asked that a row answers, however the item is spelt. */
function neededCallViolations(execution: ObservedExecution, paid: PaidRequest[]): string[] {
	return paid.flatMap(({ questions }) =>
		questions
			.filter((question) => usableRow(execution, question))
			.map((question) => `${question} was asked, though a row answers it`),
	);
}

/** An answer on an item: of the item itself, or of a section of a contact. */
interface ShownAnswer {
	question: string;
	isKnown: boolean;
	isPaid: boolean;
	/** The columns that identify a row. */
	mark: unknown;
	/** Undefined in a Raw contact. */
	outcome?: unknown;
	ageDays?: unknown;
}

/** Stored results are those of the rows, and the receipt counts them. */
function storedItemViolations(task: NodeTask, execution: ObservedExecution): string[] {
	const { plan } = execution;
	if (task.task.error || plan.options.dryRun) return [];
	const known = shownBy(task, execution).filter(({ isKnown }) => isKnown);
	const found = known.flatMap((answer) => {
		const row = usableRow(execution, answer.question);
		return row && isOfRow(answer, row) ? [] : [`known by no row: ${JSON.stringify(answer)}`];
	});
	const said = receiptOf((task.task.hints ?? []).map(({ message }) => message))?.stored;
	// A contact that failed shows none of its answers
	const hidesSome = plan.operation === 'enrichContact' && hasErrorItems(task);
	if (said !== undefined && (hidesSome ? said < known.length : said !== known.length)) {
		found.push(`${known.length} stored results, receipt ${said}`);
	}
	return found;
}

function hasErrorItems({ task }: NodeTask): boolean {
	return itemsOf(task).some(({ json }) => json.error !== undefined);
}

/** The answers on the items of one run. */
function shownBy(task: NodeTask, { plan, subjects }: ObservedExecution): ShownAnswer[] {
	return itemsOf(task.task).flatMap((item) => {
		const [from = -1] = linksOf(item);
		const subject = subjects[task.items[from]?.n];
		const result = resultOf(item, plan);
		return result && subject ? answersIn(result, subject, plan) : [];
	});
}

function isOfRow({ mark, outcome, ageDays }: ShownAnswer, row: StoredRow): boolean {
	if (mark !== row.mark) return false;
	const aged = Number(ageDays) - row.ageDays;
	return outcome === undefined || (outcome === row.outcome && aged > -0.01 && aged < 0.3);
}

function answersIn(result: IDataObject, subject: Subject, { operation, output }: ExecutionPlan) {
	const response = result.response as IDataObject | null | undefined;
	const answerAt = (name: EndpointName, part: IDataObject, reply?: IDataObject): ShownAnswer => ({
		question: `${name} ${canonicalOf(subject, name)}`,
		...{ isKnown: part.source === 'stored', isPaid: part.source === 'service' },
		...{ mark: reply ? reply.mark : part.reason, outcome: part.outcome, ageDays: part.ageDays },
	});
	const [name] = operationOf(operation).endpoints;
	if (!subject.parts) return [answerAt(name, result, response ?? undefined)];
	return (Object.keys(SECTIONS) as Section[]).flatMap((section): ShownAnswer[] => {
		const { endpoint } = SECTIONS[section];
		if (output !== 'raw') {
			const part = result[section] as IDataObject | null;
			return part ? [answerAt(endpoint, part)] : [];
		}
		const reply = response?.[section] as IDataObject | null | undefined;
		if (!reply) return [];
		const source = reply.mark === undefined ? undefined : 'stored';
		return [answerAt(endpoint, { source }, reply)];
	});
}

/** New Results has a row for each answer that this execution has paid for, and for nothing else. */
function newResultViolations(
	observed: ObservedRun,
	execution: ObservedExecution,
	paid: PaidRequest[],
): string[] {
	const { plan, index } = execution;
	const tasks = tasksOf(execution);
	const questionsOf = (verdict: PaidRequest['verdict']) =>
		new Set(paid.filter((one) => one.verdict === verdict).flatMap(({ questions }) => questions));
	const answered = questionsOf('answered');
	const incomplete = questionsOf('incomplete');
	const found: string[] = [];
	const out = new Set<string>();
	let mayRepeat = false;
	for (const task of tasks) {
		const before = mayRepeat ? [] : [...out];
		const own = new Set(before);
		for (const { json: row } of task.newResults) {
			const question = execution.earlier.get(row.key as string)?.question ?? '';
			const text = `${question}: ${JSON.stringify(row)}`;
			if (own.has(question)) found.push(`twice in New Results: ${text}`);
			if (!answered.has(question) && !incomplete.has(question)) {
				found.push(`in New Results, and not paid for: ${text}`);
			}
			if (!incomplete.has(question) && !isRowOf(row, execution)) found.push(`a row: ${text}`);
			own.add(question);
			out.add(question);
		}
		// n8n may try again if the first item is an error, so the rows are returned once more
		mayRepeat ||= task.task.data?.main[0]?.[0]?.json.error !== undefined;
	}
	const isGone = observed.schedule.credentialGoneAfter !== undefined && index === 0;
	const isWhole = tasks.length === roundsOf(plan) && tasks.every(({ task }) => !task.error);
	if (!isWhole || isGone) return found;
	const due = operationOf(plan.operation).isWaiting ? shownAsPaid(execution) : answered;
	const unknown = unknownQuestions(execution);
	const missing = [...due].filter((question) => !out.has(question) && !unknown.has(question));
	return [...found, ...missing.map((question) => `paid for without a row: ${question}`)];
}

/** The questions whose answer may be unknown: such an answer has no row. */
function unknownQuestions({ plan, index }: ObservedExecution): Set<string> {
	const { endpoints, subjects } = operationOf(plan.operation);
	const unknown = (name: EndpointName) =>
		subjects(index).filter((subject) =>
			partFor(subject, name).expectedOutcomes.includes('unknown'),
		);
	return new Set(
		endpoints.flatMap((name) =>
			unknown(name).map((subject) => `${name} ${canonicalOf(subject, name)}`),
		),
	);
}

/** Whether a row is of the operation that asked, and says what the service always says. */
function isRowOf(row: IDataObject, { plan, earlier, startedAt }: ObservedExecution): boolean {
	const { question = '', row: due = {} as IDataObject } = earlier.get(row.key as string) ?? {};
	const { key, operation, outcome, answeredAt } = row;
	const isNew = Date.parse(answeredAt as string) >= startedAt - 1_000;
	const isOwn = question.startsWith(`${ENDPOINT_OF[operation as string]} `);
	const hasKey = (key as string).startsWith(`${operation as string} `);
	const isSame =
		outcome === due.outcome && (plan.output === 'raw' || answerIn(row) === answerIn(due));
	return isNew && isOwn && hasKey && isSame;
}

/** The next execution in the process pays for no answer of this one, though no row was stored and outputs may have been lost. */
function paidAgainViolations(
	observed: ObservedRun,
	execution: ObservedExecution,
	paid: PaidRequest[],
): string[] {
	const { plan, earlier, logOfNext: log = [] } = execution;
	const next = paidRequestsOf({ ...observed, log }, execution);
	const again = new Set(next.flatMap(({ questions }) => questions));
	const { isWaiting } = operationOf(plan.operation);
	const answered = paid
		.filter(({ verdict }) => verdict === 'answered')
		.flatMap(({ questions }) => questions);
	const kept = new Set(isWaiting ? shownAsPaid(execution) : answered);
	// A day has passed meanwhile
	if ((plan.maxAgeDays ?? DEFAULT_MAX_AGE_DAYS) <= 1) return [];
	return [...earlier.values()]
		.filter(({ question }) => kept.has(question) && again.has(question))
		.map(({ question }) => `paid again by the next execution: ${question}`);
}

/** The questions of items that say that they were paid for: a job may end without the answers. */
function shownAsPaid(execution: ObservedExecution): Set<string> {
	const shown = tasksOf(execution).flatMap((task) => shownBy(task, execution));
	return new Set(shown.filter(({ isPaid }) => isPaid).map(({ question }) => question));
}

/** The answer of a row, without the spelling of the value. */
function answerIn({ answer = '{}' }: IDataObject): string {
	const { record, ...others } = JSON.parse(answer as string) as { record?: IDataObject };
	return JSON.stringify({ ...others, ...record, email: null, ipAddress: null });
}
