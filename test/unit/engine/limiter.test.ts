import { AdaptiveLimiter, concurrencyOf, type Started } from '../../engine';
import { play, shuffled, throttledPercent, type Scene } from '../fakes/pacedService';

/** Some time: small, so that fractions of a millisecond are exact. */
const T0 = 1_000_000;
const HALF = () => 0.5;

/**
 * A limiter, and what a script does to it: no clock runs, every time is passed in. The words of a script:
 * - `+5`, `-5` let so many milliseconds pass, or set the clock back.
 * - `s3` starts three calls, `f` as many as there is room for. The oldest of them end: `k2` are answered, `r2` are answered and
 *   their places are taken again, `w4:9` is answered with a window (4 left, for 9 ms), `t2:9` are throttled with a pause of 9 ms,
 *   `t2` without one, `T` is `t` for all, `i2` fail, `i` is `i` for all.
 * - `a9/50` starts and answers nine calls in the next 50 ms, `!9` starts and throttles one with a pause of 9 ms.
 * - `l` notes the limit, `n` how many calls start at once, `?` the pace in calls per second, `@` in how many milliseconds one may
 *   start, `L` in how many at the latest, `p` how long the pause lasts, `z` whether all is out of date.
 */
function watch(script: string, random: () => number = HALF): unknown[] {
	const limiter = new AdaptiveLimiter(random);
	const underWay: Started[] = [];
	const noted: unknown[] = [];
	let now = T0;
	const start = (count: number) => {
		for (let n = 0; n < count; n += 1) underWay.push(limiter.start(now));
	};
	const fill = () => start(limiter.roomUnder(Infinity));
	const each = (count: number, end: (oldest: Started) => void) => {
		for (const oldest of underWay.splice(0, count)) end(oldest);
	};
	const throttled = (ms?: number) => (call: Started) => limiter.throttled(call, now, ms);
	const startNow = () => {
		let started = 0;
		for (; limiter.startsAt(now) <= now && started < 1_000; started += 1) limiter.start(now);
		for (let n = 0; n < started; n += 1) limiter.ignored();
		return started;
	};
	/** The distance of two calls that are not let go at a time. */
	const pace = () => {
		const next = () => {
			limiter.start(now);
			limiter.ignored();
			return limiter.startsAt(now);
		};
		let at = next();
		while (at <= now) at = next();
		return 1_000 / (next() - at);
	};
	const words: Record<string, (count: number, more: number | undefined) => unknown> = {
		'+': (ms) => void (now += ms),
		'-': (ms) => void (now -= ms),
		s: (count) => start(count),
		f: () => fill(),
		k: (count) => each(count, () => limiter.accepted(now)),
		r: (count) => {
			for (let n = 0; n < count; n += 1) {
				each(1, () => limiter.accepted(now));
				fill();
			}
		},
		w: (left, resetMs = 0) => each(1, () => limiter.accepted(now, { left, resetMs })),
		t: (count, ms) => each(count, throttled(ms)),
		T: () => each(Infinity, throttled()),
		i: (count) => each(count || Infinity, () => limiter.ignored()),
		a: (count, overMs = 0) => {
			const from = now;
			for (let n = 1; n <= count; n += 1) {
				now = from + (n * overMs) / count;
				limiter.start(now);
				limiter.accepted(now);
			}
		},
		'!': (ms) => throttled(ms)(limiter.start(now)),
		l: () => noted.push(limiter.roomUnder(Infinity) + underWay.length),
		n: () => noted.push(startNow()),
		'?': () => noted.push(pace()),
		'@': () => noted.push(limiter.startsAt(now) - now),
		L: () => noted.push(limiter.startsAtLatest(now) - now),
		p: () => noted.push((limiter.pauseEndsAt(now) ?? NaN) - now),
		z: () => noted.push(limiter.isStale(now)),
	};
	for (const word of script.split(' ')) {
		const [count, more] = word.slice(1).split(/[:/]/);
		words[word[0]](Number(count), more ? Number(more) : undefined);
	}
	return noted;
}

