/**
 * How many calls per second may start. Unknown until the first refusal. From then on each burst of refusals sets the pace again,
 * once its pause is over and the replies to all of its calls are in. Times are in milliseconds and passed in.
 *
 * Other processes may share the account. They cannot talk to each other, but they see the same refusals. Each burst costs
 * each of them a pause of about a second, so the pace has to be right after few bursts, and stay right for long. It is one of two:
 * - A **guess** doubles every one and a half seconds, until a burst shows that it was too fast.
 * - A **sample** is the rate at which calls were accepted since the last burst. What several processes were given together is
 *   what they can have together, whether a bucket or a fixed window counts their calls. It rises slowly, a faster one by a smaller
 *   share, so that the paces of several processes become alike (binomial congestion control, Bansal and Balakrishnan 2001). A
 *   burst within three seconds shows that it was too fast, and a later one that it rose too far. After half a minute without
 *   refusals other processes have left, and it rises faster and faster, as in the convex part of CUBIC (RFC 9438 §4.1).
 *
 * Where a service refuses at random (Chance), there is no pace at all.
 */

/** The first guess is the geometric mean of USUAL and the rate before the first refusal, and at least this. */
const LEAST_GUESS = 60;
const USUAL = 400;
const GUESS_DOUBLES_IN_MS = 1_500;
/** A rate is measured over at least this time. */
const MIN_RATE_MS = 1_000;
/** If the first refusal comes later than this, the calls before it say little about the initial burst. */
const MAX_BURST_MS = 2_000;
/** In a shorter time, a bucket returns its savings, and a sample says nothing. */
const SHORT_MS = 500;
/** A shorter pause is that of a bucket that reports exactly when it has a token. */
const EXACT_MS = 250;
/** If fewer calls were accepted than this share of the pace, there were too few to try it. */
const LEAST_TRIED = 0.5;
/** A window accepts at most this many times the calls before the first refusal. A bucket also returns what it gains meanwhile. */
const WINDOW_TOLERANCE = 1.15;
/** An earlier burst shows that the pace was wrong; a later one is a result of its rise. */
const EARLY_MS = 3_000;
/** Shares of a pace that remain: of one refuted at once, later or late, of a sample, and if nothing was accepted. */
const LEFT = { least: 0.7, most: 0.97, refuted: 0.88, late: 0.95, sample: 0.98, halted: 0.7 };
/** Shares by which a pace of 25 rises in a second, after a sample of what is likely a window or a bucket, and later. */
const RISE = { window: 0.005, bucket: 0.02, later: 0.001, atPace: 25 };
/** After this time without refusals others may have left: the rise becomes faster, up to an exponent that stays finite. */
const QUICKENS = { afterS: 30, by: 0.015, most: 20 };
/** Slowest pace in calls per second. */
const SLOWEST = 0.1;
/** The number of accepted calls is remembered at this many earlier times. */
const MARKS = { everyMs: 500, max: 10 };

/** A burst of refusals. */
interface RefusalBurst {
	at: number;
	/** Pace at that time, and a second before. */
	pace: number;
	before: number;
	/** Calls that were accepted since the pause before, and how long that took. */
	accepted: number;
	lastedMs: number;
	/** Calls in flight at the first refusal that were accepted and refused during the pause. */
	spared: number;
	hit: number;
}

export class Pace {
	/** Calls per second at the time `since`, and the share by which a sampled pace rises in a second; a guess has none. */
	private law?: { perSecond: number; since: number; rise?: number };
	/** The burst of refusals whose pause has not ended. */
	private burst?: RefusalBurst;
	private pausedUntil = 0;
	private burstAt = 0;
	/** Calls accepted since the last burst. */
	private accepted = 0;
	/** The data that shows the rate: its beginning, and the number of accepted calls. */
	sample = newSample(0);
	/** Calls accepted before the first refusal: at least the savings of the service. */
	private initial?: Pick<RefusalBurst, 'accepted' | 'lastedMs'>;
	private readonly chance = new Chance();

