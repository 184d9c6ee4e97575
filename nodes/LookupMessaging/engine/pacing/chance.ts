/**
 * Tells a service that refuses calls at random, whatever their rate, from one that is called too fast. Times are in milliseconds.
 *
 * Where the rate is the reason, slower calls are refused less, and with one call most that are in flight behind it are refused. So
 * refusals that go on although less is asked of the service than it gave before, and that spare the calls behind them, say
 * nothing about the pace. From then on a burst with no more than the usual share of refusals is chance: its pause holds, and nothing
 * is slowed down.
 */

/** From the end of one pause to the end of the next. */
export interface Cycle {
	accepted: number;
	refused: number;
	/** Of these, the replies that came after the first refusal. */
	acceptedBehind: number;
	refusedBehind: number;
	/** Without and with the pause at its end. */
	activeMs: number;
	ms: number;
	/** Calls per second that were let go at most. */
	pace: number;
}

/** Cycles that are remembered, and how many of them are the newest. */
const KEPT = 15;
const NEWEST = 2;
/** Shorter cycles are one with the next: in a short time a service hands out what it has saved up. */
const LEAST_MS = 1_000;
/** The first cycle shows what was saved up, unless it was as long. */
const LONG_MS = 2_000;
/** Share of an earlier rate below which a pace is not the reason of a refusal. */
const WELL_BELOW = 0.7;
/** Usual shares of refused calls that can be chance: a smaller one costs little, and where it is larger there is little to gain. */
const SHARES = { least: 0.04, most: 0.5 };
/** So many standard deviations above the usual share is no chance. */
const SPREAD = 3;
/** After so many times the calls in which one refusal is usual, the service refuses none at random any more. */
const CLEAN = 8;

export class Chance {
	private cycles: Cycle[] = [];
	/** The cycles that show the usual share of refusals; undefined where refusals tell of the rate. */
	private usual?: Cycle;

	/** Whether refusals say nothing about the pace. */
	get isKnown(): boolean {
		return this.usual !== undefined;
	}

	/** Notes a cycle; `isKnown` then says what to make of its refusals. */
	note(cycle: Cycle) {
		const last = this.cycles.at(-1);
		if (last && last.ms < LEAST_MS) this.cycles[this.cycles.length - 1] = pool([last, cycle]);
		else this.cycles = [...this.cycles, cycle].slice(-KEPT);
		if (!this.usual) this.usual = usualOf(this.cycles);
		else if (isBeyond(shareOf(this.usual), cycle)) this.forget();
		else this.usual = pool(this.cycles.slice(-5 * NEWEST));
	}

	/** Notes that so many calls were accepted since the last refusal. */
	noteClean(accepted: number) {
		if (this.usual && accepted * shareOf(this.usual) > CLEAN) this.forget();
	}

	private forget() {
		this.usual = undefined;
		this.cycles = [];
	}
}

/** The newest cycles, where their refusals do not depend on the pace. */
function usualOf(cycles: Cycle[]): Cycle | undefined {
	const newest = pool(cycles.slice(-NEWEST));
	const best = Math.max(0, ...cycles.slice(0, -NEWEST).map(givenIn));
	const share = shareOf(newest);
	if (share < SHARES.least || share > SHARES.most) return undefined;
	const { acceptedBehind, refusedBehind } = pool(cycles);
	return newest.pace < WELL_BELOW * best && acceptedBehind >= refusedBehind ? newest : undefined;
}

/** Calls per second that the service gave in a cycle. */
const givenIn = ({ accepted, activeMs, ms }: Cycle, index: number) =>
	index === 0 && activeMs < LONG_MS ? 0 : (1_000 * accepted) / ms;

const shareOf = ({ accepted, refused }: Cycle) => refused / (accepted + refused);

function isBeyond(share: number, { accepted, refused }: Cycle): boolean {
	const calls = accepted + refused;
	return refused > 1 + calls * share + SPREAD * Math.sqrt(calls * share * (1 - share));
}

function pool(cycles: Cycle[]): Cycle {
	const sum = (key: keyof Cycle) => cycles.reduce((all, cycle) => all + cycle[key], 0);
	return {
		accepted: sum('accepted'),
		refused: sum('refused'),
		acceptedBehind: sum('acceptedBehind'),
		refusedBehind: sum('refusedBehind'),
		activeMs: sum('activeMs'),
		ms: sum('ms'),
		pace: Math.max(...cycles.map(({ pace }) => pace)),
	};
}
