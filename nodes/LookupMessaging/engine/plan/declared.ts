import type {
	GenericValue,
	IDataObject,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { parameterFailure } from '../operation';
import type { Failure } from '../results';
import { inShort, quote, textOf } from './values';

/**
 * The one reader of switches, numbers and choices. Expressions, models and imported workflows may contain "TRUE" for true and " 5
 * " for 5. An unreadable value is refused, so that a switch that is on is never read as off.
 */

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

/** Whether the values of a parameter are read here, not as texts. */
export function isDeclaredType({ type }: INodeProperties): boolean {
	return ['boolean', 'number', 'options', 'multiOptions'].includes(type);
}

/** The value of a parameter, by its declared type. Missing ones remain missing; so is an empty number or choice, not an empty switch. */
export function readDeclared(
	property: INodeProperties,
	value: GenericValue,
): GenericValue | Misread {
	if (value === null || value === undefined) return value;
	switch (property.type) {
		case 'boolean':
			return readSwitch(property, value);
		case 'number':
			return readNumber(property, value);
		case 'options':
			return readChoice(property, value);
		case 'multiOptions':
			return readChoices(property, value);
		default:
			return value;
	}
}

/** Reads the declared values of a collection. @returns all values as read, and the first that cannot be read */
export function readCollection(properties: INodeProperties[], values: IDataObject) {
	const read: IDataObject = {};
	let misread: Misread | undefined;
	for (const property of properties) {
		if (!Object.hasOwn(values, property.name)) continue;
		const value = readDeclared(property, (values[property.name] as GenericValue) ?? '');
		if (value instanceof Misread) misread ??= value;
		else read[property.name] = value;
	}
	return { read, misread };
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
