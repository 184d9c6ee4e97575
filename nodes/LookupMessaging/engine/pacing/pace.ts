import { Chance, type Cycle } from './chance';
import { DeliveryRate, type InitialBurst } from './deliveryRate';

/**
 * How many calls per second may start. Unknown until the first refusal. From then on each burst of refusals sets the pace anew,
 * once its pause is over and the replies to all of its calls are in. Times are in milliseconds and passed in.
 *
 * Other processes may share the account. They cannot talk to each other, but they see the same refusals. Each burst costs
 * each of them a pause of about a second, so the pace has to be right after few bursts, and stay right for long. It is one of two:
 * - A **guess** doubles every one and a half seconds, until a burst shows that it was too fast.
 * - A **sample** is the rate at which calls were accepted since the last burst (deliveryRate.ts). What several processes were
 *   given together is what they can have together, whether a bucket or a fixed window counts their calls.
 *
 * A sampled pace rises slowly: by 2 % a second at first (0.5 % where a fixed window is likely), later by 0.1 %, or by up to
 * 1.5 % where much was cut. These are shares at a pace of 25; a faster pace rises by a smaller share, so that the paces of
 * several processes become alike (binomial congestion control, Bansal and Balakrishnan 2001). A burst within three seconds
 * shows that the pace was too fast: 70 to 97 % of it are left. A later burst was brought about by the rise: the pace goes back
 * to what it was a second before, less 5 %. After half a minute without refusals other processes have left, and it rises
 * faster and faster, as in the convex part of CUBIC (RFC 9438 §4.1).
 *
 * All this holds where refusals tell of the rate. Where a service refuses at random (chance.ts), there is no pace at all.
 */

/** The first guess is the geometric mean of USUAL and the rate before the first refusal, and at least this. */
const LEAST_GUESS = 60;
const USUAL = 400;
/** A guess doubles in this time, which soon finds the right order of magnitude. */
const GUESS_DOUBLES_IN_MS = 1_500;
/** A rate is taken over at least this time. */
const MIN_RATE_MS = 1_000;
/** If the first refusal comes later than this, the calls before it say little about the initial burst. */
const MAX_BURST_MS = 2_000;
/** In a shorter time, a bucket hands out what it has saved up. */
const SHORT_MS = 500;
/** A shorter pause is that of a bucket which says exactly when it has a token. */
const EXACT_MS = 250;
/** Where fewer calls were accepted than this share of the pace, there were too few to try it. */
const LEAST_TRIED = 0.5;
/** A window accepts at most this many times the calls before the first refusal. A bucket also hands out what it gains meanwhile. */
const WINDOW_TOLERANCE = 1.15;
/** A burst that comes sooner refutes the pace; a later one was brought about by its rise. */
const EARLY_MS = 3_000;
/** Share of a refuted pace that is left, by the time that it lasted; later ones are left LATE_REFUTED. */
const REFUTED = [
	{ upToMs: 1_300, left: 0.82 },
	{ upToMs: 2_000, left: 0.88 },
];
const LATE_REFUTED = 0.95;
/** Least share that is left: usually, and where the service says exactly when it has a token. */
const LEAST_LEFT = { usual: 0.7, exact: 0.95 };
const MOST_LEFT = 0.97;
/** A sample may be a little too high. */
const SAMPLE_LEFT = 0.98;
/** After a late burst: the pace of a second before, less 5 %. */
const LATE = { backMs: 1_000, left: 0.95 };
/** Shares of a sampled pace by which it rises in a second, at a pace of `atPace`. */
const RISE = {
	least: 0.001,
	/** After a sample of what is likely a window, and of a bucket. */
	window: 0.005,
	bucket: 0.02,
	/** After a refuted pace: this share of what was cut, and at most so much. */
	ofCut: 0.02,
	most: 0.015,
	atPace: 25,
	/** Another pace rises by √(atPace ÷ pace) times the share, within these bounds. */
	factor: { least: 0.3, most: 3 },
};
/** After this time without refusals others may have left: from then on the rise quickens. */
const HOLDS_MS = 30_000;
const QUICKENS = 0.015;
/** Largest exponent of the rise, so that it stays a number. */
const MOST_QUICKENED = 20;
/** Slowest pace in calls per second. */
const SLOWEST = 0.1;
const UNKNOWN: InitialBurst = { accepted: Number.MAX_VALUE, lastedMs: 0 };

