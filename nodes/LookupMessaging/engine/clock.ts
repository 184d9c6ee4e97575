import { sleep } from 'n8n-workflow';
import { Moment } from './gate';

/** The time, and ways to let it pass. Tests have clocks of their own. */
export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
	sleep(ms: number): Promise<void>;
	/** Resolves when the caller has its turn. By then, Node has written started requests and read the replies that arrived. */
	nextTick(): Promise<void>;
	/** A number from 0 up to 1. */
	random(): number;
}

export const CLOCK: Clock = {
	now: () => Date.now(),
	sleep: async (ms) => await sleep(ms),
	nextTick: async () => {
		const turn = new Moment();
		if (waiting.push(turn) === 1) void giveTurns();
		await turn.reached;
	},
	random: () => Math.random(),
};

/** Longest stretch of work without a pause, in milliseconds. A pause takes one or more, so shorter stretches would cost time. */
export const SLICE_MS = 5;
const waiting: Moment[] = [];

/**
 * Gives turns, first come, first served. All waiting tasks share one slice in each round of the event loop. Otherwise a hundred
 * replies that arrive at once would block n8n for a hundred slices.
 */
async function giveTurns() {
	while (waiting.length > 0) {
		// The timers of one round end one after the other, each after the work of the one before it
		const timers = waiting.map(async () => await sleep(0));
		let began: number | undefined;
		for (const timer of timers) {
			await timer;
			began ??= CLOCK.now();
			if (Math.abs(CLOCK.now() - began) >= SLICE_MS) break;
			waiting.shift()?.come();
		}
	}
}

/**
 * Splits the work on long lists into slices by time. Between two slices n8n does its other work: executions, webhooks, the editor.
 * All work of a round of the event loop shares its slice: what fits into the rest of it does not wait, other work has its turn
 * behind all that wait.
 */
export class TimeSlices {
	/** When the first work of this round began. */
	private began?: number;

	constructor(private readonly clock: Omit<Clock, 'random'>) {}

	/** Whether the slice has lasted long enough; begins one if there is none. A clock that is set back ends it, too. */
	get isOver(): boolean {
		const now = this.clock.now();
		if (this.began === undefined) void this.endWithRound();
		this.began ??= now;
		return Math.abs(now - this.began) >= SLICE_MS;
	}

	private async endWithRound() {
		await this.clock.sleep(0);
		this.began = undefined;
	}

	/** Lets n8n do other work, and begins a slice. */
	async pause(): Promise<void> {
		await this.clock.nextTick();
		this.began = undefined;
	}

	/** Call it between two pieces of work that are too short to be split. */
	async pauseIfOver(): Promise<void> {
		if (this.isOver) await this.pause();
	}

	async forEach<Value>(list: Iterable<Value>, work: (value: Value) => void): Promise<void> {
		for (const value of list) {
			if (this.isOver) await this.pause();
			work(value);
		}
	}

	/** Runs work that can pause. */
	async finish<Value>(work: Generator<undefined, Value>): Promise<Value> {
		let step = work.next();
		while (!step.done) {
			if (this.isOver) await this.pause();
			step = work.next();
		}
		return step.value;
	}

	async map<Value, Made>(
		list: Iterable<Value>,
		make: (value: Value, index: number) => Made,
	): Promise<Made[]> {
		const made: Made[] = [];
		await this.forEach(list, (value) => made.push(make(value, made.length)));
		return made;
	}
}

export const SLICES = new TimeSlices(CLOCK);
