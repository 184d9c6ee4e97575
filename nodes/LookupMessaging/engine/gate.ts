/** Waits that end by what others do. Those that end after a time are in clock.ts. */

/** What comes once, such as the end of a call, or the turn of one that waits. All that waits here waits for one of these. */
export class Moment<Value = void> {
	/** Resolves with what `come` was first called with. */
	readonly reached: Promise<Value>;
	come!: (value: Value) => void;

	constructor() {
		this.reached = new Promise((resolve) => (this.come = resolve));
	}
}

/** Holds work back until it may pass; first come, first served. */
export class Gate {
	private readonly waiting: Array<{ mayPass: () => boolean; turn: Moment }> = [];

	/** Resolves once `mayPass` returns true: at once, or after a change. There it can take what is scarce, such as a permit. */
	async pass(mayPass: () => boolean): Promise<void> {
		if (this.waiting.length === 0 && mayPass()) return;
		const turn = new Moment();
		this.waiting.push({ mayPass, turn });
		await turn.reached;
	}

	/** Lets those pass that may now. The first that may not holds back the others. */
	changed() {
		while (this.waiting[0]?.mayPass()) this.waiting.shift()?.turn.come();
	}
}

export class Semaphore {
	private readonly gate = new Gate();

	constructor(private free: number) {}

	/** Resolves when a permit is free, and takes it. Every acquire needs a release. */
	async acquire(): Promise<void> {
		await this.gate.pass(() => {
			if (this.free <= 0) return false;
			this.free -= 1;
			return true;
		});
	}

	release() {
		this.free += 1;
		this.gate.changed();
	}
}

/**
 * The permit of a task. The task keeps it until it ends, so that paid work is finished before other tasks start, but not while it
 * sleeps.
 */
export class TaskPermit {
	private isHeld = true;
	private isGivenUp = false;

	constructor(private readonly permits: Semaphore) {}

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
	 * Releases the permit for good. Tasks that wait for an answer of this one may hold all other permits, so it must not need one
	 * again: its calls are limited anyway.
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

/** Resolves when the signal is aborted. It never removes its listener, so the signal has to be short-lived. */
export async function whenAborted(signal: AbortSignal): Promise<void> {
	const end = new Moment();
	signal.addEventListener('abort', () => end.come());
	await end.reached;
}

/** Work in progress, for those that wait for it. */
export class Flight {
	/** It is done, or can't be done any more. */
	readonly end = new Moment();
	/** It waits for a later try, minutes from now. */
	readonly rest = new Moment();
}

/** How wishes are told apart, and what is known of them. */
interface Book<Wish, Value, Name> {
	/** What others must not be at while it is done. */
	namesOf(this: void, wish: Wish): Name[];
	/** What became of it, if it need not be done. */
	find?(this: void, wish: Wish): Value | undefined;
	keep?(this: void, wish: Wish, value: Value): void;
}

/** Work in progress by the names of what it is about. */
export class Flights<Name = string> {
	private readonly byName = new Map<Name, Flight>();

	/**
	 * The one way to do what costs. It does what nobody has done or is at, all together; then it waits for the others, and does what
	 * they have not done.
	 * @param wait waits for others; what it returns becomes of all that is still open
	 * @returns what became of each wish, in their order
	 */
	async once<Wish, Value>(
		wishes: Wish[],
		{ namesOf, find, keep }: Book<Wish, Value, Name>,
		work: (open: Wish[], flight: Flight) => Promise<Value[]>,
		wait: (flights: Flight[]) => Promise<Value | undefined> = whenOver,
	): Promise<Value[]> {
		const values = new Map<Wish, Value>();
		while (values.size < wishes.length) {
			const open = wishes.filter((wish) => !values.has(wish));
			const own: Wish[] = [];
			const names: Name[] = [];
			const others: Flight[] = [];
			for (const wish of open) {
				const named = namesOf(wish);
				const other = named.map((name) => this.byName.get(name)).find((flight) => flight);
				const known = other ? undefined : find?.(wish);
				if (other) others.push(other);
				else if (known) values.set(wish, known);
				else {
					own.push(wish);
					for (const name of named) names.push(name);
				}
			}
			// No await since the look at the others, or two could begin the same
			if (own.length > 0) {
				const flight = new Flight();
				for (const name of names) this.byName.set(name, flight);
				try {
					const made = await work(own, flight);
					for (const [index, wish] of own.entries()) {
						values.set(wish, made[index]);
						keep?.(wish, made[index]);
					}
				} finally {
					for (const name of names) this.byName.delete(name);
					flight.end.come();
				}
			}
			const ended = others.length > 0 ? await wait(others) : undefined;
			if (!ended) continue;
			for (const wish of open) if (!values.has(wish)) values.set(wish, ended);
		}
		return wishes.map((wish) => values.get(wish) as Value);
	}
}

export async function whenOver(flights: Flight[]): Promise<undefined> {
	await Promise.all(flights.map(async ({ end }) => await end.reached));
}
