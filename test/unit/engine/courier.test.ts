/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import {
	hireCourier,
	type Delivery,
	type Terms,
} from '../../../nodes/LookupMessaging/engine/courier';
import { Crossing, type Clock, type Lane } from '../../../nodes/LookupMessaging/engine/lanes';
import type { ServiceRequest, ServiceRoot } from '../../../nodes/LookupMessaging/engine/operation';
import type { Reply } from '../../../nodes/LookupMessaging/engine/transport';
import { ok, refused } from './replies';

const T0 = Date.UTC(2030, 0, 1, 12);
const settle = async () => await new Promise((resolve) => setImmediate(resolve));

const PAID: Terms = { timeoutMs: 60_000, patienceMs: 300_000, isFree: false };
const FREE: Terms = { ...PAID, isFree: true };
const REQUEST: ServiceRequest = { service: 'main', method: 'GET', path: '/checkemail', query: {} };

const YES = ok({ status: true });
const LOST: Reply = { kind: 'lost', reason: 'the connection broke' };
const DEAD: Reply = { kind: 'unreachable', reason: 'the connection was refused', isPassing: true };
const UNTRUSTED: Reply = { kind: 'unreachable', reason: 'its certificate is self-signed' };
const TOO_FAST: Reply = { kind: 'throttled', status: 429, reason: 'too fast', retryAfterMs: 1_000 };

type Script = (request: ServiceRequest, nth: number) => Reply | Promise<Reply>;

/** A courier on a network that does what the test says, and a clock that goes on by what is waited for, at once. */
function hire(script: Script, { random = 0.5, cap = 20 } = {}) {
	let at = T0;
	const clock: Clock = {
		now: () => at,
		random: () => random,
		nextTurn: async () => void (await settle()),
		sleep: async (ms) => {
			at += ms;
			await settle();
		},
	};
	const crossings = new Map<ServiceRoot, Crossing>();
	const lanes = new Map<ServiceRoot, Lane>();
	const sent: ServiceRequest[] = [];
	const pauses: number[] = [];
	/** Pauses between two tries go on, unless the test holds them. */
	let hold: Promise<void> | undefined;
	const crossingTo = (service: ServiceRoot) => {
		const crossing = crossings.get(service) ?? new Crossing(clock);
		crossings.set(service, crossing);
		return crossing;
	};
	const laneTo = (service: ServiceRoot) => {
		const lane = lanes.get(service) ?? crossingTo(service).open(cap);
		lanes.set(service, lane);
		return lane;
	};
	const transport = {
		crossingTo,
		async send(request: ServiceRequest) {
			sent.push(request);
			await settle();
			return await script(request, sent.length - 1);
		},
	};
	const pause = async (ms: number) => {
		pauses.push(ms);
		await (hold ?? clock.sleep(ms));
	};
	const courier = hireCourier({ transport, clock, lanes: { to: laneTo }, pause });
	return {
		...{ sent, pauses, laneTo, clock },
		deliver: async (terms: Terms = PAID, request = REQUEST) =>
			await courier.deliver(request, terms),
		holdPauses: (until: Promise<void>) => (hold = until),
		pass: (ms: number) => (at += ms),
	};
}

/** The replies one after the other, the last one again and again. */
const inTurn =
	(...replies: Reply[]): Script =>
	(_, nth) =>
		replies[Math.min(nth, replies.length - 1)];