	/** The present pace in calls per second; unbounded until the first refusal. */
	perSecond(now: number): number {
		this.learnIfDue(now);
		if (!this.law) return Infinity;
		const { perSecond, since, rise } = this.law;
		const seconds = Math.max(0, now - Math.max(since, this.pausedUntil)) / 1_000;
		if (rise === undefined) return perSecond * 2 ** ((1_000 * seconds) / GUESS_DOUBLES_IN_MS);
		const ofShare = Math.sqrt(RISE.atPace / perSecond);
		const beyond = QUICKENS.by * ofShare * Math.max(0, seconds - QUICKENS.afterS) ** 2;
		return perSecond * (1 + rise * ofShare * seconds) * Math.exp(Math.min(QUICKENS.most, beyond));
	}

	/** Whether no call has been refused yet. */
	get isUnknown(): boolean {
		return this.burstAt === 0;
	}

	/** Whether the service refuses calls at random, so that a refusal says nothing about the pace. */
	isChance(now: number): boolean {
		this.learnIfDue(now);
		return this.chance.isKnown;
	}

	/** Notes an accepted call. */
	count(now: number) {
		this.learnIfDue(now);
		const { sample, burst } = this;
		if (burst) return void (burst.spared += 1);
		if (sample.accepted === 0 && !sample.isSinceBurst) sample.from = now;
		sample.accepted += 1;
		this.accepted += 1;
		const last = sample.marks.at(-1);
		if (last && now - last.at < MARKS.everyMs) return;
		sample.marks = [...sample.marks.slice(1 - MARKS.max), { at: now, accepted: sample.accepted }];
	}

	/** Records the first refusal of a burst. pauseUntil reports the pause. */
	refused(now: number) {
		const { accepted, sample } = this;
		const [pace, before] = [this.perSecond(now), this.perSecond(now - 1_000)];
		const from = sample.isSinceBurst ? this.pausedUntil : sample.from;
		// A late refusal of the burst before may have made the pause longer
		const lastedMs = accepted === 0 ? 0 : Math.max(0, now - from);
		if (sample.isSinceBurst) {
			sample.pausedMs += Math.max(0, this.pausedUntil - this.burstAt);
			sample.pauses += 1;
		}
		this.burst = { at: now, pace, before, accepted, lastedMs, spared: 0, hit: 0 };
		[this.burstAt, this.pausedUntil, this.accepted] = [now, now, 0];
	}

	/** Notes a further refusal of a burst. */
	refusedAgain() {
		if (this.burst) this.burst.hit += 1;
	}

	pauseUntil(at: number) {
		this.pausedUntil = at;
	}

	/** Records that there were no calls since the last one: the risen pace was never tried, and a new sample begins. */
	noteIdle(now: number, lastCall: number) {
		this.learnIfDue(now);
		if (this.law) this.law = { ...this.law, perSecond: this.perSecond(lastCall), since: now };
		this.sample = newSample(now);
		this.accepted = 0;
	}

	/** Sets the pace when the pause of a burst is over: by then all replies to it are in. */
	private learnIfDue(now: number) {
		if (!this.burst || now < this.pausedUntil) return;
		const { burst } = this;
		this.burst = undefined;
		this.chance.note(burst, this.pausedUntil);
		if (this.chance.isKnown) {
			this.law = this.initial = undefined;
			this.sample = newSample(0);
		} else if (this.learn(burst)) this.sample = newSample(burst.at, burst.spared, true);
	}

	/** @returns whether a new sample begins; otherwise the old one continues over this burst */
	private learn(burst: RefusalBurst): boolean {
		const { at, accepted, lastedMs, pace } = burst;
		const { law } = this;
		const rate = (1_000 * accepted) / Math.max(lastedMs, MIN_RATE_MS);
		const isExact = this.pausedUntil - at <= EXACT_MS;
		if (!law) {
			// If nothing was accepted before, others had used up the rate, and it remains unknown
			if (accepted === 0) return true;
			if (lastedMs < MAX_BURST_MS) this.initial = { accepted, lastedMs };
			this.set(Math.max(rate, LEAST_GUESS, Math.sqrt(rate * USUAL)), at);
		} else if (accepted === 0) {
			this.set(pace * LEFT.halted, at, law.rise);
			return false;
		} else if (law.rise !== undefined && 1_000 * accepted >= LEAST_TRIED * pace * lastedMs) {
			this.set(correct(burst, rate, isExact), at, RISE.later);
		} else if (lastedMs < SHORT_MS) {
			// Too soon for a sample: the pace is between what was accepted and what was refused
			this.set(Math.max(isExact ? pace / 2 : 0, Math.sqrt(rate * pace)), at);
			return false;
		} else {
			const isWindow = this.initial && accepted <= WINDOW_TOLERANCE * this.initial.accepted;
			const sampled = Math.max(isWindow ? rate : 0, this.sampled(at));
			this.set(sampled * LEFT.sample, at, isWindow ? RISE.window : RISE.bucket);
		}
		return true;
	}

