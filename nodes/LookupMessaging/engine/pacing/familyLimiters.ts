import type { RateLimitWindow } from '../client';
import { AdaptiveLimiter, type Started } from './adaptiveLimiter';

/** A call in flight, as the limiter of its family and that of the whole service know it. */
interface StartedInBoth {
	family: AdaptiveLimiter;
	inFamily: Started;
	inWhole: Started;
}

/**
 * When the calls to one base URL may start with one API key. A call has to pass two limiters: that of its family of endpoints and
 * that of the whole service. A refusal belongs to the family that met it: its pause and pace hold nobody else up. Where two
 * families are refused at a time, or the whole service pauses already, the service has shown that the limit is on all of them.
 */
export class FamilyLimiters {
	private readonly whole: AdaptiveLimiter;
	private readonly families = new Map<string, AdaptiveLimiter>();

	/** @param random see AdaptiveLimiter */
	constructor(private readonly random: () => number) {
		this.whole = new AdaptiveLimiter(random);
	}

	/** Whether one more call may be in flight, as far as the whole service is concerned. */
	hasRoom(cap: number): boolean {
		return this.whole.roomUnder(cap) > 0;
	}

	/** The same, as far as the family is concerned. */
	hasRoomFor(family: string, cap: number): boolean {
		return this.of(family).roomUnder(cap) > 0;
	}

	/** See AdaptiveLimiter. */
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
		const ends = [this.whole, this.of(family)].map((limiter) => limiter.pauseEndsAt(now));
		const last = Math.max(...ends.map((end) => end ?? now));
		return last > now ? last : undefined;
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
		family.ignored();
		this.whole.ignored();
	}

	throttled({ family, inFamily, inWhole }: StartedInBoth, now: number, retryAfterMs?: number) {
		const others = [...this.families.values()].filter((other) => other !== family);
		if ([this.whole, ...others].some((limiter) => limiter.isPaused(now))) {
			family.ignored();
			this.whole.throttled(inWhole, now, retryAfterMs);
		} else {
			family.throttled(inFamily, now, retryAfterMs);
			this.whole.ignored();
		}
	}

	isStale(now: number): boolean {
		return [this.whole, ...this.families.values()].every((limiter) => limiter.isStale(now));
	}

	private of(name: string): AdaptiveLimiter {
		const known = this.families.get(name);
		if (known) return known;
		const family = new AdaptiveLimiter(this.random);
		this.families.set(name, family);
		return family;
	}
}