describe('what is sent again', () => {
	const KINDS: Array<[name: string, reply: Reply, paid: number, free: number]> = [
		['an answer', YES, 1, 1],
		['a refusal', refused(422, { error: 'no' }), 1, 1],
		['a refusal of the account', refused(401), 1, 1],
		['a redirect', refused(302), 1, 1],
		['a lost reply', LOST, 1, 3],
		['a server error', { kind: 'lost', status: 500, reason: 'the service failed' }, 1, 3],
		['too fast a pace', TOO_FAST, 8, 8],
		['a pace without a time', { kind: 'throttled', status: 429, reason: 'too fast' }, 8, 8],
		['a refused connection', DEAD, 4, 4],
		['an untrusted certificate', UNTRUSTED, 1, 1],
		['Stop', { kind: 'cancelled' }, 1, 1],
		['a credential that cannot be used', { kind: 'misconfigured', reason: 'no URL' }, 1, 1],
		['a file that is gone', { kind: 'unreadable', reason: 'gone' }, 1, 1],
	];

	test.each(KINDS)('after %s: a paid call %#', async (_, reply, paid) => {
		const { deliver, sent } = hire(inTurn(reply));
		expect(await deliver(PAID)).toEqual({ reply, retries: paid - 1 });
		expect(sent).toHaveLength(paid);
	});

	test.each(KINDS)('after %s: a free call %#', async (_, reply, __, free) => {
		const { deliver, sent } = hire(inTurn(reply));
		expect(await deliver(FREE)).toEqual({ reply, retries: free - 1 });
		expect(sent).toHaveLength(free);
	});

	test.each(KINDS)('after %s: nothing whose asker has a pace of his own %#', async (_, reply) => {
		for (const terms of [PAID, FREE]) {
			const { deliver, sent } = hire(inTurn(reply));
			expect(await deliver({ ...terms, isSentOnce: true })).toEqual({ reply, retries: 0 });
			expect(sent).toHaveLength(1);
		}
	});

	test('is what failed, unchanged, until it is answered; the receipt is told how often', async () => {
		const { deliver, sent } = hire(inTurn(TOO_FAST, DEAD, TOO_FAST, DEAD, YES));
		// Four tries for a connection are the most, whatever went before
		expect(await deliver(PAID)).toEqual({ reply: DEAD, retries: 3 });
		const patient = hire(inTurn(TOO_FAST, DEAD, TOO_FAST, YES));
		expect(await patient.deliver(PAID)).toEqual({ reply: YES, retries: 3 });
		for (const request of [...sent, ...patient.sent]) expect(request).toBe(REQUEST);
	});

	test('is never a paid call once its reply was lost, not even after a refusal of the pace', async () => {
		const { deliver, sent } = hire(inTurn(TOO_FAST, DEAD, LOST, YES));
		expect(await deliver(PAID)).toEqual({ reply: LOST, retries: 2 });
		expect(sent).toHaveLength(3);
	});
});

describe('the pause before another try', () => {
	test.each([0, 0.25, 1 - 1e-9])(
		'for a connection is a random part (%d) of half a second, doubled each time',
		async (random) => {
			const { deliver, pauses } = hire(inTurn(DEAD), { random });
			await deliver(PAID);
			expect(pauses).toEqual([500, 1_000, 2_000].map((most) => random * most));
		},
	);

	test('for a lost reply of a free call is one too', async () => {
		const { deliver, pauses } = hire(inTurn(LOST), { random: 0.5 });
		await deliver(FREE);
		expect(pauses).toEqual([250, 500]);
	});

	test('for the pace is kept in line, where all others keep it too', async () => {
		const { deliver, pauses, clock } = hire(inTurn(TOO_FAST, YES));
		await deliver(PAID);
		expect(pauses).toEqual([]);
		expect(clock.now() - T0).toBe(1_000);
	});

	test('holds no place in line', async () => {
		let release: () => void = () => undefined;
		const { deliver, holdPauses } = hire(inTurn(DEAD, YES), { cap: 1 });
		holdPauses(new Promise((resolve) => (release = resolve)));
		const first = deliver(PAID);
		for (let n = 0; n < 5; n += 1) await settle();
		expect((await deliver(PAID)).reply).toBe(YES);
		release();
		expect(await first).toEqual({ reply: YES, retries: 1 });
	});
});