/** A burst of refusals. */
interface RefusalBurst {
	at: number;
	/** Pace at that time, and a second before. */
	pace: number;
	before: number;
	/** Calls that were accepted since the pause before, and how long that took. */
	accepted: number;
	lastedMs: number;
	/** Calls that were accepted during the pause: they were in flight. */
	during: number;
	/** The first refused call, and those that were refused during the pause. */
	refused: number;
}

interface Law {
	kind: 'guess' | 'sample';
	/** Calls per second at the time `since`. */
	base: number;
	since: number;
	/** Part of itself by which a sampled pace rises in a second. */
	rise?: number;
}

export class Pace {
	private law?: Law;
	/** The burst of refusals whose pause has not ended. */
	private burst?: RefusalBurst;
	private pausedUntil = 0;
	private burstAt = 0;
	private accepted = 0;
	private deliveryRate = new DeliveryRate();
	private initialBurst = UNKNOWN;
	private readonly chance = new Chance();

	/** The present pace in calls per second; unbounded until the first refusal. */
	perSecond(now: number): number {
		this.learnIfDue(now);
		const { law } = this;
		if (!law) return Infinity;
		const { base, since, kind, rise = RISE.least } = law;
		const forMs = Math.max(0, now - Math.max(since, this.pausedUntil));
		if (kind === 'guess') return base * 2 ** (forMs / GUESS_DOUBLES_IN_MS);
		const { least, most } = RISE.factor;
		const ofShare = Math.sqrt(RISE.atPace / base);
		const slowly = (rise * clamp(ofShare, least, most) * Math.min(forMs, HOLDS_MS)) / 1_000;
		const beyond = Math.max(0, forMs - HOLDS_MS) / 1_000;
		return (
			base * (1 + slowly) * Math.exp(Math.min(MOST_QUICKENED, QUICKENS * ofShare * beyond ** 2))
		);
	}

	/** Whether no call has been refused yet. */
	isUnknown(): boolean {
		return this.burstAt === 0;
	}

	/** Accepted calls, and since when. Only before the first refusal. */
	get beginning() {
		return this.deliveryRate;
	}

	/** Notes an accepted call. */
	count(now: number) {
		this.learnIfDue(now);
		if (!this.burst) {
			this.deliveryRate.count(now);
			this.accepted += 1;
			this.chance.noteClean(this.accepted);
		} else this.burst.during += 1;
	}

	/** Notes a further refusal of a burst. */
	refusedAgain() {
		if (this.burst) this.burst.refused += 1;
	}

	/** Whether the service refuses calls at random, so that a refusal says nothing about the pace. */
	isChance(now: number): boolean {
		this.learnIfDue(now);
		return this.chance.isKnown;
	}

	/** Notes the first refusal of a burst. The pause is told by pauseUntil. */
	refused(now: number) {
		const pace = this.perSecond(now);
		const before = this.perSecond(now - LATE.backMs);
		const { accepted, deliveryRate } = this;
		const from = deliveryRate.isSinceCut ? this.pausedUntil : deliveryRate.from;
		// A late refusal of the burst before may have made the pause longer
		const lastedMs = accepted === 0 ? 0 : Math.max(0, now - from);
		if (deliveryRate.isSinceCut)
			deliveryRate.pauseEnded(Math.max(0, this.pausedUntil - this.burstAt));
		this.burst = { at: now, pace, before, accepted, lastedMs, during: 0, refused: 1 };
		[this.burstAt, this.pausedUntil, this.accepted] = [now, now, 0];
	}

	pauseUntil(at: number) {
		this.pausedUntil = at;
	}

	/** Notes that there were no calls for so long that the delivery rate says nothing about the next burst. */
	forgetDeliveryRate(now: number, lastCall: number) {
		this.learnIfDue(now);
		// How far the pace rose without calls was never tried
		const base = this.perSecond(lastCall);
		this.deliveryRate = new DeliveryRate(now);
		this.accepted = 0;
		if (this.law) this.law = { ...this.law, base, since: now };
	}

	/** Corrects the times after the clock was set back. */
	setBack(backMs: number) {
		const { law, burst } = this;
		this.pausedUntil -= backMs;
		if (!this.isUnknown()) this.burstAt -= backMs;
		this.deliveryRate.setBack(backMs);
		if (law) law.since -= backMs;
		if (burst) burst.at -= backMs;
	}

	/** Sets the pace when the pause of a burst is over: by then all replies to it are in. */
	private learnIfDue(now: number) {
		if (!this.burst || now < this.pausedUntil) return;
		const { burst } = this;
		this.burst = undefined;
		this.learn(burst);
	}