type Row = [title: string, script: string, noted: unknown[], digits?: number];
const tested = (rows: Row[]) => {
	test.each(rows)('%s', (...[, script, expected, digits = 4]) => {
		expect(watch(script)).toEqual(
			expected.map((each) =>
				typeof each === 'number' && Number.isFinite(each)
					? (expect.closeTo(each, digits) as number)
					: each,
			),
		);
	});
};
/** There is no pause. */
const NONE = NaN;

describe('the limit of calls in flight', () => {
	test('is ten to begin with, and never more than the cap', () => {
		const limiter = new AdaptiveLimiter(HALF);
		expect([5, 10, 20].map((cap) => limiter.roomUnder(cap))).toEqual([5, 10, 10]);
		for (let n = 0; n < 4; n += 1) limiter.start(T0);
		expect([3, 5, 10, 20].map((cap) => limiter.roomUnder(cap))).toEqual([-1, 1, 6, 6]);
	});

	test.each([5, 9])('does not grow while a cap of %i is what limits the calls', (cap) => {
		const limiter = new AdaptiveLimiter(HALF);
		for (let n = 0; n < cap; n += 1) limiter.start(T0);
		for (let n = 0; n < 100; n += 1) {
			limiter.accepted(T0);
			limiter.start(T0);
		}
		expect(limiter.roomUnder(Infinity) + cap).toBe(10);
	});

	tested([
		[
			'doubles in each full round: slow start, with a rest at 32 until 140 calls were answered',
			'f r10 l r20 l r32 l r32 l r46 l r32 l r64 l',
			[20, 32, 32, 32, 32, 64, 128],
		],
		[
			'rests for at most a second, if calls take long',
			'f r10 +500 r20 +499 r1 l +1 r32 l',
			[32, 64],
		],
		[
			'does not rest on the way up after a throttling',
			'f r140 r32 l t1 i f r32 l r2 l',
			[64, 32, 33],
		],
		[
			'grows by one in each round after the first throttling, to its former value and beyond',
			'f r10 t1 i l f r10 l r1 l r11 l',
			[10, 10, 11, 12],
		],
		[
			'is halved once by a burst that arrives apart, between answers and failures',
			`f r10${' t1:1000 k1 i1 +400'.repeat(6)} l +1600 s1 +1 t2:1000 l +1 t1:1000 l`,
			[10, 10, 5],
		],
		[
			'is halved again by the next burst, down to one',
			'+2000 f T l '.repeat(5).trim(),
			[5, 2, 1, 1, 1],
		],
	]);

	test('does not change with a failure of the network, and neither does the rate', () => {
		const of = (failures: string) =>
			watch(`${failures}f k10 l ${failures}!0 l @ ${failures}l +5000 ?`);
		expect(of('s50 i50 ')).toEqual(of(''));
	});
});

describe('a pause', () => {
	tested([
		['lasts as long as the service says', 's3 t1:3000 +1 @ p +2999 @ p', [2_999, 2_999, 0, NONE]],
		['is the longest one of a burst', 's3 t1:2000 +10 t1:5000 +10 t1:1000 @', [4_990]],
		[
			'of no stated length is short again after an answer',
			`${'s1 t1 +100000 '.repeat(3)}s2 k1 t1 p`,
			[500],
		],
	]);

	test.each([0.5, 0.25, 1e-9])(
		'of no stated length is a random part (%d) of a second, doubled while no answer comes, and drawn once',
		(part) => {
			let drawn = 0;
			const random = () => ((drawn += 1), part);
			const seconds = [1, 2, 4, 8, 16, 32, 60, 60, 60];
			const pauses = watch('s2 t2 p +100000 '.repeat(9).trim(), random);
			expect(pauses).toEqual(
				seconds.map((most) => expect.closeTo(most * 1_000 * part, 6) as number),
			);
			expect(drawn).toBe(9);
		},
	);
});

