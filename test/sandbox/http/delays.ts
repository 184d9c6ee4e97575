/* eslint-disable @n8n/community-nodes/no-restricted-globals */

/** All pending delays. A reset or a close cancels them, so that no timer is left. */
export class Delays {
	private pending = new Set<() => void>();

	/** Resolves with true after `ms` milliseconds, or with false when it is canceled first. `Infinity` waits for the cancel. */
	wait(ms: number): Promise<boolean> {
		if (ms <= 0) return Promise.resolve(true);
		return new Promise((resolve) => {
			const end = (lapsed: boolean) => {
				clearTimeout(timer);
				this.pending.delete(cancel);
				resolve(lapsed);
			};
			const cancel = () => end(false);
			const timer = Number.isFinite(ms) ? setTimeout(() => end(true), ms) : undefined;
			this.pending.add(cancel);
		});
	}

	cancelAll() {
		for (const cancel of [...this.pending]) cancel();
	}
}