	/** Two cases return early: the delivery rate goes on over this burst. */
	private learn(burst: RefusalBurst) {
		const { law } = this;
		const { at, accepted } = burst;
		this.chance.note(this.cycleOf(burst));
		if (this.chance.isKnown) return this.free();
		if (accepted === 0) return this.halve(burst);
		if (!law) this.guess(burst);
		else if (law.kind === 'sample' && isTried(burst)) this.correct(burst);
		else if (burst.lastedMs < SHORT_MS) return this.guessBetween(burst);
		else this.takeSample(burst);
		this.deliveryRate = new DeliveryRate(at, true);
		this.deliveryRate.accepted = burst.during;
	}

	private cycleOf({ at, accepted, during, refused, lastedMs, pace }: RefusalBurst): Cycle {
		return {
			accepted: accepted + during,
			refused,
			acceptedBehind: during,
			refusedBehind: refused - 1,
			activeMs: lastedMs,
			ms: lastedMs + this.pausedUntil - at,
			pace,
		};
	}

	/** The service refuses at random: nothing but its pauses holds calls back. */
	private free() {
		this.law = undefined;
		this.deliveryRate = new DeliveryRate();
		this.initialBurst = UNKNOWN;
	}

	/** Too soon for a sample. The pace is between what was accepted and what was refused. */
	private guessBetween(burst: RefusalBurst) {
		const { at, pace } = burst;
		const least = this.isExact(burst) ? pace / 2 : 0;
		const base = Math.max(least, Math.sqrt(rateOf(burst) * pace));
		this.law = { kind: 'guess', base, since: at };
	}

	private takeSample(burst: RefusalBurst) {
		const { at, accepted } = burst;
		const { initialBurst } = this;
		const sampled = this.deliveryRate.perSecond(at, initialBurst);
		const isWindow =
			initialBurst !== UNKNOWN && accepted <= WINDOW_TOLERANCE * initialBurst.accepted;
		const perSecond = isWindow ? Math.max(rateOf(burst), sampled) : sampled;
		this.setSample(perSecond * SAMPLE_LEFT, at, isWindow ? RISE.window : RISE.bucket);
	}

	/** Nothing was accepted between two bursts. Before any other, others had used up the rate, and nothing is known. */
	private halve({ at, pace }: RefusalBurst) {
		const { law } = this;
		if (!law) this.deliveryRate = new DeliveryRate(at, true);
		else this.law = { ...law, base: floor(pace / 2), since: at };
	}

	private guess(burst: RefusalBurst) {
		const { accepted, lastedMs, at } = burst;
		this.initialBurst = lastedMs < MAX_BURST_MS ? { accepted, lastedMs } : UNKNOWN;
		const rate = rateOf(burst);
		const base = Math.max(rate, LEAST_GUESS, Math.sqrt(rate * USUAL));
		this.law = { kind: 'guess', base, since: at };
	}

	/** Slows down after a burst that a sampled pace met. */
	private correct(burst: RefusalBurst) {
		const { at, pace, lastedMs } = burst;
		if (lastedMs >= EARLY_MS) return this.setSample(burst.before * LATE.left, at);
		const least = this.isExact(burst) ? LEAST_LEFT.exact : LEAST_LEFT.usual;
		const left = clamp(leftOf(burst), least, MOST_LEFT);
		this.setSample(pace * left, at, clamp(RISE.ofCut * (1 / left - 1), RISE.least, RISE.most));
	}

	private isExact({ at }: RefusalBurst): boolean {
		return this.pausedUntil - at <= EXACT_MS;
	}

	private setSample(base: number, since: number, rise = RISE.least) {
		this.law = { kind: 'sample', base: floor(base), since, rise };
	}
}

const floor = (perSecond: number) => Math.max(perSecond, SLOWEST);

const clamp = (value: number, least: number, most: number) =>
	Math.max(least, Math.min(most, value));

/** Calls per second that were accepted since the last pause. */
const rateOf = ({ accepted, lastedMs }: RefusalBurst) =>
	(1_000 * accepted) / Math.max(lastedMs, MIN_RATE_MS);

/** Share of a refuted pace. One that lasted less than a second may have spent the rest of a window. */
function leftOf(burst: RefusalBurst): number {
	const { lastedMs, pace } = burst;
	if (lastedMs < MIN_RATE_MS) return (MOST_LEFT * rateOf(burst)) / pace;
	return REFUTED.find(({ upToMs }) => lastedMs < upToMs)?.left ?? LATE_REFUTED;
}

/** Whether there were calls enough for the pace to be the reason of a burst. */
const isTried = ({ accepted, lastedMs, pace }: RefusalBurst) =>
	1_000 * accepted >= LEAST_TRIED * pace * lastedMs;
