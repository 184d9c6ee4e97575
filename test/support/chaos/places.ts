import type { IDataObject, INodeExecutionData, ITaskData } from 'n8n-workflow';
import type { ChaosItem, ExecutionSeen, Seen } from './perform';
import type { ExecutionPlan } from './schedule';
import { canonicalOf, operationOf, type Outcome, type Subject } from './subjects';
import { resultOf, tasksOf, wasStopped, type NodeTask } from './tasks';

/** No item is lost: each is in one place, with the answer to its own question. */

const ROUTES: Outcome[] = ['positive', 'negative', 'unknown'];

/** Every input item is in exactly one place of all outputs, in order, where it may be, with the answer to its own question. */
export function placeViolations(seen: Seen, execution: ExecutionSeen): string[] {
	const { plan, run } = execution;
	if (wasStopped(seen, execution)) return [];
	const tasks = tasksOf(execution);
	const found: string[] = [];
	if (run?.status !== 'success' && plan.onError !== 'stopWorkflow') {
		found.push(`the workflow ended in ${run?.status}: ${run?.error?.message}`);
	}
	if (run?.status === 'success' && plan.loopOf !== undefined) {
		const rounds = Math.ceil(plan.items.length / plan.loopOf);
		if (tasks.length !== rounds) found.push(`${tasks.length} rounds of ${rounds}`);
	}
	return [...found, ...tasks.flatMap((task) => taskViolations(task, execution))];
}

function taskViolations({ task, items }: NodeTask, execution: ExecutionSeen): string[] {
	if (task.error) {
		const { message } = task.error;
		const [, item] = /^Item (\d+): /.exec(message) ?? [];
		return item !== undefined && Number(item) < items.length
			? []
			: [`an error of no item: ${message}`];
	}
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
				...itemViolations(item, output, items[from], execution).map(
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

/** What Always Output Data puts onto an empty first output. */
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
	execution: ExecutionSeen,
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
	if (result.input !== from.value) found.push('not its own input');
	if (plan.options.includeInputFields && json.n !== from.n) found.push("another item's fields");
	return [...found, ...answerViolations(result, outcome, subjects[from.n], plan)];
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

/** An answer is the answer to the item's own question, and what is not known is never given out as known. */
function answerViolations(
	result: IDataObject,
	outcome: Outcome,
	subject: Subject | undefined,
	{ operation, options, onError }: ExecutionPlan,
): string[] {
	const { source } = result;
	if (source === 'failed') {
		if (onError !== 'stopWorkflow') return ['a failed item that is no error item'];
		return outcome === 'unknown' ? [] : ['failed, but not unknown'];
	}
	if (!subject || source === 'local') {
		const isRight = source === 'local' && !subject && outcome !== 'positive';
		return isRight ? [] : ['wrongly answered locally, or not'];
	}
	const truth =
		operation === 'sendMessage' && !options.checkNumberFirst ? ['positive'] : subject.truth;
	const found = truth.includes(outcome) ? [] : [`the truth is ${subject.truth.join(' or ')}`];
	const about = operationOf(operation).aboutOf(result);
	const canonical = canonicalOf(operation, subject.spellings[0]);
	if (about !== undefined && about !== null && about !== canonical) {
		found.push(`it is about ${String(about)}`);
	}
	return found;
}

/** Of equal questions, one pays at most. */
function sourceViolations(task: ITaskData, { plan, subjects, items }: ExecutionSeen): string[] {
	if (!operationOf(plan.operation).isLookup) return [];
	const payers = new Map<Subject, number>();
	for (const item of (task.data?.main ?? []).flatMap((list) => list ?? [])) {
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
