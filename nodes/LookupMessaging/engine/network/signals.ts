/** What ends a request early. */

/** Waits for work, at most until the signal. n8n's own sleep heeds a signal on 2.x only. */
export async function untilAborted(signal: AbortSignal, work: Promise<void>): Promise<void> {
	let stop = () => undefined as void;
	const aborted = new Promise<void>((resolve) => (stop = resolve));
	signal.addEventListener('abort', stop);
	if (signal.aborted) stop();
	await Promise.race([work, aborted]);
	signal.removeEventListener('abort', stop);
}

/** A signal that ends at Stop, if there can be one, and at the deadline. */
export function joined(cancel: AbortSignal | undefined, deadline: AbortSignal): AbortSignal {
	return cancel ? AbortSignal.any([cancel, deadline]) : deadline;
}
