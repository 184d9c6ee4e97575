import { sleep } from 'n8n-workflow';
import { Gate } from './gate';
import { Governor, type WindowReport } from './governor';
import type { ServiceRoot } from './operation';

/**
 * Who is next. The calls of all executions of the process that go to one service with one API key pass the same crossing: each
 * execution has a lane, and the lanes take turns, so that a list of 10,000 does not hold up a form.
 */

/** Time, as the crossing needs it. */
export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
	sleep(ms: number): Promise<void>;
	/** Resolves after the shortest time that a timer takes: what has arrived was read by then, and what was begun went out. */
	nextTurn(): Promise<void>;
	/** A number from 0 up to 1. */
	random(): number;
}

/** The real time. */
export const CLOCK: Clock = {
	now: () => Date.now(),
	sleep: async (ms) => await sleep(ms),
	nextTurn: async () => await sleep(0),
	random: () => Math.random(),
};

/** The right to make one call. Exactly one of these ends it. */
export interface Turn {
	/** It was answered. */
	accepted(report?: WindowReport): void;
	/** It was refused for the pace. */
	refused(retryAfterMs?: number): void;
	/** It says nothing of the pace, or was not made. */
	ignored(): void;
}

/** What comes of waiting for a turn: it, or the time before which there is none, or nothing, since the lane was closed. */
export type Admission = { turn: Turn } | { notBefore: number } | 'closed';

interface Waiting {
	endpoint: string;
	deadline: number;
	admit(admission: Admission): void;
}

/** How long the crossing sleeps at most before it looks again: the clock may have been set back, or nobody waits any more. */
const LONGEST_NAP_MS = 1_000;

/** One service and key: its governor, and the lanes that lead to it. */
export class Crossing {
	private readonly lanes = new Set<Lane>();
	/** Lanes in which somebody waits; the first is next. */
	private turns: Lane[] = [];
	private cap = 0;
	private wakesAt = Infinity;
	/** No call that waits has a deadline before it. */
	private firstDeadline = Infinity;
	private readonly gate: Gate;
	private readonly governor: Governor;

	constructor(private readonly clock: Clock) {
		this.governor = new Governor(() => clock.random());
		this.gate = new Gate(clock, () => this.letGo());
	}

	/**
	 * Opens a lane for one execution.
	 * @param cap calls of it that may be under way at once; over all lanes it is the largest of the open ones
	 */
	open(cap: number): Lane {
		const lane = new Lane(cap, this);
		this.lanes.add(lane);
		this.cap = Math.max(this.cap, cap);
		return lane;
	}

	close(lane: Lane) {
		this.lanes.delete(lane);
		this.turns = this.turns.filter((other) => other !== lane);
		this.cap = Math.max(0, ...[...this.lanes].map(({ cap }) => cap));
	}

	/** Whether it can be forgotten. */
	isStale(): boolean {
		return this.lanes.size === 0 && this.governor.isStale(this.clock.now());
	}

	/** Puts a call in line, or says when it could start, if that is too late for it. */
	enqueue(lane: Lane, call: Waiting) {
		const now = this.clock.now();
		const notBefore = this.governor.pauseEndsAt(call.endpoint, now);
		if (isTooLate(notBefore, call)) return call.admit({ notBefore });
		if (lane.isEmpty()) this.turns.push(lane);
		lane.add(call);
		this.firstDeadline = Math.min(this.firstDeadline, call.deadline);
		// All others are woken by what holds them back: that spares a look at every lane for each call
		if (this.governor.startsAt(call.endpoint, now) <= now) this.letGo();
		else void this.wake(this.governor.startsAtLatest(call.endpoint, now));
	}

	/** Lets go whatever may start now, lane by lane. */
	private letGo() {
		const { governor } = this;
		const now = this.clock.now();
		/** Endpoints that have to wait. Nothing that happens in the meantime makes that shorter. */
		const held = new Set<string>();
		const mayStart = (endpoint: string) => {
			if (!held.has(endpoint) && governor.startsAt(endpoint, now) > now) held.add(endpoint);
			return !held.has(endpoint);
		};
		let fruitless = 0;
		while (fruitless < this.turns.length && this.isOpen(now)) {
			const [lane] = this.turns.splice(0, 1);
			const call = lane.underWay < lane.cap ? lane.takeFirst(mayStart) : undefined;
			if (!lane.isEmpty()) this.turns.push(lane);
			fruitless = call ? 0 : fruitless + 1;
			if (call) this.begin(lane, call, now);
		}
		// Then an answer or the gate's next turn lets go those who wait
		if (this.turns.length === 0 || !this.hasRoom()) return;
		const opensAt = governor.opensAt(now);
		const next = [...held].map((endpoint) => governor.startsAtLatest(endpoint, now));
		void this.wake(opensAt > now ? opensAt : Math.min(...next));
	}

	/** Whether any call at all may start. */
	private isOpen(now: number): boolean {
		return this.hasRoom() && this.governor.opensAt(now) <= now;
	}

	/** Whether one more call may be under way, and begin in this turn. */
	private hasRoom(): boolean {
		return this.gate.isOpen() && this.governor.roomUnder(this.cap) > 0;
	}

	private begin(lane: Lane, { endpoint, admit }: Waiting, now: number) {
		const { governor, gate, clock } = this;
		gate.pass();
		const call = governor.start(endpoint, now);
		lane.underWay += 1;
		const end = () => {
			lane.underWay -= 1;
			this.turnAwayTooLate(endpoint);
			this.letGo();
		};
		const areHeld = () => this.turns.length > 0 && !gate.isOpen();
		const turn: Turn = {
			accepted(report) {
				governor.accepted(call, clock.now(), report, areHeld());
				end();
			},
			refused(retryAfterMs) {
				governor.refused(call, clock.now(), retryAfterMs);
				end();
			},
			ignored() {
				governor.ignored(call);
				end();
			},
		};
		admit({ turn });
	}

