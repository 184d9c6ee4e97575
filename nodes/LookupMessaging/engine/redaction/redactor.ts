import type { GenericValue, IDataObject } from 'n8n-workflow';
import { FORBIDDEN_NAME, MAX_LEVELS } from '../plan/values';
import { keyRemover, PLACEHOLDER } from './keyRemover';
import { SLICE, type Sliced } from './slices';

/** Removes the API key from a body, in place; undefined for a body that is nested too deeply. */
export type Redact = (body: object) => Sliced<IDataObject | undefined>;

/** An object or a list. */
type Container = Record<number | string, GenericValue>;

/** The size of a value in addition to its characters. */
const VALUE = 16;
/** Number of members that are renamed between two pauses. */
const NAMES = 1_000;

/**
 * Makes a function that removes the API key from parsed JSON: from texts, names and numbers, and from files, which are base64
 * (SPEC §4.3). It also removes `__proto__`.
 */
export function redactor(apiKey: string): Redact {
	const removeKey = keyRemover(apiKey);
	let work = 0;
	/** Goes value by value: a list of all open containers would take more memory than a reply of tiny rows. */
	function* isClean(container: Container, level = 1): Sliced<boolean> {
		if (level > MAX_LEVELS) return false;
		const renamed = new Map<string, string>();
		for (const name of namesOf(container)) {
			const value = container[name];
			work += VALUE + (typeof value === 'string' ? value.length : 0);
			if (work > SLICE) {
				work = 0;
				yield;
			}
			if (typeof value === 'string') {
				const text = removeKey(value);
				if (text !== value) container[name] = typeof text === 'string' ? text : yield* text;
			} else if (typeof value === 'number') {
				if (String(value) === apiKey) container[name] = PLACEHOLDER;
			} else if (value && typeof value === 'object') {
				if (!(yield* isClean(value as Container, level + 1))) return false;
			}
			if (typeof name === 'number') continue;
			const cleaning = removeKey(name);
			const text = typeof cleaning === 'string' ? cleaning : yield* cleaning;
			if (text !== name) renamed.set(name, text);
		}
		if (renamed.size > 0) yield* rename(container, renamed);
		return true;
	}
	return function* (body) {
		return (yield* isClean(body as Container)) ? (body as IDataObject) : undefined;
	};
}

function namesOf(container: Container): Iterable<number | string> {
	if (Array.isArray(container)) return container.keys();
	if (Object.hasOwn(container, FORBIDDEN_NAME)) delete container[FORBIDDEN_NAME];
	return Object.keys(container);
}

/** Renames the members of an object and keeps their order. */
function* rename(container: Container, names: Map<string, string>): Sliced<void> {
	let done = 0;
	for (const [name, value] of Object.entries(container)) {
		delete container[name];
		container[names.get(name) ?? name] = value;
		done += 1;
		if (done % NAMES === 0) yield;
	}
}
