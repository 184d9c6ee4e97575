import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	Logger,
	NodeExecutionHint,
} from 'n8n-workflow';
import { Ledger } from './billing/ledger';
import { describeDryRun } from './billing/estimate';
import type { Feature, FeatureOpener, FeatureSettings } from './feature';
import type { Failed, Failure } from './results';
import { openMemory } from './memory/answerStore';
import type { TaskEnd } from './memory/journal';
import { type AnyOperation, hasDeeds, isFailed, STOPPED, takesStoredResults } from './operation';
import { describeFailure, describeResume, toNodeError } from './output/errors';
import {
	addTo,
	adviceOn,
	describeUnasked,
	drawReceipt,
	receiptHint,
	soFar,
	stopLog,
	warningHints,
	warningsOf,
} from './output/report';
import { type FailedItem, outputItems, resultsOfSlots } from './output/items';
import { estimateOf, type PreparedRun, spend, type Spent, urlProblems } from './perform/perform';
import type { RunLog } from './perform/tasks';
import { readRunCredential, type RunCredential } from './network/credential';
import { logFault } from './network/reply';
import { SLICES } from './clock';
import {
	deedsOf,
	hasOneItem,
	planRun,
	type SlotResult,
	type Task,
	type UniqueQuestion,
} from './plan/plan';
import { differingOption } from './plan/parameters';
import { asSentence } from './plan/values';
import { readSettings, type Settings, SettingsReader } from './plan/settings';

/**
 * Runs one operation for all items of the node: read, plan, budget, perform, present.
 * @param featuresOf the features that are on for a run
 * @param declared the parameters that the editor declares for every operation
 * @returns the output items, in input order, each linked to its input: on one output, or routed by outcome
 * @throws NodeApiError or NodeOperationError when the whole run fails, before its calls or after them
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: AnyOperation,
	featuresOf: (settings: FeatureSettings) => FeatureOpener[],
	declared: INodeProperties[],
): Promise<INodeExecutionData[][]> {
	const items = context.getInputData().length;
	const itemCount = operation.executesOnce ? Math.min(items, 1) : items;
	const credential = await readRunCredential(context, itemCount);
	const reader = new SettingsReader(context, operation, declared);
	const features = featuresOf(reader).map((open) => guarded(open(reader), context.logger));
	const firstOf = <Name extends keyof Feature>(name: Name) =>
		features.find((one) => one[name])?.[name];
	const tagField = firstOf('tag');
	const source = firstOf('source');
	const read = readSettings(reader, {
		...{ problem: firstOf('problem'), tagField, showsAge: source !== undefined },
		layout: firstOf('layout'),
		warnings: (...of) => features.flatMap(({ warnings }) => warnings?.(...of) ?? []),
	});
	const differs = await differingOption(context, operation, declared, itemCount, tagField);
	const problem = read.problem ?? credential.problem ?? differs;
	// An estimate would hide the reason why the run is refused
	const isDryRun = read.isDryRun && !differs;
	const settings = { ...read, problem, isDryRun, urls: credential.urls };
	const memory = openMemory(context, operation, { ...settings, source }, credential);
	for (const { remember } of features)
		await remember?.({ ...memory, credential: credential.fields });
	const plan = await planRun(context, operation, itemCount, settings, memory.answers);
	const planned = { context, operation, settings, features, memory, plan };
	const failed = plan.slots.filter((slot) => slot.kind === 'failure');
	const obstacle = failed.find(({ failure }) => refusesToStart(failure, settings));
	if (obstacle) {
		const { budget, history } = memory;
		const receipt = drawReceipt([], new Ledger(), { earlier: budget.earlier, history });
		const told = [soFar(receipt), ...warningsOf(plan)];
		throw toError(planned, obstacle, told);
	}
	const mayWait = settings.isForModel && !settings.isDryRun;
	const work = async () => {
		const run = await prepareRun(planned);
		return settings.isDryRun
			? await presentDryRun(run, credential)
			: await present(run, await spend(run, credential));
	};
	const { journal } = memory;
	return await (journal && mayWait ? journal.alone(await deedsOf(operation, plan), work) : work());
}

/** The hooks that run after something may have been paid for, and what one gives that throws. */
const AFTER_PAYING: { [Hook in keyof Feature]?: unknown } = {
	...{ called: undefined, proved: undefined, hints: [], delivered: undefined },
	...{ afterRun: undefined, note: undefined, output: [] },
};

