import { play, shuffled, throttledPercent, type Scene, type Timed } from '../fakes/pacedService';
import { isFullRun } from '../../hostile/fullRun';

/**
 * Processes that share an account and cannot talk to each other. Each has a limiter of its own; all together are counted by one
 * service, of 50 calls a second for a minute unless a row says otherwise. Nine plays each: three seeds at 5, 50 and 120 ms with
 * jitter. Of three minutes a smaller part is lost than of one, since the search for one's own part takes the first 15 seconds.
 */
const SEEDS = 3;
const window = { windowMs: 1_000 };
const long = { windowMs: 10_000 };
const bucket = { burst: 10 };

interface Row {
	workers: number;
	/** A bucket that holds so many, or a window of so many milliseconds. */
	service: { burst: number } | { windowMs: number };
	perSecond?: number;
	retryAfter?: Scene['retryAfter'];
	/** How long all calls take at the rate that is allowed. */
	seconds?: number;
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

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);

/** The workers begin within a second of each other, each with the same number of calls. */
function playOnce(row: Row, latencyMs: number, seed: number) {
	const { workers, service: kind, perSecond = 50, seconds = 60, retryAfter = 'seconds' } = row;
	const random = shuffled(seed * 7_919 + latencyMs);
	for (let n = 0; n < 20; n += 1) random();
	const phase = random();
	const service: Timed =
		'burst' in kind
			? { perSecond, burst: kind.burst }
			: { ...kind, calls: (perSecond * kind.windowMs) / 1_000, phaseMs: phase * kind.windowMs };
	/** The most that it lets through until then: what a full bucket holds, too, and all of each window that began. */
	const allowed = (ms: number) =>
		'burst' in service
			? (perSecond * ms) / 1_000 + service.burst
			: service.calls * Math.ceil((ms + (service.phaseMs ?? 0)) / service.windowMs);
	const calls = Math.floor((perSecond * seconds) / workers);
	const players = play({
		...{ service, latencyMs, retryAfter, random, jitter: 0.2, cap: 100 },
		workers: Array.from({ length: workers }, (_, n) => ({
			calls,
			startsAtMs: n === 0 ? 0 : random() * 1_000,
		})),
	});
	const ends = players.map(({ answeredAt }) => answeredAt.at(-1) ?? 0);
	const [firstEnd, lastEnd] = [Math.min(...ends), Math.max(...ends)];
	const had = players.map(({ answeredAt }) => answeredAt.filter((at) => at <= firstEnd).length);
	return {
		ofAllowed: sum(had) / allowed(firstEnd),
		ofAllowedInAll: (workers * calls) / allowed(lastEnd),
		throttled: throttledPercent({
			...players[0],
			throttled: sum(players.map((player) => player.throttled)),
			answeredAt: players.flatMap(({ answeredAt }) => answeredAt),
		}),
		share: (workers * Math.min(...had)) / sum(had),
		early: sum(players.map((player) => player.early)),
	};
}

test.each(ROWS.filter((_, index) => isFullRun || index % 3 === 1))(
	'$workers workers at $service with Retry-After "$retryAfter" use $uses of the allowed rate, and share it',
	(row) => {
		const { uses, usesInAll = 0, worst = 0, throttled = 100, share = 0 } = row;
		const plays = [5, 50, 120].flatMap((latencyMs) =>
			Array.from({ length: SEEDS }, (_, n) => playOnce(row, latencyMs, n + 1)),
		);
		const mean = (key: keyof (typeof plays)[0]) =>
			sum(plays.map((each) => each[key])) / plays.length;
		expect(mean('ofAllowed')).toBeGreaterThan(uses);
		expect(mean('ofAllowedInAll')).toBeGreaterThan(usesInAll);
		expect(Math.min(...plays.map(({ ofAllowed }) => ofAllowed))).toBeGreaterThan(worst);
		expect(mean('throttled')).toBeLessThan(throttled);
		expect(mean('share')).toBeGreaterThanOrEqual(share);
		expect(mean('early')).toBe(0);
	},
);
