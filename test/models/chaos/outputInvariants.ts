import type { IDataObject, INodeExecutionData, ITaskData } from 'n8n-workflow';
import type { ChaosItem, ObservedExecution, ObservedRun } from './runSchedule';
import type { ExecutionPlan } from './schedule';
import type { EndpointName } from './endpoints';
import { usableRow } from './storedRows';
import { canonicalOf, operationOf, partFor, SECTIONS } from './operations';
import type { Outcome, Section, Subject } from './lookupSubjects';
import { itemsOf, resultOf, roundsOf, tasksOf, wasStopped, type NodeTask } from './nodeTasks';
import type { PaidRequest } from './paidRequests';

/** The checks on outputs: no item is lost, and each has the answer to its own question. */

const ROUTES: Outcome[] = ['positive', 'negative', 'unknown'];

/** Every input item is on exactly one output, in order, on the right one, with the answer to its own question. */
export function outputViolations(
	observed: ObservedRun,
	execution: ObservedExecution,
	paid: PaidRequest[],
): string[] {
	const { plan, run } = execution;
	if (wasStopped(observed, execution)) return [];
	const incomplete = new Set(
		paid.flatMap(({ verdict, endpoint, about }) =>
			verdict === 'incomplete' ? about.map((one) => `${endpoint} ${one}`) : [],
		),
	);
	const isGone = observed.schedule.credentialGoneAfter !== undefined && execution.index === 0;
	const tasks = tasksOf(execution);
	const found: string[] = [];
	if (run?.status !== 'success' && plan.onError !== 'stopWorkflow') {
		found.push(`the workflow ended in ${run?.status}: ${run?.error?.message}`);
	}
	if (run?.status === 'success' && plan.loopOf !== undefined) {
		const rounds = roundsOf(plan);
		if (tasks.length !== rounds) found.push(`${tasks.length} rounds of ${rounds}`);
	}
	const look: Look = { execution, incomplete, isGone };
	return [...found, ...tasks.flatMap((task) => taskViolations(task, look))];
}

/** What the items of an execution are checked against. */
interface Look {
	execution: ObservedExecution;
	/** Questions whose answer had no fields, each with its endpoint before it. */
	incomplete: Set<string>;
	/** Whether the credential was removed during the execution. */
	isGone: boolean;
}

function taskViolations({ task, items }: NodeTask, look: Look): string[] {
	const { execution, isGone } = look;
	if (task.error) {
		const { message } = task.error;
		if (isGone && /credential/i.test(message)) return [];
		// A failure of the whole run names no item
		const [, item] = /\[item (\d+)\]$/.exec(message) ?? [];
		return item === undefined || Number(item) < items.length
			? []
			: [`an error of no item: ${message}`];
	}
	if (execution.plan.options.dryRun) return dryRunViolations(task, items, execution);
	const found: string[] = [];
	const placed = new Map<number, number>();
	for (const [output, list] of (task.data?.main ?? []).entries()) {
		let last = -1;
		for (const item of list ?? []) {
			if (isPlaceholder(item, execution.plan)) continue;
			const from = linkOf(item);
			if (from === undefined || from >= items.length) {
				found.push(`an item without a link on output ${output}: ${JSON.stringify(item)}`);
				continue;
			}
			if (from <= last) found.push(`item ${from} after item ${last} on output ${output}`);
			last = from;
			placed.set(from, (placed.get(from) ?? 0) + 1);
			found.push(
				...itemViolations(item, output, items[from], look).map(
					(text) => `item ${from} on output ${output}: ${text}: ${JSON.stringify(item.json)}`,
				),
			);
		}
	}
	for (const index of items.keys()) {
		if (placed.get(index) !== 1) found.push(`item ${index} is in ${placed.get(index) ?? 0} places`);
	}
	return [...found, ...sourceViolations(task, execution)];
}

