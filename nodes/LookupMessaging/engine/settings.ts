import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { FORBIDDEN_NAME } from './depth';
import { parameterFailure, type Failure } from './failure';
import type { AnyOperation } from './operation';
import { DEFAULT_TOOL_LOOKUPS } from './tool';
import { optionsIn } from './parameters';
import { inShort, textOf } from './text';

/** What the user set for the whole run, read once from the first item. */
export interface Settings {
	/** Why the run cannot start, if it cannot: every item fails with it before anything is sent. */
	problem?: Failure;
	output: 'raw' | 'selectedFields' | 'simplified';
	/** Field names for 'Selected Fields'. */
	selectedFields: string[];
	/** What becomes of items without an answer: an error item each, an unknown each, or one error for the node. */
	onFailure: 'errorItem' | 'stop' | 'unknown';
	failOnMalformedInput: boolean;
	/** Field of the output that takes the result, beside the input's fields; undefined to give the result alone. */
	resultField?: string;
	/** Calls that may be under way at once. */
	maxConcurrentRequests: number;
	timeoutMs: number;
	/** Longest wait for jobs of the service, over the whole run. */
	maxWaitMs: number;
	/** Longest wait of one call for the service to take calls again. */
	patienceMs: number;
	/** Most paid lookups of the whole execution; undefined for as many as it takes. */
	maxPaidLookups?: number;
	checksBalanceFirst: boolean;
	isDryRun: boolean;
	asksAgainAfterLost: boolean;
	retriesInconclusive: boolean;
	/** Whether each outcome has an output of its own. */
	routesByResult: boolean;
	/** Whether a model calls, and reads what comes out. */
	isForModel: boolean;
}

/** Values of options that the user did not set. */
export const DEFAULT_CONCURRENCY = 100;
export const DEFAULT_TIMEOUT_SECONDS = 60;
/** For jobs of the service; and for the service to take calls again, which is not worth so much waiting. */
const DEFAULT_MAX_WAIT_MINUTES = { job: 30, turn: 5 };

/** Reads the settings of the run. */
export function readSettings(context: IExecuteFunctions, operation: AnyOperation): Settings {
	const options = firstReadableOptions(context);
	const stops = options.ifSomeItemsFail
		? options.ifSomeItemsFail === 'stopNode'
		: !keepsByDefault(operation);
	const selectedFields = readSelectedFields(context);
	const resultField = resultFieldOf(context, operation, options);
	const mostLookups = givenMaxPaidLookups(context, options);
	return {
		problem: problemWith(selectedFields, resultField, mostLookups),
		output: context.getNodeParameter('output', 0, 'simplified') as Settings['output'],
		selectedFields: isTextList(selectedFields) ? selectedFields : [],
		onFailure: context.continueOnFail() ? 'errorItem' : stops ? 'stop' : 'unknown',
		failOnMalformedInput: options.failOnMalformedInput === true,
		resultField,
		maxConcurrentRequests: atLeastOne(options.maxConcurrentRequests, DEFAULT_CONCURRENCY),
		timeoutMs: atMostTimer(1000 * atLeastOne(options.timeout, timeoutSecondsOf(operation))),
		maxWaitMs: atMostTimer(60_000 * positive(options.maxWait, DEFAULT_MAX_WAIT_MINUTES.job)),
		patienceMs: atMostTimer(60_000 * positive(options.maxWait, maxWaitMinutesOf(operation))),
		maxPaidLookups: operation.free ? undefined : limitOf(mostLookups),
		checksBalanceFirst: !operation.free && options.checkBalanceFirst === true,
		isDryRun: !operation.free && options.dryRun === true,
		asksAgainAfterLost: options.askAgainAfterLostReply === true,
		retriesInconclusive: operation.refunds === true && options.retryInconclusive === true,
		routesByResult: routesByResult(context, operation),
		isForModel: isToolRun(context),
	};
}

/** How long an operation waits, in minutes, unless the user says otherwise. */
export function maxWaitMinutesOf({ waits }: AnyOperation): number {
	return waits ? DEFAULT_MAX_WAIT_MINUTES.job : DEFAULT_MAX_WAIT_MINUTES.turn;
}

