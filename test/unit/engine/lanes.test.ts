/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { Governor } from '../../../nodes/LookupMessaging/engine/governor';
import {
	Crossing,
	crossingFor,
	type Admission,
	type Clock,
	type Lane,
	type Turn,
} from '../../../nodes/LookupMessaging/engine/lanes';

const T0 = 1_000_000;
/** Lets everything happen that waits for nothing but its turn. */
const settle = async () => await new Promise((resolve) => setImmediate(resolve));

/** A clock that stands still until the test moves it. */
class HandClock implements Clock {
	at = T0;
	/** What was slept, in milliseconds. */
	readonly slept: number[] = [];
	private sleepers: Array<{ until: number; wake: () => void }> = [];

	now = () => this.at;
	random = () => 0.5;
	nextTurn = async () => undefined as void;
	sleep = async (ms: number) => {
		this.slept.push(ms);
		await new Promise<void>((wake) => this.sleepers.push({ until: this.at + ms, wake }));
	};

	get sleeping() {
		return this.sleepers.length;
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
			await settle();
		}
		this.at = end;
	}

	setBack(ms: number) {
		this.at -= ms;
		for (const sleeper of this.sleepers) sleeper.until -= ms;
	}
}

/** One call that waits in a lane, and what came of it. */
interface Visitor {
	name: string;
	admission?: Admission;
}

function openCrossing() {
	const clock = new HandClock();
	const crossing = new Crossing(clock);
	/** Names of those who were let go, in order, and their turns until they end. */
	const gone: string[] = [];
	const turns: Turn[] = [];
	const wait = (
		lane: Lane,
		name: string,
		{ endpoint = 'lookup', patienceMs = Infinity }: { endpoint?: string; patienceMs?: number } = {},
	): Visitor => {
		const visitor: Visitor = { name };
		void lane.enter(endpoint, clock.at + patienceMs).then((admission) => {
			visitor.admission = admission;
			if (admission === 'closed' || 'notBefore' in admission) return;
			gone.push(name);
			turns.push(admission.turn);
		});
		return visitor;
	};
	const waitAll = (lane: Lane, names: string[], more = {}) =>
		names.map((name) => wait(lane, name, more));
	/** Ends the oldest turn. */
	const end = async (how: (turn: Turn) => void = (turn) => turn.accepted()) => {
		const turn = turns.shift();
		if (!turn) throw new Error('Nobody is under way');
		how(turn);
		await settle();
	};
	return { clock, crossing, gone, turns, wait, waitAll, end };
}

const names = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, n) => `${prefix}${n + 1}`);
const notBefore = ({ admission }: Visitor) =>
	admission !== undefined && admission !== 'closed' && 'notBefore' in admission
		? admission.notBefore
		: undefined;

describe('lanes take turns', () => {
	test('one call of each in a round, in order of arrival within each', async () => {
		const { crossing, gone, waitAll, end } = openCrossing();
		for (const name of ['a', 'b', 'c']) waitAll(crossing.open(1), names(name, 3));
		await settle();
		for (let n = 0; n < 8; n += 1) await end();
		expect(gone).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'c2', 'b3', 'c3']);
	});

	test('a list that hands in one call after the other does not overtake', async () => {
		const { crossing, gone, wait, waitAll, end } = openCrossing();
		const [busy, other] = [crossing.open(1), crossing.open(1)];
		wait(busy, 'busy');
		waitAll(other, names('other', 3));
		await settle();
		for (let n = 0; n < 5; n += 1) {
			wait(busy, 'busy');
			await end();
		}
		expect(gone).toEqual(['busy', 'other1', 'busy', 'other2', 'busy', 'other3']);
	});

	test.each([1, 4, 20])(
		'a single call amid %i lists of 5,000 waits for one call of each at most',
		async (lists) => {
			const { crossing, gone, wait, waitAll, end } = openCrossing();
			for (let list = 0; list < lists; list += 1) {
				waitAll(crossing.open(20), names('list', 5_000));
			}
			await settle();
			for (let n = 0; n < 137; n += 1) await end();
			const before = gone.length;
			wait(crossing.open(20), 'single');
			while (!gone.includes('single')) await end();
			expect(gone.indexOf('single') - before).toBeLessThanOrEqual(lists);
		},
	);

	test('each of 500 single calls amid a list waits for one round at most, and all get through', async () => {
		const { crossing, gone, wait, waitAll, end } = openCrossing();
		waitAll(crossing.open(20), names('list', 2_000));
		await settle();
		const before = gone.length;
		for (const name of names('single', 500)) wait(crossing.open(20), name);
		while (gone.length < 2_500) await end();
		const places = names('single', 500).map((name) => gone.indexOf(name) - before);
		expect(places).toEqual(places.map((_, n) => n + 1));
	});

	test('a call that is turned away for its pace goes to the end of its lane', async () => {
		const { crossing, clock, gone, wait, waitAll, end } = openCrossing();
		const lane = crossing.open(1);
		waitAll(lane, names('a', 3));
		await settle();
		await end((turn) => turn.refused(1_000));
		wait(lane, 'a1 again');
		await clock.pass(1_000);
		while (gone.length < 4) await end();
		expect(gone).toEqual(['a1', 'a2', 'a3', 'a1 again']);
	});
});