describe('the rate', () => {
	/** Ten calls are accepted before the next is throttled without a pause. */
	const ONCE = 'a10/100 !0';
	/** A second burst four seconds after the first, with 200 calls accepted between. */
	const MEASURED = `${ONCE} a200/4000 !0`;
	/** Ten and five are accepted in 50 ms, and after each throttling the service asks for a pause of a second. */
	const BUCKET = 'a1/0 a14/50 !1000 +1000 a10/0';

	tested([
		['is unlimited until the first throttling', 'a5000/10 n @', [1_000, 0]],
		['is first guessed as 60 at least', 'a1/0 a5/200 !0 ?', [60]],
		['is first guessed midway to 400, by a second at least', 'a1/0 a47/200 !0 ?', [138.564065]],
		['is first guessed midway to 400', 'a1/0 a224/3000 !0 ?', [173.205081]],
		['is first guessed as it was, if that was more than 400', 'a1/0 a899/2000 !0 ?', [450]],
		[
			'doubles every 1.5 seconds while it is a guess, but not during the pause before',
			'a48/200 !1000 +1000 ? +750 ? +750 ? +1500 ? +3000 ?',
			[138.564065, 195.959179, 277.128129, 554.256258, 2_217.025033],
		],
		['is that of accepted calls between two bursts, less 2 %', `${MEASURED} ?`, [49]],
		...[500, 5_000].map(
			(ms): Row => [
				`is measured beyond the initial burst and the pause, ${ms} ms after it`,
				`${BUCKET} a${ms / 10}/${ms} !1000 +1000 ?`,
				[98],
			],
		),
		[
			'is measured over several pauses, when calls were throttled again at once',
			`${BUCKET}${' a10/100 !1000 +1000 a10/0'.repeat(2)} a100/1000 !1000 +1000 ?`,
			[98],
		],
		[
			'is measured over the whole time if the first throttling came late',
			'a1/0 a199/2000 !1000 +1000 a200/1000 !1000 +1000 ?',
			[98],
		],
		// A hundred in the last of three seconds, beyond the ten that are accepted at once
		['is that of the fastest stretch', `${ONCE} a40/2000 a110/1000 !0 ?`, [98], -1],
		// Ten marks, half a second apart or a little more
		[
			'is that of a stretch of at most five seconds',
			`${ONCE} a20/20000 a800/8000 !0 ?`,
			[(0.98 * 440) / 4.5],
			0,
		],
		[
			'rises by two percent per second once it is measured, and less where it is more than 25',
			`${MEASURED} +1000 ? +1000 ? +3000 ? +5000 ?`,
			[49.7, 50.4, 52.5, 56],
		],
		[
			'rises faster and faster after half a minute without a throttling, since others have left',
			`${MEASURED} a30/30000 ? a5/5000 ? a5/5000 ?`,
			[
				1,
				1.05 * Math.exp(0.375 * Math.sqrt(25 / 49)),
				1.1 * Math.exp(1.5 * Math.sqrt(25 / 49)),
			].map((times) => 70 * times),
		],
		[
			'returns to its value of a second before, less 5 %, if it was right for three seconds',
			`${MEASURED} a250/5000 !1000 +1000 ?`,
			[0.95 * (49 + 4 * 0.7)],
		],
		...[
			[300, 0.7],
			[1_100, 0.88],
			[2_900, 0.88],
		].map(
			([ms, left]): Row => [
				`is cut to a share of ${left} when calls are throttled again after ${ms} ms`,
				`${MEASURED} a${ms / 20}/${ms} !1000 +1000 ?`,
				[left * (49 + (0.7 * ms) / 1_000)],
			],
		),
		[
			'is not cut further by a throttling with a pause shorter than a reply takes',
			`${MEASURED} a15/300 !5 +5 ?`,
			[0.88 * (49 + 0.21)],
		],
		[
			'is measured again if there were too few calls to try it',
			`${MEASURED} a20/2000 !1000 +1000 ?`,
			[9.8],
		],
		[
			'is cut by three tenths by each burst without an answer before it, down to one call in ten seconds',
			`${MEASURED} +2000 !0 ?${' +1 !0'.repeat(20)} ?`,
			[35.28, 0.1],
		],
		[
			'is not guessed from a throttling before any answer, since others had used up the rate',
			`${'!1000 +1000 '.repeat(3)}n a20/1000 !0 ?`,
			[1_000, 89.442719],
		],
		[
			'lets calls catch up on 50 ms at most, after any idle time',
			`${MEASURED} +10000 n @ +10000 n`,
			[3, 3_000 / 56 - 50, 4],
		],
		[
			'lets no call catch up on the time before the end of a pause',
			'a48/200 !1000 +999 n +1 n +50 n',
			[0, 1, 7],
		],
		['does not count as a pause', `${MEASURED} n p`, [1, NONE]],
		[
			'does not rise in ten seconds or more without calls',
			`${MEASURED} +26000 a1/0 a99/2000 !0 ?`,
			[0.88 * (49 + 2 * 0.7)],
		],
		// All but what is accepted at once, from the first of them on; begun again, it would be a guess of 122
		[
			'is measured on through ten seconds without new calls while one is in flight',
			`${ONCE} s1 +28000 a60/2000 !0 ?`,
			[(0.98 * 49) / (2 - 1 / 30)],
		],
	]);
});

