import { Deadlines, joined } from '../../engine';

const MINUTE = 60_000;

describe('the deadlines of calls', () => {
	let now: number;
	let deadlines: Deadlines;
	beforeEach(() => {
		now = 1_000_000;
		deadlines = new Deadlines(() => now);
	});

	test('are one for calls that start within a thousandth of their time limit', () => {
		const first = deadlines.after(MINUTE);
		now += 59;
		expect(deadlines.after(MINUTE)).toBe(first);
		now += 1;
		const next = deadlines.after(MINUTE);
		expect(next).not.toBe(first);
		expect(deadlines.after(MINUTE)).toBe(next);
	});

	test('differ by time limit, and after the clock was set back', () => {
		const first = deadlines.after(MINUTE);
		expect(deadlines.after(2 * MINUTE)).not.toBe(first);
		expect(deadlines.after(MINUTE)).toBe(first);
		now -= MINUTE;
		expect(deadlines.after(MINUTE)).not.toBe(first);
	});

	test('are in the future when a call starts, although the clock stands still', async () => {
		const first = deadlines.after(1);
		await new Promise((resolve) => first.addEventListener('abort', resolve));
		expect(deadlines.after(1)).not.toBe(first);
	});
});

describe('a signal for Stop and the deadline', () => {
	const deadline = () => AbortSignal.timeout(MINUTE);

	test('is the deadline itself if nothing can be stopped', () => {
		const alone = deadline();
		expect(joined(undefined, alone)).toBe(alone);
	});

	test('is the same for all calls with one deadline, and ends at Stop', () => {
		const stop = new AbortController();
		const shared = deadline();
		const signal = joined(stop.signal, shared);
		expect(joined(stop.signal, shared)).toBe(signal);
		expect(joined(stop.signal, deadline())).not.toBe(signal);
		expect(joined(new AbortController().signal, shared)).not.toBe(signal);
		stop.abort();
		expect(signal.aborted).toBe(true);
	});

	test('ends at the deadline', async () => {
		const signal = joined(new AbortController().signal, AbortSignal.timeout(1));
		await new Promise((resolve) => signal.addEventListener('abort', resolve));
		expect(signal.aborted).toBe(true);
	});
});