describe('how many go at once', () => {
	/** A crossing whose turns begin when the test says so. */
	const openInTurns = () => {
		let begin = () => {};
		const opened = openCrossing();
		opened.clock.nextTurn = async () => await new Promise<void>((resolve) => (begin = resolve));
		const nextTurn = async () => {
			begin();
			await settle();
		};
		return { ...opened, nextTurn };
	};

	test('who waits for the next turn heeds a refusal that comes before it', async () => {
		const { crossing, gone, wait, waitAll, end, clock, nextTurn } = openInTurns();
		const lane = crossing.open(10);
		waitAll(lane, names('a', 9));
		const hasty = wait(lane, 'hasty', { patienceMs: 30_000 });
		await settle();
		await end((turn) => turn.refused(60_000));
		await nextTurn();
		await nextTurn();
		expect(gone).toEqual(names('a', 5));
		expect(notBefore(hasty)).toBe(T0 + 60_000);
		await clock.pass(60_000);
		expect(gone).toEqual(names('a', 6));
	});

	test('who waits for the next turn does not go when the lane is closed before it', async () => {
		const { crossing, gone, waitAll, nextTurn } = openInTurns();
		const lane = crossing.open(10);
		const visitors = waitAll(lane, names('a', 8));
		await settle();
		lane.close();
		await nextTurn();
		expect(gone).toEqual(names('a', 5));
		expect(visitors.slice(5).map(({ admission }) => admission)).toEqual([
			'closed',
			'closed',
			'closed',
		]);
	});

	test('as many more as calls were answered, where all answers come in one turn', async () => {
		const { crossing, gone, turns, waitAll, nextTurn } = openInTurns();
		waitAll(crossing.open(100), names('a', 100));
		await settle();
		await nextTurn();
		await nextTurn();
		expect(gone).toHaveLength(10);
		for (const turn of turns.splice(0)) turn.accepted();
		for (let n = 0; n < 10; n += 1) await nextTurn();
		expect(turns).toHaveLength(20);
	});

	test('five in each turn', async () => {
		const { crossing, gone, waitAll, nextTurn } = openInTurns();
		waitAll(crossing.open(8), names('a', 9));
		await settle();
		expect(gone).toEqual(names('a', 5));
		await nextTurn();
		expect(gone).toEqual(names('a', 8));
		await nextTurn();
		expect(gone).toHaveLength(8);
	});

	test('no more of a lane than its cap, and no more of all than the largest', async () => {
		const { crossing, gone, turns, waitAll, end } = openCrossing();
		waitAll(crossing.open(2), names('narrow', 10));
		waitAll(crossing.open(5), names('wide', 10));
		await settle();
		expect(gone).toEqual(['narrow1', 'narrow2', 'wide1', 'wide2', 'wide3']);
		while (gone.length < 20) {
			await end();
			expect(turns.length).toBeLessThanOrEqual(5);
		}
	});

	test('fewer again when the lane with the largest cap is closed', async () => {
		const { crossing, gone, waitAll, end } = openCrossing();
		const wide = crossing.open(5);
		const narrow = crossing.open(2);
		waitAll(wide, names('wide', 5));
		waitAll(narrow, names('narrow', 5));
		await settle();
		wide.close();
		await settle();
		const counts: number[] = [];
		for (let n = 0; n < 5; n += 1) {
			await end();
			counts.push(gone.length);
		}
		expect(counts).toEqual([5, 5, 5, 6, 7]);
	});

	test('a lane at its cap holds up no other', async () => {
		const { crossing, gone, waitAll } = openCrossing();
		waitAll(crossing.open(1), names('narrow', 10));
		waitAll(crossing.open(10), names('wide', 10));
		await settle();
		expect(gone).toEqual(['narrow1', ...names('wide', 9)]);
	});

	test('the governor has the last word: ten to begin with, half after a refusal', async () => {
		const { crossing, clock, gone, turns, waitAll, end } = openCrossing();
		waitAll(crossing.open(500), names('a', 100));
		await settle();
		expect(gone).toHaveLength(10);
		for (let n = 0; n < 10; n += 1) await end((turn) => turn.refused(1_000));
		await clock.pass(1_000);
		expect([gone.length, turns.length]).toEqual([15, 5]);
	});
});

