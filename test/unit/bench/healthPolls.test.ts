import { EVERY_MS, HealthPolls, type Clock } from '../../bench/n8n/healthPolls.mts';

/** A clock that goes only where a test puts it. */
class Hands implements Clock {
	private nowMs = 1_000;
	private alarms: Array<{ atMs: number; work: () => void }> = [];

	now = () => this.nowMs;

	after = (ms: number, work: () => void) => {
		const alarm = { atMs: this.nowMs + ms, work };
		this.alarms.push(alarm);
		return () => void (this.alarms = this.alarms.filter((one) => one !== alarm));
	};

	/** Alarms go off when they are due, or all late where the process stood still. */
	async goOn(ms: number, { standsStill = false } = {}) {
		const untilMs = this.nowMs + ms;
		for (;;) {
			const [first] = this.alarms.sort((a, b) => a.atMs - b.atMs);
			if (!first || first.atMs > untilMs) break;
			this.alarms.shift();
			this.nowMs = standsStill ? untilMs : first.atMs;
			first.work();
			await settled();
		}
		this.nowMs = untilMs;
		await settled();
	}
}

/** More turns than what follows an answer takes. */
const TURNS = 20;

async function settled() {
	for (let turn = 0; turn < TURNS; turn += 1) await Promise.resolve();
}

/** A server that answers when the test says so. */
function server() {
	const waiting: Array<{ answer(): void; fail(): void }> = [];
	const ask = async () =>
		await new Promise<void>((answer, refuse) =>
			waiting.push({ answer, fail: () => refuse(new Error('gone')) }),
		);
	return { waiting, ask };
}

it('continues while answers are missing', async () => {
	const clock = new Hands();
	const { waiting, ask } = server();
	const polls = new HealthPolls(ask, clock);
	await clock.goOn(4 * EVERY_MS);
	expect(waiting).toHaveLength(5);
	waiting.forEach(({ answer }) => answer());
	await polls.end();
});

it('times each answer from when its request was due', async () => {
	const clock = new Hands();
	const { waiting, ask } = server();
	const polls = new HealthPolls(ask, clock);
	await clock.goOn(2 * EVERY_MS + 10);
	waiting.forEach(({ answer }) => answer());
	await settled();
	// Due 110, 60 and 10 ms ago
	expect(await polls.end()).toEqual({ healthMedianMs: 60, healthP99Ms: 110, healthMostMs: 110 });
});

it('counts its own delay', async () => {
	const clock = new Hands();
	const { waiting, ask } = server();
	const polls = new HealthPolls(ask, clock);
	waiting[0].answer();
	await settled();
	await clock.goOn(3 * EVERY_MS + 20, { standsStill: true });
	expect(waiting).toHaveLength(4);
	waiting.forEach(({ answer }) => answer());
	await settled();
	const { healthMostMs } = await polls.end();
	expect(healthMostMs).toBe(2 * EVERY_MS + 20);
});

it('leaves out what was due after the load', async () => {
	const clock = new Hands();
	const { waiting, ask } = server();
	const polls = new HealthPolls(ask, clock);
	waiting[0].answer();
	await settled();
	await clock.goOn(EVERY_MS);
	const overMs = clock.now() - 1;
	await clock.goOn(30);
	waiting[1].answer();
	expect(await polls.end(overMs)).toEqual({
		healthMedianMs: 0,
		healthP99Ms: 0,
		healthMostMs: 0,
	});
});

it('counts a missing answer for as long as it was waited for', async () => {
	const clock = new Hands();
	const { waiting, ask } = server();
	const polls = new HealthPolls(ask, clock);
	waiting[0].fail();
	await clock.goOn(EVERY_MS - 1);
	expect(await polls.end()).toMatchObject({ healthMostMs: EVERY_MS - 1 });

	const silent = new HealthPolls(server().ask, clock);
	const felt = silent.end();
	await clock.goOn(20_000);
	expect(await felt).toMatchObject({ healthMostMs: 15_000 });
});

it('sends nothing more once it has ended', async () => {
	const clock = new Hands();
	const { waiting, ask } = server();
	const polls = new HealthPolls(ask, clock);
	waiting[0].answer();
	await polls.end();
	await clock.goOn(10 * EVERY_MS);
	expect(waiting).toHaveLength(1);
});