/** A tool has the limit in plain sight, every other node among its options. */
function givenMaxPaidLookups(context: IExecuteFunctions, { maxPaidLookups }: IDataObject): unknown {
	if (!isToolRun(context)) return maxPaidLookups;
	return context.getNodeParameter('maxPaidLookups', 0, DEFAULT_TOOL_LOOKUPS);
}

/** 0 means no limit. */
function limitOf(maxPaidLookups: unknown): number | undefined {
	const most = Number(textOf(maxPaidLookups ?? 0));
	return most > 0 ? most : undefined;
}

/** Whoever calls a tool is given the first output only. */
function routesByResult(context: IExecuteFunctions, { outcomes }: AnyOperation): boolean {
	if (!outcomes || isToolRun(context)) return false;
	return context.getNodeParameter('routeByResult', 0, false) === true;
}

/** The options of the first item that has them: an expression in them may fail for an item, which then fails alone. */
function firstReadableOptions(context: IExecuteFunctions): IDataObject {
	for (const item of context.getInputData().keys()) {
		try {
			return optionsIn(context.getNodeParameter('options', item, {}));
		} catch {
			continue;
		}
	}
	return {};
}

/** Whether the answers of the others are kept when an item fails, unless the user says otherwise: those of lookups. */
export function keepsByDefault({ outcomes }: AnyOperation): boolean {
	return outcomes !== undefined;
}

/** How long one call of the operation may take, in seconds, unless the user says otherwise. */
export function timeoutSecondsOf({
	timeoutSeconds = DEFAULT_TIMEOUT_SECONDS,
}: AnyOperation): number {
	return timeoutSeconds;
}

/** Where the result goes beside the input's fields, if it does; a tool call gives no input away. */
function resultFieldOf(
	context: IExecuteFunctions,
	{ resource, subject }: AnyOperation,
	{ includeInputFields, putResultInField }: IDataObject,
): string | undefined {
	if (includeInputFields !== true || !subject || isToolRun(context)) return undefined;
	return textOf(putResultInField).trim() || `${resource}Result`;
}

/** The chosen fields, or undefined where their expression fails. */
function readSelectedFields(context: IExecuteFunctions): unknown {
	try {
		return context.getNodeParameter('selectedFields', 0, []);
	} catch {
		return undefined;
	}
}

/** Settings that would spoil every answer after it was paid for. */
function problemWith(
	selectedFields: unknown,
	resultField: string | undefined,
	maxPaidLookups: unknown,
): Failure | undefined {
	if (!isTextList(selectedFields)) {
		return parameterFailure('Fields is not a list of field names; choose them from the list');
	}
	if (maxPaidLookups !== undefined && !isCount(maxPaidLookups)) {
		const said = inShort(textOf(maxPaidLookups), 60);
		return parameterFailure(`Max Paid Lookups (${said}) is not a whole number; 0 means no limit`);
	}
	if (resultField === 'error' || resultField === FORBIDDEN_NAME) {
		return parameterFailure(
			`Put Result in Field cannot be "${resultField}", which n8n keeps for itself; choose another name`,
		);
	}
	return undefined;
}

/** A limit that cannot be read must not pass for none. */
function isCount(value: unknown): boolean {
	const text = textOf(value).trim();
	return /^\d+$/.test(text);
}

function isTextList(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

/** Whether a model calls. The input is then the caller's (with an agent even its webhook headers): it is never passed on. */
export function isToolRun(context: IExecuteFunctions): boolean {
	return (context.isToolExecution?.() ?? false) || context.getNode().type.endsWith('Tool');
}

/** A timer that is set to more, about 25 days, goes off at once. */
function atMostTimer(ms: number): number {
	return Math.min(ms, 2 ** 31 - 1);
}

function positive(value: unknown, fallback: number): number {
	const number = Number(textOf(value));
	return Number.isFinite(number) && number > 0 ? number : fallback;
}

function atLeastOne(value: unknown, fallback: number): number {
	const number = Number(textOf(value));
	return Number.isFinite(number) && number >= 1 ? Math.floor(number) : fallback;
}
