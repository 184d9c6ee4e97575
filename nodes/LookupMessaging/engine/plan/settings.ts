import type {
	GenericValue,
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import type { AnswerRecord, Failure, OutputField } from '../results';
import { type AnyOperation, type BaseUrlsSet, parameterFailure, type Params } from '../operation';
import { canBeExpression, FORBIDDEN_NAME, inShort, isObject, quote, textOf } from './values';

/** The credential type that every call is authenticated with. */
export const CREDENTIAL_TYPE = 'lookupMessagingApi';

/** What the user set for the whole run, read once: values from the first item, a collection from the first that has it. */
export interface Settings {
	/** Why the run cannot start: every item fails with it before anything is sent. */
	problem?: Failure;
	output: 'flatColumns' | 'raw' | 'selectedFields' | 'simplified';
	selectedFields: string[];
	/** What a failed item becomes: an error item, an unknown, or one error for the node. */
	onFailure: 'errorItem' | 'stop' | 'unknown';
	/** What else fails items: values of Also Fail Items If. */
	alsoFailItemsIf: string[];
	/** The form of results that a feature adds. */
	layout?: Layout;
	/** Output field for the result, beside the input's fields; undefined to return the result alone. */
	resultField?: string;
	/** Undefined for no limit. */
	maxRequestsPerMinute?: number;
	timeoutMs: number;
	/** Longest wait for jobs of the service, over the whole run. */
	maxWaitMs: number;
	/** Longest wait of one call for the end of a pause that the service names. */
	maxQueueWaitMs: number;
	/** Maximum number of paid lookups of the whole execution; undefined for no limit. */
	maxPaidLookups?: number;
	isDryRun: boolean;
	/** Whether each outcome has its own output. */
	routesByResult: boolean;
	/** The parameter with the tag of an item's paid calls. */
	tagField?: TagField;
	/** Whether results say how old they are. */
	showsAge?: boolean;
	/** What features say about the fields, given what was read of each item: sentences without a full stop. */
	warnings?(fields: OpenedField[], values: Params[]): string[];
	/** The base URLs of the credential; undefined where it can't be read. */
	urls?: BaseUrlsSet;
	/** Whether a model calls the node and reads its output. */
	isForModel: boolean;
}

/** A parameter in a collection that may have another text in each item: the tag of its paid calls. */
export interface TagField {
	property: INodeProperties;
	collection: string;
}

/** A parameter that is read for each item, as the user wrote it; `null` if it is hidden or empty. */
export interface OpenedField {
	property: INodeProperties;
	written: unknown;
}

/** A form of results, such as a table. */
export interface Layout {
	/** The result of an operation with sections, alone or beside the fields of the input. */
	inColumns(result: SectionedResult, isBeside: boolean): IDataObject;
	/** Whether a field of the input has the name of a column beside it. */
	isColumn(name: string, resultField: string): boolean;
	/** What stands beside the fields of the input, in place of one field with this name. */
	beside(result: IDataObject, name: string): IDataObject;
}

/** A result with sections: what all results begin with, its fields, and their values. */
export interface SectionedResult {
	operation: AnyOperation;
	head: IDataObject;
	fields: OutputField[];
	record: AnswerRecord;
}

/** Default limit for calls of a model: five contacts with all their lookups. */
export const DEFAULT_TOOL_LOOKUPS = 25;
export const DEFAULT_TIMEOUT_SECONDS = 60;
/** For jobs of the service, and for pauses that the service asks for. */
const DEFAULT_MAX_WAIT_MINUTES = { job: 30, queue: 5 };

/** @param features what features add to the settings */
export function readSettings(reader: SettingsReader, features: Partial<Settings> = {}): Settings {
	const { context, operation, options, isForModel } = reader;
	const selectedFields = reader.selectedFields();
	const resultField = isForModel ? undefined : reader.resultField();
	const paidLookups = isForModel
		? reader.parameter('maxPaidLookups', DEFAULT_TOOL_LOOKUPS)
		: { maxPaidLookups: 0, ...options }.maxPaidLookups;
	const stops = options.ifSomeItemsFail
		? options.ifSomeItemsFail === 'stopNode'
		: !keepsByDefault(operation);
	const routes = !isForModel && operation.outcomes !== undefined && reader.drawn('routeByResult');
	const output = reader.parameter('output', 'simplified') as Settings['output'];
	const isListed = output !== 'selectedFields' || selectedFields?.length !== 0;
	const wholeTimeout = Math.floor(positive(options.timeout, 0));
	return {
		...features,
		output,
		problem:
			reader.misread?.failure ??
			problemWith(
				isListed ? selectedFields : undefined,
				resultField,
				options.maxRequestsPerMinute,
			) ??
			limitProblem(reader, ['maxPaidLookups', 'Max Paid Lookups'], paidLookups) ??
			features.problem,
		selectedFields: selectedFields ?? [],
		onFailure: context.continueOnFail() ? 'errorItem' : stops ? 'stop' : 'unknown',
		alsoFailItemsIf: (options.alsoFailItemsIf ?? []) as string[],
		resultField,
		maxRequestsPerMinute: positive(options.maxRequestsPerMinute, undefined),
		timeoutMs: atMostTimer(1000 * (wholeTimeout || timeoutSecondsOf(operation))),
		maxWaitMs: atMostTimer(60_000 * positive(options.maxWait, DEFAULT_MAX_WAIT_MINUTES.job)),
		maxQueueWaitMs: atMostTimer(60_000 * positive(options.maxWait, maxWaitMinutesOf(operation))),
		// 0 means no limit
		maxPaidLookups: operation.free ? undefined : positive(paidLookups, undefined),
		isDryRun: !operation.free && options.dryRun === true,
		routesByResult: routes,
		isForModel,
	};
}

/** Parameters as written. */
const RAW = { rawExpressions: true } as const;

/** Reads what is set for the whole run, each value by its declaration. */
export class SettingsReader {
	readonly options: IDataObject = {};
	/** The first value that cannot be read. The run must not start with it. */
	misread?: Misread;

	readonly isForModel: boolean;

	/** @param declared the parameters that the editor declares for every operation, with its collections of options */
	constructor(
		readonly context: IExecuteFunctions,
		readonly operation: AnyOperation,
		private readonly declared: INodeProperties[],
	) {
		this.isForModel = isToolRun(context);
		for (const { name: collection, type, displayName, options: own } of declared) {
			if (type !== 'collection') continue;
			const values = firstReadable(context, collection);
			const isRead = isObject(values);
			if (!isRead) this.misread ??= new Misread(`${displayName} isn't a set of options. Remove it`);
			const given = isRead ? values : {};
			const ofRun = (own as INodeProperties[]).filter(
				({ name }) => Object.hasOwn(given, name) && !isOfItem(operation, name),
			);
			for (const { name } of ofRun) this.options[name] = given[name] ?? '';
			const misread = readAll(ofRun, this.options);
			this.misread ??= misread;
		}
	}

	/** A parameter outside the options; the fallback if it is hidden or empty. */
	readonly parameter = (name: string, fallback: GenericValue): GenericValue =>
		this.read(name, this.context.getNodeParameter(name, 0, fallback)) ?? fallback;

	/** A switch that decides which inputs and outputs the editor draws (editor/outputs.ts): it is read as written. */
	readonly drawn = (name: string): boolean => {
		const written = this.context.getNodeParameter(name, 0, false, RAW);
		return this.read(name, written as GenericValue) === true;
	};

	/** The field that takes the result beside the input's fields, if the user wants those. */
	resultField(): string | undefined {
		const { resource, subject } = this.operation;
		const isWanted = this.parameter('includeOtherInputFields', false) === true;
		if (!isWanted || !subject) return undefined;
		return textOf(this.options.putOutputInField).trim() || outputFieldOf(resource);
	}

	/** The chosen fields; undefined if their expression fails or returns no list of names. */
	selectedFields(): string[] | undefined {
		try {
			const fields: unknown = this.context.getNodeParameter('selectedFields', 0, []);
			const isTextList = Array.isArray(fields) && fields.every((name) => typeof name === 'string');
			return isTextList ? (this.read('selectedFields', fields) as string[]) : undefined;
		} catch {
			return undefined;
		}
	}

	private read(name: string, value: unknown): GenericValue {
		const property = this.declared.find((each) => each.name === name);
		if (!property) return value as GenericValue;
		const read = readDeclared(property, value as GenericValue);
		if (!(read instanceof Misread)) return read;
		this.misread ??= read;
		return undefined;
	}
}

/** Whether an option belongs to the operation and is read for each item (parameters.ts). */
export function isOfItem(operation: AnyOperation, name: string): boolean {
	const { groupOption, options = [] } = operation;
	return name !== groupOption && options.some((own) => own.name === name);
}

export function maxWaitMinutesOf({ waits }: AnyOperation): number {
	return waits ? DEFAULT_MAX_WAIT_MINUTES.job : DEFAULT_MAX_WAIT_MINUTES.queue;
}

/** Whether it is a lookup, which by default keeps paid results and input fields. */
export function keepsByDefault({ outcomes }: AnyOperation): boolean {
	return outcomes !== undefined;
}

export function timeoutSecondsOf({ timeoutSeconds }: AnyOperation): number {
	return timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
}

/** A collection of the first item that has it. If an expression in it fails for an item, that item fails alone. */
function firstReadable(context: IExecuteFunctions, collection: string): unknown {
	for (const item of context.getInputData().keys()) {
		try {
			return context.getNodeParameter(collection, item, {});
		} catch {
			continue;
		}
	}
	return {};
}

export function outputFieldOf(resource: string): string {
	return `${resource}Result`;
}

/** Finds settings that would spoil every answer after it was paid for. */
function problemWith(
	selectedFields: string[] | undefined,
	resultField: string | undefined,
	perMinute: unknown,
): Failure | undefined {
	if (!selectedFields) {
		return parameterFailure(
			"Fields is empty, or isn't a list of field names. Choose them from the list",
		);
	}
	if (Number(perMinute) < 0) {
		return parameterFailure('Max Requests per Minute is below 0. Enter 0 for no limit, or more');
	}
	if (resultField === 'error' || resultField === FORBIDDEN_NAME) {
		return parameterFailure(
			`Put Output in Field can't be "${resultField}", because n8n reserves that name. Choose another one`,
		);
	}
	return undefined;
}

/** Why a limit must not count as no limit: it cannot be read, or an expression has come to 0. */
export function limitProblem(
	{ context, isForModel }: Pick<SettingsReader, 'context' | 'isForModel'>,
	[name, displayName]: [name: string, displayName: string],
	value: unknown,
): Failure | undefined {
	const limit = textOf(value).trim();
	const isRead = /^\d{1,15}$/.test(limit);
	if (isRead && (Number(limit) > 0 || isForModel)) return undefined;
	const written: unknown = context.getNodeParameter('spendingLimits', 0, {}, RAW);
	if (isRead && isObject(written) && !canBeExpression(written[name])) return undefined;
	const unread = limit === '' ? 'is empty' : `(${inShort(limit, 60)}) isn't a whole number`;
	const wrong = isRead ? 'comes to 0, so no paid lookup is left' : unread;
	const remedy = 'Enter a whole number, or 0 without an expression for no limit';
	return parameterFailure(`${displayName} ${wrong}. ${remedy}`);
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

/** Whether a model calls. The input then belongs to its caller, and may contain webhook headers of an agent: never pass it on. */
export function isToolRun(context: IExecuteFunctions): boolean {
	return (context.isToolExecution?.() ?? false) || context.getNode().type.endsWith('Tool');
}

/** Why a value cannot be read. Nothing is sent for it. */
export class Misread {
	readonly failure: Failure;

	/** @param reason a sentence without a full stop */
	constructor(reason: string) {
		this.failure = parameterFailure(reason);
	}
}

const ON = ['true', 'yes', 'on', 'y', '1'];
const OFF = ['false', 'no', 'off', 'n', '0'];
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
/** Longest text that is a value, and longest list of choices that a message names. */
const MAX_CHARACTERS = 200;

type ReadValue = (property: INodeProperties, value: GenericValue) => GenericValue | Misread;
const READERS: Partial<Record<INodeProperties['type'], ReadValue>> = {
	...{ boolean: readSwitch, number: readNumber, options: readChoice, multiOptions: readChoices },
};

/** Whether the values of a parameter are read here, not as texts. */
export function isDeclaredType({ type }: INodeProperties): boolean {
	return type in READERS;
}

/**
 * The value of a parameter, by its declared type: the one reader of switches, numbers and choices. Expressions, models and imported
 * workflows may have "TRUE" for true and "5" for 5. An unreadable value is refused, so that a switch that is on is never read as off.
 * Missing values remain missing; so is an empty number or choice, not an empty switch.
 */
export function readDeclared(
	property: INodeProperties,
	value: GenericValue,
): GenericValue | Misread {
	const read = READERS[property.type];
	return !read || value === null || value === undefined ? value : read(property, value);
}

/** Reads declared values in place. @returns the first that cannot be read; all such are taken out */
export function readAll(properties: INodeProperties[], values: IDataObject): Misread | undefined {
	let misread: Misread | undefined;
	for (const property of properties) {
		if (!Object.hasOwn(values, property.name)) continue;
		const value = readDeclared(property, values[property.name] as GenericValue);
		if (value instanceof Misread) {
			misread ??= value;
			delete values[property.name];
		} else values[property.name] = value;
	}
	return misread;
}

function readSwitch(property: INodeProperties, value: GenericValue): boolean | Misread {
	if (typeof value === 'boolean') return value;
	const text = plainText(value)?.toLowerCase();
	if (text !== undefined && ON.includes(text)) return true;
	if (text !== undefined && OFF.includes(text)) return false;
	return misread(property, value, "isn't true or false. Switch it on or off");
}

function readNumber(property: INodeProperties, value: GenericValue): Misread | number | undefined {
	if (typeof value === 'number' && Number.isFinite(value)) return value;
	const text = plainText(value);
	if (text === '') return undefined;
	if (text !== undefined && NUMBER.test(text)) return Number(text);
	return misread(property, value, "isn't a number. Enter digits only");
}

/** Exact spelling only: in another spelling n8n would hide the fields of the choice, with their values. */
function readChoice(property: INodeProperties, value: GenericValue): GenericValue | Misread {
	const choices = choicesOf(property);
	if (plainText(value) === '') return undefined;
	const choice = choices.find((each) => each.value === value);
	return choice ? choice.value : misread(property, value, `is none of ${listed(choices)}`);
}

function readChoices(property: INodeProperties, value: GenericValue): GenericValue | Misread {
	const choices = choicesOf(property);
	if (value === '') return undefined;
	const texts = Array.isArray(value) ? value.map(plainText) : [undefined];
	const found = texts.map((text) => (text ? findChoice(choices, text) : undefined));
	if (!found.includes(undefined)) return found.map((choice) => choice?.value) as GenericValue;
	return misread(property, value, `isn't a list of ${listed(choices)}`);
}

function choicesOf({ options = [] }: INodeProperties): INodePropertyOptions[] {
	return options as INodePropertyOptions[];
}

/** A choice by its value, or by the name that the editor shows for it, in any case. */
function findChoice(choices: INodePropertyOptions[], text: string) {
	const wanted = text.toLowerCase();
	return (
		choices.find(({ value }) => value === text) ??
		choices.find(({ value, name }) =>
			[String(value), name].some((known) => known.toLowerCase() === wanted),
		)
	);
}

function listed(choices: INodePropertyOptions[]): string {
	const values = choices.map(({ value }) => `"${value}"`).join(', ');
	return `${inShort(values, MAX_CHARACTERS)}. Choose from the list`;
}

/** A single value as text without spaces around it; undefined for a list, an object or a text that is too long for any value. */
function plainText(value: unknown): string | undefined {
	if (!['string', 'number', 'boolean', 'bigint'].includes(typeof value)) return undefined;
	const text = String(value);
	return text.length > MAX_CHARACTERS ? undefined : text.trim();
}

function misread({ displayName }: INodeProperties, value: unknown, what: string): Misread {
	return new Misread(`${displayName} (${quote(textOf(value))}) ${what}`);
}
