import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../engine/plan/values';

/** Fields of a reply, or of one object in it, that are looked at. */
export const MAX_FIELDS = 1_000;
type Entry = [name: string, value: IDataObject[string]];
const firstEntries = new WeakMap<object, Entry[]>();

/** The first fields of a body, or of an object in it. Those of a large one are kept, since many conditions ask for them. */
export function entriesIn(object: object): Entry[] {
	const known = firstEntries.get(object);
	if (known) return known;
	const all: Entry[] = Object.entries(object);
	if (all.length <= MAX_FIELDS) return all;
	const first = all.slice(0, MAX_FIELDS);
	firstEntries.set(object, first);
	return first;
}

/** The objects under the names, in their order. */
export function objectsAt(holder: IDataObject, names: string[]): IDataObject[] {
	return names.map((name) => holder[name]).filter(isObject);
}

/** Longer names of fields say nothing. */
export const LONGEST_NAME = 60;

/** A name in small letters, without what is none; empty for a longer one. */
export function plainName(name: string): string {
	return name.length > LONGEST_NAME ? '' : name.toLowerCase().replace(/[^a-z\d]/g, '');
}
