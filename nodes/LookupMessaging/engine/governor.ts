import { type AtOnce, Measure, SHORTEST_MEASURE_MS } from './measure';

/**
 * How fast one service may be asked with one API key. Nothing is known beforehand; the replies tell. Pure arithmetic: the
 * time is handed in, in milliseconds, and nothing here waits.
 *
 * Two bounds work together, as in a congestion-controlled transport:
 * - the **limit**, of calls under way at once: slow start, then one more per round (RFC 5681 §3.1, "Congestion Avoidance and
 *   Control", Jacobson 1988). A burst of refusals is one signal and cuts once: calls that were on their way when the
 *   limit was cut say nothing new (RFC 6582 §3.2, "recover"). It grows only while it is what holds calls back (RFC 7661 §4).
 * - the **pace**, of calls per second, known only after a refusal. A service that counts calls by time hands out what it has
 *   saved up, then refuses; between two refusals it has handed out what it allows in that time. So the calls accepted from
 *   one burst of refusals to the next tell the pace (`measure.ts`; the idea of delivery rate sampling, "BBR: Congestion-Based Congestion
 *   Control", Cardwell et al. 2016, instead of halving blindly). A burst costs the pause that the service then asks for, so a
 *   measured pace is held, and rises slowly; and fast where that goes on unrefused: the measure was too low then.
 *
 * What a failed connection means for the pace is unknown, so it moves nothing.
 */

/** Calls under way at once, to begin with (RFC 6928). */
const FIRST_LIMIT = 10;
/**
 * Slow start rests at so many at once, until so many calls were answered or so much time has passed since the first: as many
 * as are under way when a service has handed out what it had saved up are refused.
 */
const REST = { limit: 32, answers: 140, ms: 1_000 };
/** What a burst of refusals leaves of the limit. */
const CUT = 0.5;
/**
 * Calls per second that a service allows, before anything is known of it. The first guess lies midway, on a scale of
 * magnitudes, between that and what was accepted before the first refusal.
 */
const USUAL_PACE = 300;
/**
 * How the pace rises: a guess doubles in so long, which finds the right order of magnitude; a measured pace begins a little
 * lower, since it may be too high by as much, and gains this share of itself per second.
 */
const GUESS_DOUBLES_IN_MS = 1_500;
const MEASURE_BEGINS_AT = 0.98;
const RISE_PER_SECOND = 1 / 100;
/** A measured pace that was not too fast for so long was measured too low, so it doubles from then on, in so long. */
const MEASURE_HOLDS_MS = 10_000;
const HELD_DOUBLES_IN_MS = 2_000;
/** Calls that were accepted before the first refusal are counted over so long at least. */
const SHORTEST_GUESS_MS = 1_000;
/** What was accepted in a longer time before the first refusal says little of what the service hands out at once. */
const AT_ONCE_MS = 2_000;
/** Slowest pace, in calls per second. */
const SLOWEST = 0.1;
/** How far a late start may be caught up with, so that timers that fire late do not slow the pace. */
const CATCH_UP_MS = 50;
/** After so long without calls what was measured says nothing of the next burst. */
const IDLE_MS = 10_000;
/** After so long without calls all that was learnt may be out of date. */
const STALE_MS = 600_000;
/** Longer than this no wish of the service is taken at its word: then one call may look whether it still holds. */
const LONGEST_PAUSE_MS = 3_600_000;
/** Pause after a refusal that names none: up to the first, doubled with each burst that follows without an answer between. */
const PAUSE = { firstMs: 1_000, longestMs: 60_000 };

/** A call that is under way. */
export interface Started {
	endpoint: string;
	/** How often the limit had been cut before it started. */
	cuts: number;
}

/** What an endpoint has told of its own rate-limit window (SPEC §8: `ratelimit_remain`, `ratelimit_seconds`). */
interface Window {
	underWay: number;
	/** Calls that may still be started until it resets; undefined where it has told nothing. */
	left?: number;
	resetsAt: number;
}

/** What an answer told of the rate-limit window of its endpoint. */
export interface WindowReport {
	/** Calls left in the window. */
	left: number;
	/** Until it resets. */
	resetMs: number;
}

export class Governor {
	private limit = FIRST_LIMIT;
	/** Where slow start ends. */
	private threshold = Infinity;
	private underWay = 0;
	private pausedUntil = 0;
	/** Bursts of refusals since the last answer. */
	private fruitless = 0;
	/** When the last call was started. */
	private lastStart = -Infinity;
	private cuts = 0;
	/** The latest time that was handed in. */
	private heeded = -Infinity;
	/** Calls per second at a time, from where it rises; unbounded until the first refusal. */
	private pace?: { base: number; isGuess: boolean; since: number };
	/** When the pace lets the next call start: after the pause, if there is one. */
	private nextAt = 0;
	/** What was accepted since the last cut that told the pace; or since the first call, as long as there was none. */
	private measure = new Measure();
	/** What was accepted before the first refusal: what the service had saved up, and what it allows in that time. */
	private first = UNKNOWN;
	private readonly windows = new Map<string, Window>();

