import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Failure } from '../results';
import { parameterFailure, type AnyOperation } from '../operation';
import { readKnownAnswers, type KnownAnswersSettings } from './lifetimes';
import { readSpending, type SpendingSettings } from './spendingSettings';
import { FORBIDDEN_NAME, inShort, textOf } from './values';

/** The credential type that every call is authenticated with. */
export const CREDENTIAL_TYPE = 'lookupMessagingApi';

/** What the user set for the whole run, read once from the first item. */
export interface Settings extends SpendingSettings {
	/** Why the run cannot start: every item fails with it before anything is sent. */
	problem?: Failure;
	output: 'raw' | 'selectedFields' | 'simplified';
	selectedFields: string[];
	/** What failed items become: an error item each, an unknown each, or one error for the node. */
	onFailure: 'errorItem' | 'stop' | 'unknown';
	failOnMalformedInput: boolean;
	/** Whether the fields of sections are columns of their own. */
	isFlat: boolean;
	/** In flat form, the chosen sections: every item has their columns, also one that failed before it was asked about. */
	flatSections?: string[];
	/** Output field for the result, beside the input's fields; undefined to put out the result alone. */
	resultField?: string;
	maxConcurrentRequests: number;
	timeoutMs: number;
	/** Longest wait for jobs of the service, over the whole run. */
	maxWaitMs: number;
	/** Longest wait of one call for the end of a pause that the service asks for. */
	maxQueueWaitMs: number;
	/** Most paid lookups of the whole execution; undefined for no limit. */
	maxPaidLookups?: number;
	isDryRun: boolean;
	asksAgainAfterLost: boolean;
	retriesInconclusive: boolean;
	/** Whether what an answer says about its group is the answer of the others. */
	infersInGroups: boolean;
	/** Whether each outcome has its own output. */
	routesByResult: boolean;
	/** Whether each paid call is a row of an output of its own. */
	hasLedgerOutput: boolean;
	/** With Known Answers: how long answers are used, in days. */
	knownAnswers?: KnownAnswersSettings;
	/** Whether a model calls the node and reads its output. */
	isForModel: boolean;
}

/** Default limit where a model decides what to ask: five contacts with all their lookups. */
export const DEFAULT_TOOL_LOOKUPS = 25;
export const DEFAULT_CONCURRENCY = 100;
export const DEFAULT_TIMEOUT_SECONDS = 60;
/** For jobs of the service, and for pauses that the service asks for. */
const DEFAULT_MAX_WAIT_MINUTES = { job: 30, queue: 5 };

export function readSettings(context: IExecuteFunctions, operation: AnyOperation): Settings {
	const options = firstReadableOptions(context);
	const isForModel = isToolRun(context);
	const selectedFields = readSelectedFields(context);
	const resultField = isForModel ? undefined : resultFieldOf(operation, options);
	const paidLookups = maxPaidLookupsOf(context, options, isForModel);
	const known = isForModel ? {} : readKnownAnswers(context, operation, options);
	const stops = options.ifSomeItemsFail
		? options.ifSomeItemsFail === 'stopNode'
		: !keepsByDefault(operation);
	const spending = readSpending(operation.free ? {} : options);
	return {
		...spending,
		problem:
			problemWith(selectedFields, resultField, paidLookups) ?? known.problem ?? spending.problem,
		output: context.getNodeParameter('output', 0, 'simplified') as Settings['output'],
		selectedFields: selectedFields ?? [],
		onFailure: context.continueOnFail() ? 'errorItem' : stops ? 'stop' : 'unknown',
		failOnMalformedInput: options.failOnMalformedInput === true,
		...(!isForModel && isOn(options, operation.flatOption)
			? { isFlat: true, flatSections: chosenSections(context, operation) }
			: { isFlat: false }),
		resultField,
		maxConcurrentRequests: atLeastOne(options.maxConcurrentRequests, DEFAULT_CONCURRENCY),
		timeoutMs: atMostTimer(1000 * atLeastOne(options.timeout, timeoutSecondsOf(operation))),
		maxWaitMs: atMostTimer(60_000 * positive(options.maxWait, DEFAULT_MAX_WAIT_MINUTES.job)),
		maxQueueWaitMs: atMostTimer(60_000 * positive(options.maxWait, maxWaitMinutesOf(operation))),
		// 0 means no limit
		maxPaidLookups: operation.free ? undefined : positive(paidLookups, undefined),
		isDryRun: !operation.free && options.dryRun === true,
		asksAgainAfterLost: options.askAgainAfterLostReply === true,
		infersInGroups: isOn(options, operation.groupOption),
		retriesInconclusive: operation.refunds === true && options.retryInconclusive === true,
		routesByResult: !isForModel && routesByResult(context, operation),
		hasLedgerOutput: !isForModel && !operation.free && hasOption(context, 'ledgerOutput'),
		knownAnswers: known.knownAnswers,
		isForModel,
	};
}

/** The caller of a tool gets the first output only. */
function routesByResult(context: IExecuteFunctions, { outcomes }: AnyOperation): boolean {
	return outcomes !== undefined && context.getNodeParameter('routeByResult', 0, false) === true;
}

