/**
 * Calls that begin in one turn: the shortest time that a timer takes, a millisecond or as long as the process is busy. Node writes
 * a request after what the process is at, so of many that begin together all would wait for the last, and so would their
 * answers.
 */
const IN_TURN = 5;
/** Where others make the turns long, so many more go for each millisecond: a share of the time, not of the turns. */
const PER_MS = 1;

/** Turns, and what time it is. */
interface Turns {
	/** Milliseconds. */
	now(): number;
	nextTurn(): Promise<void>;
}

/** Lets some calls go in each turn. Whoever has to wait keeps his place elsewhere, so nobody goes who is not to go any more. */
export class Gate {
	/** How many may still go in this turn; undefined where nobody went in the last. */
	private left?: number;

	/** @param onTurn called when the next turn begins, as long as somebody went in the last */
	constructor(
		private readonly turns: Turns,
		private readonly onTurn: () => void,
	) {}

	/** Whether one more may go in this turn. */
	isOpen(): boolean {
		return this.left !== 0;
	}

	/** Takes note that one goes now. */
	pass() {
		if (this.left === undefined) void this.count();
		this.left = (this.left ?? IN_TURN) - 1;
	}

	/** Counts anew in each turn, until one comes in which nobody goes. */
	private async count() {
		let most: number;
		do {
			const began = this.turns.now();
			await this.turns.nextTurn();
			most = Math.max(IN_TURN, PER_MS * (this.turns.now() - began));
			this.left = most;
			this.onTurn();
		} while (this.left < most);
		this.left = undefined;
	}
}
