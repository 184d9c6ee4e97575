/** Questions that are being asked, for those who wait for their answers. */
export class Flight {
	private land: () => void = () => undefined;
	private rest: () => void = () => undefined;
	/** Resolves when the answers are there, or none will come. */
	readonly isOver = new Promise<void>((resolve) => (this.land = resolve));
	/** Resolves when the answers wait for a later try, minutes from then. */
	readonly isResting = new Promise<void>((resolve) => (this.rest = resolve));

	end() {
		this.land();
	}

	pause() {
		this.rest();
	}
}
