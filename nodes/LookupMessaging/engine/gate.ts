/**
 * Calls that go at once. A request is written in the turn of the event loop after the one that began it, so of many that begin
 * together all would wait for the last, and so would their answers.
 */
const MOST_IN_TURN = 5;

/** Lets calls go, in order, so many in each turn of the event loop. */
export class Gate {
	private readonly waiting: Array<() => void> = [];
	private gone = 0;

	/** @param nextTurn resolves in the next turn of the event loop */
	constructor(private readonly nextTurn: () => Promise<void>) {}

	/** Goes now, or in one of the next turns. */
	pass(go: () => void) {
		if (this.gone === MOST_IN_TURN) return void this.waiting.push(go);
		this.gone += 1;
		if (this.gone === 1) void this.letGoInTurns();
		go();
	}

	private async letGoInTurns() {
		while (this.gone > 0) {
			await this.nextTurn();
			const next = this.waiting.splice(0, MOST_IN_TURN);
			this.gone = next.length;
			for (const go of next) go();
		}
	}
}
