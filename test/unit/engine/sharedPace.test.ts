import { playMany, type Together } from '../fakes/sharedPace';
import { isFullRun } from '../../hostile/fullRun';

/**
 * Processes that share an account and cannot talk to each other. Each has a limiter of its own; all together are counted by one
 * service, of 50 calls a second for a minute unless a row says otherwise. Nine plays each: three seeds at 5, 50 and 120 ms with
 * jitter. Of three minutes a smaller part is lost than of one, since the search for one's own part takes the first 15 seconds.
 */
const SEEDS = 3;
const account = { perSecond: 50, seconds: 60, retryAfter: 'seconds' } as const;
const window = { windowMs: 1_000 };
const long = { windowMs: 10_000 };
const bucket = { burst: 10 };

interface Row extends Partial<Pick<Together, 'perSecond' | 'retryAfter' | 'seconds'>> {
	workers: number;
	service: Together['service'];
	/** The least used of the allowed calls in the mean, until the last worker is done, and in the worst play. */
	uses: number;
	usesInAll?: number;
	worst?: number;
	/** Throttled calls, in percent. */
	throttled?: number;
	/** What the worker with the least has, as a part of an equal share. */
	share?: number;
}

const ROWS: Row[] = [
	{ workers: 1, service: window, uses: 0.9, worst: 0.85, throttled: 2, share: 1 },
	{ workers: 2, service: window, uses: 0.88, worst: 0.8, throttled: 3.3, share: 0.65 },
	{ workers: 4, service: window, uses: 0.87, worst: 0.75, throttled: 6, share: 0.4 },
	{ workers: 1, service: bucket, uses: 0.9, worst: 0.85, throttled: 1, share: 1 },
	{ workers: 2, service: bucket, uses: 0.88, worst: 0.82, throttled: 2, share: 0.65 },
	{ workers: 4, service: bucket, uses: 0.9, worst: 0.82, throttled: 3.5, share: 0.4 },
	{ workers: 4, service: { burst: 50 }, uses: 0.95, worst: 0.9, throttled: 4.5, share: 0.35 },
	{ workers: 4, service: window, retryAfter: 'exact', uses: 0.95 },
	{ workers: 2, service: window, retryAfter: 'none', uses: 0.83 },
	{ workers: 2, service: bucket, retryAfter: 'none', uses: 0.92 },
	{ workers: 2, service: window, perSecond: 10, uses: 0.86 },
	{ workers: 2, service: bucket, perSecond: 100, uses: 0.86 },
	{ workers: 1, service: long, seconds: 180, uses: 0.94, usesInAll: 0.88 },
	{ workers: 4, service: long, seconds: 180, uses: 0.94, usesInAll: 0.88 },
	{ workers: 4, service: window, seconds: 180, uses: 0.9, throttled: 2.5 },
];

test.each(ROWS.filter((_, index) => isFullRun || index % 3 === 1))(
	'$workers workers at $service with Retry-After "$retryAfter" use $uses of the allowed rate, and share it',
	({ uses, usesInAll = 0, worst = 0, throttled = 100, share = 0, ...changes }) => {
		const played = playMany({ ...account, ...changes }, SEEDS);
		expect(played.ofAllowed).toBeGreaterThan(uses);
		expect(played.ofAllowedInAll).toBeGreaterThan(usesInAll);
		expect(Math.min(...played.plays.map((play) => play.ofAllowed))).toBeGreaterThan(worst);
		expect(played.throttledPercent).toBeLessThan(throttled);
		expect(played.leastShare).toBeGreaterThanOrEqual(share);
		expect(played.early).toBe(0);
	},
);
