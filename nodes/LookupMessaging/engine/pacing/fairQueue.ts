import type { RateLimitWindow } from '../client';
import { CLOCK, type Clock } from '../clock';
import { Moment } from '../gate';
import { FamilyLimiters } from './limiter';
import { RequestRate } from './requestRate';

/**
 * Decides which call is next. All executions of the process that call one base URL with one API key share a fair queue. Each
 * execution has a flow, and the flows take turns, so that a list of 10,000 items does not delay a form. A waiting call delays no
 * call to another family of endpoints.
 */

/** The right to make one call. Call one of the methods when it ends; `ignored` if the reply says nothing about the rate. */
export interface Permit {
	accepted(window?: RateLimitWindow): void;
	throttled(retryAfterMs?: number): void;
	ignored(): void;
}

/** A permit; or the end of the pause, if that is after the deadline; or 'closed' after the flow was closed. */
export type Admission = { permit: Permit } | { notBefore: number } | 'closed';

interface QueuedCall {
	/** The endpoints that share pauses and pace with the call: service and path, without IDs. */
	family: string;
	/** Latest end of a pause, on the clock of the flow (Flow.timeAt). */
	deadline: number;
	admission: Moment<Admission>;
}

/** Longest sleep before the queue dispatches again, since the clock may be set back. */
const MAX_NAP_MS = 1_000;

/** The queue of one base URL and API key, with its limiters. */
export class FairQueue {
	private readonly flows = new Set<Flow>();
	/** Flows with a queued call, the next one first. */
	private waiting: Flow[] = [];
	/** The number of queued calls, by family. */
	private readonly queued = new Map<string, number>();
	private cap = 0;
	private wakesAt = Infinity;
	private readonly burst: BurstSmoother;
	private readonly limiters: FamilyLimiters;

	constructor(private readonly clock: Clock) {
		this.limiters = new FamilyLimiters(() => clock.random());
		this.burst = new BurstSmoother(clock, () => this.dispatch());
	}

	/** @param cap largest number of calls of the flow in flight; the queue's own cap is the largest cap of its open flows */
	open(cap: number, rate = new RequestRate(this.clock), isHurried = false): Flow {
		const flow = new Flow(cap, this, rate, isHurried);
		this.flows.add(flow);
		this.cap = Math.max(this.cap, cap);
		return flow;
	}

	close(flow: Flow) {
		this.flows.delete(flow);
		for (const { family } of flow.queued) this.count(family, -1);
		this.waiting = this.waiting.filter((other) => other !== flow);
		this.cap = Math.max(0, ...[...this.flows].map(({ cap }) => cap));
	}

	isStale(): boolean {
		return this.flows.size === 0 && this.limiters.isStale(this.clock.now());
	}

	/** Starts or queues a call; rejects it if a pause lasts beyond its deadline. */
	enqueue(flow: Flow, call: QueuedCall) {
		const now = this.clock.now();
		const { family } = call;
		const notBefore = this.heldUntil(flow, family, now);
		const startsAt = this.limiters.startsAt(family, now);
		if (isTooLate(notBefore, call, flow)) return call.admission.come({ notBefore });
		if (flow.queued.length === 0) this.waiting.push(flow);
		flow.queued.push(call);
		this.count(family, 1);
		// A call that has to wait needs no dispatch: the other queued calls have their own wake-up
		if (startsAt > now) void this.wake(this.limiters.startsAtLatest(family, now));
		else if (!flow.isHeld(now, this.onRate)) this.dispatch(now);
	}

	/** Starts the calls that may start now, flow by flow. */
	private dispatch(now = this.clock.now()) {
		const { limiters } = this;
		/** Families that have to wait, and until when. Nothing that happens during this dispatch shortens their wait. */
		const held = new Map<string, number>();
		const mayStart = ({ family }: QueuedCall) => {
			if (held.has(family)) return false;
			if (limiters.startsAt(family, now) > now)
				held.set(family, limiters.startsAtLatest(family, now));
			// A reply dispatches again
			else if (!limiters.hasRoom(this.cap, family)) held.set(family, Infinity);
			return !held.has(family);
		};
		const { waiting, queued } = this;
		const isOpen = () => this.hasRoom() && limiters.opensAt(now) <= now;
		/** Flows in front that cannot use their turn. They keep it. */
		let skipped = 0;
		while (skipped < waiting.length && held.size < queued.size && isOpen()) {
			const flow = waiting[skipped];
			const index = flow.inFlight < flow.cap ? flow.queued.findIndex(mayStart) : -1;
			if (index < 0 || flow.isHeld(now, this.onRate)) skipped += 1;
			else {
				waiting.splice(skipped, 1);
				const [call] = flow.queued.splice(index, 1);
				this.count(call.family, -1);
				this.start(flow, call, now);
				if (flow.queued.length > 0) waiting.push(flow);
			}
		}
		// Without room, a reply or the next tick dispatches again
		if (waiting.length === 0 || !this.hasRoom()) return;
		const opensAt = limiters.opensAt(now);
		void this.wake(opensAt > now ? opensAt : Math.min(...held.values()));
	}

	private readonly onRate = () => {
		this.rejectLate();
		this.dispatch();
	};

	/** The end of a call's wait; undefined if none is reported. Max Requests per Minute counts only for flows with deadlines. */
	private heldUntil({ rate, isHurried }: Flow, family: string, now: number): number | undefined {
		const endsAt = this.limiters.pauseEndsAt(family, now);
		return isHurried ? Math.max(endsAt ?? now, rate.opensAt(now)) : endsAt;
	}

	private count(family: string, change: 1 | -1) {
		const count = (this.queued.get(family) ?? 0) + change;
		if (count > 0) this.queued.set(family, count);
		else this.queued.delete(family);
	}

