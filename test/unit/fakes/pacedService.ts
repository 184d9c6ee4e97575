import { AdaptiveLimiter, type Started } from '../../engine';
import { Agenda } from './agenda';

/**
 * A service that counts calls by time, and workers that call it: each has a limiter and a list, and none knows of the others. No
 * clock runs.
 */

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

export type Service = Timed | Fickle;

interface Conditions {
	service: Service;
	/** How long a call is under way, half of it each way. */
	latencyMs: number;
	/** Each way takes up to so much longer, as a share of itself. */
	jitter?: number;
	/** Most calls of a worker in flight at once. */
	cap: number;
	/** What the service says of the pause that it wants. */
	retryAfter: 'exact' | 'none' | 'seconds';
	random?: () => number;
}

/** A list of calls that one limiter paces. */
export interface Scene extends Conditions {
	calls: number;
}

export interface Worker {
	calls: number;
	/** When it begins, in milliseconds. */
	startsAt?: number;
}

/** Several workers, whose calls one service counts together. */
export interface Shared extends Conditions {
	workers: Worker[];
}

interface Played {
	delivered: number;
	throttled: number;
	/** Throttled calls among all calls, in percent. */
	throttledPercent: number;
	/** From the beginning of the scene. */
	lastedMs: number;
	/** Most calls that were in flight at once. */
	peak: number;
	/** Most tries of one call. */
	mostTries: number;
	/** Calls that started before the end of a pause that the service had asked for. */
	early: number;
	/** When each call was answered, since the beginning of the scene. */
	answeredAt: number[];
}

const EPOCH = Date.UTC(2030, 0, 1);

/** Numbers from 0 up to 1 that look random and are the same each time. */
export function shuffled(seed = 1): () => number {
	let state = seed;
	return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** Plays a scene until every call is answered, each again and again if need be. */
export function play(scene: Scene): Played {
	return playTogether({ ...scene, workers: [{ calls: scene.calls }] })[0];
}

/** The same with several workers. */
export function playTogether({ workers, ...conditions }: Shared): Played[] {
	const agenda = new Agenda(EPOCH);
	const counts = serviceOf(conditions);
	const players = workers.map((worker) => new Player(worker, conditions, agenda, counts));
	while (players.some((player) => !player.isDone()) && agenda.next()) continue;
	return players.map((player) => player.played());
}

/** What the service makes of a call: how long until one would be let through, 0 if this one is. */
type Counts = (now: number) => number;

function serviceOf({ service, random = shuffled() }: Conditions): Counts {
	if ('refusedShare' in service) return fickle(service, random);
	return 'windowMs' in service ? windowsOf(service) : bucketOf(service);
}

function windowsOf({
	calls,
	windowMs,
	phaseMs = 0,
	spent = 0,
}: Extract<Service, { windowMs: number }>): Counts {
	let [opened, used] = [EPOCH - phaseMs, spent];
	return (now) => {
		if (now - opened >= windowMs) [opened, used] = [now - ((now - opened) % windowMs), 0];
		used += 1;
		return used <= calls ? 0 : opened + windowMs - now;
	};
}

function bucketOf({
	perSecond,
	burst,
	held: first = burst,
}: Extract<Service, { burst: number }>): Counts {
	let [held, at] = [first, EPOCH];
	return (now) => {
		held = Math.min(burst, held + ((now - at) * perSecond) / 1_000);
		at = now;
		const isAllowed = held > 1 - 1e-9;
		if (isAllowed) held -= 1;
		return isAllowed ? 0 : ((1 - held) / perSecond) * 1_000;
	};
}

function fickle({ refusedShare, waitMs, to = Infinity }: Fickle, random: () => number): Counts {
	let calls = 0;
	return () => {
		calls += 1;
		return calls <= to && random() < refusedShare ? waitMs : 0;
	};
}

const wholeSeconds = (ms: number) => 1_000 * Math.ceil(ms / 1_000);

/** A worker that makes its calls. */
class Player {
	private readonly limiter: AdaptiveLimiter;
	private readonly random: () => number;
	/** Tries of each call that waits. */
	private readonly waiting: number[] = [];
	private readonly answeredAt: number[] = [];
	private inFlight = 0;
	private wakesAt = Infinity;
	private askedToWaitUntil = 0;
	private endedAt = EPOCH;
	private readonly counts = { throttled: 0, peak: 0, mostTries: 0, early: 0 };

	constructor(
		private readonly worker: Worker,
		private readonly conditions: Conditions,
		private readonly agenda: Agenda,
		private readonly service: Counts,
	) {
		const { startsAt = 0, calls } = worker;
		this.random = conditions.random ?? (() => 0.5);
		this.limiter = new AdaptiveLimiter(this.random);
		agenda.add(EPOCH + startsAt, () => this.come(calls));
	}

	isDone(): boolean {
		return this.answeredAt.length >= this.worker.calls;
	}

	played(): Played {
		const { answeredAt, counts, endedAt } = this;
		const delivered = answeredAt.length;
		const throttledPercent = (100 * counts.throttled) / (counts.throttled + delivered);
		return { ...counts, delivered, throttledPercent, lastedMs: endedAt - EPOCH, answeredAt };
	}

	private come(count: number) {
		for (let n = 0; n < count; n += 1) this.waiting.push(1);
		this.go();
	}

	private go() {
		const { limiter, agenda, waiting } = this;
		while (waiting.length > 0 && limiter.roomUnder(this.conditions.cap) > 0) {
			const { now } = agenda;
			if (limiter.startsAt(now) > now) {
				const at = limiter.startsAtLatest(now);
				if (at < this.wakesAt) agenda.add((this.wakesAt = at), () => this.wake());
				return;
			}
			this.call(waiting.shift() ?? 0);
		}
	}

	private wake() {
		this.wakesAt = Infinity;
		this.go();
	}

	private call(tries: number) {
		const { agenda, counts } = this;
		if (agenda.now < this.askedToWaitUntil) counts.early += 1;
		counts.peak = Math.max(counts.peak, (this.inFlight += 1));
		counts.mostTries = Math.max(counts.mostTries, tries);
		const started = this.limiter.start(agenda.now);
		agenda.add(agenda.now + this.wayMs(), () => {
			const waitMs = this.service(agenda.now);
			agenda.add(agenda.now + this.wayMs(), () => {
				this.inFlight -= 1;
				if (waitMs === 0) this.accepted();
				else this.throttled(started, waitMs, tries);
				this.go();
			});
		});
	}

	private wayMs(): number {
		const { latencyMs, jitter = 0 } = this.conditions;
		return (latencyMs / 2) * (jitter === 0 ? 1 : 1 + jitter * this.random());
	}

	private accepted() {
		const { now } = this.agenda;
		this.endedAt = now;
		this.answeredAt.push(now - EPOCH);
		this.limiter.accepted(now);
	}

	private throttled(started: Started, waitMs: number, tries: number) {
		const { now } = this.agenda;
		const { retryAfter } = this.conditions;
		this.counts.throttled += 1;
		this.waiting.push(tries + 1);
		if (retryAfter === 'none') return this.limiter.throttled(started, now);
		const askedFor = retryAfter === 'exact' ? waitMs : wholeSeconds(waitMs);
		this.askedToWaitUntil = Math.max(this.askedToWaitUntil, now + askedFor);
		this.limiter.throttled(started, now, askedFor);
	}
}
