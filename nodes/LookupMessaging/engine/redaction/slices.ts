/** Work on texts of strangers, cut into slices, so that no reply holds up the event loop of n8n. */

/** Work that stops now and then. It yields between two slices and returns its result. */
export type Sliced<Value> = Generator<undefined, Value, undefined>;

/** Characters of a slice. A slice takes a few milliseconds at most, whatever the characters are. */
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
