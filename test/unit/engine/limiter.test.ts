import {
	AdaptiveLimiter,
	type Started,
} from '../../../nodes/LookupMessaging/engine/pacing/limiter';
import type { RateLimitWindow } from '../../../nodes/LookupMessaging/engine/client';
import { concurrencyOf } from '../../../nodes/LookupMessaging/engine/pacing/requestRate';
import { play, shuffled, type Scene } from '../fakes/pacedService';

/** Some time: small, so that fractions of a millisecond are exact. */
const T0 = 1_000_000;
const HALF = () => 0.5;

/** A limiter and its calls. No clock runs: every time is passed in. */
function openLimiter(random: () => number = HALF) {
	const limiter = new AdaptiveLimiter(random);
	const underWay: Started[] = [];
	const start = (count: number, now = T0) => {
		for (let n = 0; n < count; n += 1) underWay.push(limiter.start(now));
	};
	/** Starts as many as there is room for. */
	const fill = (now = T0, cap = Infinity) => start(limiter.roomUnder(cap), now);
	const oldest = () => {
		const call = underWay.shift();
		if (!call) throw new Error('No call is in flight');
		return call;
	};
	return {
		limiter,
		underWay,
		start,
		fill,
		/** The oldest calls are answered, one after the other, and their places taken again if `refilling`. */
		accept(count: number, now = T0, { refilling = false, cap = Infinity } = {}) {
			for (let n = 0; n < count; n += 1) {
				oldest();
				limiter.accepted(now);
				if (refilling) fill(now, cap);
			}
		},
		/** The oldest call is answered with what is left of the window. */
		report(window: RateLimitWindow, now = T0) {
			oldest();
			limiter.accepted(now, window);
		},
		throttle(count: number, now = T0, retryAfterMs?: number) {
			for (let n = 0; n < count; n += 1) limiter.throttled(oldest(), now, retryAfterMs);
		},
		ignore(count = underWay.length) {
			for (let n = 0; n < count; n += 1) {
				oldest();
				limiter.ignored();
			}
		},
		/** Calls are started and answered at once, spread evenly over the time after `from`. */
		answer(count: number, from: number, overMs: number) {
			for (let n = 1; n <= count; n += 1) {
				const now = from + (n * overMs) / count;
				limiter.start(now);
				limiter.accepted(now);
			}
		},
		/** One call is started and throttled. */
		burst(now: number, retryAfterMs = 0) {
			limiter.throttled(limiter.start(now), now, retryAfterMs);
		},
		limit: () => limiter.roomUnder(Infinity) + underWay.length,
		/** How many start at once if as many as may do. */
		startable(now: number) {
			let started = 0;
			for (; limiter.startsAt(now) <= now && started < 1_000; started += 1) limiter.start(now);
			for (let n = 0; n < started; n += 1) limiter.ignored();
			return started;
		},
		/** Calls per second that are let go at a time, as the distance of two that are not. */
		paceAt(now: number) {
			const next = () => {
				limiter.start(now);
				limiter.ignored();
				return limiter.startsAt(now);
			};
			let at = next();
			while (at <= now) at = next();
			return Number((1_000 / (next() - at)).toFixed(6));
		},
	};
}

/** Ten calls were accepted, the last at T0, when the next was throttled without a pause. */
function throttledOnce() {
	const rig = openLimiter();
	rig.answer(10, T0 - 100, 100);
	rig.burst(T0);
	return rig;
}

