import type { Sliced } from '../../../nodes/LookupMessaging/engine/redaction/slices';

/** The result of work in slices, without the pauses between them. */
export function inOneGo<Value>(work: Sliced<Value>): Value {
	let step = work.next();
	while (!step.done) step = work.next();
	return step.value;
}
