import type { RateLimitWindow } from '../client';
import { Pace } from './pace';

/**
 * How fast one family of endpoints, or a whole service, may be called with one API key (familyLimiters.ts). Nothing is known
 * beforehand; only replies show it. Pure arithmetic: times are passed in, in milliseconds, and nothing here waits. As in a
 * congestion-controlled transport, two bounds work together:
 * - The **limit** of calls in flight: slow start, then one more per round (RFC 5681 §3.1). A burst of refusals cuts the limit
 *   once, since calls that were in flight at the cut say nothing new (RFC 6582 §3.2, "recover"). The limit grows only while it
 *   is what holds calls back (RFC 7661 §4). A service that refuses at random (chance.ts) cuts nothing.
 * - The **pace** in calls per second, known only after a refusal (pace.ts; BBR, Cardwell et al. 2016).
 *
 * A failed connection says nothing about the pace and changes nothing.
 */

/** Calls in flight at the start (RFC 6928). */
const FIRST_LIMIT = 10;
/** Slow start rests at this limit for so many replies or so long: when a service runs out, it refuses all calls in flight. */
const REST = { limit: 32, replies: 140, ms: 1_000 };
/** Share of the limit that is left after a burst of refusals. */
const CUT = 0.5;
/** A late start is made up for by up to this time, so that late timers do not lower the pace. */
const CATCH_UP_MS = 50;
/** After this time without calls the sample says nothing about the next burst. */
const IDLE_MS = 10_000;
/** After this time without calls everything known may be out of date. */
const STALE_MS = 600_000;
/** Longest pause. After it, one call tests whether the service still wants the pause. */
const MAX_PAUSE_MS = 3_600_000;
/** Longest random pause after a refusal that names none. The first doubles with each burst until a call is accepted. */
const PAUSE = { firstMs: 1_000, longestMs: 60_000 };

/** A call in flight, and how often the limit had been cut before it started. */
export interface Started {
	cuts: number;
}

/** No window lasts longer. */
const LONGEST_WINDOW_MS = 86_400_000;

/** Whether a window can be what a service counts by: a count of -1 means "no limit", or nothing. */
function isSensible({ left, resetMs }: RateLimitWindow): boolean {
	return Number.isInteger(left) && left >= 0 && resetMs >= 0 && resetMs <= LONGEST_WINDOW_MS;
}

/** Decides when the calls to one family, or to the whole service, may start. */
export class AdaptiveLimiter {
	private limit = FIRST_LIMIT;
	/** Where slow start ends. */
	private threshold = Infinity;
	private inFlight = 0;
	private pausedUntil = 0;
	/** Bursts of refusals since the last accepted call. */
	private refusedBursts = 0;
	private lastStart?: number;
	private cuts = 0;
	/** The latest time that was passed in. */
	private latest = -Infinity;
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

	/** The earliest time at which a call may start, whatever is left of the rate-limit window. */
	opensAt(now: number): number {
		this.noteTime(now);
		return Math.max(now, this.nextAt);
	}

	/** The earliest time at which a call may start. Infinity if it depends on a reply that is yet to come. */
	startsAt(now: number): number {
		const at = this.startsAtLatest(now);
		return this.inFlight > 0 && this.spentUntil(now) > now ? Infinity : at;
	}

	/** The time at which a call may start even if no further reply comes. */
	startsAtLatest(now: number): number {
		return Math.max(this.opensAt(now), this.spentUntil(now));
	}

	/** When the present pause ends. Undefined if there is none, or if it depends on a reply that is yet to come. */
	pauseEndsAt(now: number): number | undefined {
		this.noteTime(now);
		const resetsAt = this.inFlight === 0 ? this.spentUntil(now) : now;
		const endsAt = Math.max(this.pausedUntil, resetsAt);
		return endsAt > now ? endsAt : undefined;
	}

	/** Whether a refusal holds all calls up. */
	isPaused(now: number): boolean {
		this.noteTime(now);
		return this.pausedUntil > now;
	}