describe('waiting for the service', () => {
	const pausedFor = async (ms: number) => {
		const all = openCrossing();
		all.wait(all.crossing.open(20), 'first');
		await settle();
		await all.end((turn) => turn.refused(ms));
		return all;
	};

	test('lasts until the pause ends, to the millisecond', async () => {
		const { crossing, clock, gone, wait } = await pausedFor(61_500);
		wait(crossing.open(20), 'second');
		await clock.pass(61_499);
		expect(gone).toEqual(['first']);
		await clock.pass(1);
		expect(gone).toEqual(['first', 'second']);
	});

	test('looks up once a second at most, however many wait', async () => {
		const { crossing, clock, waitAll } = await pausedFor(60_000);
		for (let n = 0; n < 50; n += 1) waitAll(crossing.open(20), names('a', 20));
		await clock.pass(60_000);
		expect(Math.max(...clock.slept)).toBe(1_000);
		expect(clock.slept.filter((ms) => ms === 1_000)).toHaveLength(60);
		expect(clock.slept.length).toBeLessThanOrEqual(60 + 20);
	});

	test('wakes nobody where nobody waits', async () => {
		const { clock } = await pausedFor(3_600_000);
		await clock.pass(3_600_000);
		expect(clock.slept).toEqual([]);
	});

	test('ends earlier when an earlier time is learnt of, and leaves no timer', async () => {
		const { crossing, clock, gone, wait, end } = openCrossing();
		const lane = crossing.open(20);
		wait(lane, 'report');
		await settle();
		await end((turn) => turn.accepted({ left: 0, resetMs: 5_000 }));
		wait(lane, 'late');
		wait(lane, 'other', { endpoint: 'other' });
		await settle();
		await end((turn) => turn.refused(300));
		wait(lane, 'soon', { endpoint: 'other' });
		await clock.pass(300);
		expect(gone).toEqual(['report', 'other', 'soon']);
		await clock.pass(4_699);
		expect(gone).toHaveLength(3);
		await clock.pass(1);
		expect(gone).toEqual(['report', 'other', 'soon', 'late']);
		await clock.pass(1_000);
		expect(clock.sleeping).toBe(0);
	});

	test('survives a clock that is set back by an hour', async () => {
		const { crossing, clock, gone, wait } = await pausedFor(5_000);
		wait(crossing.open(20), 'second');
		await clock.pass(2_500);
		clock.setBack(3_600_000);
		await clock.pass(5_000);
		expect(gone).toEqual(['first', 'second']);
	});

	test('is over for a call whose deadline the pause is beyond, with the time at which it could start', async () => {
		const { crossing, clock, gone, wait, end } = openCrossing();
		const lane = crossing.open(1);
		wait(lane, 'first');
		const patient = wait(lane, 'patient', { patienceMs: 60_000 });
		const impatient = wait(lane, 'impatient', { patienceMs: 59_999 });
		await settle();
		await end((turn) => turn.refused(60_000));
		const late = wait(crossing.open(1), 'late', { patienceMs: 59_999 });
		await settle();
		expect([impatient, late].map(notBefore)).toEqual([T0 + 60_000, T0 + 60_000]);
		expect(patient.admission).toBeUndefined();
		await clock.pass(60_000);
		expect(gone).toEqual(['first', 'patient']);
	});

	test('is over for each lane’s own, and the turns of the others stay', async () => {
		const { crossing, clock, gone, wait, waitAll, end } = openCrossing();
		const lanes = ['a', 'b', 'c'].map(() => crossing.open(1));
		wait(lanes[0], 'first');
		const a = waitAll(lanes[0], names('a', 2), { patienceMs: 1_000 });
		waitAll(lanes[1], names('b', 2));
		const c = [wait(lanes[2], 'c1', { patienceMs: 1_000 }), wait(lanes[2], 'c2')];
		await settle();
		await end((turn) => turn.refused(2_000));
		expect([...a, ...c].map(notBefore)).toEqual([T0 + 2_000, T0 + 2_000, T0 + 2_000, undefined]);
		await clock.pass(2_000);
		while (gone.length < 4) await end();
		expect(gone).toEqual(['first', 'b1', 'c2', 'b2']);
	});

	test('is over for one after the other, as longer pauses are learnt of', async () => {
		const { crossing, clock, wait, waitAll, end } = openCrossing();
		const lane = crossing.open(2);
		waitAll(lane, ['first', 'second']);
		const visitors = [1_000, 10_000, 20_000].map((patienceMs) => wait(lane, 'a', { patienceMs }));
		await settle();
		await end((turn) => turn.refused(2_000));
		expect(visitors.map(notBefore)).toEqual([T0 + 2_000, undefined, undefined]);
		await clock.pass(1_000);
		await end((turn) => turn.refused(18_000));
		expect(visitors.map(notBefore)).toEqual([T0 + 2_000, T0 + 19_000, undefined]);
	});

	test('goes on for a lane behind one that all were turned away from', async () => {
		const { crossing, clock, gone, wait, end } = openCrossing();
		const [given, kept] = [crossing.open(1), crossing.open(1)];
		wait(given, 'first');
		wait(given, 'impatient', { patienceMs: 1_000 });
		wait(kept, 'patient');
		await settle();
		await end((turn) => turn.refused(2_000));
		wait(given, 'again', { patienceMs: 5_000 });
		await clock.pass(2_000);
		expect(gone).toEqual(['first', 'patient']);
		await end();
		expect(gone).toEqual(['first', 'patient', 'again']);
	});

	test('in line is no pause: a deadline that passed meanwhile turns nobody away', async () => {
		const { crossing, clock, gone, waitAll, end } = openCrossing();
		waitAll(crossing.open(1), names('a', 3), { patienceMs: 1_000 });
		await settle();
		await clock.pass(10_000);
		await end((turn) => turn.accepted({ left: 100, resetMs: 60_000 }));
		await end();
		expect(gone).toEqual(['a1', 'a2', 'a3']);
	});

	test('for the pace that the governor allows is no pause either', async () => {
		const { crossing, clock, gone, waitAll, end } = openCrossing();
		waitAll(crossing.open(1), names('a', 40), { patienceMs: 2_000 });
		await settle();
		for (let n = 0; n < 4; n += 1) await end();
		await end((turn) => turn.refused(500));
		for (let n = 0; n < 100; n += 1) {
			await clock.pass(200);
			if (gone.length > 5 && n % 2 === 0) await end().catch(() => undefined);
		}
		expect(gone).toHaveLength(40);
	});
});

