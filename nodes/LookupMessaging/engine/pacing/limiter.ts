import type { RateLimitWindow } from '../client';

/**
 * How fast one family of endpoints, or a whole service, may be called with one API key. Nothing is known beforehand; only replies
 * show it. Pure arithmetic: times are passed in, in milliseconds, and nothing here waits. As in a congestion-controlled transport,
 * two bounds work together:
 * - The **limit** of calls in flight: slow start, then one more per round (RFC 5681 §3.1). A burst of refusals cuts the limit
 *   once, since calls that were in flight at the cut say nothing new (RFC 6582 §3.2, "recover"). The limit grows only while it
 *   is what holds calls back (RFC 7661 §4). A service that refuses at random cuts nothing.
 * - The **pace** in calls per second, known only after a refusal (`Pace`; BBR, Cardwell et al. 2016).
 *
 * A failed connection says nothing about the pace and changes nothing.
 */

/** Calls in flight at the start (RFC 6928). */
const FIRST_LIMIT = 10;
/** Slow start rests at this limit for this many replies or this long: an overloaded service refuses all calls in flight. */
const REST = { limit: 32, replies: 140, ms: 1_000 };
/** Share of the limit that remains after a burst of refusals. */
const CUT = 0.5;
/** A late start may be caught up on by up to this time, so that late timers do not lower the pace. */
const CATCH_UP_MS = 50;
/** After this time without calls the sample says nothing about the next burst. */
const IDLE_MS = 10_000;
/** After this time without calls all knowledge may be out of date. */
const STALE_MS = 600_000;
/** Longest pause. After it, one call tests whether the service still wants the pause. */
const MAX_PAUSE_MS = 3_600_000;
/** Longest random pause after a refusal that names none. The first doubles with each burst until a call is accepted. */
const PAUSE = { firstMs: 1_000, longestMs: 60_000 };
/** No window lasts longer. */
const LONGEST_WINDOW_MS = 86_400_000;

/** A call in flight, and how often the limit had been cut before it started. */
export interface Started {
	cuts: number;
}

/** Decides when the calls to one family, or to the whole service, may start. */
export class AdaptiveLimiter {
	private limit = FIRST_LIMIT;
	/** The limit at which slow start ends. */
	private threshold = Infinity;
	private inFlight = 0;
	private pausedUntil = 0;
	/** Bursts of refusals since the last accepted call. */
	private refusedBursts = 0;
	private lastStart?: number;
	private cuts = 0;
	/** The latest time, and the total by which the clock has been set back, so that durations stay the same. */
	private latest = -Infinity;
	private behindMs = 0;
	private readonly pace = new Pace();
	/** When the pace and the pause let the next call start. */
	private nextAt = 0;
	/** The rate-limit window (SPEC §8): how many calls may start until it resets. Infinitely many until a reply reports it. */
	private readonly window = { left: Infinity, resetsAt: 0 };

	/** @param random a number from 0 up to 1, for the jitter of pauses that the service does not name */
	constructor(private readonly random: () => number) {}

	/** How many more calls may be in flight, at most `cap` in all. */
	roomUnder(cap: number): number {
		return Math.floor(Math.min(this.limit, cap)) - this.inFlight;
	}

	/** The earliest time at which a call may start, ignoring the rate-limit window. */
	opensAt(now: number): number {
		return Math.max(this.steady(now), this.nextAt) - this.behindMs;
	}

	/** The earliest time at which a call may start. Infinity if it depends on a reply that has not arrived. */
	startsAt(now: number): number {
		const at = this.startsAtLatest(now);
		return this.inFlight > 0 && this.spentUntil() > this.latest ? Infinity : at;
	}

	/** The time at which a call may start even if no further reply comes. */
	startsAtLatest(now: number): number {
		return Math.max(this.opensAt(now), this.spentUntil() - this.behindMs);
	}

	/** When the present pause ends. Undefined if there is none, or if it depends on a reply that has not arrived. */
	pauseEndsAt(now: number): number | undefined {
		const at = this.steady(now);
		const endsAt = Math.max(this.pausedUntil, this.inFlight === 0 ? this.spentUntil() : at);
		return endsAt > at ? endsAt - this.behindMs : undefined;
	}

	/** Whether a refusal delays all calls. */
	isPaused(now: number): boolean {
		return this.pausedUntil > this.steady(now);
	}

	start(now: number): Started {
		const at = this.steady(now);
		const { lastStart = at, pace } = this;
		if (this.inFlight === 0 && at - lastStart > IDLE_MS) pace.noteIdle(at, lastStart);
		this.lastStart = at;
		this.inFlight += 1;
		this.nextAt = Math.max(this.nextAt, at - CATCH_UP_MS) + 1_000 / pace.perSecond(at);
		this.window.left -= 1;
		return { cuts: this.cuts };
	}

	/**
	 * Records that the service accepted a call, so the pace was not too fast.
	 * @param areHeld whether calls within the limit wait only because they do not all start at once
	 */
	accepted(now: number, report?: RateLimitWindow, areHeld = false) {
		const at = this.steady(now);
		const wasFull = areHeld || this.inFlight >= Math.floor(this.limit);
		this.inFlight -= 1;
		this.refusedBursts = 0;
		if (wasFull && !this.rests(at)) this.limit += this.limit < this.threshold ? 1 : 1 / this.limit;
		this.pace.count(at);
		if (!report || !isSensible(report)) return;
		// The service may not have counted the calls in flight yet
		this.window.left = report.left - this.inFlight;
		this.window.resetsAt = at + Math.min(report.resetMs, MAX_PAUSE_MS);
	}

	/** Notes that a call failed in a way that says nothing about the pace. */
	ignored() {
		this.inFlight -= 1;
	}

