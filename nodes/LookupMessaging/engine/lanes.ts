import { sleep } from 'n8n-workflow';
import { Governor, type WindowReport } from './governor';

/**
 * Who is next. The calls of all executions of the process that go to one service with one API key pass the same crossing: each
 * execution has a lane, and the lanes take turns, so that a list of 10,000 does not hold up a form.
 */

/** Time, as the crossing needs it. */
export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
	sleep(ms: number): Promise<void>;
	/** A number from 0 up to 1. */
	random(): number;
}

/** The real time. */
export const CLOCK: Clock = {
	now: () => Date.now(),
	sleep: async (ms) => await sleep(ms),
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

/** How long the crossing sleeps at most before it looks whether anybody still waits, in milliseconds. */
const LONGEST_NAP_MS = 1_000;

/** One service and key: its governor, and the lanes that lead to it. */
export class Crossing {
	private readonly lanes = new Set<Lane>();
	/** Lanes in which somebody waits; the first is next. */
	private turns: Lane[] = [];
	private cap = 0;
	private wakesAt = Infinity;
	private readonly governor: Governor;

	constructor(private readonly clock: Clock) {
		this.governor = new Governor(() => clock.random());
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
		const startsAt = this.governor.startsAt(call.endpoint, this.clock.now());
		if (isTooLate(startsAt, call)) return call.admit({ notBefore: startsAt });
		if (lane.waiting.length === 0) this.turns.push(lane);
		lane.waiting.push(call);
		this.letGo();
	}

	/** Lets go whatever may start now, lane by lane. */
	private letGo() {
		const now = this.clock.now();
		let fruitless = 0;
		let next = Infinity;
		while (fruitless < this.turns.length && this.governor.roomUnder(this.cap) > 0) {
			const [lane] = this.turns.splice(0, 1);
			const { place, startsAt } = this.firstReady(lane, now);
			if (place === undefined) {
				next = Math.min(next, startsAt);
				fruitless += 1;
				this.turns.push(lane);
				continue;
			}
			fruitless = 0;
			const [call] = lane.waiting.splice(place, 1);
			if (lane.waiting.length > 0) this.turns.push(lane);
			call.admit({ turn: this.begin(lane, call.endpoint, now) });
		}
		if (next !== Infinity) void this.wake(next);
	}

	/** Where in the lane the first call stands that may start now; or when one could. */
	private firstReady(lane: Lane, now: number): { place?: number; startsAt: number } {
		if (lane.underWay >= lane.cap) return { startsAt: Infinity };
		let earliest = Infinity;
		for (const [place, { endpoint }] of lane.waiting.entries()) {
			const startsAt = this.governor.startsAt(endpoint, now);
			if (startsAt <= now) return { place, startsAt };
			earliest = Math.min(earliest, startsAt);
		}
		return { startsAt: earliest };
	}

	private begin(lane: Lane, endpoint: string, now: number): Turn {
		const { governor, clock } = this;
		const call = governor.start(endpoint, now);
		lane.underWay += 1;
		const end = (toldOfPause: boolean) => {
			lane.underWay -= 1;
			if (toldOfPause) this.turnAwayTooLate();
			this.letGo();
		};
		return {
			accepted(report) {
				governor.accepted(call, clock.now(), report);
				end(report !== undefined);
			},
			refused(retryAfterMs) {
				governor.refused(call, clock.now(), retryAfterMs);
				end(true);
			},
			ignored() {
				governor.ignored(call);
				end(false);
			},
		};
	}

	/** After a pause was learnt of, which may be too long for some. */
	private turnAwayTooLate() {
		const now = this.clock.now();
		for (const lane of this.turns) {
			const startOf = new Map<string, number>();
			for (const { endpoint } of lane.waiting) {
				if (!startOf.has(endpoint)) startOf.set(endpoint, this.governor.startsAt(endpoint, now));
			}
			lane.turnAway((call) => {
				const startsAt = startOf.get(call.endpoint) ?? 0;
				return isTooLate(startsAt, call) ? startsAt : undefined;
			});
		}
		this.turns = this.turns.filter(({ waiting }) => waiting.length > 0);
	}

	/** Looks again at the given time, as long as somebody waits. */
	private async wake(at: number) {
		if (at >= this.wakesAt) return;
		this.wakesAt = at;
		while (this.turns.length > 0 && this.wakesAt === at) {
			const leftMs = at - this.clock.now();
			if (leftMs <= 0) break;
			await this.clock.sleep(Math.min(leftMs, LONGEST_NAP_MS));
		}
		if (this.wakesAt !== at) return;
		this.wakesAt = Infinity;
		this.letGo();
	}
}

/** The calls of one execution to one service. */
export class Lane {
	readonly waiting: Waiting[] = [];
	underWay = 0;
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
		for (const { admit } of this.waiting.splice(0)) admit('closed');
		this.crossing.close(this);
	}

	/** Turns away the calls for which the given function names a time. */
	turnAway(tooLateFor: (call: Waiting) => number | undefined) {
		for (const call of this.waiting.splice(0)) {
			const notBefore = tooLateFor(call);
			if (notBefore === undefined) this.waiting.push(call);
			else call.admit({ notBefore });
		}
	}
}

function isTooLate(startsAt: number, { deadline }: Waiting): boolean {
	return startsAt !== Infinity && startsAt > deadline;
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