describe('the limit of calls in flight', () => {
	test('is ten to begin with, and never more than the cap', () => {
		const { limiter, start } = openLimiter();
		expect([5, 10, 20].map((cap) => limiter.roomUnder(cap))).toEqual([5, 10, 10]);
		start(4);
		expect([3, 5, 10, 20].map((cap) => limiter.roomUnder(cap))).toEqual([-1, 1, 6, 6]);
	});

	test('doubles in each full round: slow start, with a rest at 32 until 140 calls were answered', () => {
		const { fill, accept, limit } = openLimiter();
		fill();
		const limits = [10, 20, 32, 32, 46, 32, 64].map((answers) => {
			accept(answers, T0, { refilling: true });
			return limit();
		});
		expect(limits).toEqual([20, 32, 32, 32, 32, 64, 128]);
	});

	test('rests for at most a second, if calls take long', () => {
		const { fill, accept, limit } = openLimiter();
		fill();
		accept(10, T0, { refilling: true });
		accept(20, T0 + 500, { refilling: true });
		accept(1, T0 + 999, { refilling: true });
		expect(limit()).toBe(32);
		accept(32, T0 + 1_000, { refilling: true });
		expect(limit()).toBe(64);
	});

	test('does not rest on the way up after a throttling', () => {
		const { fill, accept, throttle, ignore, limit } = openLimiter();
		fill();
		accept(140, T0, { refilling: true });
		accept(32, T0, { refilling: true });
		expect(limit()).toBe(64);
		throttle(1);
		ignore();
		fill();
		accept(32, T0, { refilling: true });
		expect(limit()).toBe(32);
		accept(2, T0, { refilling: true });
		expect(limit()).toBe(33);
	});

	test('grows by one in each round after the first throttling, to its former value and beyond', () => {
		const { fill, accept, throttle, limit, ignore } = openLimiter();
		fill();
		accept(10, T0, { refilling: true });
		throttle(1);
		ignore();
		expect(limit()).toBe(10);
		fill();
		accept(10, T0, { refilling: true });
		expect(limit()).toBe(10);
		accept(1, T0, { refilling: true });
		expect(limit()).toBe(11);
		accept(11, T0, { refilling: true });
		expect(limit()).toBe(12);
	});

	test('does not grow while few calls come, or while a lower cap limits them', () => {
		const { fill, accept, limit } = openLimiter();
		for (const cap of [5, 9]) {
			fill(T0, cap);
			accept(100, T0, { refilling: true, cap });
			expect(limit()).toBe(10);
		}
	});

	test('is halved once by a burst of throttled calls, however many were in flight', () => {
		const { fill, accept, throttle, limit } = openLimiter();
		fill();
		accept(10, T0, { refilling: true });
		throttle(20, T0 + 5, 1_000);
		expect(limit()).toBe(10);
	});

	test('is halved once by throttled calls of one burst that arrive apart, between answers and failures', () => {
		const { fill, accept, throttle, ignore, start, limit } = openLimiter();
		fill();
		accept(10, T0, { refilling: true });
		for (let n = 0; n < 6; n += 1) {
			throttle(1, T0 + n * 400, 1_000);
			accept(1, T0 + n * 400);
			ignore(1);
		}
		expect(limit()).toBe(10);
		start(1, T0 + 4_000);
		throttle(2, T0 + 4_001, 1_000);
		expect(limit()).toBe(10);
		throttle(1, T0 + 4_002, 1_000);
		expect(limit()).toBe(5);
	});

	test('is halved again by the next burst, down to one', () => {
		const { fill, throttle, limit } = openLimiter();
		const limits = [1, 2, 3, 4, 5].map((burst) => {
			fill(T0 + burst * 2_000);
			throttle(limit(), T0 + burst * 2_000);
			return limit();
		});
		expect(limits).toEqual([5, 2, 1, 1, 1]);
	});

	test('does not change with a failure of the network, and neither does the rate', () => {
		const of = (failures: number) => {
			const { limiter, start, fill, accept, burst, ignore, limit, paceAt } = openLimiter();
			const fail = () => {
				start(failures);
				ignore();
			};
			fail();
			fill();
			accept(10);
			const seen = [limit()];
			fail();
			burst(T0);
			seen.push(limit(), limiter.startsAt(T0));
			for (let n = 0; n < failures; n += 1) limiter.start(T0);
			for (let n = 0; n < failures; n += 1) limiter.ignored();
			return [...seen, limit(), paceAt(T0 + 5_000)];
		};
		expect(of(50)).toEqual(of(0));
	});
});