	/** @param random a number from 0 up to 1, for the jitter of pauses that the service leaves to us */
	constructor(private readonly random: () => number) {}

	/** Calls that may be under way at once, at most `cap`. */
	roomUnder(cap: number): number {
		return Math.floor(Math.min(this.limit, cap)) - this.underWay;
	}

	/** The earliest time at which any call may start, whatever its endpoint. */
	opensAt(now: number): number {
		this.heed(now);
		return Math.max(now, this.nextAt);
	}

	/**
	 * The earliest time at which a call to the endpoint may start, as far as is known; the time given if at once. Infinity
	 * while only replies that are on their way can tell.
	 */
	startsAt(endpoint: string, now: number): number {
		const at = this.startsAtLatest(endpoint, now);
		const window = this.spentWindow(endpoint, now);
		return window && window.underWay > 0 ? Infinity : at;
	}

	/** The time at which a call to the endpoint may start as far as is known, even if no reply that is on its way comes. */
	startsAtLatest(endpoint: string, now: number): number {
		const opensAt = this.opensAt(now);
		return Math.max(opensAt, this.spentWindow(endpoint, now)?.resetsAt ?? opensAt);
	}

	/**
	 * The end of the pause that the service wants from the endpoint's calls; undefined where there is none, or where only
	 * replies that are on their way can tell.
	 */
	pauseEndsAt(endpoint: string, now: number): number | undefined {
		this.heed(now);
		const window = this.spentWindow(endpoint, now);
		const resetsAt = window?.underWay === 0 ? window.resetsAt : now;
		const endsAt = Math.max(now, this.pausedUntil, resetsAt);
		return endsAt > now ? endsAt : undefined;
	}

	/** Takes note that a call starts now. */
	start(endpoint: string, now: number): Started {
		this.heed(now);
		const isFresh = this.underWay === 0 && now - this.lastStart > IDLE_MS;
		if (isFresh) this.measure = new Measure(now);
		this.lastStart = now;
		this.underWay += 1;
		this.nextAt = Math.max(this.nextAt, now - CATCH_UP_MS) + 1_000 / this.perSecond(now);
		const window = this.windows.get(endpoint) ?? { underWay: 0, resetsAt: 0 };
		this.windows.set(endpoint, window);
		window.underWay += 1;
		if (window.left !== undefined) window.left -= 1;
		return { endpoint, cuts: this.cuts };
	}

	/**
	 * The call was answered: the pace was not too fast.
	 * @param areHeld whether calls that the limit allows have not begun yet, only because not all begin together
	 */
	accepted(call: Started, now: number, report?: WindowReport, areHeld = false) {
		this.heed(now);
		const wasFull = areHeld || this.underWay >= Math.floor(this.limit);
		const window = this.leave(call);
		this.fruitless = 0;
		if (wasFull && !this.rests(now)) {
			this.limit += this.limit < this.threshold ? 1 : 1 / this.limit;
		}
		this.measure.count(now);
		if (!report) return;
		// Calls that are under way may not have been counted yet
		window.left = report.left - window.underWay;
		window.resetsAt = now + Math.min(report.resetMs, LONGEST_PAUSE_MS);
		this.windows.set(call.endpoint, window);
	}

	/** The call failed in a way that says nothing of the pace. */
	ignored(call: Started) {
		this.leave(call);
	}

	/** The service refused the call for the pace. */
	refused(call: Started, now: number, retryAfterMs?: number) {
		this.heed(now);
		this.leave(call);
		const isNews = call.cuts === this.cuts;
		if (isNews) this.cut(now);
		if (retryAfterMs !== undefined) this.pauseFor(Math.min(retryAfterMs, LONGEST_PAUSE_MS), now);
		if (!isNews) return;
		if (retryAfterMs === undefined) {
			const most = PAUSE.firstMs * 2 ** this.fruitless;
			this.pauseFor(this.random() * Math.min(most, PAUSE.longestMs), now);
		}
		this.fruitless += 1;
	}

	/** Whether nothing that is known of the service matters any more. */
	isStale(now: number): boolean {
		return (
			this.underWay === 0 &&
			now - this.lastStart > STALE_MS &&
			this.pausedUntil <= now &&
			[...this.windows.values()].every(({ resetsAt }) => resetsAt <= now)
		);
	}

