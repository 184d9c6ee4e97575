/** What is to happen, in order of time. */
export class Agenda {
	private readonly entries: Array<{ at: number; act: () => void }> = [];

	constructor(public now: number) {}

	add(at: number, act: () => void) {
		let place = this.entries.length;
		while (place > 0 && this.entries[place - 1].at > at) place -= 1;
		this.entries.splice(place, 0, { at, act });
	}

	/** Does what is next; false when nothing is left. */
	next(): boolean {
		const entry = this.entries.shift();
		if (!entry) return false;
		this.now = Math.max(this.now, entry.at);
		entry.act();
		return true;
	}
}