describe('a pause', () => {
	test('lasts as long as the service says', () => {
		const { limiter, start, throttle } = openLimiter();
		start(3);
		throttle(1, T0, 3_000);
		expect(limiter.startsAt(T0 + 1)).toBe(T0 + 3_000);
		expect(limiter.pauseEndsAt(T0 + 1)).toBe(T0 + 3_000);
		expect(limiter.startsAt(T0 + 3_000)).toBe(T0 + 3_000);
		expect(limiter.pauseEndsAt(T0 + 3_000)).toBeUndefined();
	});

	test('is the longest one that a burst of throttled calls names', () => {
		const { limiter, start, throttle } = openLimiter();
		start(3);
		throttle(1, T0, 2_000);
		throttle(1, T0 + 10, 5_000);
		throttle(1, T0 + 20, 1_000);
		expect(limiter.startsAt(T0 + 20)).toBe(T0 + 5_010);
	});

	test('of no stated length is a random part of a second, doubled while no answer comes', () => {
		const pausesWith = (random: () => number) => {
			const { limiter, start, throttle } = openLimiter(random);
			return Array.from({ length: 9 }, (_, burst) => {
				const now = T0 + burst * 100_000;
				start(1, now);
				throttle(1, now);
				return (limiter.pauseEndsAt(now) ?? now) - now;
			});
		};
		const seconds = [1, 2, 4, 8, 16, 32, 60, 60, 60];
		expect(pausesWith(HALF)).toEqual(seconds.map((most) => most * 500));
		expect(pausesWith(() => 0.25)).toEqual(seconds.map((most) => most * 250));
		expect(pausesWith(() => 0)).toEqual(seconds.map(() => 0));
	});

	test('of no stated length is short again after an answer', () => {
		const { limiter, start, throttle, accept } = openLimiter();
		for (const burst of [1, 2, 3]) {
			start(1, T0 + burst * 100_000);
			throttle(1, T0 + burst * 100_000);
		}
		start(2, T0 + 400_000);
		accept(1, T0 + 400_000);
		throttle(1, T0 + 400_000);
		expect(limiter.pauseEndsAt(T0 + 400_000)).toBe(T0 + 400_500);
	});

	test('of no stated length is drawn once per burst', () => {
		let drawn = 0;
		const { start, throttle } = openLimiter(() => ((drawn += 1), 0.5));
		start(10);
		throttle(10);
		expect(drawn).toBe(1);
	});
});

