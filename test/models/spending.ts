import {
	type Balance,
	type CallCost,
	type Credits,
	isFailed,
	MAX_BETWEEN_LOOKS,
	RunAccount,
	SharedAccount,
	STOPPED,
} from '../engine';

/** Three executions at once on one simulated account, in a time of their own. */

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** A clock whose time passes only when all work waits for it. */
export class Timeline {
	private at = 0;
	private order = 0;
	private sleepers: Array<{ at: number; order: number; wake: () => void }> = [];

	now = () => this.at;

	async sleep(ms: number): Promise<void> {
		this.order += 1;
		const { order } = this;
		await new Promise<void>((wake) => this.sleepers.push({ at: this.at + ms, order, wake }));
	}

	/** Lets time pass until nobody sleeps. */
	async run(): Promise<void> {
		for (;;) {
			// All that waits for no time comes first
			for (let n = 0; n < (this.sleepers.length > 0 ? 40 : 4_000); n += 1) await undefined;
			this.sleepers.sort((a, b) => a.at - b.at || a.order - b.order);
			const next = this.sleepers.shift();
			if (!next) return;
			this.at = next.at;
			next.wake();
		}
	}
}

interface SpendingSchedule {
	seed: number;
	/** Whether the executions share a process, and so a guard. */
	isOneProcess: boolean;
	/** Most credits that one call takes. */
	mostOfACall: number;
	/** Whether somebody else spends, who knows no floor. */
	hasOthers: boolean;
	/** By how much a balance that is read is late at most, in milliseconds. */
	mostLagMs?: number;
	/** Whether replies report the balance. */
	isReported?: boolean;
	/** Whether the executions are stopped at some time, each at its own. */
	isStopped?: boolean;
}

interface SpendingRun {
	/** By how many credits the executions' own charges went below the floor, at worst. */
	belowFloor: number;
	left: number;
	sent: number;
	looks: number;
	/** Calls that were not sent for lack of room. */
	unsent: number;
	/** Calls that were neither answered nor failed. */
	hanging: number;
	/** Waits for room that went on after Stop. */
	waitingAfterStop: number;
	othersSpent: number;
}

const FLOOR = 100;

/** What may come of a call that went out, and how often. */
type End = 'answered' | 'lostAfter' | 'lostBefore' | 'lostLater' | 'refunded' | 'throttled';

const ENDS: Array<[end: End, weight: number]> = [
	['answered', 0.72],
	['refunded', 0.06],
	['throttled', 0.08],
	['lostBefore', 0.05],
	['lostAfter', 0.05],
	['lostLater', 0.04],
];

