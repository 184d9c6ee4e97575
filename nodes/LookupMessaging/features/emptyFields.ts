import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { FeatureOpener } from '../engine/feature';
import type { Params } from '../engine/operation';
import { MAX_IN_EXPRESSION, STEPS, stepsOf } from '../engine/plan/parameters';
import type { OpenedField } from '../engine/plan/settings';
import { isEmpty } from '../engine/plan/values';

/** Warnings about the fields of a run that most likely have a misspelled expression. */
export const emptyFields: FeatureOpener = ({ context }) => ({
	warnings: (fields, values) => emptyFieldWarnings(fields, values, context.getInputData()),
});

/** A field in other code. A name that is called is a method. */
const FIELD_IN_CODE = new RegExp(String.raw`\$json${STEPS}(?!\w*\s*\()`, 'g');

/** Code that may handle a missing field. */
const MAY_DO_WITHOUT = /[?|&]|\$if|\.find\(/;

/**
 * Finds the fields that are empty in all items, and those whose expression names a field that no item has.
 * @param values what was read of each item; a field that could not be read is absent, and fails its item
 * @returns sentences without a full stop
 */
export function emptyFieldWarnings(
	fields: OpenedField[],
	values: Params[],
	items: INodeExecutionData[],
): string[] {
	if (values.length === 0) return [];
	const isOne = items.length === 1;
	return fields.flatMap(({ property: { name, displayName, required }, written }) => {
		const text = unwrapped(written);
		if (typeof text !== 'string') return [];
		const isExpression = text.startsWith('=') && text.includes('{{');
		if (!isExpression && !required) return [];
		const paths = isExpression ? fieldsIn(text) : [];
		const isMissing = paths.some((path) => !items.some(({ json }) => hasField(json, path)));
		const isUndefined = unwrapped(values[0][name]) === undefined && !MAY_DO_WITHOUT.test(text);
		// One form whose optional field was left empty is fine
		const isSuspect = required || !isOne || isMissing || isUndefined;
		const remedy = isExpression ? 'Check the field name in its expression' : 'Fill it in';
		if (isSuspect && values.every((params) => name in params && isEmpty(unwrapped(params[name])))) {
			return [`${displayName} is empty${isOne ? '' : ` in all ${items.length} items`}. ${remedy}`];
		}
		const without = isOne ? "the item doesn't have" : 'no item has';
		return isMissing ? [`${displayName} refers to a field that ${without}. ${remedy}`] : [];
	});
}

/** What the user entered into a resource locator; any other value as it is. */
function unwrapped(value: unknown): unknown {
	const { __rl: isLocator, value: inner } = Object(value) as IDataObject;
	return isLocator ? inner : value;
}

function fieldsIn(expression: string): string[][] {
	if (expression.length > MAX_IN_EXPRESSION) return [];
	return [...expression.matchAll(/\{\{(.*?)\}\}/gs)]
		.filter(([code]) => !MAY_DO_WITHOUT.test(code))
		.flatMap(([code]) => [...code.matchAll(FIELD_IN_CODE)].map(([, path]) => stepsOf(path)));
}

/** Whether an item has a field; also true if only n8n can evaluate it, for example the length of a text. */
function hasField(json: unknown, [step, ...rest]: string[]): boolean {
	if (step === undefined || typeof json !== 'object' || json === null) return true;
	return step in json && hasField((json as IDataObject)[step], rest);
}