describe('the rate', () => {
	test('is unlimited until the first throttling', () => {
		const { limiter, answer, startable } = openLimiter();
		answer(5_000, T0, 10);
		expect(startable(T0 + 10)).toBe(1_000);
		expect(limiter.startsAt(T0 + 10)).toBe(T0 + 10);
	});

	test.each([
		['6 in 200 ms: at least 60', 6, 200, 60],
		['48 in 200 ms, so that a second is the least to count by: midway to 400', 48, 200, 138.564065],
		['225 in 3 s: midway to 400', 225, 3_000, 173.205081],
		['900 in 2 s, more than 400 a second', 900, 2_000, 450],
	])(
		'is guessed at the first throttling from the accepted calls so far: %s',
		(_, calls, ms, pace) => {
			const { answer, burst, paceAt } = openLimiter();
			answer(1, T0, 0);
			answer(calls - 1, T0, ms);
			burst(T0 + ms);
			expect(paceAt(T0 + ms)).toBe(pace);
		},
	);

	test('doubles every 1.5 seconds while it is a guess, but not during the pause before', () => {
		const { answer, burst, paceAt } = openLimiter();
		answer(48, T0, 200);
		burst(T0 + 200, 1_000);
		const paces = [0, 750, 1_500, 3_000, 6_000].map((ms) => paceAt(T0 + 1_200 + ms));
		expect(paces).toEqual([138.564065, 195.959179, 277.128129, 554.256258, 2_217.025033]);
	});

	/** A second burst four seconds after the first, with 200 calls accepted between. */
	const measured = () => {
		const rig = throttledOnce();
		rig.answer(200, T0, 4_000);
		rig.burst(T0 + 4_000);
		return rig;
	};

	test('is that of accepted calls between two bursts of throttled calls, less 2 %', () => {
		expect(measured().paceAt(T0 + 4_000)).toBe(49);
	});

	describe('of a service whose bucket is full before the pause that it names ends', () => {
		/** Ten calls are accepted at once, then 100 a second; after each throttling the service asks for a pause of a second. */
		const handedOut = (overMs: number) => {
			const rig = openLimiter();
			rig.answer(1, T0 - 50, 0);
			rig.answer(14, T0 - 50, 50);
			rig.burst(T0, 1_000);
			rig.answer(10, T0 + 1_000, 0);
			rig.answer(overMs / 10, T0 + 1_000, overMs);
			rig.burst(T0 + 1_000 + overMs, 1_000);
			return rig.paceAt(T0 + 2_000 + overMs);
		};

		test('is that of accepted calls beyond the initial burst, in the time beyond the pause', () => {
			// As much as at first, when it was 10 and 5 in 50 ms
			expect([500, 1_000, 2_000, 5_000].map(handedOut)).toEqual([98, 98, 98, 98]);
		});

		test('is measured over several pauses, when calls were throttled again at once', () => {
			const rig = openLimiter();
			rig.answer(1, T0 - 50, 0);
			rig.answer(14, T0 - 50, 50);
			rig.burst(T0, 1_000);
			for (const since of [1_000, 2_100]) {
				rig.answer(10, T0 + since, 0);
				rig.answer(10, T0 + since, 100);
				rig.burst(T0 + since + 100, 1_000);
			}
			rig.answer(10, T0 + 3_200, 0);
			rig.answer(100, T0 + 3_200, 1_000);
			rig.burst(T0 + 4_200, 1_000);
			expect(rig.paceAt(T0 + 5_200)).toBe(98);
		});
	});

	test('is measured over the whole time if the first throttling came late, since it does not show the initial burst', () => {
		const rig = openLimiter();
		rig.answer(1, T0 - 2_000, 0);
		rig.answer(199, T0 - 2_000, 2_000);
		rig.burst(T0, 1_000);
		rig.answer(200, T0 + 1_000, 1_000);
		rig.burst(T0 + 2_000, 1_000);
		expect(rig.paceAt(T0 + 3_000)).toBe(98);
	});

	test('is that of the fastest stretch: slower demand does not count', () => {
		const rig = throttledOnce();
		rig.answer(40, T0, 2_000);
		rig.answer(110, T0 + 2_000, 1_000);
		rig.burst(T0 + 3_000);
		// 150 in three seconds, but a hundred in the last of them beyond the ten that are accepted at once
		expect(rig.paceAt(T0 + 3_000)).toBeCloseTo(98, -1);
	});

	test('is no higher for a stretch of less than half a second', () => {
		const rig = throttledOnce();
		rig.answer(52, T0, 2_600);
		rig.answer(98, T0 + 2_600, 400);
		rig.burst(T0 + 3_000);
		// In the last half a second: two, and then 98
		expect(rig.paceAt(T0 + 3_000)).toBeLessThanOrEqual(0.98 * 2 * (100 - 10));
	});

	test('is that of a stretch of at most five seconds, or of the whole time: older marks are dropped', () => {
		const rig = throttledOnce();
		rig.answer(20, T0, 20_000);
		rig.answer(800, T0 + 20_000, 8_000);
		rig.burst(T0 + 28_000);
		// Ten marks, half a second apart or a little more
		expect(rig.paceAt(T0 + 28_000)).toBeCloseTo((0.98 * (450 - 10)) / 4.5, 0);
	});

	test('rises by two percent per second once it is measured, and less where it is more than 25', () => {
		const { paceAt } = measured();
		const paces = [1_000, 2_000, 5_000, 10_000].map((ms) => paceAt(T0 + 4_000 + ms));
		expect(paces).toEqual([49.7, 50.4, 52.5, 56]);
	});

	test('rises faster and faster after half a minute without a throttling, since others have left', () => {
		const rig = measured();
		let now = T0 + 4_000;
		const risen = [30_000, 5_000, 5_000].map((ms) => {
			rig.answer(ms / 1_000, now, ms);
			now += ms;
			return rig.paceAt(now) / 70;
		});
		expect(risen[0]).toBeCloseTo(1, 5);
		expect(risen[1]).toBeCloseTo(1.05 * Math.exp(0.015 * Math.sqrt(25 / 49) * 25), 5);
		expect(risen[2]).toBeCloseTo(1.1 * Math.exp(0.015 * Math.sqrt(25 / 49) * 100), 5);
	});

	test('returns to its value of a second before, less 5 %, if it was right for three seconds', () => {
		const rig = measured();
		rig.answer(250, T0 + 4_000, 5_000);
		rig.burst(T0 + 9_000, 1_000);
		expect(rig.paceAt(T0 + 10_000)).toBeCloseTo(0.95 * (49 + 4 * 0.7), 5);
	});

	test.each([
		[300, 0.7],
		[1_100, 0.88],
		[2_900, 0.88],
	])('is cut when calls are throttled again after %i ms, to a share of %d', (ms, left) => {
		const rig = measured();
		rig.answer((50 * ms) / 1_000, T0 + 4_000, ms);
		rig.burst(T0 + 4_000 + ms, 1_000);
		expect(rig.paceAt(T0 + 5_000 + ms)).toBeCloseTo(left * (49 + (0.7 * ms) / 1_000), 5);
	});

	test('is not cut further by a throttling with a pause shorter than a reply takes', () => {
		const rig = measured();
		rig.answer(15, T0 + 4_000, 300);
		rig.burst(T0 + 4_300, 5);
		expect(rig.paceAt(T0 + 4_305)).toBeCloseTo(0.88 * (49 + 0.21), 5);
	});

	test('is measured again if there were too few calls to try it', () => {
		const rig = measured();
		rig.answer(20, T0 + 4_000, 2_000);
		rig.burst(T0 + 6_000, 1_000);
		expect(rig.paceAt(T0 + 7_000)).toBe(9.8);
	});

	test('is cut by three tenths by each burst without an answer before it, down to one call in ten seconds', () => {
		const rig = measured();
		rig.burst(T0 + 6_000);
		expect(rig.paceAt(T0 + 6_000)).toBe(35.28);
		for (let n = 1; n <= 20; n += 1) rig.burst(T0 + 6_000 + n);
		expect(rig.paceAt(T0 + 6_020)).toBe(0.1);
	});

	test('is not guessed from a throttling before any answer, since others had used up the rate', () => {
		const rig = openLimiter();
		for (const ms of [0, 1_000, 2_000]) rig.burst(T0 + ms, 1_000);
		expect(rig.startable(T0 + 3_000)).toBe(1_000);
		rig.answer(20, T0 + 3_000, 1_000);
		rig.burst(T0 + 4_000);
		expect(rig.paceAt(T0 + 4_000)).toBe(89.442719);
	});

	test('lets calls catch up on 50 ms at most, after any idle time', () => {
		const { startable, limiter } = measured();
		expect(startable(T0 + 14_000)).toBe(3);
		expect(limiter.startsAt(T0 + 14_000)).toBeCloseTo(T0 + 13_950 + 3_000 / 56);
		expect(startable(T0 + 24_000)).toBe(Math.floor(0.05 * 63) + 1);
	});

	test('lets no call catch up on the time before the end of a pause: one starts then', () => {
		const { answer, burst, startable } = openLimiter();
		answer(48, T0, 200);
		burst(T0 + 200, 1_000);
		expect(startable(T0 + 1_199)).toBe(0);
		expect(startable(T0 + 1_200)).toBe(1);
		expect(startable(T0 + 1_250)).toBe(7);
	});

	test('does not count as a pause', () => {
		const { limiter, startable } = measured();
		startable(T0 + 4_000);
		expect(limiter.pauseEndsAt(T0 + 4_000)).toBeUndefined();
	});

	test('does not rise in ten seconds or more without calls', () => {
		const rig = measured();
		rig.answer(1, T0 + 30_000, 0);
		rig.answer(99, T0 + 30_000, 2_000);
		rig.burst(T0 + 32_000);
		expect(rig.paceAt(T0 + 32_000)).toBeCloseTo(0.88 * (49 + 2 * 0.7), 5);
	});
});