describe('a service that no connection is made to', () => {
	const requests = (count: number) =>
		Array.from(
			{ length: count },
			(_, n): ServiceRequest => ({ ...REQUEST, query: { n: String(n) } }),
		);
	const sumOf = (deliveries: Delivery[]) =>
		deliveries.reduce((sum, { retries }) => sum + retries, 0);

	test('is tried four times by the first of 1,000 requests, and once by each of the others', async () => {
		const { deliver, sent, pauses } = hire(inTurn(DEAD), { cap: 1 });
		const deliveries: Delivery[] = [];
		for (const request of requests(1_000)) deliveries.push(await deliver(PAID, request));
		expect(sent).toHaveLength(1_003);
		expect(pauses).toHaveLength(3);
		expect(deliveries.map(({ retries }) => retries)).toEqual([3, ...new Array(999).fill(0)]);
	});

	test('is given up by all of 1,000 requests at once when one gives up', async () => {
		const { deliver, sent } = hire(inTurn(DEAD), { cap: 20 });
		const deliveries = await Promise.all(
			requests(1_000).map(async (request) => await deliver(PAID, request)),
		);
		expect(deliveries.every(({ reply }) => reply === DEAD)).toBe(true);
		expect(sent).toHaveLength(1_000 + sumOf(deliveries));
		expect(Math.max(...deliveries.map(({ retries }) => retries))).toBe(3);
		const first = JSON.stringify(sent[0]);
		const firstGaveUp = sent.map((request) => JSON.stringify(request)).lastIndexOf(first);
		const afterwards = sent.slice(firstGaveUp + 20).map(({ query }) => query?.n);
		expect(new Set(afterwards).size).toBe(afterwards.length);
	});

	test('is tried as before once a connection was made, whatever came of that', async () => {
		for (const alive of [YES, refused(422), LOST]) {
			const { deliver, sent } = hire(inTurn(...new Array(5).fill(DEAD), alive, DEAD));
			await deliver(PAID);
			expect(await deliver(PAID)).toEqual({ reply: DEAD, retries: 0 });
			await deliver(PAID);
			const before = sent.length;
			expect((await deliver(PAID)).retries).toBe(3);
			expect(sent.length - before).toBe(4);
		}
	});

	test('says nothing of another host', async () => {
		const { deliver, sent } = hire(({ service }) => (service === 'main' ? DEAD : YES));
		await deliver(PAID);
		const other = hire(() => DEAD);
		await other.deliver(PAID);
		expect((await other.deliver(PAID, { ...REQUEST, service: 'lookup' })).retries).toBe(3);
		expect((await deliver(PAID, { ...REQUEST, service: 'lookup' })).reply).toBe(YES);
		expect(sent).toHaveLength(5);
	});
});

describe('a request that is not wanted any more when its turn comes', () => {
	test('is not sent, and leaves its turn to the next', async () => {
		const { deliver, sent } = hire(inTurn(YES), { cap: 1 });
		const deliveries = await Promise.all([
			deliver({ ...PAID, isOff: () => true }),
			deliver({ ...PAID, isOff: () => false }),
			deliver(PAID),
		]);
		expect(deliveries).toEqual([
			{ reply: undefined, retries: 0 },
			{ reply: YES, retries: 0 },
			{ reply: YES, retries: 0 },
		]);
		expect(sent).toHaveLength(2);
	});

	test('is asked at the turn, not before, and again before each further try', async () => {
		let isOff = false;
		const { deliver, sent } = hire((_, nth) => {
			isOff = nth === 1;
			return TOO_FAST;
		});
		expect(await deliver({ ...PAID, isOff: () => isOff })).toEqual({ retries: 1 });
		expect(sent).toHaveLength(2);
	});
});

describe('patience', () => {
	const untilNoon = (minutes: number): Reply => ({
		...TOO_FAST,
		kind: 'throttled',
		retryAfterMs: minutes * 60_000,
	});

	test('ends with the time at which it could work; nothing more is sent, and no retry counted', async () => {
		const { deliver, sent } = hire(inTurn(untilNoon(10), YES));
		const { reply, retries } = await deliver({ ...PAID, patienceMs: 5 * 60_000 });
		expect(reply).toEqual({
			kind: 'throttled',
			reason:
				'the service takes no such call before 2030-01-01T12:10:00Z, which is further off than Max Wait (5 minutes)',
		});
		expect(retries).toBe(0);
		expect(sent).toHaveLength(1);
	});

	test('ends for whoever comes during the pause too, and nothing of his is sent', async () => {
		const { deliver, sent } = hire(inTurn(untilNoon(10), YES));
		await deliver({ ...PAID, patienceMs: 60_000 });
		const { reply } = await deliver({ ...PAID, patienceMs: 90_000 });
		expect(reply).toMatchObject({ reason: expect.stringMatching(/12:10:00Z.*\(1\.5 minutes\)/) });
		expect(sent).toHaveLength(1);
	});

	test.each([
		[60_000, '(1 minute)'],
		[6_000, '(0.1 minutes)'],
	])('of %i ms is told as %s', async (patienceMs, words) => {
		const { deliver } = hire(inTurn(untilNoon(10)));
		const { reply } = await deliver({ ...PAID, patienceMs });
		expect(reply).toMatchObject({ reason: expect.stringContaining(words) });
	});

	test('is counted from the first try, over all of them', async () => {
		const { deliver, sent } = hire(inTurn(untilNoon(2)));
		const { reply, retries } = await deliver({ ...PAID, patienceMs: 5 * 60_000 });
		expect(reply).toMatchObject({ reason: expect.stringContaining('12:06:00Z') });
		expect([sent.length, retries]).toEqual([3, 2]);
	});

	test('waits as long as it lasts', async () => {
		const { deliver } = hire(inTurn(untilNoon(5), YES));
		expect(await deliver({ ...PAID, patienceMs: 5 * 60_000 })).toEqual({ reply: YES, retries: 1 });
	});
});

