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
	for (const name of names) {
		const value = valueAt(holder, name);
		if (typeof value === 'number' || (typeof value === 'string' && value !== '')) {
			return textOf(value);
		}
	}
	return null;
}

/** The number under the first of the names that has one, also as text. */
export function number(holder: IDataObject, names: string[]): number | null {
	for (const name of names) {
		const found = numberIn(valueAt(holder, name));
		if (found !== undefined) return found;
	}
	return null;
}

/** The name under the first of the names that has one, also inside an object. */
export function nameOf(holder: IDataObject, names: string[]): string | null {
	for (const name of names) {
		const value = valueAt(holder, name);
		const found = isObject(value) ? text(value, NAME) : text(holder, [name]);
		if (found !== null) return found;
	}
	return null;
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