/** The feature with guards around these hooks: an exception is logged, and the results are returned anyway. */
function guarded(feature: Feature, logger: Logger): Feature {
	const hooks = Object.entries(feature).map(([name, hook]: [string, unknown]) => {
		if (typeof hook !== 'function' || !Object.hasOwn(AFTER_PAYING, name)) return [name, hook];
		const log = (error: Error) => {
			logFault(logger, 'running a feature', error);
			return AFTER_PAYING[name as keyof Feature];
		};
		const guard = (...args: unknown[]): unknown => {
			try {
				const value: unknown = hook(...args);
				return value instanceof Promise ? value.catch(log) : value;
			} catch (error) {
				return log(error as Error);
			}
		};
		return [name, guard];
	});
	return Object.fromEntries(hooks) as Feature;
}

type PlannedRun = Omit<PreparedRun, 'ends' | 'log' | 'unrecoverable'>;

/** Adds to a plan what earlier tries have done. */
async function prepareRun(planned: PlannedRun): Promise<PreparedRun> {
	const { context, operation, settings, memory, plan } = planned;
	const { logger } = context;
	const log: RunLog = {
		job: (job) => logger.info(`Started the ${job.noun} ${job.id}. ${describeResume(job)}.`),
		warn: (words) => logger.warn(words),
		fault: (where, error) => logFault(logger, where, error),
		explain: (failure) => describeFailure(failure, settings.isForModel),
	};
	const ends = (await memory.journal?.takeUp(operation, plan.tasks)) ?? new Map<Task, TaskEnd>();
	const ended = [...ends.values()].find((end) => end.known);
	const known = [...plan.known.values()].find(isFailed)?.failure ?? ended?.known;
	const unrecoverable = settings.onFailure === 'stop' ? known : undefined;
	const run = { ...planned, log, ends, unrecoverable };
	// As with Return the Paid Results, since nobody would see them otherwise
	const putsOutAnswers = unrecoverable !== undefined && !hasDeeds(operation);
	return putsOutAnswers ? { ...run, settings: { ...settings, onFailure: 'unknown' } } : run;
}

/** Turns the results of the run into the items of the node, or into its error. */
async function present(run: PreparedRun, spent: Spent): Promise<INodeExecutionData[][]> {
	const { context, operation, settings, memory, plan } = run;
	const { results, ledger, refusal, note, proof, insecure } = spent;
	const slots = await resultsOfSlots(plan, results, operation, run.log.fault);
	const { history, budget } = memory;
	const isKept = memory.source !== undefined;
	addTo(history, operation, plan, slots, ledger.jobs);
	const tries = { earlier: budget.earlier, history, proof };
	await SLICES.pauseIfOver();
	const receipt = drawReceipt(slots, ledger, tries, operation);
	if (context.getExecutionCancelSignal()?.aborted && budget.isStopUntold(ledger)) {
		const where = `"${context.getNode().name}" in execution ${context.getExecutionId()}`;
		context.logger.warn(
			stopLog(where, receipt, takesStoredResults(operation) ? isKept : undefined),
		);
	}
	const warnings = warningsOf(plan, insecure, memory.dropped());
	const fail = (failed: FailedItem) => {
		const told = [soFar(receipt, isKept), describeUnasked(slots) ?? [], ...warnings].flat();
		return toError(run, failed, told, refusal);
	};
	const fatal = fatalFailure(slots, refusal, settings);
	if (fatal) throw fail(fatal);
	const side = await sideOutputs(run);
	const notes = await Promise.all(
		run.features.map(async (one) => await one.note?.({ plan, ledger, account: memory.account })),
	);
	// A tool has no hints on older n8n
	context.addExecutionHints?.(
		receiptHint(receipt, slots, [...notes, note]),
		...adviceOn(operation, plan, slots),
		...hintsOf(run),
		...warningHints(warnings),
	);
	const outputs = await outputItems({ ...run, ledger }, slots, fail);
	outputs.push(...side);
	// With Retry On Fail, an error in the first item makes n8n try again
	if (!context.getNode().retryOnFail || !outputs[0][0]?.json.error) forgetDelivered(run, results);
	return outputs;
}

/** The additional outputs beside the results. A dry run has none of their items. */
async function sideOutputs({ features, plan, settings }: PreparedRun) {
	const outputs: INodeExecutionData[][] = [];
	for (const { output } of features) {
		if (output) outputs.push(settings.isDryRun ? [] : await output(plan));
	}
	return outputs;
}

