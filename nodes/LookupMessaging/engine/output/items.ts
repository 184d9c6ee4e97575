import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import type { Ledger } from '../billing/ledger';
import type { Answer, Failure, LookupResult } from '../results';
import {
	type AnyOperation,
	asItCame,
	LOCAL_OUTCOME,
	storageFailure,
	withinMostRows,
} from '../operation';
import { describeFailure } from './errors';
import { inTime } from '../plan/inputFiles';
import {
	hasOneItem,
	type Plan,
	type Slot,
	type SlotResult,
	type UniqueQuestion,
} from '../plan/plan';
import type { Settings } from '../plan/settings';
import { asReason, FORBIDDEN_NAME, inOneGo, isObject, type Sliced } from '../plan/values';
import { FAULT, type LogFault, presented } from '../network/reply';
import { SLICES } from '../clock';
import { type ChosenOutput, resultFields } from './resultFields';

interface PresentedRun {
	context: IExecuteFunctions;
	operation: AnyOperation;
	plan: Plan;
	settings: Settings;
	log: { fault: LogFault };
	/** What the run has spent. */
	ledger: Ledger;
}

/** An item with a list has one error, of up to about this many characters: in a loop, one for each entry would multiply. */
const MAX_ERRORS = 2_000;

/** An item that has failed. */
export type FailedItem = { failure: Failure; item: number };

type FailNode = (failed: FailedItem) => Error;

/**
 * The outputs of the node: the items of all slots, in input order, each linked to its input; one per slot, or one per row of the
 * answer. A failed slot becomes an unknown result, or an item with an `error`.
 * @param fail makes the error for the first files that cannot be stored, with Stop at the First Failure
 */
export async function outputItems(
	run: PresentedRun,
	slots: SlotResult[],
	fail: FailNode,
): Promise<INodeExecutionData[][]> {
	const { operation, plan, settings } = run;
	const ofTasks = slotsByTask(operation, plan);
	const leftOut = ofTasks && showsLeftOut(settings) ? await leftOutOf(slots) : undefined;
	const ofRun = operation.executesOnce && run.context.getInputData().map((_, item) => ({ item }));
	const outputs = emptyOutputs(settings);
	const logOfRow = (error: Error) =>
		run.log.fault(`making a row of ${operation.resource}.${operation.value}`, error);
	const failed = new Map<number, { error: string }>();
	const withFiles: Array<PresentedAnswer & { place: number }> = [];
	for (const [index, slot] of slots.entries()) {
		if (SLICES.isOver) await SLICES.pause();
		if (slot.kind === 'failure' && settings.onFailure === 'errorItem') {
			const at = hasOneItem(plan) ? undefined : slot.item;
			const error = describeFailure(slot.failure, settings.isForModel, [], at);
			const json = failed.get(slot.item) ?? { error };
			if (!failed.has(slot.item))
				outputs.unknown.push({ json, pairedItem: ofRun ?? { item: slot.item } });
			else if (!json.error.includes(error) && json.error.length < MAX_ERRORS)
				json.error += ` ${error}`;
			failed.set(slot.item, json);
			continue;
		}
		const asked = ofTasks?.get(index);
		if (slot.kind === 'answer' ? ofTasks && !asked : leftOut && slot.kind === 'local') continue;
		const items = asked && [...new Set(asked.map(({ item }) => item))];
		const pairedItem = ofRun ?? items?.map((item) => ({ item })) ?? { item: slot.item };
		// A model's input is its caller's
		const ofItems = operation.besideInput?.(
			settings.isForModel ? {} : run.context.getInputData()[slot.item].json,
		);
		for (const found of answersOf(operation, slot, settings, logOfRow)) {
			for (const answer of ofItems?.(found) ?? [found]) {
				if (SLICES.isOver) await SLICES.pause();
				if (leftOut) answer.record = { ...answer.record, leftOut: leftOut.splice(0) };
				if (asked && slot.kind === 'answer' && !settings.isForModel)
					answer.record = { ...answer.record, submitted: submittedOf(run, asked) };
				const item = { slot, answer, pairedItem };
				const output = outputs[answer.outcome];
				if (answer.files) withFiles.push({ ...item, place: output.length });
				output.push(answer.files ? { json: {} } : await SLICES.finish(itemOf(run, item)));
			}
		}
	}
	const storing = withFiles.map(async ({ place, ...item }) => {
		outputs[item.answer.outcome][place] = await storeFiles(run, item, fail);
	});
	await Promise.all(storing);
	return outputs.all;
}