describe('a rate-limit window', () => {
	/** Two calls to an endpoint are under way, and the first reply says that nothing is left for a minute. */
	const spent = async (more: { patienceMs?: number } = {}) => {
		const all = openCrossing();
		const lane = all.crossing.open(20);
		all.waitAll(lane, ['first', 'second']);
		await settle();
		await all.end((turn) => turn.accepted({ left: 1, resetMs: 60_000 }));
		const visitors = all.waitAll(lane, names('held', 2), more);
		await settle();
		return { ...all, lane, visitors };
	};

	test('that is spent holds back its endpoint, and lets all others pass, in the same lane too', async () => {
		const { gone, lane, crossing, wait, end } = await spent();
		wait(lane, 'same lane', { endpoint: 'other' });
		wait(crossing.open(20), 'other lane', { endpoint: 'other' });
		wait(crossing.open(20), 'held too');
		await settle();
		expect(gone).toEqual(['first', 'second', 'same lane', 'other lane']);
		await end();
		expect(gone).toHaveLength(4);
	});

	test('gives way as soon as a reply says that more is left', async () => {
		const { gone, end } = await spent();
		await end((turn) => turn.accepted({ left: 1, resetMs: 60_000 }));
		expect(gone).toEqual(['first', 'second', 'held1']);
	});

	test('gives way when it resets, though a reply is still on its way', async () => {
		const { clock, gone } = await spent();
		await clock.pass(59_999);
		expect(gone).toEqual(['first', 'second']);
		await clock.pass(1);
		expect(gone).toEqual(['first', 'second', 'held1', 'held2']);
	});

	test.each<[string, (turn: Turn) => void]>([
		['says so', (turn) => turn.accepted({ left: 0, resetMs: 60_000 })],
		['says nothing of it', (turn) => turn.accepted()],
		['never comes', (turn) => turn.ignored()],
	])('turns away whoever cannot wait so long, once the last reply %s', async (_, how) => {
		const { visitors, end } = await spent({ patienceMs: 30_000 });
		expect(visitors.map(notBefore)).toEqual([undefined, undefined]);
		await end(how);
		expect(visitors.map(notBefore)).toEqual([T0 + 60_000, T0 + 60_000]);
	});

	test('lets those who waited for it go in order of arrival again', async () => {
		const { clock, gone, lane, wait } = await spent();
		await clock.pass(60_000);
		wait(lane, 'late');
		await settle();
		expect(gone).toEqual(['first', 'second', 'held1', 'held2', 'late']);
	});
});