test('the measurement goes on through ten seconds without new calls while one is in flight', () => {
	const rig = throttledOnce();
	rig.start(1, T0);
	rig.answer(60, T0 + 28_000, 2_000);
	rig.burst(T0 + 30_000);
	// All but what is accepted at once, from the first of them on; begun again, it would be a guess of 122
	expect(rig.paceAt(T0 + 30_000)).toBeCloseTo((0.98 * (59 - 10)) / (2 - 1 / 30), 5);
});

describe('a rate-limit window', () => {
	/** So many calls under way, and one that was answered with a report. */
	const reported = (left: number, others: number, resetMs = 30_000) => {
		const rig = openLimiter();
		rig.limiter.start(T0);
		rig.start(others);
		rig.limiter.accepted(T0, { left, resetMs });
		return rig;
	};

	test('lets as many calls start as are left, minus those in flight', () => {
		const { limiter, start } = reported(5, 3);
		expect(limiter.startsAt(T0)).toBe(T0);
		start(1);
		expect(limiter.startsAt(T0)).toBe(T0);
		start(1);
		expect(limiter.startsAt(T0)).toBe(Infinity);
	});

	test('names no time while replies are outstanding, except when it resets at the latest', () => {
		const { limiter, accept, ignore } = reported(2, 2);
		expect(limiter.startsAt(T0)).toBe(Infinity);
		expect(limiter.pauseEndsAt(T0)).toBeUndefined();
		expect(limiter.startsAtLatest(T0)).toBe(T0 + 30_000);
		accept(1);
		expect(limiter.startsAt(T0)).toBe(Infinity);
		ignore(1);
		expect(limiter.startsAt(T0)).toBe(T0 + 30_000);
		expect(limiter.pauseEndsAt(T0)).toBe(T0 + 30_000);
	});

	test('is updated with each reply', () => {
		const { limiter, report } = reported(2, 2);
		report({ left: 2, resetMs: 30_000 });
		expect(limiter.startsAt(T0)).toBe(T0);
		report({ left: 0, resetMs: 20_000 });
		expect(limiter.startsAt(T0)).toBe(T0 + 20_000);
	});

	test('that is used up is a pause', () => {
		const { limiter } = reported(0, 0);
		expect(limiter.startsAt(T0)).toBe(T0 + 30_000);
		expect(limiter.pauseEndsAt(T0)).toBe(T0 + 30_000);
	});

	test('stops nothing once it has reset, even with replies outstanding', () => {
		const { limiter, start } = reported(1, 1);
		expect(limiter.startsAt(T0 + 29_999)).toBe(Infinity);
		expect(limiter.startsAt(T0 + 30_000)).toBe(T0 + 30_000);
		start(5, T0 + 30_000);
		expect(limiter.startsAt(T0 + 30_000)).toBe(T0 + 30_000);
	});

	test('does not shorten a pause that the service asks for', () => {
		const { limiter, start, throttle } = reported(0, 0, 1_000);
		start(1);
		throttle(1, T0, 5_000);
		expect(limiter.startsAt(T0)).toBe(T0 + 5_000);
		expect(limiter.pauseEndsAt(T0)).toBe(T0 + 5_000);
	});

	test('that is used up with replies outstanding does not hide a pause that the service names', () => {
		const { limiter, start, throttle } = reported(1, 1);
		start(1);
		throttle(1, T0, 60_000);
		expect(limiter.pauseEndsAt(T0)).toBe(T0 + 60_000);
		expect(limiter.startsAtLatest(T0)).toBe(T0 + 60_000);
	});
});