	/** Notes that a call starts now. */
	start(now: number): Started {
		this.noteTime(now);
		const idleMs = this.inFlight === 0 ? now - (this.lastStart ?? now) : 0;
		if (idleMs > IDLE_MS) this.pace.forgetDeliveryRate(now, now - idleMs);
		this.lastStart = now;
		this.inFlight += 1;
		this.nextAt = Math.max(this.nextAt, now - CATCH_UP_MS) + 1_000 / this.pace.perSecond(now);
		this.window.left -= 1;
		return { cuts: this.cuts };
	}

	/**
	 * Notes that the service accepted a call, so the pace was not too fast.
	 * @param areHeld whether calls within the limit wait only because they do not all start at once
	 */
	accepted(now: number, report?: RateLimitWindow, areHeld = false) {
		this.noteTime(now);
		const wasFull = areHeld || this.inFlight >= Math.floor(this.limit);
		this.inFlight -= 1;
		this.refusedBursts = 0;
		if (wasFull && !this.rests(now)) this.limit += this.limit < this.threshold ? 1 : 1 / this.limit;
		this.pace.count(now);
		if (!report || !isSensible(report)) return;
		// The service may not have counted the calls in flight yet
		this.window.left = report.left - this.inFlight;
		this.window.resetsAt = now + Math.min(report.resetMs, MAX_PAUSE_MS);
	}

	/** Notes that a call failed in a way that says nothing about the pace. */
	ignored() {
		this.inFlight -= 1;
	}

	/** Notes that the service refused the call because of the pace. */
	throttled(call: Started, now: number, retryAfterMs?: number) {
		this.noteTime(now);
		this.inFlight -= 1;
		const isNewBurst = call.cuts === this.cuts;
		if (isNewBurst) {
			this.cut(this.pace.isChance(now));
			this.pace.refused(now);
		} else this.pace.refusedAgain();
		if (retryAfterMs !== undefined) this.pauseFor(Math.min(retryAfterMs, MAX_PAUSE_MS), now);
		else if (isNewBurst) {
			const longestMs = Math.min(PAUSE.firstMs * 2 ** this.refusedBursts, PAUSE.longestMs);
			this.pauseFor(this.random() * longestMs, now);
		}
		if (isNewBurst) this.refusedBursts += 1;
	}

	/** Whether nothing that is known of the service matters any more. */
	isStale(now: number): boolean {
		const isIdle = this.inFlight === 0 && now - (this.lastStart ?? -Infinity) > STALE_MS;
		return isIdle && this.pausedUntil <= now && this.window.resetsAt <= now;
	}

	/** Moves all times back when the clock was set back, so that what was to last a second still does. */
	private noteTime(now: number) {
		const backMs = this.latest - now;
		this.latest = now;
		if (backMs <= 0) return;
		this.pausedUntil -= backMs;
		this.nextAt -= backMs;
		if (this.lastStart !== undefined) this.lastStart -= backMs;
		this.pace.setBack(backMs);
		this.window.resetsAt -= backMs;
	}

	/** When the rate-limit window resets, if nothing is left of it; else now. */
	private spentUntil(now: number): number {
		const { left, resetsAt } = this.window;
		return left <= 0 ? Math.max(now, resetsAt) : now;
	}

	/** Starts that the pause delays are not made up for: they would go out as a burst. */
	private pauseFor(pauseMs: number, now: number) {
		this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
		this.nextAt = Math.max(this.nextAt, this.pausedUntil);
		this.pace.pauseUntil(this.pausedUntil);
	}

	/** Whether slow start rests, so that the first burst of refusals is small. */
	private rests(now: number): boolean {
		const { accepted, from } = this.pace.beginning;
		const isEarly = this.pace.isUnknown() && accepted < REST.replies && now - from < REST.ms;
		return isEarly && this.limit >= REST.limit;
	}

	/** @param isChance whether the refusal says nothing about the limit: slow start then goes on */
	private cut(isChance: boolean) {
		this.cuts += 1;
		this.limit = isChance ? Math.max(this.limit, FIRST_LIMIT) : Math.max(1, this.limit * CUT);
		this.threshold = isChance ? Infinity : this.limit;
	}
}
