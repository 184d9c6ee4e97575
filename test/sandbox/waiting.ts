/* eslint-disable @n8n/community-nodes/no-restricted-globals */

/** Everything that waits, so that a reset or a close can end it and no timer stays behind. */
export class Waiting {
	private waits = new Set<() => void>();

	/** Resolves with true after `ms` milliseconds, or with false when it is dropped before. `Infinity` only drops. */
	wait(ms: number): Promise<boolean> {
		if (ms <= 0) return Promise.resolve(true);
		return new Promise((resolve) => {
			const end = (lapsed: boolean) => {
				clearTimeout(timer);
				this.waits.delete(drop);
				resolve(lapsed);
			};
			const drop = () => end(false);
			const timer = Number.isFinite(ms) ? setTimeout(() => end(true), ms) : undefined;
			this.waits.add(drop);
		});
	}

	dropAll() {
		for (const drop of [...this.waits]) drop();
	}
}