describe('calls to several endpoints in one lane', () => {
	test('go in order of arrival', async () => {
		const { crossing, gone, wait, end } = openCrossing();
		const lane = crossing.open(1);
		for (const [n, endpoint] of [...'abcacbba'].entries())
			wait(lane, `${endpoint}${n}`, { endpoint });
		await settle();
		while (gone.length < 8) await end();
		expect(gone).toEqual(['a0', 'b1', 'c2', 'a3', 'c4', 'b5', 'b6', 'a7']);
	});
});

describe('closing a lane', () => {
	test('ends all waiting in it at once, and whatever wants to wait there afterwards', async () => {
		const { crossing, clock, waitAll, wait, gone } = openCrossing();
		const lane = crossing.open(2);
		const visitors = waitAll(lane, names('a', 5));
		await settle();
		lane.close();
		const late = wait(lane, 'late');
		await settle();
		expect(visitors.slice(2).map(({ admission }) => admission)).toEqual(
			new Array(3).fill('closed'),
		);
		expect(late.admission).toBe('closed');
		expect(gone).toEqual(['a1', 'a2']);
		expect(clock.slept).toEqual([]);
	});

	test('in a pause leaves no timer behind but the nap that is on', async () => {
		const { crossing, clock, wait, end } = openCrossing();
		const lane = crossing.open(20);
		wait(lane, 'first');
		await settle();
		await end((turn) => turn.refused(3_600_000));
		wait(lane, 'second');
		await clock.pass(2_500);
		lane.close();
		const naps = clock.slept.length;
		await clock.pass(1_000);
		expect(clock.sleeping).toBe(0);
		await clock.pass(3_600_000);
		expect(clock.slept).toHaveLength(naps);
	});

	test('leaves the others their turns, and what is under way its end', async () => {
		const { crossing, gone, waitAll, end } = openCrossing();
		const [closed, open] = [crossing.open(1), crossing.open(1)];
		waitAll(closed, names('closed', 3));
		waitAll(open, names('open', 3));
		await settle();
		closed.close();
		for (let n = 0; n < 3; n += 1) await end();
		expect(gone).toEqual(['closed1', 'open1', 'open2', 'open3']);
	});
});

