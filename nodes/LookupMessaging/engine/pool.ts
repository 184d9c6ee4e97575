/** Lets only so many pieces of work run at once; the others wait their turn, first come, first served. */
export class Turnstile {
	private readonly waiting: Array<() => void> = [];
	private inside = 0;

	constructor(private readonly most: number) {}

	/** Runs `work` when there is room for it. */
	async pass<Result>(work: () => Promise<Result>): Promise<Result> {
		if (this.inside < this.most) this.inside += 1;
		else await new Promise<void>((enter) => this.waiting.push(enter));
		try {
			return await work();
		} finally {
			const next = this.waiting.shift();
			if (next) next();
			else this.inside -= 1;
		}
	}
}