/** Whether a result can list what was left out; otherwise each left-out value becomes an item. */
function showsLeftOut({ output, selectedFields }: Settings): boolean {
	return output === 'selectedFields' ? selectedFields.includes('leftOut') : output !== 'raw';
}

interface PresentedAnswer {
	slot: SlotResult;
	answer: Answer;
	pairedItem: INodeExecutionData['pairedItem'];
}

function* itemOf(
	{ context, operation, settings, log }: PresentedRun,
	{ slot, answer, pairedItem }: PresentedAnswer,
	files?: IBinaryKeyData,
): Sliced<INodeExecutionData> {
	const input = context.getInputData()[slot.item];
	const result = yield* resultFields(operation, slot, answer, settings, log.fault);
	const json = yield* besideInput(result, input.json, settings);
	const binary = files ?? (settings.resultField === undefined ? undefined : input.binary);
	return { json, ...(binary && { binary }), pairedItem };
}

/** After Stop, n8n may still store the output of the node, for example at its own time limit. Paid files get this time. */
const AFTER_STOP_MS = 5_000;

/** The item with the files of its answer as binary data, or with the reason why n8n does not store them. */
async function storeFiles(
	run: PresentedRun,
	{ slot, answer, pairedItem }: PresentedAnswer,
	fail: FailNode,
): Promise<INodeExecutionData> {
	const { context, settings, ledger } = run;
	const binary: IBinaryKeyData = {};
	try {
		for (const [property, file] of Object.entries(answer.files ?? {})) {
			await SLICES.pauseIfOver();
			const { base64, mimeType, fileName } = file;
			const bytes = Buffer.from(base64, 'base64');
			const stored = context.helpers.prepareBinaryData(bytes, fileName, mimeType);
			binary[property] = await inTime(context, settings.timeoutMs, stored, AFTER_STOP_MS);
		}
		return await SLICES.finish(itemOf(run, { slot, answer, pairedItem }, binary));
	} catch (error) {
		const why = `the files in the answer couldn't be stored: ${(error as Error).message}`;
		// A free call is not journaled
		const isJournaled = slot.kind === 'answer' && slot.source === 'memory';
		const failure = { ...storageFailure(why), paidBefore: isJournaled || ledger.paidCalls > 0 };
		if (settings.onFailure === 'stop') throw fail({ failure, item: slot.item });
		const reason = describeFailure(failure, settings.isForModel);
		return await SLICES.finish(itemOf(run, { slot, answer: { ...answer, reason }, pairedItem }));
	}
}

/** One output for all outcomes, or one for each with Route by Result, in the order of editor/outputs.ts. */
function emptyOutputs({ routesByResult }: Settings) {
	const positive: INodeExecutionData[] = [];
	const [negative, unknown]: INodeExecutionData[][] = routesByResult
		? [[], []]
		: [positive, positive];
	const all = routesByResult ? [positive, negative, unknown] : [positive];
	return { positive, negative, unknown, all };
}

type AskedSlot = Extract<Slot, { kind: 'asked' }>;

/**
 * For operations with one output item per task: the slots of each task, by the slot that returns its item. Undefined for
 * operations that answer each slot.
 */
function slotsByTask(
	{ oneItemPerTask }: AnyOperation,
	{ slots, tasks }: Plan,
): Map<number, AskedSlot[]> | undefined {
	if (!oneItemPerTask) return undefined;
	const slotsOf = new Map<UniqueQuestion, AskedSlot[]>();
	for (const { questions } of tasks) {
		const ofTask: AskedSlot[] = [];
		for (const asked of questions) slotsOf.set(asked, ofTask);
	}
	for (const slot of slots) if (slot.kind === 'asked') slotsOf.get(slot.asked)?.push(slot);
	return new Map(
		tasks.map(({ questions: [first] }) => [first.firstSlot, slotsOf.get(first) ?? []]),
	);
}