function maxPaidLookupsOf(
	context: IExecuteFunctions,
	options: IDataObject,
	isForModel: boolean,
): unknown {
	if (isForModel) return context.getNodeParameter('maxPaidLookups', 0, DEFAULT_TOOL_LOOKUPS);
	return 'maxPaidLookups' in options ? (options.maxPaidLookups ?? '') : 0;
}

/** Default of Max Wait, in minutes. */
export function maxWaitMinutesOf({ waits }: AnyOperation): number {
	return waits ? DEFAULT_MAX_WAIT_MINUTES.job : DEFAULT_MAX_WAIT_MINUTES.queue;
}

/** Default of If Some Items Fail: lookups keep the answers of the other items. */
export function keepsByDefault({ outcomes }: AnyOperation): boolean {
	return outcomes !== undefined;
}

/** Default of Timeout, in seconds. */
export function timeoutSecondsOf({ timeoutSeconds }: AnyOperation): number {
	return timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
}

/** The options of the first item that has them: where an expression in them fails for an item, that item fails alone. */
function firstReadableOptions(context: IExecuteFunctions): IDataObject {
	for (const item of context.getInputData().keys()) {
		try {
			// An expression in place of the options may give anything
			return Object(context.getNodeParameter('options', item, {}));
		} catch {
			continue;
		}
	}
	return {};
}

/** Whether an option that the operation may have is on. */
function isOn(options: IDataObject, name: string | undefined): boolean {
	return name !== undefined && options[name] === true;
}

/** The sections that the first item with a readable list of them has; none where no item has one. */
function chosenSections(context: IExecuteFunctions, operation: AnyOperation): string[] {
	const { output, sectionsField = '' } = operation;
	const isSection = (value: unknown) =>
		output.some(({ name, isLookup }) => isLookup && name === value);
	for (const item of context.getInputData().keys()) {
		try {
			const chosen: unknown = context.getNodeParameter(sectionsField, item, []);
			const isList = Array.isArray(chosen) && chosen.length > 0;
			if (isList && chosen.every(isSection)) return chosen;
		} catch {
			continue;
		}
	}
	return [];
}

/** Whether an option is on as it is written, which is all that the editor knows when it draws the outputs (editor/outputs.ts). */
function hasOption(context: IExecuteFunctions, name: string): boolean {
	const options = context.getNodeParameter('options', 0, {}, { rawExpressions: true });
	return (Object(options) as IDataObject)[name] === true;
}

/** The field that takes the result beside the input's fields, if the user wants those. */
function resultFieldOf(
	{ resource, subject }: AnyOperation,
	{ includeInputFields, putResultInField }: IDataObject,
): string | undefined {
	if (includeInputFields !== true || !subject) return undefined;
	return textOf(putResultInField).trim() || `${resource}Result`;
}

/** The chosen fields; undefined where their expression fails or gives anything but a list of names. */
function readSelectedFields(context: IExecuteFunctions): string[] | undefined {
	try {
		const fields: unknown = context.getNodeParameter('selectedFields', 0, []);
		const isTextList = Array.isArray(fields) && fields.every((name) => typeof name === 'string');
		return isTextList ? fields : undefined;
	} catch {
		return undefined;
	}
}

/** Finds settings that would spoil every answer after it was paid for. */
function problemWith(
	selectedFields: string[] | undefined,
	resultField: string | undefined,
	paidLookups: unknown,
): Failure | undefined {
	if (!selectedFields) {
		return parameterFailure("Fields isn't a list of field names. Choose them from the list");
	}
	// A limit that cannot be read must not pass for no limit
	const limit = textOf(paidLookups).trim();
	if (!/^\d+$/.test(limit)) {
		const wrong = limit === '' ? 'is empty' : `(${inShort(limit, 60)}) isn't a whole number`;
		return parameterFailure(`Max Paid Lookups ${wrong}. Enter a whole number, or 0 for no limit`);
	}
	if (resultField === 'error' || resultField === FORBIDDEN_NAME) {
		return parameterFailure(
			`Put Result in Field can't be "${resultField}", because n8n reserves that name. Choose another one`,
		);
	}
	return undefined;
}

/** A longer timer, about 25 days, would fire at once. */
function atMostTimer(ms: number): number {
	return Math.min(ms, 2 ** 31 - 1);
}

/** The number in an option; the fallback unless it is positive and finite. */
function positive<Fallback>(value: unknown, fallback: Fallback): Fallback | number {
	const number = value === undefined ? 0 : Number(textOf(value));
	return number > 0 && Number.isFinite(number) ? number : fallback;
}

function atLeastOne(value: unknown, fallback: number): number {
	return Math.floor(positive(value, 0)) || fallback;
}

/** Whether a model calls. The input then belongs to its caller, even webhook headers for an agent: never pass it on. */
export function isToolRun(context: IExecuteFunctions): boolean {
	return (context.isToolExecution?.() ?? false) || context.getNode().type.endsWith('Tool');
}