/** Runs a schedule to its end. */
export async function runSpending(schedule: SpendingSchedule): Promise<SpendingRun> {
	const { seed, isOneProcess, mostOfACall, hasOthers, mostLagMs = 0 } = schedule;
	const random = randomOf(seed);
	const upTo = (most: number) => Math.floor(random() * (most + 1));
	const time = new Timeline();
	const account = new Simulation(FLOOR + upTo(110) + upTo(mostOfACall), hasOthers, time.now);
	/** With what others had spent by the last look. */
	const newProcess = () => ({ shared: new SharedAccount(time), told: { othersSpent: 0 } });
	const whole = newProcess();
	const result = { sent: 0, looks: 0, unsent: 0, hanging: 0, waitingAfterStop: 0 };
	const floors = new Map<Balance, number>([['email', FLOOR]]);
	const slowness = 1 + upTo(200);

	const execute = async (calls: number) => {
		const { shared, told } = isOneProcess ? whole : newProcess();
		const read = async () => {
			result.looks += 1;
			await time.sleep(upTo(slowness));
			const { othersSpent, left } = account.shownAt(time.now() - upTo(mostLagMs));
			await time.sleep(upTo(slowness));
			told.othersSpent = othersSpent;
			return { email: left };
		};
		const stop = { isOver: false, end: () => undefined as void };
		const stopped = new Promise<void>((resolve) => (stop.end = resolve));
		const pause = async (ms: number) => {
			await Promise.race([time.sleep(ms), stopped]);
			return stop.isOver ? STOPPED : undefined;
		};
		const run = new RunAccount(shared, floors, read, pause);
		const call = async () => {
			const credits = random() < 0.15 ? 1 + upTo(mostOfACall - 1) : 1;
			result.hanging += 1;
			for (let tries = 0; tries < 3; tries += 1) {
				waiting += 1;
				const admitted = await run.admit(priceOf(credits), 'call');
				waiting -= 1;
				if (isFailed(admitted)) {
					result.unsent += 1;
					break;
				}
				result.sent += 1;
				const end = pick(random());
				const left = await send(end, credits, told.othersSpent);
				admitted.end({ ...costOf(end, credits), ...(schedule.isReported && { left }) });
				if (end !== 'throttled' || stop.isOver) break;
				await time.sleep(upTo(slowness));
			}
			result.hanging -= 1;
		};
		let waiting = 0;
		if (schedule.isStopped)
			void time.sleep(upTo(20 * slowness)).then(async () => {
				stop.isOver = true;
				stop.end();
				shared.stop(run);
				for (let n = 0; n < 20; n += 1) await undefined;
				result.waitingAfterStop += waiting;
			});
		// As many at a time as a run has permits
		const queue = Array.from({ length: calls }, () => call);
		const worker = async () => {
			for (let next = queue.pop(); next && !stop.isOver; next = queue.pop()) await next();
		};
		await Promise.all(Array.from({ length: 1 + upTo(40) }, worker));
		shared.close(run);
	};
	/** The service charges a call somewhere on its way. */
	const send = async (end: End, credits: number, seen: number) => {
		await time.sleep(upTo(slowness));
		const isCharged = ['answered', 'refunded', 'lostAfter'].includes(end);
		if (isCharged && account.charge(credits, seen) && end === 'refunded') {
			await time.sleep(upTo(slowness));
			account.refund(credits);
		}
		const { left } = account;
		await time.sleep(upTo(slowness));
		// The service goes on although nobody waits any more
		if (end === 'lostLater')
			void time.sleep(upTo(250_000)).then(() => void account.charge(credits, seen));
		return left;
	};
	const spendBeside = async () => {
		for (let n = upTo(20); n > 0 && hasOthers; n -= 1) {
			await time.sleep(upTo(500));
			account.spendBeside(1 + upTo(5));
		}
	};
	const work = [0, 1, 2].map(async (nth) => {
		// One after the other or at once
		await time.sleep(nth * upTo(20 * slowness));
		await execute(1 + upTo(70));
	});
	const all = Promise.all([...work, spendBeside()]);
	await time.run();
	await Promise.race([all, Promise.resolve()]);
	const { belowFloor, left, othersSpent } = account;
	return { ...result, belowFloor, left, othersSpent };
}

/** The account at the service. It takes no more than it has. */
class Simulation {
	belowFloor = 0;
	othersSpent = 0;
	private readonly past: Array<{ at: number; left: number; othersSpent: number }> = [];

	constructor(
		public left: number,
		private readonly hasOthers: boolean,
		private readonly now: () => number,
	) {
		this.note();
	}

	/** What a reading from a time before shows. */
	shownAt(at: number) {
		return this.past.findLast((each) => each.at <= at) ?? this.past[0];
	}

	refund(credits: number) {
		this.left += credits;
		this.note();
	}

	private note() {
		const { left, othersSpent } = this;
		this.past.push({ at: this.now(), left, othersSpent });
	}

	charge(credits: number, othersAtLook: number): boolean {
		if (credits > this.left) return false;
		this.left -= credits;
		this.note();
		// What others spent since the look that admitted the call is not the call's doing
		const meanwhile = this.hasOthers ? this.othersSpent - othersAtLook : 0;
		this.belowFloor = Math.max(this.belowFloor, FLOOR - this.left - meanwhile);
		return true;
	}

	spendBeside(credits: number) {
		// Others stop at the floor by themselves, or each further charge would count as below it
		const spent = Math.min(credits, Math.max(0, this.left - FLOOR));
		this.left -= spent;
		this.othersSpent += spent;
		this.note();
	}
}

function pick(part: number) {
	let sum = 0;
	for (const [end, weight] of ENDS) {
		sum += weight;
		if (part < sum) return end;
	}
	return 'answered';
}

function costOf(end: End, credits: number): CallCost {
	if (end === 'throttled') return { how: 'notCharged' };
	if (end === 'answered') return { how: 'answered', charged: credits };
	return end === 'refunded' ? { how: 'answered', charged: 0 } : { how: 'open' };
}

function priceOf(credits: number): Credits {
	return { balance: 'email', atMost: credits, charged: () => credits };
}

/** What the other processes may overlook, by GUIDE: ten credits each, or one larger call. */
export const overshootOf = (processes: number, mostOfACall: number) =>
	(processes - 1) * Math.max(MAX_BETWEEN_LOOKS, mostOfACall);
