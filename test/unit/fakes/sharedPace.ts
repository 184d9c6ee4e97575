import { playTogether, shuffled, type Shared, type Timed } from './pacedService';

/** Workers that share an account, each with the same number of calls, which begin within a second of each other. */
export interface Together {
	workers: number;
	perSecond: number;
	/** A bucket that holds so many, or a window of so many milliseconds. */
	service: { burst: number } | { windowMs: number };
	retryAfter: Shared['retryAfter'];
	/** How long all calls take at the rate that is allowed. */
	seconds: number;
	latencyMs: number;
	seed: number;
}

export interface Outcome {
	/** Calls delivered of those that were allowed, until the first worker is done: a mean over the plays. */
	ofAllowed: number;
	/** The same, until the last is done. */
	ofAllowedInAll: number;
	throttledPercent: number;
	/** What the worker with the least had until then, as a part of an equal share. */
	leastShare: number;
	/** Calls that a worker made before the end of a pause that it was asked for. */
	early: number;
}

function playOnce(together: Together): Outcome {
	const { workers, perSecond, retryAfter, seconds, latencyMs } = together;
	const random = shuffled(together.seed * 7_919 + latencyMs);
	for (let n = 0; n < 20; n += 1) random();
	const service = serviceOf(together, random());
	const calls = Math.floor((perSecond * seconds) / workers);
	const players = playTogether({
		...{ service, latencyMs, retryAfter, random, jitter: 0.2, cap: 100 },
		workers: Array.from({ length: workers }, (_, n) => ({
			calls,
			startsAt: n === 0 ? 0 : random() * 1_000,
		})),
	});
	const firstEnd = Math.min(...players.map(({ lastedMs }) => lastedMs));
	const lastEnd = Math.max(...players.map(({ lastedMs }) => lastedMs));
	const had = players.map(({ answeredAt }) => answeredAt.filter((at) => at <= firstEnd).length);
	const throttled = sum(players.map((player) => player.throttled));
	return {
		ofAllowed: sum(had) / allowed(service, perSecond, firstEnd),
		ofAllowedInAll: (workers * calls) / allowed(service, perSecond, lastEnd),
		throttledPercent: (100 * throttled) / (throttled + workers * calls),
		leastShare: (workers * Math.min(...had)) / sum(had),
		early: sum(players.map((player) => player.early)),
	};
}

/** The means over latencies and seeds, and all plays. */
export function playMany(together: Omit<Together, 'latencyMs' | 'seed'>, seeds: number) {
	const plays = [5, 50, 120].flatMap((latencyMs) =>
		Array.from({ length: seeds }, (_, n) => playOnce({ ...together, latencyMs, seed: n + 1 })),
	);
	const mean = (key: keyof Outcome) => sum(plays.map((play) => play[key])) / plays.length;
	return {
		plays,
		ofAllowed: mean('ofAllowed'),
		ofAllowedInAll: mean('ofAllowedInAll'),
		throttledPercent: mean('throttledPercent'),
		leastShare: mean('leastShare'),
		early: mean('early'),
	};
}

function serviceOf({ service, perSecond }: Together, phase: number): Timed {
	if ('burst' in service) return { perSecond, burst: service.burst };
	const { windowMs } = service;
	return { calls: (perSecond * windowMs) / 1_000, windowMs, phaseMs: phase * windowMs };
}

/** The most that the service lets through in so many milliseconds: what a full bucket holds, too, and all of each window that began. */
const allowed = (service: Timed, perSecond: number, ms: number) =>
	'burst' in service
		? (perSecond * ms) / 1_000 + service.burst
		: service.calls * Math.ceil((ms + (service.phaseMs ?? 0)) / service.windowMs);

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