describe('a rate-limit window', () => {
	tested([
		[
			'lets as many calls start as are left, minus those in flight',
			's4 w5:9 @ s1 @ s1 @',
			[0, 0, Infinity],
		],
		[
			'names no time while replies are outstanding, except when it resets at the latest',
			's3 w2:30000 @ p L k1 @ i1 @ p',
			[Infinity, NONE, 30_000, Infinity, 30_000, 30_000],
		],
		['is updated with each reply', 's3 w2:30000 w2:30000 @ w0:20000 @', [0, 20_000]],
		['that is used up is a pause', 's1 w0:30000 @ p', [30_000, 30_000]],
		[
			'stops nothing once it has reset, even with replies outstanding',
			's2 w1:30000 +29999 @ +1 @ s5 @',
			[Infinity, 0, 0],
		],
		['does not shorten a pause', 's1 w0:1000 s1 t1:5000 @ p', [5_000, 5_000]],
		['hides no pause while replies are outstanding', 's2 w1:9 s1 t1:60000 p L', [60_000, 60_000]],
	]);
});

describe('the knowledge of the limiter', () => {
	tested([
		['is kept while a call is in flight', 's2 k1 +660000 z', [false]],
		['is kept for ten minutes after the last call', 's1 k1 +600000 z +1 z', [false, true]],
		['is kept as long as a pause lasts', '!3600000 +3540000 z +60000 z', [false, true]],
		['is kept as long as a window lasts', 's1 w0:3600000 +3540000 z +60000 z', [false, true]],
	]);

	describe('moves back with a clock that is set back:', () => {
		const BACK = '-3600000';
		tested([
			['a pause keeps its length', `!20000 +5000 ${BACK} @`, [20_000]],
			['a step of a millisecond ends no pause', '!20000 +5000 @ -1 @', [15_000, 15_000]],
			['a pause that is the first event then applies', `s1 ${BACK} t1:20000 @`, [20_000]],
			['a window that is the first event then applies', `s1 ${BACK} w0:30000 @`, [30_000]],
			[
				'the rate and its measurement continue',
				`a48/200 !0 n ${BACK} ? +1500 ? +500 a80/2000 !0 ?`,
				[1, 138.564065, 277.128129, 19.6],
			],
			// 60 a second for two seconds, without the ten
			[
				'the stretches of the measurement continue',
				`a10/100 !0 a20/2000 a60/1000 @ ${BACK} a60/1000 !0 ?`,
				[expect.anything(), 0.98 * 55],
				0,
			],
			['a window resets after the same time', `s1 w0:30000 ${BACK} @ +30000 @`, [30_000, 0]],
			['it becomes stale on time', `!1000 ${BACK} @ +600000 z +1 z`, [1_000, false, true]],
		]);
	});
});