	/** Notes that the service refused the call because of the pace. */
	throttled(call: Started, now: number, retryAfterMs?: number) {
		const at = this.steady(now);
		this.inFlight -= 1;
		const isNewBurst = call.cuts === this.cuts;
		if (isNewBurst) {
			this.cut(this.pace.isChance(at));
			this.pace.refused(at);
		} else this.pace.refusedAgain();
		if (retryAfterMs !== undefined) this.pauseFor(Math.min(retryAfterMs, MAX_PAUSE_MS), at);
		else if (isNewBurst) {
			const longestMs = Math.min(PAUSE.firstMs * 2 ** this.refusedBursts, PAUSE.longestMs);
			this.pauseFor(this.random() * longestMs, at);
		}
		if (isNewBurst) this.refusedBursts += 1;
	}

	/** Whether the knowledge about the service is out of date. */
	isStale(now: number): boolean {
		const at = now + this.behindMs;
		const isIdle = this.inFlight === 0 && at - (this.lastStart ?? -Infinity) > STALE_MS;
		return isIdle && this.pausedUntil <= at && this.window.resetsAt <= at;
	}

	/** The time on a clock that is never set back, by which all times are kept. */
	private steady(now: number): number {
		this.behindMs += Math.max(0, this.latest - this.behindMs - now);
		this.latest = now + this.behindMs;
		return this.latest;
	}

	/** When the rate-limit window resets, if it is used up; else now. */
	private spentUntil(): number {
		const { left, resetsAt } = this.window;
		return left <= 0 ? Math.max(this.latest, resetsAt) : this.latest;
	}

	/** Calls delayed by the pause are not caught up on: they would start as a burst. */
	private pauseFor(pauseMs: number, now: number) {
		this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
		this.nextAt = Math.max(this.nextAt, this.pausedUntil);
		this.pace.pauseUntil(this.pausedUntil);
	}

	/** Whether slow start rests, so that the first burst of refusals is small. */
	private rests(now: number): boolean {
		const { accepted, from } = this.pace.sample;
		const isEarly = this.pace.isUnknown && accepted < REST.replies && now - from < REST.ms;
		return isEarly && this.limit >= REST.limit;
	}

	/** @param isChance whether the refusal says nothing about the limit, so that slow start continues */
	private cut(isChance: boolean) {
		this.cuts += 1;
		this.limit = isChance ? Math.max(this.limit, FIRST_LIMIT) : Math.max(1, this.limit * CUT);
		this.threshold = isChance ? Infinity : this.limit;
	}
}

/** Whether the values of a window are plausible: a count of -1 means "no limit", or nothing. */
function isSensible({ left, resetMs }: RateLimitWindow): boolean {
	return Number.isInteger(left) && left >= 0 && resetMs >= 0 && resetMs <= LONGEST_WINDOW_MS;
}

/** A call in flight, as recorded in the limiter of its family and in that of the whole service. */
interface StartedInBoth {
	family: AdaptiveLimiter;
	inFamily: Started;
	inWhole: Started;
}

/**
 * When the calls to one base URL may start with one API key. A call has to pass two limiters: that of its family of endpoints and
 * that of the whole service. A refusal belongs to its family: its pause and pace delay no other calls. If two families are
 * refused at a time, or the whole service pauses already, the limit applies to all of them.
 */
export class FamilyLimiters {
	private readonly whole: AdaptiveLimiter;
	private readonly families = new Map<string, AdaptiveLimiter>();

	/** @param random see AdaptiveLimiter */
	constructor(private readonly random: () => number) {
		this.whole = new AdaptiveLimiter(random);
	}

	/** Whether the family allows one more call in flight; without a family, the whole service. */
	hasRoom(cap: number, family?: string): boolean {
		return (family === undefined ? this.whole : this.of(family)).roomUnder(cap) > 0;
	}

	opensAt(now: number): number {
		return this.whole.opensAt(now);
	}

	startsAt(family: string, now: number): number {
		return Math.max(this.whole.opensAt(now), this.of(family).startsAt(now));
	}

	startsAtLatest(family: string, now: number): number {
		return Math.max(this.whole.opensAt(now), this.of(family).startsAtLatest(now));
	}

	pauseEndsAt(family: string, now: number): number | undefined {
		const ends = [this.whole, this.of(family)].map((limiter) => limiter.pauseEndsAt(now) ?? now);
		return Math.max(...ends) > now ? Math.max(...ends) : undefined;
	}

	start(name: string, now: number): StartedInBoth {
		const family = this.of(name);
		return { family, inFamily: family.start(now), inWhole: this.whole.start(now) };
	}

	accepted({ family }: StartedInBoth, now: number, report?: RateLimitWindow, areHeld = false) {
		family.accepted(now, report, areHeld);
		this.whole.accepted(now, undefined, areHeld);
	}

	ignored({ family }: StartedInBoth) {
		for (const limiter of [family, this.whole]) limiter.ignored();
	}

	throttled({ family, inFamily, inWhole }: StartedInBoth, now: number, retryAfterMs?: number) {
		const others = [this.whole, ...this.families.values()].filter((other) => other !== family);
		const isOfAll = others.some((limiter) => limiter.isPaused(now));
		(isOfAll ? family : this.whole).ignored();
		if (isOfAll) this.whole.throttled(inWhole, now, retryAfterMs);
		else family.throttled(inFamily, now, retryAfterMs);
	}

	isStale(now: number): boolean {
		return [this.whole, ...this.families.values()].every((limiter) => limiter.isStale(now));
	}

	private of(name: string): AdaptiveLimiter {
		const known = this.families.get(name) ?? new AdaptiveLimiter(this.random);
		this.families.set(name, known);
		return known;
	}
}

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