/** A Dry Run returns one item, which is linked to all input items. */
function dryRunViolations(
	task: ITaskData,
	items: ChaosItem[],
	{ plan }: ObservedExecution,
): string[] {
	const shown = itemsOf(task).filter((item) => !isPlaceholder(item, plan));
	const [{ json, pairedItem }] = [...shown, { json: {} as IDataObject, pairedItem: undefined }];
	const links = JSON.stringify(items.map((_, item) => ({ item })));
	const isPlan = json.dryRun === true && json.items === items.length;
	return shown.length === 1 && isPlan && JSON.stringify(pairedItem) === links
		? []
		: [`no plan of all items: ${JSON.stringify(shown)}`];
}

/** The empty item that Always Output Data puts onto an empty first output. */
function isPlaceholder({ json }: INodeExecutionData, { alwaysOutputData }: ExecutionPlan): boolean {
	return alwaysOutputData && Object.keys(json).length === 0;
}

function linkOf({ pairedItem }: INodeExecutionData): number | undefined {
	if (typeof pairedItem === 'number') return pairedItem;
	return pairedItem && !Array.isArray(pairedItem) ? pairedItem.item : undefined;
}

function itemViolations(
	item: INodeExecutionData,
	output: number,
	from: ChaosItem,
	{ execution, incomplete }: Look,
): string[] {
	const { json } = item;
	const { plan, subjects } = execution;
	const routed = plan.routeByResult && operationOf(plan.operation).isLookup;
	if (json.error !== undefined) return errorItemViolations(json, output, from, plan, routed);
	const result = resultOf(item, plan);
	const outcome = result?.outcome as Outcome;
	if (!result || !ROUTES.includes(outcome)) return ['neither a result nor an error'];
	const found: string[] = [];
	if (output !== (routed ? ROUTES.indexOf(outcome) : 0)) found.push('on the wrong output');
	const { hasNoInput } = operationOf(plan.operation);
	if (!hasNoInput && !isInputOf(result.input, from)) found.push('not its own input');
	if (plan.options.includeOtherInputFields && json.n !== from.n)
		found.push("another item's fields");
	const answer = { result, outcome, subject: subjects[from.n], incomplete, execution };
	return [...found, ...answerViolations(answer, plan)];
}

/** The input of a contact is all of its values. */
function isInputOf(input: unknown, { value, email, ip }: ChaosItem): boolean {
	if (typeof input !== 'object' || input === null) return input === value;
	const { phoneNumber = '', ...rest } = input as IDataObject;
	const more = email === undefined ? {} : { email, ipAddress: ip };
	return phoneNumber === value && JSON.stringify(rest) === JSON.stringify(more);
}

function errorItemViolations(
	json: IDataObject,
	output: number,
	from: ChaosItem,
	{ onError }: ExecutionPlan,
	routed: boolean,
): string[] {
	if (onError === 'stopWorkflow') return ['an error item where errors stop the workflow'];
	const hasOutput = onError === 'continueErrorOutput';
	const due = (routed ? ROUTES.indexOf('unknown') : 0) + (hasOutput ? 1 : 0);
	const found = output === due ? [] : ['an error item on the wrong output'];
	if (hasOutput && json.n !== from.n) found.push("not its own input's fields");
	return found;
}

/** A result, and the question that it has to answer. */
interface ObservedAnswer {
	result: IDataObject;
	outcome: Outcome;
	subject: Subject | undefined;
	incomplete: Set<string>;
	execution: ObservedExecution;
}

/** The outcomes that the answer about a subject may have: that of a known row, or those of the service. */
function outcomesDue(execution: ObservedExecution, subject: Subject, name: EndpointName) {
	const row = usableRow(execution, `${name} ${canonicalOf(subject, name)}`);
	return row ? [row.outcome] : partFor(subject, name).expectedOutcomes;
}