describe('the work of it', () => {
	/** How often the governor is asked anything: once and more for each lane that is looked at. */
	const countQuestions = () => {
		const methods = ['roomUnder', 'opensAt', 'startsAt', 'startsAtLatest', 'pauseEndsAt'] as const;
		const spies = methods.map((method) => jest.spyOn(Governor.prototype, method));
		return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
	};
	afterEach(() => jest.restoreAllMocks());

	const LANES = 500;
	const EACH = 20;
	const REPORT = { left: 1e6, resetMs: 60_000 };

	test.each<[string, number, (turn: Turn) => void, (turn: Turn) => void]>([
		['the limit is what holds them back', 10, (turn) => turn.accepted(), (turn) => turn.accepted()],
		['the pace is', 100, (turn) => turn.refused(0), (turn) => turn.accepted()],
		['a pause is', 1, (turn) => turn.refused(10_000), (turn) => turn.accepted()],
		[
			'each reply tells of a window',
			10,
			(turn) => turn.accepted(REPORT),
			(turn) => turn.accepted(REPORT),
		],
	])('grows with the calls, not with the lanes: %s', async (_, calls, last, how) => {
		const { crossing, clock, gone, turns, waitAll, end } = openCrossing();
		const first = crossing.open(20);
		waitAll(first, names('first', calls), { patienceMs: 600_000 });
		await settle();
		while (gone.length < calls) await end();
		await end(last);
		while (turns.length > 0) await end();

		const questions = countQuestions();
		for (let lane = 0; lane < LANES; lane += 1) {
			waitAll(crossing.open(20), names('a', EACH), { patienceMs: 600_000 });
		}
		for (await settle(); turns.length + clock.sleeping > 0; await settle()) {
			for (const turn of turns.splice(0)) how(turn);
			await settle();
			if (turns.length === 0 && clock.sleeping > 0) await clock.passNext();
		}
		expect(gone).toHaveLength(calls + LANES * EACH);
		expect(questions()).toBeLessThan(40 * LANES * EACH);
	});

	test('a window that is spent is asked of once, not by each who waits for it', async () => {
		const { crossing, turns, gone, wait, waitAll, end } = openCrossing();
		wait(crossing.open(20), 'report');
		await settle();
		await end((turn) => turn.accepted({ left: 0, resetMs: 60_000 }));
		for (let lane = 0; lane < LANES; lane += 1) waitAll(crossing.open(20), names('held', EACH));
		const others = crossing.open(20);
		const startsAt = jest.spyOn(Governor.prototype, 'startsAt');
		waitAll(others, names('other', 100), { endpoint: 'other' });
		await settle();
		while (turns.length > 0) await end();
		expect(gone).toHaveLength(101);
		expect(startsAt.mock.calls.length).toBeLessThan(10 * 100);
	});
});

describe('the crossings of this process', () => {
	test('are one for each service root and key, which all executions share', () => {
		const clock = new HandClock();
		const crossing = crossingFor('https://a.example', 'sandbox-key-1', clock);
		crossing.open(1);
		expect(crossingFor('https://a.example', 'sandbox-key-1', clock)).toBe(crossing);
		expect(crossingFor('https://b.example', 'sandbox-key-1', clock)).not.toBe(crossing);
		expect(crossingFor('https://a.example', 'sandbox-key-2', clock)).not.toBe(crossing);
		expect(crossingFor('https://a.examplesandbox-key-1', '', clock)).not.toBe(crossing);
	});

	test('are kept between executions, pause and all, and forgotten after ten minutes without a call', async () => {
		const clock = new HandClock();
		const ask = async () => {
			const crossing = crossingFor('https://c.example', 'sandbox-key-1', clock);
			const lane = crossing.open(1);
			const admission = await lane.enter('lookup', clock.at + 1_000);
			if (admission !== 'closed' && 'turn' in admission) admission.turn.refused(60_000);
			lane.close();
			return { crossing, admission };
		};
		const first = await ask();
		clock.at += 10_000;
		const second = await ask();
		expect(second.crossing).toBe(first.crossing);
		expect(second.admission).toEqual({ notBefore: T0 + 60_000 });
		clock.at = T0 + 600_001;
		expect((await ask()).crossing).not.toBe(first.crossing);
	});

	test('are never forgotten while a lane is open', () => {
		const clock = new HandClock();
		const crossing = crossingFor('https://d.example', 'sandbox-key-1', clock);
		const lane = crossing.open(1);
		clock.at += 86_400_000;
		expect(crossingFor('https://d.example', 'sandbox-key-1', clock)).toBe(crossing);
		lane.close();
		expect(crossingFor('https://d.example', 'sandbox-key-1', clock)).not.toBe(crossing);
	});
});