	private hasRoom(): boolean {
		return this.burst.hasRoom() && this.limiters.hasRoom(this.cap);
	}

	private start(flow: Flow, { family, admission }: QueuedCall, now: number) {
		const { limiters, burst, clock } = this;
		burst.take();
		flow.rate.take(now);
		const call = limiters.start(family, now);
		flow.inFlight += 1;
		const end = () => {
			flow.inFlight -= 1;
			if (this.waiting.length === 0) return;
			// A new pause would be one of this family, too
			if (limiters.pauseEndsAt(family, clock.now()) !== undefined) this.rejectLate();
			this.dispatch();
		};
		const permit: Permit = {
			accepted: (window) => {
				const areHeld = this.waiting.length > 0 && !burst.hasRoom();
				limiters.accepted(call, clock.now(), window, areHeld);
				end();
			},
			throttled: (retryAfterMs) => {
				limiters.throttled(call, clock.now(), retryAfterMs);
				end();
			},
			ignored: () => {
				limiters.ignored(call);
				end();
			},
		};
		admission.come({ permit });
	}

	/** Rejects the queued calls whose deadlines are before the end of a pause. */
	private rejectLate() {
		const now = this.clock.now();
		const stays = (call: QueuedCall, flow: Flow) => {
			const notBefore = this.heldUntil(flow, call.family, now);
			if (!isTooLate(notBefore, call, flow)) return true;
			this.count(call.family, -1);
			call.admission.come({ notBefore });
			return false;
		};
		for (const flow of this.waiting) flow.queued = flow.queued.filter((call) => stays(call, flow));
		this.waiting = this.waiting.filter(({ queued }) => queued.length > 0);
	}

	/** Dispatches again at the given time, unless an earlier time is set. */
	private async wake(at: number) {
		if (at >= this.wakesAt) return;
		this.wakesAt = at;
		await this.clock.sleep(Math.min(Math.max(0, at - this.clock.now()), MAX_NAP_MS));
		if (this.wakesAt !== at) return;
		this.wakesAt = Infinity;
		this.dispatch();
	}
}

/** The calls of one execution to one base URL. */
export class Flow {
	inFlight = 0;
	/** In order of arrival. */
	queued: QueuedCall[] = [];
	private isClosed = false;
	private heldMs = 0;
	private heldUntil = 0;

	/** @param isHurried whether waiting for Max Requests per Minute counts like a pause, since its calls can be repeated later */
	constructor(
		readonly cap: number,
		private readonly queue: FairQueue,
		readonly rate: RequestRate,
		readonly isHurried: boolean,
	) {}

	/** A clock that stops while Max Requests per Minute delays the flow, so that this wait does not use up deadlines. */
	timeAt(now: number): number {
		return now - this.heldMs;
	}

	/** Whether Max Requests per Minute delays the flow. @param wake called when it no longer does */
	isHeld(now: number, wake: () => void): boolean {
		const until = this.rate.opensAt(now);
		if (until <= now) return false;
		this.rate.wait(wake);
		if (!this.isHurried) this.heldMs += Math.max(0, until - Math.max(now, this.heldUntil));
		this.heldUntil = Math.max(this.heldUntil, until);
		return true;
	}

	/** Waits until a call to the family may start, or the flow is closed. */
	async acquire(family: string, deadline: number): Promise<Admission> {
		if (this.isClosed) return 'closed';
		const admission = new Moment<Admission>();
		this.queue.enqueue(this, { family, deadline, admission });
		return await admission.reached;
	}

	close() {
		this.isClosed = true;
		for (const { admission } of this.queued) admission.come('closed');
		this.queue.close(this);
		this.queued = [];
	}
}

/** Whether a pause lasts beyond the deadline of a call. Waiting for other calls does not count. */
function isTooLate(
	endsAt: number | undefined,
	{ deadline }: QueuedCall,
	flow: Flow,
): endsAt is number {
	return endsAt !== undefined && flow.timeAt(endsAt) > deadline;
}

/** Calls that may start in one tick of the event loop. */
const STARTS_PER_TICK = 5;

/**
 * Lets a few calls start in each tick. Node writes requests only after the current work, so many calls that started together
 * would all wait for the last, and so would n8n's other work: each handshake takes a millisecond or two. The others stay in the
 * queue, where they can still be rejected.
 */
export class BurstSmoother {
	/** How many calls may still start in this tick; undefined if none started in the last one. */
	private left?: number;

	constructor(
		private readonly clock: Pick<Clock, 'nextTick'>,
		private readonly onTick: () => void,
	) {}

	hasRoom(): boolean {
		return this.left !== 0;
	}

	take() {
		if (this.left === undefined) void this.refill();
		this.left = (this.left ?? STARTS_PER_TICK) - 1;
	}

	/** Counts again in each tick, until no call starts in one. */
	private async refill() {
		do {
			await this.clock.nextTick();
			const heldBack = this.left === 0;
			this.left = STARTS_PER_TICK;
			if (heldBack) this.onTick();
		} while (this.left < STARTS_PER_TICK);
		this.left = undefined;
	}
}

/** With this many queues, stale ones are removed. */
const MANY_QUEUES = 100;
const queues = new Map<string, FairQueue>();

/** The queue that all executions of the process share for one base URL and API key. */
export function fairQueueFor(baseUrl: string, apiKey: string, clock = CLOCK): FairQueue {
	const name = JSON.stringify([baseUrl, apiKey]);
	const found = queues.get(name);
	if (found && !found.isStale()) return found;
	if (queues.size >= MANY_QUEUES) {
		for (const [other, queue] of queues) if (queue.isStale()) queues.delete(other);
	}
	const queue = new FairQueue(clock);
	queues.set(name, queue);
	return queue;
}
