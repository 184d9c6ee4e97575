import { FORBIDDEN_NAME } from '../plan/values';
import type { Sliced } from './slices';

/** Values that are copied between two pauses. */
const VALUES = 2_000;

/** An object or a list of JSON. */
type Container = Record<number | string, unknown>;

/** A copy of JSON of any size and depth, made in slices. */
export function* copyOf<Value>(value: Value): Sliced<Value> {
	if (!isContainer(value)) return value;
	const whole: Container = emptyLike(value);
	const open: Array<{ from: Container; to: Container }> = [{ from: value, to: whole }];
	let done = 0;
	for (let next = open.pop(); next; next = open.pop()) {
		const { from, to } = next;
		for (const name of Array.isArray(from) ? from.keys() : Object.keys(from)) {
			if (name === FORBIDDEN_NAME) continue;
			const inner = from[name];
			if (isContainer(inner)) {
				const copy = emptyLike(inner);
				to[name] = copy;
				open.push({ from: inner, to: copy });
			} else to[name] = inner;
			done += 1;
			if (done % VALUES === 0) yield;
		}
	}
	return whole as unknown as Value;
}

function isContainer(value: unknown): value is Container {
	return typeof value === 'object' && value !== null;
}

function emptyLike(value: Container): Container {
	return (Array.isArray(value) ? [] : {}) as Container;
}
