import type { GenericValue, IDataObject, ResourceMapperField } from 'n8n-workflow';
import { parseExactly } from '../../engine/network/parseReply';
import type { LocalAnswer } from '../../engine/operation';
import {
	FORBIDDEN_NAME,
	MAX_LEVELS,
	MAY_BE_FORBIDDEN,
	inShort,
	isObject,
	isTooDeep,
	textOf,
} from '../../engine/plan/values';

/** Reads the arguments of a tool, and reports what is wrong with them before the call. */

/** Display name of the field that takes all arguments at once. */
export const JSON_FIELD = 'Arguments (JSON)';

/** Most characters of the JSON parser's message, which quotes the text. */
const LONGEST_WORDS = 200;

const NO_OBJECT = 'isn\'t a JSON object such as {"number": "+12025550102"}';

/** The arguments in a wrapper, since an argument may have any name. */
export interface Arguments {
	args: IDataObject;
}

const problem = (field: string, reason: string): LocalAnswer => ({
	local: 'parameter',
	field,
	reason,
});

/** Arguments given as JSON: text, or an object from an expression. */
export function readJsonArguments(given: unknown): Arguments | LocalAnswer {
	if (given === null || given === undefined || given === '') return { args: {} };
	const value = Array.isArray(given) ? NO_OBJECT : parseJson(given);
	if (typeof value === 'string') return problem(JSON_FIELD, value);
	return isObject(value.json) ? { args: value.json } : problem(JSON_FIELD, NO_OBJECT);
}

/** Arguments given in the form, made into the types that the tool's schema names. */
export function readFormArguments(mapped: unknown): Arguments | LocalAnswer {
	const form = isObject(mapped) ? mapped : {};
	const given = isObject(form.value) ? form.value : {};
	const isField = (entry: unknown) => isObject(entry) && typeof entry.id === 'string';
	const schema = [form.schema].flat().filter(isField) as ResourceMapperField[];
	if (schema.length + Object.keys(given).length > MAX_IN_FORM) {
		return problem('Arguments', 'has more than 1,000 arguments. Enter them as JSON');
	}
	const values = new Map(Object.entries(given));
	const fields = new Map(schema.map((field) => [field.id, field]));
	const args: Array<[string, GenericValue]> = [];
	for (const name of new Set([...fields.keys(), ...values.keys()])) {
		const field = fields.get(name);
		if (field?.removed) continue;
		const read = readArgument(name, values.get(name), field);
		if (typeof read === 'string') return problem(`Argument "${name}"`, read);
		if (read) args.push([name, read.json]);
	}
	return { args: Object.fromEntries(args) };
}

/** A value to send, in a wrapper, since it may be anything; or its problem. */
type Read = { json: GenericValue } | string;

/** One argument; undefined when it is left out. An empty field is left out. */
function readArgument(
	name: string,
	value: unknown,
	field: ResourceMapperField | undefined,
): Read | undefined {
	if (name === FORBIDDEN_NAME) return NOT_A_NAME;
	if (value === null || value === undefined || value === '') {
		if (!field?.required) return undefined;
		// A switch that was never touched shows as off
		return field.type === 'boolean' ? { json: false } : 'is empty, and the tool requires it';
	}
	return readAs(value, field);
}

function readAs(value: unknown, field: ResourceMapperField | undefined): Read {
	const text = typeof value === 'string' ? value.trim() : value;
	switch (field?.type) {
		case 'number':
			return readNumber(text);
		case 'boolean':
			return readBoolean(text);
		case 'array':
			return readStructure(value, Array.isArray, 'isn\'t a JSON array such as ["a", "b"]');
		case 'object':
			return readStructure(value, isObject, 'isn\'t a JSON object such as {"a": 1}');
		case 'options':
			return readChoice(text, field);
		case 'string':
			return { json: textOf(value) };
		default:
			return typeof value === 'string' ? { json: value } : parseJson(JSON.stringify(value));
	}
}

/** A number as people write it. Digits after a 0 are a code or a phone number. */
const NUMBER = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function readNumber(value: unknown): Read {
	const number = Number(textOf(value));
	if (!NUMBER.test(textOf(value)) || !Number.isFinite(number)) return "isn't a number";
	return Number.isInteger(number) && !Number.isSafeInteger(number)
		? 'has more digits than a number can hold. Enter the arguments as JSON, with this one in quotes'
		: { json: number };
}

function readBoolean(value: unknown): Read {
	const word = textOf(value).toLowerCase();
	if (word === 'true' || word === '1') return { json: true };
	return word === 'false' || word === '0' ? { json: false } : "isn't true or false";
}

function readStructure(value: unknown, fits: (json: unknown) => boolean, otherwise: string): Read {
	const read = parseJson(value);
	if (typeof read === 'string')
		return [NOT_A_NAME, TOO_DEEP, TOO_LONG].includes(read) ? read : otherwise;
	return fits(read.json) ? read : otherwise;
}

function readChoice(value: unknown, { options = [] }: ResourceMapperField): Read {
	const choice = options.find((option) => textOf(option.value) === textOf(value));
	const names = options.map(({ name }) => name).join(', ');
	return choice ? { json: choice.value } : `isn't one of ${names}`;
}

/** Maximum number of characters of all arguments. */
const MAX_IN_JSON = 500_000;
const TOO_LONG = 'has more than 500,000 characters. Shorten it';
/** Maximum number of fields and values of the form. */
const MAX_IN_FORM = 2_000;

const NOT_A_NAME = `contains the name "${FORBIDDEN_NAME}", which is never sent`;
const TOO_DEEP = 'is nested too deeply';
const NOT_HELD = "contains a value that JSON can't hold";
/** Such as 1e400, which would be sent as null. */
const MAY_BE_TOO_LARGE = /[:,[\s]-?[\d.]{1,400}e\+?\d{3}/i;
/** Text with enough brackets for that depth. Checking each value of an object with many names takes longer. */
const MAY_BE_DEEP = new RegExp(`^(?:[^[{]*[[{]){${MAX_LEVELS}}`);

/** Parsed JSON, or its problem. Objects are read from their JSON, so that what is checked is what is sent. */
function parseJson(given: unknown): Read {
	let isForbidden = false;
	let isTooLarge = false;
	try {
		const text = typeof given === 'string' ? given : (JSON.stringify(given) ?? textOf(given));
		if (text.length > MAX_IN_JSON) return TOO_LONG;
		const look = (name: string, value: GenericValue) => {
			isForbidden ||= name === FORBIDDEN_NAME;
			isTooLarge ||= value === Infinity || value === -Infinity;
			return value;
		};
		const mayBeWrong = MAY_BE_FORBIDDEN.test(text) || MAY_BE_TOO_LARGE.test(text);
		const parsed = parseExactly(text, mayBeWrong ? look : undefined);
		if (isForbidden) return NOT_A_NAME;
		if (isTooLarge) return NOT_HELD;
		const json = parsed as GenericValue;
		return MAY_BE_DEEP.test(text) && isTooDeep(json) ? TOO_DEEP : { json };
	} catch (error) {
		if (error.name === 'RangeError') return TOO_DEEP;
		if (error.name === 'TypeError') return NOT_HELD;
		return `isn't valid JSON: ${inShort(error.message, LONGEST_WORDS)}`;
	}
}
