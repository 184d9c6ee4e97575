import { AdaptiveLimiter } from '../../../nodes/LookupMessaging/engine/pacing/adaptiveLimiter';

/** A service of whole milliseconds that counts calls, and a list of calls that the limiter paces. No clock runs. */
export interface Scene {
	calls: number;
	/** Throttles calls beyond a rate: a bucket that gains so many tokens a second, or a window of so many milliseconds. */
	service:
		| { perSecond: number; burst: number; held?: number }
		| { calls: number; windowMs: number };
	/** How long a call is under way, half of it each way. */
	latencyMs: number;
	cap: number;
	/** What the service says of the pause that it wants. */
	retryAfter: 'exact' | 'none' | 'seconds';
	random?: () => number;
}

export interface Played {
	delivered: number;
	throttled: number;
	/** Throttled calls among all calls, in percent. */
	throttledPercent: number;
	lastedMs: number;
	/** Most calls that were under way at once. */
	peak: number;
	/** Most tries of one call. */
	mostTries: number;
}

const EPOCH = Date.UTC(2030, 0, 1);

/** Plays a scene until every call is answered, each again and again if need be. */
export function play(scene: Scene): Played {
	const { calls, latencyMs, cap, random = () => 0.5 } = scene;
	const limiter = new AdaptiveLimiter(random);
	const agenda = new Agenda();
	const throttles = serviceOf(scene);
	const waiting = Array.from({ length: calls }, () => 1);
	let [delivered, throttled, underWay, peak, mostTries, wakesAt] = [0, 0, 0, 0, 0, Infinity];

	const go = () => {
		while (waiting.length > 0 && limiter.roomUnder(cap) > 0) {
			const at = limiter.startsAt(agenda.now);
			if (at > agenda.now) {
				if (at < wakesAt) agenda.add((wakesAt = at), wake);
				return;
			}
			call(waiting.shift() ?? 0);
		}
	};
	const wake = () => {
		wakesAt = Infinity;
		go();
	};
	const call = (tries: number) => {
		const started = limiter.start(agenda.now);
		peak = Math.max(peak, (underWay += 1));
		mostTries = Math.max(mostTries, tries);
		agenda.add(agenda.now + latencyMs / 2, () => {
			const waitMs = throttles(agenda.now);
			agenda.add(agenda.now + latencyMs / 2, () => {
				underWay -= 1;
				if (waitMs === 0) {
					delivered += 1;
					limiter.accepted(agenda.now);
				} else {
					throttled += 1;
					waiting.push(tries + 1);
					limiter.throttled(started, agenda.now, retryAfterOf(waitMs, scene));
				}
				go();
			});
		});
	};

	go();
	while (delivered < calls && agenda.next()) continue;
	const throttledPercent = (100 * throttled) / (throttled + delivered);
	const lastedMs = agenda.now - EPOCH;
	return { delivered, throttled, throttledPercent, lastedMs, peak, mostTries };
}

function retryAfterOf(waitMs: number, { retryAfter }: Scene): number | undefined {
	if (retryAfter === 'none') return undefined;
	return retryAfter === 'exact' ? waitMs : 1_000 * Math.ceil(waitMs / 1_000);
}

/** Counts a call at a time: 0 when it is let through, or else the milliseconds until one would be. */
function serviceOf({ service }: Scene): (now: number) => number {
	if ('windowMs' in service) {
		let [opened, used] = [EPOCH, 0];
		return (now) => {
			if (now - opened >= service.windowMs) {
				[opened, used] = [now - ((now - opened) % service.windowMs), 0];
			}
			used += 1;
			return used <= service.calls ? 0 : opened + service.windowMs - now;
		};
	}
	const { perSecond, burst } = service;
	let [held, at] = [service.held ?? burst, EPOCH];
	return (now) => {
		held = Math.min(burst, held + ((now - at) * perSecond) / 1_000);
		at = now;
		if (held < 1) return ((1 - held) / perSecond) * 1_000;
		held -= 1;
		return 0;
	};
}

/** What is to happen, in order of time. */
class Agenda {
	now = EPOCH;
	private readonly entries: Array<{ at: number; act: () => void }> = [];

	add(at: number, act: () => void) {
		let place = this.entries.length;
		while (place > 0 && this.entries[place - 1].at > at) place -= 1;
		this.entries.splice(place, 0, { at, act });
	}

	/** Does what is next; false when nothing is left. */
	next(): boolean {
		const entry = this.entries.shift();
		if (!entry) return false;
		this.now = Math.max(this.now, entry.at);
		entry.act();
		return true;
	}
}
