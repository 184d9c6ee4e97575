import type { Semaphore } from '../network/layers';

/**
 * The permit that a task has acquired. It holds it until it ends, so that what it pays for is finished before others start, but
 * not while it sleeps.
 */
export class TaskPermit {
	private isHeld = true;
	private isGivenUp = false;

	constructor(private readonly permits: Pick<Semaphore, 'acquire' | 'release'>) {}

	/** Waits while another task uses the permit. */
	async without<Value>(wait: () => Promise<Value>): Promise<Value> {
		if (!this.isHeld) return await wait();
		this.release();
		const value = await wait();
		if (this.isGivenUp) return value;
		await this.permits.acquire();
		this.isHeld = true;
		if (this.isGivenUp) this.release();
		return value;
	}

	/**
	 * Gives the permit up for good. Tasks that wait for an answer of this one may hold all others, so it must not need it again:
	 * its calls are limited all the same.
	 */
	giveUp() {
		this.isGivenUp = true;
		this.release();
	}

	private release() {
		if (this.isHeld) this.permits.release();
		this.isHeld = false;
	}
}