function hintsOf({ features }: PreparedRun): NodeExecutionHint[] {
	return features.flatMap(({ hints }) => hints?.() ?? []);
}

/** Forgets what a try of the run has kept for the next one. */
function forgetDelivered({ features, memory, plan }: PreparedRun, results: Spent['results']) {
	// An unclear answer is no success
	const isSuccess = (question: UniqueQuestion) => {
		const result = results.get(question);
		return result !== undefined && !('failure' in result) && !result.answer.isUnclear;
	};
	const successes = plan.tasks.filter(({ questions }) => questions.every(isSuccess));
	memory.journal?.forgetDelivered(successes.map(({ questions: [first] }) => first.position));
	memory.forgetHistory();
	for (const { delivered } of features) delivered?.();
}

async function presentDryRun(
	run: PreparedRun,
	credential: RunCredential,
): Promise<INodeExecutionData[][]> {
	const { context, operation, settings, memory, plan } = run;
	const advice = [...adviceOn(operation, plan), ...hintsOf(run)];
	const { problems } = await urlProblems(run, credential);
	const warnings = [...problems.map(asSentence), ...warningsOf(plan)];
	context.addExecutionHints?.(...advice, ...warningHints(warnings));
	const pairedItem = context.getInputData().map((_, item) => ({ item }));
	const ofFeatures = run.features.map(({ mostTries }) => mostTries?.(settings.maxQueueWaitMs) ?? 1);
	const tries = Math.max(1, ...ofFeatures);
	const json = describeDryRun(plan, await estimateOf(run), tries, memory.source !== undefined);
	const item = { json, pairedItem };
	const side = await sideOutputs(run);
	return settings.routesByResult ? [[], [], [item], ...side] : [[item], ...side];
}

/** @param told what the run and its earlier tries did so far, as sentences without their full stop */
function toError(
	{ context, settings, memory, plan }: PlannedRun,
	{ failure, item }: FailedItem,
	told: string[],
	refusal?: Failure,
) {
	const isOfRun = failure === settings.problem || failure === refusal;
	const { isForModel } = settings;
	const more = { isForModel, jobs: [...memory.history.jobs.values()], isAlone: hasOneItem(plan) };
	const at = isOfRun ? undefined : item;
	return toNodeError(context.getNode(), failure, at, told.join('. '), more);
}

/** Whether a failure that is known before the calls ends the whole run. */
function refusesToStart(failure: Failure, { onFailure }: Settings): boolean {
	const { cause } = failure;
	// A stopped run is over: items that were not read are returned as not sent
	if (failure === STOPPED) return false;
	return onFailure === 'stop' || (onFailure === 'unknown' && cause === 'malformed');
}

/**
 * The failure that fails the node, if there is one.
 * @param refusal why the run was not made
 */
function fatalFailure(
	slots: SlotResult[],
	refusal: Failure | undefined,
	settings: Settings,
): FailedItem | undefined {
	const failed = slots.filter((slot) => slot.kind === 'failure');
	const fails = refusal ? settings.onFailure !== 'errorItem' : failsTheNode(slots, settings);
	if (!fails) return undefined;
	return (
		failed.find(({ failure }) => failure === refusal) ??
		failed.find(({ failure }) => failure.cause !== 'notSent') ??
		failed[0]
	);
}

/**
 * Whether failures fail the node: with 'Stop at the First Failure' any failure does, otherwise only if no item was answered.
 * Local answers count only if the service works, so that a wrong key never looks like a list of invalid numbers.
 */
function failsTheNode(slots: SlotResult[], { onFailure }: Settings): boolean {
	const failed = slots.filter((slot) => slot.kind === 'failure');
	if (failed.length === 0 || onFailure === 'errorItem') return false;
	if (onFailure === 'stop') return true;
	const isPart = ({ isPartlyAnswered, failure }: Failed) =>
		isPartlyAnswered === true && failure.scope === 'question';
	if (failed.some(isPart) || slots.some(({ kind }) => kind === 'answer')) return false;
	const isRunLevel = ({ failure: { cause, scope } }: Failed) =>
		cause !== 'refused' || scope === 'account';
	return failed.some(isRunLevel) || !slots.some(({ kind }) => kind === 'local');
}