	/** When the clock was set back, all that was noted goes back with it: what was to last a second still does. */
	private heed(now: number) {
		const backMs = this.heeded - now;
		this.heeded = now;
		if (!(backMs > 0 && backMs < Infinity)) return;
		this.pausedUntil -= backMs;
		this.nextAt -= backMs;
		this.lastStart -= backMs;
		this.measure.setBack(backMs);
		if (this.pace) this.pace.since -= backMs;
		for (const window of this.windows.values()) window.resetsAt -= backMs;
	}

	/** The rate-limit window of the endpoint, where nothing is left of it. */
	private spentWindow(endpoint: string, now: number): Window | undefined {
		const window = this.windows.get(endpoint);
		const isSpent = window?.left !== undefined && window.left <= 0 && window.resetsAt > now;
		return isSpent ? window : undefined;
	}

	/** The window of the endpoint, which is forgotten unless it told something that still holds. */
	private leave({ endpoint }: Started): Window {
		this.underWay -= 1;
		const window = this.windows.get(endpoint) ?? { underWay: 1, resetsAt: 0 };
		window.underWay -= 1;
		if (window.underWay === 0 && window.left === undefined) this.windows.delete(endpoint);
		return window;
	}

	/** Nothing is caught up with of the time before the pause ends: calls that were late then would go out as a burst. */
	private pauseFor(pauseMs: number, now: number) {
		this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
		this.nextAt = Math.max(this.nextAt, this.pausedUntil);
	}

	/** Whether slow start rests, so that the first burst of refusals is a small one. */
	private rests(now: number): boolean {
		const { isSinceCut, accepted, from } = this.measure;
		const isEarly = !isSinceCut && accepted < REST.answers && now - from < REST.ms;
		return isEarly && this.limit >= REST.limit;
	}

	/** One signal: half the limit, and the pace that the calls since the last one tell. */
	private cut(now: number) {
		this.threshold = Math.max(1, this.limit * CUT);
		this.limit = this.threshold;
		this.cuts += 1;
		const { measure, pace, first } = this;
		const pauseEnded = Math.min(this.pausedUntil, now);
		if (measure.isSinceCut && pace) measure.pauseEnded(pauseEnded - pace.since);
		const isShort = measure.restMs(now, first) < SHORTEST_MEASURE_MS;
		if (!pace && measure.accepted === 0) {
			// Others had used up what the service hands out, which says nothing of how much that is
			this.measure = new Measure(now, true);
		} else if (!measure.isSinceCut || (!pace && isShort)) {
			this.setPace(this.guess(now), true, now);
		} else if (pace && (isShort || measure.accepted === 0)) {
			// Too soon to measure anything, so the measure goes on
			this.pace = { base: atLeastSlowest(this.perSecond(now) * CUT), isGuess: true, since: now };
		} else {
			this.setPace(measure.perSecond(now, first) * MEASURE_BEGINS_AT, false, now);
		}
	}

	/** Sets the pace, and begins to measure anew. */
	private setPace(perSecond: number, isGuess: boolean, now: number) {
		this.pace = { base: atLeastSlowest(perSecond), isGuess, since: now };
		this.measure = new Measure(now, true);
	}

	/** A first guess of the pace, in calls per second; notes what was handed out at once. */
	private guess(now: number): number {
		const { accepted, from } = this.measure;
		const lastedMs = now - from;
		this.first = lastedMs < AT_ONCE_MS ? { accepted, lastedMs } : UNKNOWN;
		const perSecond = (1_000 * accepted) / Math.max(lastedMs, SHORTEST_GUESS_MS);
		return Math.max(perSecond, Math.sqrt(perSecond * USUAL_PACE));
	}

	/** Calls per second that may be started now. */
	private perSecond(now: number): number {
		if (!this.pace) return Infinity;
		const { base, isGuess, since } = this.pace;
		const forMs = Math.max(0, now - Math.max(since, this.pausedUntil));
		if (isGuess) return base * 2 ** (forMs / GUESS_DOUBLES_IN_MS);
		const heldMs = Math.min(forMs, MEASURE_HOLDS_MS);
		const risen = base * (1 + (RISE_PER_SECOND * heldMs) / 1_000);
		return risen * 2 ** ((forMs - heldMs) / HELD_DOUBLES_IN_MS);
	}
}

/** Nothing is known of how much a service hands out at once. */
const UNKNOWN: AtOnce = { accepted: Number.MAX_VALUE, lastedMs: 0 };

function atLeastSlowest(perSecond: number): number {
	return Math.max(perSecond, SLOWEST);
}
