import type { GenericValue, IDataObject } from 'n8n-workflow';
import { parseExactly } from '../../engine/network/parseReply';
import { FORBIDDEN_NAME, isObject, isTooDeep } from '../../engine/plan/values';

/** A JSON object or list in a text; other text, numbers included, is text. */
export function parseStructure(text: string): IDataObject | GenericValue[] | undefined {
	try {
		const value = parseExactly(text);
		if (isTooDeep(value)) return undefined;
		if (MAY_BE_FORBIDDEN.test(text)) removeForbidden(value);
		return isObject(value) || Array.isArray(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** The forbidden name in a text, plain or escaped. */
const MAY_BE_FORBIDDEN = new RegExp(`${FORBIDDEN_NAME}|\\\\u00`);

/** Removes the forbidden name from parsed JSON. A parser with a callback for each value takes many times as long. */
function removeForbidden(json: unknown): void {
	if (typeof json !== 'object' || json === null) return;
	if (Object.hasOwn(json, FORBIDDEN_NAME)) Reflect.deleteProperty(json, FORBIDDEN_NAME);
	for (const inner of Object.values(json)) removeForbidden(inner);
}
