import { defineOperation, mostChecks, recheckInconclusive } from '../../engine';
import { FakeTransport, flush, held, perform, replyOf, startRun, yes } from '../fakes/fakeSend';
import { contactOf, PAID_CHECK } from '../fakes/paidCheck';
import { httpError } from '../fakes/replies';

/** A check whose question is a path: of `/grey…` nothing can be told at first. */
const check = defineOperation<string>({
	...PAID_CHECK,
	refunds: true,
});

const contact = contactOf(() => check);

const GREY = replyOf({ outcome: 'unknown', record: {}, reason: 'try later', isRefunded: true });
const YES = replyOf(yes());
const OPTIONS = { rechecksInconclusive: true };
const MINUTE = 60_000;

/** A service that can tell nothing of `/grey…` until all pauses are over. */
function greylisting() {
	const pauses = held();
	const seen = new Set<string>();
	const service = new FakeTransport(
		({ path }) => {
			const isFirst = path.startsWith('/grey') && !seen.has(path);
			seen.add(path);
			return isFirst ? GREY : YES;
		},
		async () => void (await pauses.released),
	);
	return { service, pauses };
}

/** Lets all happen that waits for no pause. */
async function untilQuiet({ sent }: FakeTransport) {
	for (let before = -1; before < sent.length; ) {
		before = sent.length;
		await flush(20);
	}
}

const many = (count: number, pathOf: (index: number) => string) =>
	Array.from({ length: count }, (_, index) => pathOf(index));

describe('an inconclusive check', () => {
	test('is repeated after a minute and after four, and its reason says when the node stopped trying', async () => {
		for (const random of [0, 0.5, 1]) {
			const service = new FakeTransport(() => GREY);
			const settings = { ...OPTIONS, maxQueueWaitMs: 30 * MINUTE };
			const { answers, ledger } = await perform(check, ['/a'], service, settings, { random });
			const longer = 1 + random / 10;
			expect(service.sleeps).toEqual([MINUTE * longer, 4 * MINUTE * longer]);
			expect([service.sent.length, ledger.retries]).toEqual([3, 2]);
			expect(answers[0]?.answer.reason).toMatch(
				/^try later, still inconclusive after 3 checks in 5(\.\d)? minutes$/,
			);
		}
	});

	test.each([
		[5, [63, 237], 3],
		[2, [63, 57], 3],
		[1.1, [63], 2],
		[1, [60], 2],
		[0.1, [], 1],
	])('is repeated within a Max Wait of %d minutes: after %j s', async (minutes, pauses, checks) => {
		const service = new FakeTransport(() => GREY);
		const maxQueueWaitMs = minutes * MINUTE;
		await perform(check, ['/a'], service, { ...OPTIONS, maxQueueWaitMs });
		expect(service.sleeps.map((ms) => Math.round(ms / 1000))).toEqual(pauses);
		expect([service.sent.length, mostChecks(maxQueueWaitMs)]).toEqual([checks, checks]);
	});

	test('is no repeated call if another execution has the answer meanwhile', async () => {
		const replies = [
			{ source: 'service', answer: { isRefunded: true } },
			{ source: 'stored', answer: {} },
		];
		const ledger = { retries: 0 };
		const run = {
			...{ ledger, clock: { now: () => 0, random: () => 0 }, settings: { maxQueueWaitMs: MINUTE } },
			...{ breakers: { openedBy: () => undefined }, budget: { reserve: () => undefined } },
			pause: async () => undefined,
		};
		const layer = recheckInconclusive({} as never).aroundQuestion!(run as never);
		const asked = { giveWay: () => undefined } as never;
		const [answer] = await layer.ask(asked, async () => [replies.shift()] as never);
		expect([answer, ledger.retries]).toMatchObject([{ source: 'stored' }, 0]);
	});

	test('ends if its operation has ended meanwhile, and returns its answer', async () => {
		const pauses = held();
		const service = new FakeTransport(
			({ path }) => (path === '/bad' ? httpError(401) : GREY),
			async () => void (await pauses.released),
		);
		const run = startRun(check, ['/a', '/bad'], service, OPTIONS);
		await untilQuiet(service);
		pauses.release();
		const { outcomes, answers, ledger } = await run.performed;
		expect([service.paths, service.sleeps.length]).toEqual([['/a', '/bad'], 1]);
		expect(outcomes[0]).toBe('unknown');
		expect(answers[0]?.answer.reason).toBe('try later');
		expect(ledger.retries).toBe(0);
	});
});

describe('the pause before a recheck', () => {
	const settings = { ...OPTIONS, concurrency: 2 };

	test('blocks no other if several contacts wait for one check', async () => {
		for (const concurrency of [1, 2, 3]) {
			const { service, pauses } = greylisting();
			const same = many(10, (n) => `/a${n} /grey > /b${n}`);
			const questions = [...same, ...many(10, (n) => `/c${n}`), ...same.map((each) => `${each}x`)];
			const run = startRun(contact, questions, service, { ...settings, concurrency });
			await untilQuiet(service);
			// All but what comes after the check
			expect(service.paths.sort()).toEqual(
				[...many(10, (n) => `/a${n}`), ...many(10, (n) => `/c${n}`), '/grey'].sort(),
			);
			pauses.release();
			const { outcomes, ledger } = await run.performed;
			expect(outcomes).toEqual(many(30, () => 'positive'));
			expect(service.paths.filter((path) => path === '/grey')).toHaveLength(2);
			expect(ledger.retries).toBe(1);
		}
	});
});