describe('the knowledge of the limiter', () => {
	const MINUTES = 60_000;

	test('is kept for ten minutes after the last call', () => {
		const { limiter, start, accept } = openLimiter();
		start(2);
		accept(1);
		expect(limiter.isStale(T0 + 11 * MINUTES)).toBe(false);
		accept(1);
		expect(limiter.isStale(T0 + 10 * MINUTES)).toBe(false);
		expect(limiter.isStale(T0 + 10 * MINUTES + 1)).toBe(true);
	});

	test('is kept as long as a pause or a window lasts', () => {
		const paused = openLimiter();
		paused.burst(T0, 60 * MINUTES);
		const spent = openLimiter();
		spent.start(1);
		spent.report({ left: 0, resetMs: 60 * MINUTES });
		for (const { limiter } of [paused, spent]) {
			expect(limiter.isStale(T0 + 59 * MINUTES)).toBe(false);
			expect(limiter.isStale(T0 + 60 * MINUTES)).toBe(true);
		}
	});

	describe('moves back with a clock that is set back:', () => {
		const BACK = 60 * MINUTES;

		test('a pause keeps its length', () => {
			const { limiter, burst } = openLimiter();
			burst(T0, 20_000);
			expect(limiter.startsAt(T0 + 5_000 - BACK)).toBe(T0 + 5_000 - BACK + 20_000);
		});

		test('a step of a millisecond ends no pause', () => {
			const { limiter, burst } = openLimiter();
			burst(T0, 20_000);
			limiter.startsAt(T0 + 5_000);
			expect(limiter.startsAt(T0 + 4_999)).toBe(T0 + 19_999);
		});

		test('a pause that is the first event at the new time applies', () => {
			const { limiter, start, throttle } = openLimiter();
			start(1);
			throttle(1, T0 - BACK, 20_000);
			expect(limiter.startsAt(T0 - BACK)).toBe(T0 - BACK + 20_000);
		});

		test('a window that is the first event at the new time applies', () => {
			const { limiter, start, report } = openLimiter();
			start(1);
			report({ left: 0, resetMs: 30_000 }, T0 - BACK);
			expect(limiter.startsAt(T0 - BACK)).toBe(T0 - BACK + 30_000);
		});

		test('the rate and its measurement continue', () => {
			const { answer, burst, paceAt, startable } = openLimiter();
			answer(48, T0, 200);
			burst(T0 + 200);
			startable(T0 + 200);
			const now = T0 + 200 - BACK;
			expect([0, 1_500].map((ms) => paceAt(now + ms))).toEqual([138.564065, 277.128129]);
			answer(80, now + 2_000, 2_000);
			burst(now + 4_000);
			expect(paceAt(now + 4_000)).toBe(19.6);
		});

		test('the stretches of the measurement continue', () => {
			const { limiter, answer, burst, paceAt } = throttledOnce();
			answer(20, T0, 2_000);
			answer(60, T0 + 2_000, 1_000);
			limiter.startsAt(T0 + 3_000 - BACK);
			answer(60, T0 + 3_000 - BACK, 1_000);
			burst(T0 + 4_000 - BACK);
			// 60 a second for two seconds, without the ten
			expect(paceAt(T0 + 4_000 - BACK)).toBeCloseTo(0.98 * 55, 0);
		});

		test('a window resets after the same time, and applies until then', () => {
			const { limiter, start, report } = openLimiter();
			start(1);
			report({ left: 0, resetMs: 30_000 });
			expect(limiter.startsAt(T0 - BACK)).toBe(T0 - BACK + 30_000);
			expect(limiter.startsAt(T0 - BACK + 30_000)).toBe(T0 - BACK + 30_000);
		});

		test('it becomes stale on time', () => {
			const { limiter, burst } = openLimiter();
			burst(T0, 1_000);
			limiter.startsAt(T0 - BACK);
			expect(limiter.isStale(T0 - BACK + 10 * MINUTES)).toBe(false);
			expect(limiter.isStale(T0 - BACK + 10 * MINUTES + 1)).toBe(true);
		});
	});
});

