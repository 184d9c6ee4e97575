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

/** A number of permits. */
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

/** Resolves when the signal is aborted. It never removes its listener, so the signal has to be short-lived. */
export async function whenAborted(signal: AbortSignal): Promise<void> {
	const end = new Moment();
	signal.addEventListener('abort', () => end.come());
	await end.reached;
}

/** Work in progress, for those that wait for it. */
export class Flight {
	private readonly landing = new Moment();
	private readonly rest = new Moment();
	/** Resolves when the work is done, or can't be done any more. */
	readonly isOver = this.landing.reached;
	/** Resolves when it waits for a later try, minutes from now. */
	readonly isResting = this.rest.reached;

	end() {
		this.landing.come();
	}

	pause() {
		this.rest.come();
	}
}

/** Work in progress by the names of what it is about. */
export class Flights<Name = string> {
	private readonly byName = new Map<Name, Flight>();

	of(name: Name): Flight | undefined {
		return this.byName.get(name);
	}

	/** Works under some names, so that others can wait for it. Nobody else works under one of them, see `alone`. */
	async under<Value>(names: Name[], work: (flight: Flight) => Promise<Value>): Promise<Value> {
		const flight = new Flight();
		for (const name of names) this.byName.set(name, flight);
		try {
			return await work(flight);
		} finally {
			for (const name of names) this.byName.delete(name);
			flight.end();
		}
	}

	/** Waits while others work under one of the names, then works under all of them at once: two never wait for each other. */
	async alone<Value>(names: Name[], work: () => Promise<Value>): Promise<Value> {
		const findOther = () => names.map((name) => this.of(name)).find((other) => other);
		for (let other = findOther(); other; other = findOther()) await other.isOver;
		return await this.under(names, work);
	}
}
