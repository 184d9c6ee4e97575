import type { RateLimitWindow } from '../client';
import { Pace } from './pace';

/**
 * How fast one family of endpoints, or a whole service, may be called with one API key. Nothing is known beforehand; only replies
 * show it. Pure arithmetic: times are passed in, in milliseconds, and nothing here waits. As in a congestion-controlled transport,
 * two bounds work together:
 * - The **limit** of calls in flight: slow start, then one more per round (RFC 5681 §3.1). A burst of refusals cuts the limit
 *   once, since calls that were in flight at the cut say nothing new (RFC 6582 §3.2, "recover"). The limit grows only while it
 *   is what holds calls back (RFC 7661 §4). A service that refuses at random cuts nothing.
 * - The **pace** in calls per second, known only after a refusal (pace.ts; BBR, Cardwell et al. 2016).
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

	/** Notes that a call starts now. */
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