describe('a list for a service of unknown rate', () => {
	const SCENES = (['seconds', 'exact', 'none'] as const).flatMap((retryAfter) =>
		[1, 5, 50, 200].map((latencyMs) => ({ retryAfter, latencyMs })),
	);
	const SECONDS = SCENES.slice(0, 3);
	const AT_50_MS = SCENES.slice(2, 3);
	const lead = (scene: Pick<Scene, 'latencyMs' | 'retryAfter' | 'service'>, calls: number) => {
		const workers = [{ calls }];
		const [played] = play({ ...scene, workers, cap: concurrencyOf(), random: shuffled() });
		return { ...played, lastedMs: played.answeredAt.at(-1) };
	};
	const spent = (calls: number, windowMs: number, phaseMs: number, left: number) =>
		({ calls, windowMs, phaseMs, spent: calls - left }) as const;

	const bucket = (perSecond: number, burst: number) => ({ perSecond, burst });
	/** `ms` is the most that all calls take. */
	type Limits = { calls?: number; percent: number; tries?: number; ms?: number };
	test.each<[title: string, Scene['service'], Limits, scenes?: typeof SCENES]>([
		['50 at once', bucket(100, 50), { percent: 4.5, tries: 3, ms: (4 / 3) * 9_500 }],
		['used up by others', { ...bucket(100, 50), held: 0 }, { percent: 4, ms: 30_000 }],
		['10 a second', bucket(10, 5), { calls: 200, percent: 13, tries: 5, ms: 1.4 * 19_500 }],
		['not two at once', bucket(100, 1), { percent: 5, tries: 4, ms: 60_000 }],
		['100 in each second', { calls: 100, windowMs: 1_000 }, { percent: 9, tries: 5 }],
		[
			...(['1,000 in each minute', { calls: 1_000, windowMs: 60_000 }] as const),
			{ calls: 3_000, percent: 9, tries: 5 },
		],
		['10 at once', bucket(100, 10), { percent: 2.5, ms: 1.27 * 9_900 }, SECONDS],
		['100 at once', bucket(100, 100), { percent: 5, ms: 1.15 * 9_000 }, SECONDS],
		[
			...(['10,000 items', bucket(100, 50)] as const),
			...([{ calls: 10_000, percent: 1, ms: 1.25 * 99_500 }, AT_50_MS] as const),
		],
		...[
			spent(6_000, 60_000, 50_000, 1),
			spent(6_000, 60_000, 50_000, 30),
			spent(1_000, 10_000, 2_000, 5),
		].map((service): [string, Scene['service'], Limits, typeof SCENES] => [
			...(['a window of which others have left few', service] as const),
			...([{ calls: 12_000, percent: 3, ms: 144_000 }, AT_50_MS] as const),
		]),
	])(
		'is delivered, with few calls throttled and in little more than the time of the rate: %s, %j',
		(
			...[, service, { calls = 1_000, percent, tries = Infinity, ms = Infinity }, scenes = SCENES]
		) => {
			for (const scene of scenes) {
				const played = lead({ ...scene, service }, calls);
				expect(played.answeredAt).toHaveLength(calls);
				expect(throttledPercent(played)).toBeLessThan(percent);
				expect(played.mostTries).toBeLessThanOrEqual(tries);
				expect(played.peak).toBeLessThanOrEqual(concurrencyOf());
				expect(played.lastedMs).toBeLessThan(ms);
			}
		},
	);
});

describe('a service that refuses calls at random, with a Retry-After of a second', () => {
	/** `seconds` is the most that the calls take in the play of the middle, or in the last of `seeds` plays. */
	test.each([
		{ share: 0.05, calls: 1_000, seconds: 70 },
		{ share: 0.2, calls: 1_000, seconds: 70 },
		{ share: 0.4, calls: 1_000, seconds: 110 },
		{ share: 0.2, calls: 20, seconds: 45, seeds: 45 },
		{ share: 0.2, calls: 50, seconds: 45, seeds: 45 },
		// It is called fast again as soon as it refuses none
		{ share: 0.2, calls: 1_000, seconds: 35, to: 75 },
	])(
		'with a share of $share does not delay each of $calls calls, which take at most $seconds seconds',
		({ share, calls, seconds, seeds = 5, to }) => {
			for (const latencyMs of [5, 50, 120]) {
				const times = Array.from({ length: seeds }, (_, index) => {
					const random = shuffled(7_919 * (index + 1));
					for (let n = 0; n < 20; n += 1) random();
					const service = { refusedShare: share, waitMs: 1_000, to };
					const [{ answeredAt, early }] = play({
						...{ service, random, jitter: 0.2, cap: concurrencyOf(), latencyMs },
						...{ retryAfter: 'seconds', workers: [{ calls }] },
					});
					expect([answeredAt.length, early]).toEqual([calls, 0]);
					return answeredAt.at(-1) ?? Infinity;
				}).sort((a, b) => a - b);
				expect(times.at(seeds > 5 ? -1 : 2)).toBeLessThan(1_000 * seconds);
			}
		},
	);
});
