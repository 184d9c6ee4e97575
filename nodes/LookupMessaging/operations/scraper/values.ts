import type { IDataObject } from 'n8n-workflow';
import { entriesIn, LONGEST_NAME } from '../shared/replyWords';
import { isObject, numberIn, textOf } from '../../engine/plan/values';

/** Reads a value that may have one of several names; null if it has none of them. */

/** Names inside an author or a community that is an object. */
const NAME = ['username', 'user_name', 'screen_name', 'handle', 'name', 'display_name', 'title'];

/** The fields of an object by their names in small letters, without underscores. */
const plainFields = new WeakMap<IDataObject, Map<string, unknown>>();

/** The value under a name, in any case: like_count, likeCount. */
function valueAt(holder: IDataObject, name: string): unknown {
	if (Object.hasOwn(holder, name)) return holder[name];
	let fields = plainFields.get(holder);
	if (!fields) {
		fields = new Map(entriesIn(holder).map(([each, value]) => [plain(each), value]));
		plainFields.set(holder, fields);
	}
	return fields.get(plain(name));
}

function plain(name: string): string {
	return name.length > LONGEST_NAME ? '' : name.toLowerCase().replace(/_/g, '');
}

/** The text or number under the first of the names that has one. */
export function text(holder: IDataObject, names: string[]): string | null {
	const isTold = (value: unknown) =>
		typeof value === 'number' || (typeof value === 'string' && value !== '');
	return textOf(names.map((name) => valueAt(holder, name)).find(isTold)) || null;
}

/** The number under the first of the names that has one, also as text. */
export function number(holder: IDataObject, names: string[]): number | null {
	const numbers = names.map((name) => numberIn(valueAt(holder, name)));
	return numbers.find((found) => found !== undefined) ?? null;
}

/** The name under the first of the names that has one, also inside an object. */
export function nameOf(holder: IDataObject, names: string[]): string | null {
	const found = names.map((name) => {
		const value = valueAt(holder, name);
		return isObject(value) ? text(value, NAME) : text(holder, [name]);
	});
	return found.find((name) => name !== null) ?? null;
}

/** Later than any time in seconds, earlier than any time in milliseconds that a post may have. */
const MILLISECONDS_FROM = 1e11;

/** The time under the first of the names that has one; numbers are Unix time in seconds or milliseconds. */
export function time(holder: IDataObject, names: string[]): string | null {
	const name = names.find((each) => text(holder, [each]) !== null);
	if (name === undefined) return null;
	const moment = number(holder, [name]);
	if (moment === null) return text(holder, [name]);
	const date = new Date(moment < MILLISECONDS_FROM ? moment * 1000 : moment);
	return Number.isNaN(date.getTime()) ? textOf(moment) : date.toISOString();
}