	/** @param rise the growth of a sampled pace; without it, the pace is a guess */
	private set(perSecond: number, since: number, rise?: number) {
		this.law = { perSecond: Math.max(perSecond, SLOWEST), since, rise };
	}

	/**
	 * The highest of several rates. None of them is too high: in any time, a service accepts at most its savings plus what it
	 * allows in that time. The others include times with too few calls, or pauses that exceed its savings.
	 */
	private sampled(now: number): number {
		const { accepted, from, pauses, pausedMs, marks } = this.sample;
		const saved = this.initial ?? { accepted: Number.MAX_VALUE, lastedMs: 0 };
		const activeMs = now - from - pausedMs - pauses * saved.lastedMs;
		const stretches = marks
			.filter(({ at }) => now - at >= SHORT_MS)
			.map((mark) => (accepted - mark.accepted - saved.accepted) / (now - mark.at));
		const withoutPauses = (accepted - pauses * saved.accepted) / activeMs;
		return 1_000 * Math.max(accepted / (now - from), withoutPauses, ...stretches);
	}
}

/** The remaining pace after a sampled pace met a burst. One that lasted less than a second may have used the rest of a window. */
function correct({ lastedMs, pace, before }: RefusalBurst, rate: number, isExact: boolean): number {
	if (lastedMs >= EARLY_MS) return before * LEFT.late;
	if (isExact || lastedMs >= MIN_RATE_MS) return pace * LEFT.refuted;
	return Math.max(LEFT.least * pace, LEFT.most * Math.min(rate, pace));
}

/** @param isSinceBurst whether it follows a burst; otherwise it begins with its first accepted call */
function newSample(from: number, accepted = 0, isSinceBurst = false) {
	const marks: Array<{ at: number; accepted: number }> = [];
	return { from, accepted, isSinceBurst, pauses: 0, pausedMs: 0, marks };
}

/** Each burst counts for this much of the next. */
const FADES = 0.8;
/** Share of the best earlier rate; a pace below it does not explain a refusal. And how often in a row. */
const WELL_BELOW = { share: 0.8, times: 2 };
/** Shares of refused calls that can be chance. A smaller one costs little; a larger one ends the knowledge, a little later. */
const SHARES = { least: 0.03, most: 0.5, known: 0.7 };
/** So many more calls in flight may be refused than accepted. */
const FEW = 1;

/**
 * Distinguishes a service that refuses calls at random from one that is called too fast. If the rate is the reason, slower calls
 * are refused less often, and most calls in flight behind a refused one are refused too. Refusals that continue at a lower rate
 * than before, and that spare the calls behind them, say nothing about the pace.
 */
class Chance {
	isKnown = false;
	/** The best rate from the end of one pause to the end of the next; the first one shows the savings. */
	private best = 0;
	private wellBelow = 0;
	private accepted = 0;
	private refused = 0;
	/** The refused calls beyond the accepted ones, behind a first refusal. */
	private excess = 0;

	note({ at, pace, accepted, lastedMs, spared, hit }: RefusalBurst, pausedUntil: number) {
		const ms = lastedMs + pausedUntil - at;
		this.accepted = FADES * this.accepted + accepted + spared;
		this.refused = FADES * this.refused + 1 + hit;
		this.excess = FADES * this.excess + hit - spared;
		if (accepted > 0) this.wellBelow = pace < WELL_BELOW.share * this.best ? this.wellBelow + 1 : 0;
		if (ms >= MIN_RATE_MS && pace < Infinity)
			this.best = Math.max(this.best, (1_000 * (accepted + spared)) / ms);
		const share = this.refused / (this.accepted + this.refused);
		const most = this.isKnown ? SHARES.known : SHARES.most;
		const isLikely = share >= SHARES.least && share <= most && this.excess <= FEW;
		if (this.isKnown && !isLikely) this.best = this.wellBelow = 0;
		this.isKnown = isLikely && (this.isKnown || this.wellBelow >= WELL_BELOW.times);
	}
}
