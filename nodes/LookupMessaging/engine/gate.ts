/**
 * Calls that go in one turn of the event loop. A request is written in the turn after the one that began it, so of many that
 * begin together all would wait for the last, and so would their answers.
 */
const IN_TURN = 5;
/** Where others make the turns long, so many more go for each millisecond: a share of the time, not of the turns. */
const PER_MS = 1;

/** Turns of the event loop, and what time it is. */
interface Turns {
	/** Milliseconds. */
	now(): number;
	nextTurn(): Promise<void>;
}

/** Lets calls go, in order, some in each turn of the event loop. */
export class Gate {
	private readonly waiting: Array<() => void> = [];
	/** How many may still go in this turn; undefined between the turns in which somebody goes. */
	private left?: number;

	constructor(private readonly turns: Turns) {}

	/** Goes now, or in one of the next turns. */
	pass(go: () => void) {
		if (this.left === undefined) {
			this.left = IN_TURN;
			void this.letGoInTurns();
		}
		if (this.left === 0) return void this.waiting.push(go);
		this.left -= 1;
		go();
	}

	private async letGoInTurns() {
		for (let gone = 1; gone > 0; ) {
			const began = this.turns.now();
			await this.turns.nextTurn();
			const most = Math.max(IN_TURN, PER_MS * (this.turns.now() - began));
			const next = this.waiting.splice(0, most);
			gone = next.length;
			this.left = most - gone;
			for (const go of next) go();
		}
		this.left = undefined;
	}
}