describe('a list for a service of unknown rate', () => {
	const SAID = ['seconds', 'exact', 'none'] as const;
	const LATENCIES = [1, 5, 50, 200];
	const scenes = SAID.flatMap((retryAfter) =>
		LATENCIES.map((latencyMs) => ({ retryAfter, latencyMs })),
	);
	const lead = (
		scene: Pick<Scene, 'calls' | 'latencyMs' | 'retryAfter' | 'service'>,
		cap = concurrencyOf(),
	) => play({ ...scene, cap, random: shuffled() });

	describe.each(scenes)('with latency $latencyMs ms, Retry-After: $retryAfter', (scene) => {
		test("and 100 a second, 50 at once: delivers 1,000 of 1,000, under 4.5 % throttled, within a third of the rate's time", () => {
			const service = { perSecond: 100, burst: 50 };
			const played = lead({ ...scene, calls: 1_000, service });
			expect(played.delivered).toBe(1_000);
			expect(played.throttledPercent).toBeLessThan(4.5);
			expect(played.mostTries).toBeLessThanOrEqual(3);
			expect(played.peak).toBeLessThanOrEqual(concurrencyOf());
			expect(played.lastedMs).toBeLessThan((4 / 3) * 9_500);
		});

		test("and 100 a second, all used up by others at first: delivers 1,000 of 1,000 within three times the rate's time", () => {
			const service = { perSecond: 100, burst: 50, held: 0 };
			const played = lead({ ...scene, calls: 1_000, service });
			expect(played.delivered).toBe(1_000);
			expect(played.throttledPercent).toBeLessThan(4);
			expect(played.lastedMs).toBeLessThan(3 * 10_000);
		});

		test("and 10 a second, 5 at once: delivers 200 of 200, few throttled, within 1.4 times the rate's time", () => {
			const played = lead({ ...scene, calls: 200, service: { perSecond: 10, burst: 5 } });
			expect(played.delivered).toBe(200);
			expect(played.throttled).toBeLessThan(30);
			expect(played.mostTries).toBeLessThanOrEqual(5);
			expect(played.lastedMs).toBeLessThan(1.4 * 19_500);
		});

		test("and 100 a second, not two at once: throttles no item more than four times, within six times the rate's time", () => {
			const played = lead({ ...scene, calls: 1_000, service: { perSecond: 100, burst: 1 } });
			expect(played.delivered).toBe(1_000);
			expect(played.throttledPercent).toBeLessThan(5);
			expect(played.mostTries).toBeLessThanOrEqual(4);
			expect(played.lastedMs).toBeLessThan(6 * 10_000);
		});

		test.each([
			['100 in each second', { calls: 100, windowMs: 1_000 }, 1_000, 9],
			['1,000 in each minute', { calls: 1_000, windowMs: 60_000 }, 3_000, 9],
		])('and a fixed window of %s: delivers all, few throttled', (_, service, calls, percent) => {
			const played = lead({ ...scene, calls, service });
			expect(played.delivered).toBe(calls);
			expect(played.throttledPercent).toBeLessThan(percent);
			expect(played.mostTries).toBeLessThanOrEqual(5);
		});
	});

	test.each([
		[10, 2.5, 1.27],
		[100, 5, 1.15],
	])(
		"with 100 a second and %i at once, Retry-After in seconds: delivers 1,000 of 1,000, under %d % throttled, within %d times the rate's time",
		(burst, percent, times) => {
			for (const latencyMs of [1, 5, 50]) {
				const service = { perSecond: 100, burst };
				const played = lead({ calls: 1_000, latencyMs, retryAfter: 'seconds', service });
				expect(played.delivered).toBe(1_000);
				expect(played.throttledPercent).toBeLessThan(percent);
				expect(played.lastedMs).toBeLessThan(times * (10_000 - 10 * burst));
			}
		},
	);

	test.each([
		['4 calls of a minute', { calls: 6_000, windowMs: 60_000, phaseMs: 50_000, spent: 5_996 }],
		['30 calls of a minute', { calls: 6_000, windowMs: 60_000, phaseMs: 50_000, spent: 5_970 }],
		['1 call of a minute', { calls: 6_000, windowMs: 60_000, phaseMs: 50_000, spent: 5_999 }],
		['5 calls of ten seconds', { calls: 1_000, windowMs: 10_000, phaseMs: 2_000, spent: 995 }],
	])('uses the next windows although others have left %s', (_, service) => {
		const seconds = 120;
		const calls = 100 * seconds;
		const played = lead({ calls, latencyMs: 50, retryAfter: 'seconds', service });
		expect(played.delivered).toBe(calls);
		expect(played.throttledPercent).toBeLessThan(3);
		expect(played.lastedMs).toBeLessThan(1.2 * 1_000 * seconds);
	});

	test.each([
		[1, 3_600_000],
		[2, 60_000],
		[4, 5_000],
		[40, 10_000],
	])(
		'is not slow for long at a service that names a long pause after %i calls and then accepts all',
		(accepted, retryAfterMs) => {
			const rig = openLimiter();
			rig.answer(accepted, T0, 200);
			rig.start(1, T0 + 200);
			rig.throttle(1, T0 + 250, retryAfterMs);
			rig.answer(1, T0 + 250 + retryAfterMs, 1);
			expect(rig.paceAt(T0 + retryAfterMs + 1_000)).toBeGreaterThan(60);
			expect(rig.paceAt(T0 + retryAfterMs + 10_000)).toBeGreaterThan(1_000);
		},
	);

	test('is throttled less, by share, with 10,000 items than with 1,000', () => {
		const service = { perSecond: 100, burst: 50 };
		const scene = { calls: 10_000, latencyMs: 50, retryAfter: 'seconds', service } as const;
		const played = lead(scene);
		expect(played.delivered).toBe(10_000);
		expect(played.throttledPercent).toBeLessThan(1);
		expect(played.lastedMs).toBeLessThan(1.25 * 99_500);
	});

	test('has as many parallel calls as the cap allows at a service that never throttles', () => {
		const service = { perSecond: 1e9, burst: 1e9 };
		const scene = { calls: 1_000, latencyMs: 50, retryAfter: 'seconds', service } as const;
		const played = lead(scene);
		expect([played.throttled, played.peak]).toEqual([0, concurrencyOf()]);
		// 10 and 20, four rounds of 32 or a few more, then 64, and eight of a hundred
		expect(played.lastedMs).toBe((2 + 4 + 1 + 8) * 50);
	});
});

