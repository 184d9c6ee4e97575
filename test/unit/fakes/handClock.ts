/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { type Admission, type Clock, FairQueue, type Flow, type Permit } from '../../engine';

export const T0 = 1_000_000;
/** Lets all work happen that waits for no timer. */
export const flush = async () => await new Promise((resolve) => setImmediate(resolve));

/** A clock that stands still until the test moves it. */
export class HandClock implements Clock {
	at = T0;
	/** What was slept, in milliseconds. */
	readonly slept: number[] = [];
	private sleepers: Array<{ until: number; wake: () => void }> = [];

	now = () => this.at;
	random = () => 0.5;
	nextTick = async () => undefined as void;
	sleep = async (ms: number) => {
		this.slept.push(ms);
		const until = this.at + Math.ceil(ms);
		await new Promise<void>((wake) => this.sleepers.push({ until, wake }));
	};

	get sleeping() {
		return this.sleepers.length;
	}

	/** How long until the next sleeper wakes. */
	nextIn(): number {
		return Math.max(0, Math.min(...this.sleepers.map(({ until }) => until)) - this.at);
	}

	/** Goes on until the next sleeper wakes. */
	async passNext() {
		await this.pass(Math.min(...this.sleepers.map(({ until }) => until)) - this.at);
	}

	/** Goes on from sleeper to sleeper. Timers go by what they were set to, so setting the clock back moves none of them. */
	async pass(ms: number) {
		const end = this.at + ms;
		for (;;) {
			const next = Math.min(...this.sleepers.map(({ until }) => until));
			if (next > end) break;
			this.at = Math.max(this.at, next);
			const woken = this.sleepers.filter(({ until }) => until <= this.at);
			this.sleepers = this.sleepers.filter(({ until }) => until > this.at);
			for (const { wake } of woken) wake();
			await flush();
		}
		this.at = end;
	}

	setBack(ms: number) {
		this.at -= ms;
		for (const sleeper of this.sleepers) sleeper.until -= ms;
	}
}

/** One call of a flow, and what its waiting came to. */
export interface QueuedCall {
	name: string;
	admission?: Admission;
}

interface WaitOptions {
	family?: string;
	maxWaitMs?: number;
	/** Called when the call may start, or is rejected. */
	onEnd?(call: QueuedCall): void;
}

export function openQueue(clock = new HandClock()) {
	const queue = new FairQueue(clock);
	/** Names of the started calls, in order, and the permits of those in flight. */
	const started: string[] = [];
	const permits: Permit[] = [];
	const wait = (
		flow: Flow,
		name: string,
		{ family = 'lookup', maxWaitMs = Infinity, onEnd }: WaitOptions = {},
	): QueuedCall => {
		const call: QueuedCall = { name };
		void flow.acquire(family, clock.at + maxWaitMs).then((admission) => {
			call.admission = admission;
			onEnd?.(call);
			if (admission === 'closed' || 'notBefore' in admission) return;
			started.push(name);
			permits.push(admission.permit);
		});
		return call;
	};
	const waitAll = (flow: Flow, names: string[], more = {}) =>
		names.map((name) => wait(flow, name, more));
	/** Ends the oldest permit, or the one at this place. */
	const end = async (how: (permit: Permit) => void = (permit) => permit.accepted(), nth = 0) => {
		const [permit] = permits.splice(nth, 1);
		if (!permit) throw new Error('No call is in flight');
		how(permit);
		await flush();
	};
	return { clock, queue, started, permits, wait, waitAll, end };
}
