import type { IDataObject } from 'n8n-workflow';
import { isObject, numberIn, textOf } from '../../engine/plan/values';

/** Reading a value that may stand under one of several names; null where it stands under none. */

/** Names inside an author or a community that is an object. */
const NAME = ['username', 'screen_name', 'handle', 'name', 'display_name', 'title'];

/** The first of the names that holds a text or a number. */
export function text(holder: IDataObject, names: string[]): string | null {
	for (const name of names) {
		const value = holder[name];
		if (typeof value === 'number' || (typeof value === 'string' && value !== '')) {
			return textOf(value);
		}
	}
	return null;
}

/** The first of the names that holds a number, or a number as text. */
export function number(holder: IDataObject, names: string[]): number | null {
	for (const name of names) {
		const found = numberIn(holder[name]);
		if (found !== undefined) return found;
	}
	return null;
}

/** The first of the names that holds a name, also inside an object. */
export function nameOf(holder: IDataObject, names: string[]): string | null {
	for (const name of names) {
		const value = holder[name];
		const found = isObject(value) ? text(value, NAME) : text(holder, [name]);
		if (found !== null) return found;
	}
	return null;
}

/** Later than any time in seconds, earlier than any in milliseconds that a post may have. */
const MILLISECONDS_FROM = 1e11;

/** The first of the names that holds a time; numbers are Unix time in seconds or milliseconds. */
export function time(holder: IDataObject, names: string[]): string | null {
	const name = names.find((each) => text(holder, [each]) !== null);
	if (name === undefined) return null;
	const moment = number(holder, [name]);
	if (moment === null) return text(holder, [name]);
	const date = new Date(moment < MILLISECONDS_FROM ? moment * 1000 : moment);
	return Number.isNaN(date.getTime()) ? textOf(moment) : date.toISOString();
}