/** The submitted values, each with the fields of its item. Entries of a list in one item have no fields. */
function submittedOf({ context, operation }: PresentedRun, asked: AskedSlot[]) {
	const items = context.getInputData();
	const own = asked.filter(({ input }) => input === undefined);
	return own.map(({ item, question }): IDataObject => {
		const sent: IDataObject = Object(operation.canonical?.(question));
		return { ...sent, fields: items[item].json };
	});
}

/** The input that is not sent, for the first of the items that are returned; undefined where none of them has an answer. */
async function leftOutOf(slots: SlotResult[]) {
	if (!slots.some(({ kind }) => kind === 'answer')) return undefined;
	const local = slots.filter((slot) => slot.kind === 'local');
	return await SLICES.map(local, ({ item, local: { field, reason } }): IDataObject => {
		return { item, reason: asReason([`${field} ${reason}`]) };
	});
}

/** The chosen output of one slot, for the trigger, which has no input items. */
export function resultsOf(
	operation: AnyOperation,
	slot: SlotResult,
	output: ChosenOutput,
): IDataObject[] {
	// The item says so if an answer cannot be presented
	const log = () => undefined;
	return Array.from(answersOf(operation, slot, output, log), (answer) =>
		inOneGo(resultFields(operation, slot, answer, output, log)),
	);
}

/** @param log receives the exception of a row that cannot be created; the row is returned unchanged */
function answersOf(
	{ output: fields }: AnyOperation,
	slot: SlotResult,
	output: ChosenOutput,
	log: (error: Error) => void,
): Iterable<Answer> {
	switch (slot.kind) {
		case 'answer': {
			const { rows, ...answer } = withinMostRows(slot.answer);
			if (!rows?.length) return [answer];
			return rows.orElse((entry, error) => {
				log(error);
				return {
					...asItCame(FAULT),
					response: (isObject(entry) ? entry : { value: entry }) as IDataObject,
				};
			});
		}
		case 'local': {
			const { local, field, reason, record = {} } = slot.local;
			return [{ outcome: LOCAL_OUTCOME[local], record, reason: asReason([`${field} ${reason}`]) }];
		}
		case 'failure': {
			const reason = describeFailure(slot.failure, output.isForModel);
			const idField = fields.find(({ isJobId }) => isJobId);
			const [job, other] = slot.failure.jobs ?? [];
			const id = idField && job && !other ? { [idField.name]: job.id } : {};
			return [{ outcome: 'unknown', record: { ...id, ...slot.record }, reason }];
		}
	}
}

/** The result alone, or beside the input's fields. n8n reads an item with a field `error` as failed, so that field is renamed. */
function* besideInput(
	result: IDataObject,
	input: IDataObject,
	{ resultField, layout }: Settings,
): Sliced<IDataObject> {
	if (resultField === undefined) return result;
	const json: IDataObject = {};
	// A column of an earlier result, or of a sender, must not stand for one that this result has not
	const isColumn = (name: string) => layout?.isColumn(name, resultField);
	for (const [index, name] of Object.keys(input).entries()) {
		if (name !== 'error' && name !== FORBIDDEN_NAME && !isColumn(name)) json[name] = input[name];
		if (index % FIELDS === FIELDS - 1) yield;
	}
	let renamed = 'inputError';
	while (Object.hasOwn(input, renamed)) renamed += '_';
	if (input.error !== undefined) json[renamed] = input.error;
	const own = layout?.beside(result, resultField) ?? { [resultField]: result };
	return Object.assign(json, own);
}

/** Fields of an input item that are copied between two pauses. */
const FIELDS = 2_000;

/** Passes the result of each question to all slots that asked it. The first of them paid for it. */
export async function resultsOfSlots(
	{ slots }: Plan,
	results: Map<UniqueQuestion, LookupResult>,
	operation: AnyOperation,
	log: LogFault,
): Promise<SlotResult[]> {
	return await SLICES.map(slots, (slot, index): SlotResult => {
		if (slot.kind !== 'asked') return slot;
		const { item, input, asked, question } = slot;
		const result = results.get(asked);
		if (!result) throw new Error(`item ${item} was planned but not performed`);
		if ('failure' in result) return { item, input, kind: 'failure', ...result };
		const isShared = asked.firstSlot !== index && result.source === 'service';
		const source = isShared ? 'duplicate' : result.source;
		const answer = presented(operation, result, question, log);
		return { item, input, kind: 'answer', ...result, answer, source };
	});
}