describe('an execution that is stopped', () => {
	test('sends nothing more, and what it had sent before is counted', async () => {
		const { deliver, sent, laneTo } = hire((_, nth) => {
			if (nth === 1) laneTo('main').close();
			return TOO_FAST;
		});
		expect(await deliver(PAID)).toEqual({ reply: { kind: 'cancelled' }, retries: 1 });
		expect(await deliver(PAID)).toEqual({ reply: { kind: 'cancelled' }, retries: 0 });
		expect(sent).toHaveLength(2);
	});
});

describe('the turn', () => {
	/** How many calls go at once after so many deliveries that end in the reply: more after answers, fewer after refusals. */
	const limitAfter = async (reply: Reply) => {
		const open: Array<(last: Reply) => void> = [];
		let isHolding = false;
		const { deliver, sent } = hire(
			async () => (isHolding ? await new Promise((resolve) => open.push(resolve)) : reply),
			{ cap: 500, random: 0 },
		);
		await Promise.all(
			Array.from({ length: 10 }, async () => await deliver({ ...PAID, isSentOnce: true })),
		);
		isHolding = true;
		const before = sent.length;
		for (let n = 0; n < 100; n += 1) void deliver({ ...PAID, isSentOnce: true });
		for (let n = 0; n < 20; n += 1) await settle();
		return sent.length - before;
	};

	test.each<[string, Reply, number]>([
		['an answer', YES, 11],
		['a refusal of the question', refused(422), 11],
		['a lost reply', LOST, 10],
		['a refused connection', DEAD, 10],
		['Stop', { kind: 'cancelled' }, 10],
		['a refusal of the pace', { ...TOO_FAST, retryAfterMs: 0 } as Reply, 5],
	])('is told of %s as what it says of the pace', async (_, reply, limit) => {
		expect(await limitAfter(reply)).toBe(limit);
	});

	test('is told of the rate-limit window of the endpoint, which holds back no other', async () => {
		const window = () => ({ left: 0, resetMs: 60_000 });
		const { deliver, clock } = hire(inTurn(YES));
		await deliver({ ...PAID, window });
		await deliver(PAID, { ...REQUEST, path: '/other' });
		expect(clock.now()).toBe(T0);
		await deliver(PAID);
		expect(clock.now()).toBe(T0 + 60_000);
	});

	test('ends although a body cannot be made sense of, and the answer that was paid for is kept', async () => {
		const { deliver } = hire(inTurn(YES), { cap: 1 });
		const window = () => {
			throw new Error('no window');
		};
		expect(await deliver({ ...PAID, window })).toEqual({ reply: YES, retries: 0 });
		expect(await deliver(PAID)).toEqual({ reply: YES, retries: 0 });
	});

	test('ends although the transport throws, however often', async () => {
		const { deliver, sent } = hire((_, nth) => {
			if (nth < 50) throw new Error('broken');
			return YES;
		});
		for (let n = 0; n < 50; n += 1) await expect(deliver(PAID)).rejects.toThrow('broken');
		expect(await deliver(PAID)).toEqual({ reply: YES, retries: 0 });
		expect(sent).toHaveLength(51);
	});

	test('lets no more under way than the cap, whatever fails', async () => {
		let [underWay, peak] = [0, 0];
		const replies = [YES, LOST, DEAD, refused(422), YES, YES];
		const { deliver, sent } = hire(
			async (_, nth) => {
				peak = Math.max(peak, (underWay += 1));
				await settle();
				underWay -= 1;
				return replies[nth % replies.length];
			},
			{ cap: 7 },
		);
		const deliveries = await Promise.all(
			Array.from({ length: 200 }, async () => await deliver(PAID)),
		);
		expect(peak).toBe(7);
		expect(sent.length).toBe(deliveries.reduce((sum, { retries }) => sum + 1 + retries, 0));
	});
});
