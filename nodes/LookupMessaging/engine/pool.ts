/** Lets only so many in at once; the others wait their turn, first come, first served. */
export class Turnstile {
	private readonly waiting: Array<() => void> = [];
	private inside = 0;

	constructor(private readonly most: number) {}

	/** Resolves when there is room. Whoever enters has to leave. */
	async enter(): Promise<void> {
		if (!this.hasEntered()) await new Promise<void>((admit) => this.waiting.push(admit));
	}

	/** Makes room for the next in line. */
	leave() {
		const admit = this.waiting.shift();
		if (admit) admit();
		else this.inside -= 1;
	}

	/** Enters at once if there is room. */
	private hasEntered(): boolean {
		if (this.inside >= this.most) return false;
		this.inside += 1;
		return true;
	}

	/** Runs `work` when there is room for it. */
	async pass<Result>(work: () => Promise<Result>): Promise<Result> {
		if (!this.hasEntered()) await this.enter();
		try {
			return await work();
		} finally {
			this.leave();
		}
	}
}
