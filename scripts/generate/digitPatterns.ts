/**
 * The texts that a pattern of a numbering plan matches, as sequences of digit sets. The patterns are regular expressions of a
 * small language: digits, `\d`, classes, groups, alternatives, `?` and counts, so each has finitely many sequences.
 */

/** The digits that may stand at one place, as bits: bit 3 for the digit 3. */
type DigitSet = number;
export type DigitSets = DigitSet[];

const ANY_DIGIT: DigitSet = 0b11_1111_1111;

const expanded = new Map<string, readonly DigitSets[]>();

/** All sequences of a pattern. @throws Error for anything else than the small language */
export function expand(pattern: string): readonly DigitSets[] {
	const found = expanded.get(pattern) ?? new Parser(pattern).all();
	expanded.set(pattern, found);
	return found;
}

/** The digit set of one digit. */
export function setOf(digit: string): DigitSet {
	return 1 << Number(digit);
}

/** What both sequences match, where the first begins with the second; undefined where that is nothing. */
export function beginningWith(sets: DigitSets, beginning: DigitSets): DigitSets | undefined {
	if (beginning.length > sets.length) return undefined;
	const both = sets.map((set, place) => set & (beginning[place] ?? ANY_DIGIT));
	return both.every((set) => set !== 0) ? both : undefined;
}

class Parser {
	private at = 0;

	constructor(private readonly pattern: string) {}

	/** Of the whole pattern. */
	all(): DigitSets[] {
		const found = this.alternatives();
		if (this.at < this.pattern.length) throw this.unreadable();
		return found;
	}

	/** Up to the end of the group or of the pattern. */
	private alternatives(): DigitSets[] {
		const found = this.sequence();
		while (this.takes('|')) found.push(...this.sequence());
		return found;
	}

	private sequence(): DigitSets[] {
		let found: DigitSets[] = [[]];
		while (this.at < this.pattern.length && !'|)'.includes(this.pattern[this.at])) {
			const atom = this.atom();
			const [least, most] = this.count();
			found = found.flatMap((head) => repeat(atom, least, most).map((tail) => [...head, ...tail]));
		}
		return found;
	}

	private atom(): DigitSets[] {
		if (this.takes('(?:') || this.takes('(')) {
			const inner = this.alternatives();
			if (!this.takes(')')) throw this.unreadable();
			return inner;
		}
		if (this.takes('\\d')) return [[ANY_DIGIT]];
		const [all, members] = /^\[((?:\d(?:-\d)?)+)\]/.exec(this.pattern.slice(this.at)) ?? [];
		if (all !== undefined) {
			const set = classOf(members);
			if (set === undefined) throw this.unreadable();
			this.at += all.length;
			return [[set]];
		}
		const digit = this.pattern[this.at];
		if (!/\d/.test(digit)) throw this.unreadable();
		this.at += 1;
		return [[setOf(digit)]];
	}

	private count(): [least: number, most: number] {
		if (this.takes('?')) return [0, 1];
		const [all, least, most] = /^\{(\d+)(?:,(\d+))?\}/.exec(this.pattern.slice(this.at)) ?? [];
		if (all === undefined) return [1, 1];
		this.at += all.length;
		return [Number(least), Number(most ?? least)];
	}

	private takes(text: string): boolean {
		const isNext = this.pattern.startsWith(text, this.at);
		if (isNext) this.at += text.length;
		return isNext;
	}

	private unreadable(): Error {
		return new Error(`cannot read ${this.pattern} at ${this.at}`);
	}
}

function repeat(atom: DigitSets[], least: number, most: number): DigitSets[] {
	const found: DigitSets[] = [];
	let times: DigitSets[] = [[]];
	for (let count = 0; count <= most; count += 1) {
		if (count >= least) found.push(...times);
		times = times.flatMap((head) => atom.map((tail) => [...head, ...tail]));
	}
	return found;
}

/** "03-69" as a set; undefined for a range that runs backwards. */
function classOf(members: string): DigitSet | undefined {
	let set = 0;
	for (const [, from, to = from] of members.matchAll(/(\d)(?:-(\d))?/g)) {
		if (to < from) return undefined;
		for (let digit = Number(from); digit <= Number(to); digit += 1) set |= 1 << digit;
	}
	return set;
}
