import { FORBIDDEN_NAME } from '../plan/values';

/** Work on texts of unknown origin, in slices, so that no reply blocks the event loop of n8n. */

/** Work that can pause. It yields between two slices and returns its result. */
export type Sliced<Value> = Generator<undefined, Value, undefined>;

/** Number of characters of a slice. A slice takes a few milliseconds at most, for any characters. */
export const SLICE = 65_536;

/** Does the work, with a pause between two slices. Work of one slice has no pause. */
export async function inSlices<Value>(
	work: Sliced<Value>,
	pause: () => Promise<void>,
): Promise<Value> {
	let step = work.next();
	while (!step.done) {
		await pause();
		step = work.next();
	}
	return step.value;
}

/** Number of values that are copied between two pauses. */
const VALUES = 2_000;

/** An object or a list of JSON. */
type Container = Record<number | string, unknown>;
/** A container that is being copied, and its remaining names. */
type Open = Record<'from' | 'to', Container> & { names: Iterator<number | string, undefined> };

/**
 * A copy of JSON of any size and depth, made in slices. It goes value by value: a list of all open containers would take more
 * memory than a list of tiny ones.
 */
export function* copyOf<Value>(value: Value): Sliced<Value> {
	if (!isContainer(value)) return value;
	const whole = opened(value);
	const open = [whole];
	let done = 0;
	for (let next = open.at(-1); next; next = open.at(-1)) {
		const { from, to, names } = next;
		const { value: name, done: isOver } = names.next();
		if (isOver) {
			open.pop();
			continue;
		}
		const inner = from[name];
		if (isContainer(inner)) {
			const copy = opened(inner);
			to[name] = copy.to;
			open.push(copy);
		} else to[name] = inner;
		done += 1;
		if (done % VALUES === 0) yield;
	}
	return whole.to as unknown as Value;
}

function opened(from: Container): Open {
	if (Array.isArray(from)) return { from, to: [] as unknown as Container, names: from.keys() };
	const names = Object.keys(from).filter((name) => name !== FORBIDDEN_NAME);
	return { from, to: {}, names: names.values() };
}

function isContainer(value: unknown): value is Container {
	return typeof value === 'object' && value !== null;
}