	/** After a call to the endpoint ended: turns away those for whom the pause that is known now is too long. */
	private turnAwayTooLate(endpoint: string) {
		const { governor } = this;
		const now = this.clock.now();
		const pauseEndsAt = governor.pauseEndsAt(endpoint, now);
		if (pauseEndsAt === undefined || pauseEndsAt <= this.firstDeadline) return;
		this.firstDeadline = Infinity;
		for (const lane of this.turns) {
			const left = lane.turnAway((other) => governor.pauseEndsAt(other, now));
			this.firstDeadline = Math.min(this.firstDeadline, left);
		}
		this.turns = this.turns.filter((lane) => !lane.isEmpty());
	}

	/** Looks again at the given time, as long as somebody waits. */
	private async wake(at: number) {
		if (at >= this.wakesAt) return;
		this.wakesAt = at;
		await this.clock.sleep(Math.min(Math.max(0, at - this.clock.now()), LONGEST_NAP_MS));
		if (this.wakesAt !== at) return;
		this.wakesAt = Infinity;
		this.letGo();
	}
}

/** The calls of one execution to one service. */
export class Lane {
	underWay = 0;
	/** Who waits, in order of arrival, by endpoint: one that is held back holds back no other. */
	private readonly waiting = new Map<string, Array<Waiting & { arrival: number }>>();
	private arrivals = 0;
	private isClosed = false;

	constructor(
		readonly cap: number,
		private readonly crossing: Crossing,
	) {}

	/**
	 * Waits until a call to the endpoint may start.
	 * @param deadline time by which it has to, in milliseconds since the epoch
	 */
	async enter(endpoint: string, deadline: number): Promise<Admission> {
		if (this.isClosed) return 'closed';
		return await new Promise<Admission>((admit) =>
			this.crossing.enqueue(this, { endpoint, deadline, admit }),
		);
	}

	/** Ends all waiting in it. */
	close() {
		this.isClosed = true;
		for (const queue of this.waiting.values()) for (const { admit } of queue) admit('closed');
		this.waiting.clear();
		this.crossing.close(this);
	}

	isEmpty(): boolean {
		return this.waiting.size === 0;
	}

	add(call: Waiting) {
		const queue = this.waiting.get(call.endpoint) ?? [];
		queue.push({ ...call, arrival: (this.arrivals += 1) });
		this.waiting.set(call.endpoint, queue);
	}

	/** Takes out the call that has waited longest among those that may start. */
	takeFirst(mayStart: (endpoint: string) => boolean): Waiting | undefined {
		let first: Array<Waiting & { arrival: number }> = [];
		for (const [endpoint, queue] of this.waiting) {
			if (first.length > 0 && first[0].arrival < queue[0].arrival) continue;
			if (mayStart(endpoint)) first = queue;
		}
		const call = first.shift();
		if (call && first.length === 0) this.waiting.delete(call.endpoint);
		return call;
	}

	/**
	 * Turns away the calls that could start too late.
	 * @returns the first deadline of those that are left
	 */
	turnAway(pauseEndsAt: (endpoint: string) => number | undefined): number {
		let firstDeadline = Infinity;
		for (const [endpoint, queue] of this.waiting) {
			const notBefore = pauseEndsAt(endpoint);
			const left = queue.filter((call) => {
				const isLeft = !isTooLate(notBefore, call);
				if (!isLeft) call.admit({ notBefore });
				return isLeft;
			});
			if (left.length > 0) this.waiting.set(endpoint, left);
			else this.waiting.delete(endpoint);
			for (const { deadline } of left) firstDeadline = Math.min(firstDeadline, deadline);
		}
		return firstDeadline;
	}
}

/** The lanes of one execution or poll: one to each service that it calls, all closed together. */
export class Lanes {
	private readonly opened = new Map<ServiceRoot, Lane>();
	private isClosed = false;

	constructor(
		private readonly crossingTo: (service: ServiceRoot) => Crossing,
		private readonly cap: number,
	) {}

	to(service: ServiceRoot): Lane {
		const lane = this.opened.get(service) ?? this.crossingTo(service).open(this.cap);
		this.opened.set(service, lane);
		if (this.isClosed) lane.close();
		return lane;
	}

	/** Ends all waiting in them, and in those that may be asked for later. */
	close() {
		this.isClosed = true;
		for (const lane of this.opened.values()) lane.close();
	}
}

/** Whether a call would have to wait beyond its deadline for a pause to end. Waiting in line is no pause. */
function isTooLate(pauseEndsAt: number | undefined, { deadline }: Waiting): pauseEndsAt is number {
	return pauseEndsAt !== undefined && pauseEndsAt > deadline;
}

/** From so many crossings on, those that are not needed any more are looked for. */
const MANY = 100;
/** The crossings of this process, by service root and key. */
const crossings = new Map<string, Crossing>();

/** The crossing that all executions of the process share for one service root and API key. */
export function crossingFor(root: string, apiKey: string, clock = CLOCK): Crossing {
	const name = JSON.stringify([root, apiKey]);
	const found = crossings.get(name);
	if (found && !found.isStale()) return found;
	if (crossings.size >= MANY) {
		for (const [other, crossing] of crossings) if (crossing.isStale()) crossings.delete(other);
	}
	const made = new Crossing(clock);
	crossings.set(name, made);
	return made;
}