/** A result answers the item's own question, and never presents the unknown as known. */
function answerViolations(answer: ObservedAnswer, { operation, options, onError }: ExecutionPlan) {
	const { result, outcome, subject, incomplete, execution } = answer;
	const { source } = result;
	if (source === 'failed') {
		if (onError !== 'stopWorkflow') return ['a failed item that is no error item'];
		return outcome === 'unknown' ? [] : ['failed, but not unknown'];
	}
	if (!subject || source === 'local') {
		const isRight = source === 'local' && !subject && outcome !== 'positive';
		return isRight ? [] : ['wrongly answered locally, or not'];
	}
	if (subject.parts) return contactViolations({ ...answer, subject }, execution.plan);
	const { endpoints, aboutOf } = operationOf(operation);
	const [name] = endpoints;
	const isSent = name === 'sendwasms' && !options.checkNumberFirst;
	const expectedOutcomes = isSent ? ['positive'] : outcomesDue(execution, subject, name);
	const isIncomplete = endpoints.some((each) =>
		incomplete.has(`${each} ${canonicalOf(subject, each)}`),
	);
	const isTrue = expectedOutcomes.includes(outcome) || (isIncomplete && outcome === 'unknown');
	const found = isTrue ? [] : [`expected ${expectedOutcomes.join(' or ')}`];
	const about = aboutOf(result);
	if (about !== undefined && about !== null && about !== canonicalOf(subject, name)) {
		found.push(`it is about ${String(about)}`);
	}
	return found;
}

/** Each section of a contact is an answer of its own, and the contact's outcome follows from its sections. */
function contactViolations(
	{ result, subject, incomplete, execution }: ObservedAnswer & { subject: Subject },
	{ options }: ExecutionPlan,
): string[] {
	// Raw output has the replies only
	if (result.response !== undefined) return [];
	const found: string[] = [];
	const outcomes: unknown[] = [];
	for (const name of Object.keys(SECTIONS) as Section[]) {
		const { endpoint: at, aboutOf } = SECTIONS[name];
		const section = result[name] as IDataObject | null;
		const isChannel = ['phone', 'whatsApp', 'email'].includes(name);
		if (!section) {
			const mayLack = isChannel && options.stopAtFirstWorkingChannel;
			if (!mayLack || result.outcome !== 'positive') found.push(`no ${name}`);
			continue;
		}
		const { outcome, source } = section;
		if (isChannel) outcomes.push(outcome);
		if (source === 'local' && outcome === 'positive') found.push(`${name} is positive, and local`);
		if (source === 'failed' && outcome !== 'unknown') found.push(`${name} failed and is known`);
		if (source === 'local' || source === 'failed') continue;
		const about = canonicalOf(subject, at);
		const due = outcomesDue(execution, subject, at);
		const isIncomplete = incomplete.has(`${at} ${about}`);
		const isTrue = due.includes(outcome as Outcome);
		if (!isTrue && !(isIncomplete && outcome === 'unknown')) {
			found.push(`${name}: expected ${due.join(' or ')}`);
		}
		const said = aboutOf(section);
		if (said !== undefined && said !== null && said !== about) {
			found.push(`${name} is about ${String(said)}`);
		}
	}
	const isPositive = outcomes.includes('positive');
	const isNegative = outcomes.every((outcome) => outcome === 'negative');
	const due = isPositive ? 'positive' : isNegative ? 'negative' : 'unknown';
	return result.outcome === due ? found : [...found, `its sections say ${due}`];
}

/** Of several equal questions, at most one is paid for. */
function sourceViolations(task: ITaskData, { plan, subjects, items }: ObservedExecution): string[] {
	if (!operationOf(plan.operation).isLookup || plan.operation === 'enrichContact') return [];
	const payers = new Map<Subject, number>();
	for (const item of itemsOf(task)) {
		const result = resultOf(item, plan);
		const index = items.findIndex(({ value }) => value === result?.input);
		const subject = subjects[index];
		if (result?.source === 'service' && subject)
			payers.set(subject, (payers.get(subject) ?? 0) + 1);
	}
	return [...payers]
		.filter(([, count]) => count > 1)
		.map(([{ mark }, count]) => `${count} items say that they paid for ${mark}`);
}
