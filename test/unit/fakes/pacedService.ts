import { AdaptiveLimiter } from '../../engine';

/** A service that counts calls by time, and workers that call it: each has a limiter and a list. No clock runs. */

/** Throttles calls beyond a rate: a bucket that gains so many tokens a second, or a window of so many milliseconds. */
export type Timed =
	| { perSecond: number; burst: number; held?: number }
	/** @param phaseMs how much of the first window is over at the start, and `spent` how many of its calls */
	| { calls: number; windowMs: number; phaseMs?: number; spent?: number };

/** Refuses a share of the calls, whatever their rate, until so many have come. */
interface Fickle {
	refusedShare: number;
	waitMs: number;
	to?: number;
}

export type Service = Fickle | Timed;

/** Lists of calls that one service counts together. */
export interface Scene {
	service: Service;
	/** How long a call is under way, half of it each way. */
	latencyMs: number;
	/** Each way takes up to so much longer, as a share of itself. */
	jitter?: number;
	/** Most calls of a worker in flight at once. */
	cap: number;
	/** What the service says of the pause that it wants. */
	retryAfter: 'exact' | 'none' | 'seconds';
	random: () => number;
	/** Each makes so many calls, and knows nothing of the others. */
	workers: Array<{ calls: number; startsAtMs?: number }>;
}

/** What a worker has seen. */
export interface Played {
	throttled: number;
	/** Most calls that were in flight at once. */
	peak: number;
	/** Most tries of one call. */
	mostTries: number;
	/** Calls that started before the end of a pause that the service had asked for. */
	early: number;
	/** When each call was answered, in milliseconds since the beginning of the scene. */
	answeredAt: number[];
}

const EPOCH = Date.UTC(2030, 0, 1);

/** Numbers from 0 up to 1 that look random and are the same each time. */
export function shuffled(seed = 1): () => number {
	let state = seed;
	return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** Throttled calls among all calls, in percent. */
export const throttledPercent = ({ throttled, answeredAt }: Played) =>
	(100 * throttled) / (throttled + answeredAt.length);

/** Plays a scene until every call is answered, each again and again if need be. */
export function play(scene: Scene): Played[] {
	const { latencyMs, jitter = 0, cap, retryAfter, random, workers } = scene;
	const waitOf = counted(scene.service, random);
	const agenda: Array<{ at: number; act: () => void }> = [];
	let now = EPOCH;
	const at = (time: number, act: () => void) => {
		const place = agenda.findLastIndex((entry) => entry.at <= time) + 1;
		agenda.splice(place, 0, { at: time, act });
	};
	const arrive = (act: () => void) =>
		at(now + (latencyMs / 2) * (jitter === 0 ? 1 : 1 + jitter * random()), act);

	const players = workers.map(({ calls, startsAtMs = 0 }) => {
		const limiter = new AdaptiveLimiter(random);
		const played: Played = { throttled: 0, peak: 0, mostTries: 0, early: 0, answeredAt: [] };
		/** Tries of each call that waits. */
		const waiting: number[] = [];
		let inFlight = 0;
		let wakesAt = Infinity;
		let pausedUntil = 0;
		const go = () => {
			while (waiting.length > 0 && limiter.roomUnder(cap) > 0) {
				if (limiter.startsAt(now) > now) return sleepUntil(limiter.startsAtLatest(now));
				call(waiting.shift() ?? 0);
			}
		};
		const sleepUntil = (time: number) => {
			if (time >= wakesAt) return;
			wakesAt = time;
			at(time, () => {
				wakesAt = Infinity;
				go();
			});
		};
		const call = (tries: number) => {
			if (now < pausedUntil) played.early += 1;
			inFlight += 1;
			played.peak = Math.max(played.peak, inFlight);
			played.mostTries = Math.max(played.mostTries, tries);
			const started = limiter.start(now);
			const throttle = (waitMs: number) => {
				played.throttled += 1;
				waiting.push(tries + 1);
				if (retryAfter === 'none') return limiter.throttled(started, now);
				const pauseMs = retryAfter === 'exact' ? waitMs : 1_000 * Math.ceil(waitMs / 1_000);
				pausedUntil = Math.max(pausedUntil, now + pauseMs);
				limiter.throttled(started, now, pauseMs);
			};
			arrive(() => {
				const waitMs = waitOf(now);
				arrive(() => {
					inFlight -= 1;
					if (waitMs > 0) throttle(waitMs);
					else {
						played.answeredAt.push(now - EPOCH);
						limiter.accepted(now);
					}
					go();
				});
			});
		};
		at(EPOCH + startsAtMs, () => {
			waiting.push(...Array<number>(calls).fill(1));
			go();
		});
		return played;
	});

	const isDone = () => players.every(({ answeredAt }, n) => answeredAt.length >= workers[n].calls);
	for (let next = agenda.shift(); next && !isDone(); next = agenda.shift()) {
		now = Math.max(now, next.at);
		next.act();
	}
	return players;
}

/** What the service makes of a call at a time: how long until one would be let through, 0 if this one is. */
function counted(service: Service, random: () => number): (now: number) => number {
	if ('refusedShare' in service) {
		const { refusedShare, waitMs, to = Infinity } = service;
		let calls = 0;
		return () => {
			calls += 1;
			return calls <= to && random() < refusedShare ? waitMs : 0;
		};
	}
	if ('windowMs' in service) {
		const { calls, windowMs, phaseMs = 0, spent = 0 } = service;
		let [opened, used] = [EPOCH - phaseMs, spent];
		return (now) => {
			if (now - opened >= windowMs) [opened, used] = [now - ((now - opened) % windowMs), 0];
			used += 1;
			return used <= calls ? 0 : opened + windowMs - now;
		};
	}
	const { perSecond, burst } = service;
	let [held, at] = [service.held ?? burst, EPOCH];
	return (now) => {
		held = Math.min(burst, held + ((now - at) * perSecond) / 1_000);
		at = now;
		const isAllowed = held > 1 - 1e-9;
		if (isAllowed) held -= 1;
		return isAllowed ? 0 : ((1 - held) / perSecond) * 1_000;
	};
}