describe('a service that refuses calls at random, with a Retry-After of a second', () => {
	const LATENCIES = [5, 50, 120];
	const timesOf = (
		{ calls, latencyMs }: Pick<Scene, 'calls' | 'latencyMs'>,
		refusedShare: number,
		{ to, seeds = 5 }: { to?: number; seeds?: number } = {},
	) => {
		const times = Array.from({ length: seeds }, (_, index) => {
			const seed = index + 1;
			const random = shuffled(7_919 * seed);
			for (let n = 0; n < 20; n += 1) random();
			const service = { refusedShare, waitMs: 1_000, to };
			const scene = { service, random, jitter: 0.2, cap: concurrencyOf() };
			const played = play({ ...scene, calls, latencyMs, retryAfter: 'seconds' });
			expect([played.delivered, played.early]).toEqual([calls, 0]);
			return played.lastedMs;
		});
		return times.sort((a, b) => a - b);
	};
	const lastedMs = (...of: Parameters<typeof timesOf>) => timesOf(...of)[2];

	test.each([
		[0.05, 70],
		[0.1, 70],
		[0.2, 70],
		[0.4, 110],
	])(
		'with a share of %d: 1,000 calls take no more than %i seconds, not a second or more each',
		(refusedShare, seconds) => {
			for (const latencyMs of LATENCIES)
				expect(lastedMs({ calls: 1_000, latencyMs }, refusedShare)).toBeLessThan(1_000 * seconds);
		},
	);

	test('with a share of 0.2: no small list of 45 takes more than 45 seconds', () => {
		for (const calls of [20, 50])
			for (const latencyMs of LATENCIES)
				expect(timesOf({ calls, latencyMs }, 0.2, { seeds: 45 }).at(-1)).toBeLessThan(45_000);
	});

	test('is called fast again as soon as it refuses none', () => {
		for (const latencyMs of LATENCIES)
			expect(lastedMs({ calls: 1_000, latencyMs }, 0.2, { to: 75 })).toBeLessThan(35_000);
	});
});
