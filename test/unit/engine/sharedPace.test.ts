import { playMany, type Together } from '../fakes/sharedPace';

/**
 * Processes that share an account and cannot talk to each other. Each has a limiter of its own; all together are counted by one
 * service. Nine plays each: three seeds at 5, 50 and 120 ms with jitter.
 */
const SEEDS = 3;
const account = { perSecond: 50, seconds: 60, retryAfter: 'seconds' } as const;
const window = { windowMs: 1_000 };
const bucket = { burst: 10 };

const playing = (changes: Partial<Together> & Pick<Together, 'workers' | 'service'>) =>
	playMany({ ...account, ...changes }, SEEDS);

describe('Retry-After in whole seconds', () => {
	test.each([
		{ workers: 1, service: window, ofAllowed: 0.9, worst: 0.85, throttled: 2, share: 1 },
		{ workers: 2, service: window, ofAllowed: 0.88, worst: 0.8, throttled: 3.3, share: 0.65 },
		{ workers: 4, service: window, ofAllowed: 0.87, worst: 0.75, throttled: 6, share: 0.4 },
		{ workers: 1, service: bucket, ofAllowed: 0.9, worst: 0.85, throttled: 1, share: 1 },
		{ workers: 2, service: bucket, ofAllowed: 0.88, worst: 0.82, throttled: 2, share: 0.65 },
		{ workers: 4, service: bucket, ofAllowed: 0.9, worst: 0.82, throttled: 3.5, share: 0.4 },
		{ workers: 2, service: { burst: 50 }, ofAllowed: 0.95, worst: 0.9, throttled: 3, share: 0.6 },
		{
			workers: 4,
			service: { burst: 50 },
			ofAllowed: 0.95,
			worst: 0.9,
			throttled: 4.5,
			share: 0.35,
		},
	])(
		'$workers at $service: use $ofAllowed of the allowed rate, under $throttled % throttled, and the last has $share of an equal share',
		({ workers, service, ofAllowed, worst, throttled, share }) => {
			const played = playing({ workers, service });
			expect(played.ofAllowed).toBeGreaterThan(ofAllowed);
			expect(Math.min(...played.plays.map((play) => play.ofAllowed))).toBeGreaterThan(worst);
			expect(played.throttledPercent).toBeLessThan(throttled);
			expect(played.leastShare).toBeGreaterThanOrEqual(share);
			expect(played.early).toBe(0);
		},
	);
});

describe('with an exact Retry-After, or none,', () => {
	test.each([
		{ retryAfter: 'exact', workers: 2, service: window, ofAllowed: 0.95 },
		{ retryAfter: 'exact', workers: 4, service: window, ofAllowed: 0.95 },
		{ retryAfter: 'exact', workers: 2, service: bucket, ofAllowed: 0.95 },
		{ retryAfter: 'none', workers: 2, service: window, ofAllowed: 0.83 },
		{ retryAfter: 'none', workers: 2, service: bucket, ofAllowed: 0.92 },
	] as const)(
		'$retryAfter, $workers at $service: use $ofAllowed of the allowed rate',
		({ retryAfter, workers, service, ofAllowed }) => {
			const played = playing({ retryAfter, workers, service });
			expect(played.ofAllowed).toBeGreaterThan(ofAllowed);
			expect(played.early).toBe(0);
		},
	);
});

test.each([10, 100, 200])('two workers share %i calls a second', (perSecond) => {
	for (const service of [window, bucket]) {
		expect(playing({ workers: 2, perSecond, service }).ofAllowed).toBeGreaterThan(0.86);
	}
});

test('windows of ten seconds are used by one, two and four', () => {
	for (const workers of [1, 2, 4]) {
		const played = playing({ workers, service: { windowMs: 10_000 }, seconds: 180 });
		expect(played.ofAllowed).toBeGreaterThan(0.94);
		expect(played.ofAllowedInAll).toBeGreaterThan(0.88);
	}
});

// What a minute loses is the search for one's part, which takes the first 15 seconds
test.each([
	{ workers: 2, ofAllowed: 0.91, throttled: 1.5 },
	{ workers: 4, ofAllowed: 0.9, throttled: 2.5 },
])(
	'over three minutes, $workers at fixed windows use $ofAllowed of the allowed rate, under $throttled % throttled',
	({ workers, ofAllowed, throttled }) => {
		const played = playing({ workers, service: window, seconds: 180 });
		expect(played.ofAllowed).toBeGreaterThan(ofAllowed);
		expect(played.throttledPercent).toBeLessThan(throttled);
	},
);
