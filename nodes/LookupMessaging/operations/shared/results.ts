import type { IDataObject } from 'n8n-workflow';
import { entriesIn, isNothing, objectsAt } from './replyWords';
import { isObject, textOf } from '../../engine/plan/values';

/**
 * Finds the results in a body whose shape SPEC §2.1 and §4.1 do not show: an object, with a list near the top if there are
 * several.
 */

/** Where a list of results may be, in the order of the search. */
export const RESULT_LISTS = [
	'data',
	'results',
	'posts',
	'tweets',
	'statuses',
	'timeline',
	'feed',
	'comments',
	'replies',
	'items',
	'children',
];
/** Where one result, or the object around a list, may be. */
export const HOLDERS = ['data', 'result', 'results', 'response', 'post', 'tweet'];
/** What a reply says of itself: not a result. */
export const ENVELOPE = new Set([
	'balance',
	'code',
	'count',
	'error',
	'errors',
	'message',
	'ok',
	'post_url',
	'query',
	'status',
	'success',
	'total',
]);

/** Lists that may be empty beside one that says what it has. */
const ANY_LIST = new Set(['data', 'items', 'results']);

/** Lists of what is said about a post. */
export const COMMENT_LISTS = ['comments', 'replies', 'children'];

/**
 * The list of a body: at one of the names, or below one of the usual holders. Null is no list. A list with entries takes precedence
 * over an empty one, unless only one of them has comments.
 */
export function findList(body: IDataObject, names: string[]): unknown[] | undefined {
	const holders = [body, ...objectsAt(body, HOLDERS)];
	let empty: { name: string; list: unknown[] } | undefined;
	const canReplace = (name: string) =>
		!empty ||
		ANY_LIST.has(empty.name) ||
		(empty.name !== name && isOfComments(empty.name) === isOfComments(name));
	for (const holder of holders) {
		for (const name of names) {
			const value = holder[name];
			if (!Array.isArray(value)) continue;
			// A copy of a long list of short entries takes several times its text
			const list = value.every(isResult) ? value : value.filter(isResult);
			if (value.length > 0 && canReplace(name)) return list;
			if (value.length === 0) empty ??= { name, list };
		}
	}
	return empty?.list;
}

/** How deep, and in how many objects, a list is looked for. */
const MAX_LEVELS = 4;
const MAX_OBJECTS = 1_000;

/**
 * The one list of such a kind that an object has at any level; undefined if there are several.
 * @param canHold whether the value at a name is looked at
 */
export function findNestedList(
	body: IDataObject,
	isSuch: (list: unknown[], name: string) => boolean,
	canHold: (name: string) => boolean = () => true,
): unknown[] | undefined {
	let left = MAX_OBJECTS;
	const listsIn = (object: IDataObject, levels: number): unknown[][] =>
		entriesIn(object).flatMap(([name, value]) => {
			if (!canHold(name)) return [];
			if (Array.isArray(value)) return isSuch(value, name) ? [value] : [];
			return isObject(value) && levels > 0 && (left -= 1) >= 0 ? listsIn(value, levels - 1) : [];
		});
	const [list, ...others] = listsIn(body, MAX_LEVELS);
	return others.length > 0 ? undefined : list?.filter(isResult);
}

function isOfComments(name: string): boolean {
	return COMMENT_LISTS.includes(name);
}

/** The one result in a body: in a holder, the first of a list there, or the body itself. Undefined if it is empty. */
export function findObject(body: IDataObject): IDataObject | undefined {
	for (const name of HOLDERS) {
		const value = body[name];
		if (isObject(value) && entriesIn(value).length > 0) return value;
		if (Array.isArray(value) && value.length > 0) {
			const found = value.findIndex(isResult);
			return found < 0 ? undefined : asResult(value[found]);
		}
	}
	if (textInPlace(body) !== undefined) return undefined;
	const hasOwn = entriesIn(body).some(([name, value]) => !ENVELOPE.has(name) && !isNothing(value));
	return hasOwn ? body : undefined;
}

/** A text where a list or an object should be: "rate limited" is no result. */
export function textInPlace(body: IDataObject): string | undefined {
	return [body.data, body.results].find((value) => typeof value === 'string' && value !== '') as
		| string
		| undefined;
}

function isResult(entry: unknown): boolean {
	return isObject(entry) || !isNothing(entry);
}

/** An entry of a list as a result. An entry that is no object is its value. */
export function asResult(entry: unknown): IDataObject {
	return isObject(entry) ? entry : { value: textOf(entry) };
}
