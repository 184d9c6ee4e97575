import type { Balances } from '../../../nodes/LookupMessaging/operations/account/balances';
import { LOST_MS } from '../../../nodes/LookupMessaging/features/accountBalance/charges';
import {
	MAX_BETWEEN_LOOKS,
	SharedAccount,
	sharedAccountOf,
	type CallEnd,
	type Spender,
} from '../../../nodes/LookupMessaging/features/accountBalance/sharedAccount';
import type { Account, Balance } from '../../../nodes/LookupMessaging/engine/client';
import type { Failed, Failure } from '../../../nodes/LookupMessaging/engine/results';
import { isFailed, STOPPED } from '../../../nodes/LookupMessaging/engine/operation';
import { FakeClock, flush } from '../fakes/fakeSend';

const CHARGED: CallEnd = { credits: 1 };
const BROKEN: Failed = {
	failure: {
		cause: 'lost',
		reason: 'the service failed (HTTP 500)',
		scope: 'question',
		status: 500,
	},
};

/** An account with floors of 100. `pay` asks for a call; what has come of it is in `ended` or `started`. */
function open(left: Balances, floor: Balance[] = ['email']) {
	const clock = new FakeClock();
	const account = new SharedAccount(clock);
	const floors = new Map(floor.map((balance) => [balance, 100]));
	const state = { left, looks: 0, failure: undefined as Failed | undefined };
	const read = async () => {
		state.looks += 1;
		return await Promise.resolve(state.failure ?? { ...state.left });
	};
	const started: Array<(how?: CallEnd) => void> = [];
	const failures: Failure[] = [];
	const pause = async (ms: number) => await clock.sleep(ms);
	const runs: Record<'one' | 'other', Spender> = { one: { read, pause }, other: { read, pause } };
	account.open(runs.one);
	const pay = async (
		credits = 1,
		{ on = 'email' as Account, run = runs.one, held = floors as ReadonlyMap<Balance, number> } = {},
	) => {
		void account.admit({ account: on, credits }, run, held).then((admission) => {
			if (isFailed(admission)) failures.push(admission.failure);
			else started.push((how = CHARGED) => admission.end(how));
		});
		await flush();
	};
	const end = async (how?: CallEnd) => {
		started.shift()?.(how);
		await flush();
	};
	return { account, state, clock, started, failures, runs, pay, end };
}

describe('an account with a floor', () => {
	test('fails waiting calls when the balances cannot be read, and reads them again for the next', async () => {
		const { state, started, failures, pay } = open({ email: 1_000 });
		Object.defineProperty(state, 'left', {
			configurable: true,
			get() {
				throw new TypeError('x is undefined');
			},
		});
		await pay();
		expect(failures).toHaveLength(1);
		Object.defineProperty(state, 'left', { value: { email: 1_000 } });
		await pay();
		expect(started).toHaveLength(1);
	});

	test('starts a limited number of credits after a reading, and reads again when half have returned', async () => {
		const { state, started, pay, end } = open({ email: 1_000 });
		for (let n = 0; n < 30; n += 1) await pay();
		expect(started).toHaveLength(MAX_BETWEEN_LOOKS);
		expect(state.looks).toBe(1);
		for (let n = 0; n < 4; n += 1) await end();
		expect(started).toHaveLength(MAX_BETWEEN_LOOKS - 4);
		await end();
		expect(state.looks).toBe(2);
		expect(started).toHaveLength(MAX_BETWEEN_LOOKS);
	});

	test('frees at once the credits of calls that were certainly not charged', async () => {
		const { state, started, pay, end } = open({ email: 1_000 });
		for (let n = 0; n < 11; n += 1) await pay();
		await end('notCharged');
		expect(started).toHaveLength(MAX_BETWEEN_LOOKS);
		expect(state.looks).toBe(1);
	});

	test('counts calls in flight as paid, and fails a call without room or a call in flight', async () => {
		const { state, started, failures, pay, end } = open({ email: 103 });
		for (let n = 0; n < 4; n += 1) await pay();
		expect(started).toHaveLength(3);
		state.left.email = 100;
		for (let n = 0; n < 3; n += 1) await end();
		expect(failures).toEqual([
			{
				cause: 'floor',
				reason: 'the account has 100 email credits, and Minimum Balance keeps 100',
				scope: 'account',
			},
		]);
	});

	test('starts a waiting call after all if the ones before it cost nothing', async () => {
		const { started, failures, pay, end } = open({ email: 101 });
		await pay();
		await pay();
		await end({ credits: 0 });
		expect([started.length, failures.length]).toEqual([1, 0]);
	});

	test('sends a larger call alone, after its own reading, and fails one that can never fit', async () => {
		const { state, started, failures, pay, end } = open({ email: 600 });
		await pay();
		await pay(400);
		await pay();
		expect(started).toHaveLength(1);
		await end();
		expect([started.length, state.looks]).toEqual([1, 2]);
		await pay(500);
		state.left.email = 199;
		await end({ credits: 400 });
		expect(started).toHaveLength(1);
		state.left.email = 198;
		await end();
		expect(failures).toEqual([
			{
				cause: 'floor',
				reason:
					'the call may cost up to 500 email credits, but the account has 198 email credits, and Minimum Balance keeps 100',
				scope: 'question',
			},
		]);
	});

	test('reads again for a larger call, however young the last reading is', async () => {
		const { state, started, failures, pay, end } = open({ email: 1_000 });
		await pay();
		await end({ credits: 0 });
		// Another process pays
		state.left.email = 200;
		await pay(400);
		expect([state.looks, started.length]).toEqual([2, 0]);
		expect(failures[0]?.reason).toMatch(/up to 400 email credits, but the account has 200/);
		await pay(MAX_BETWEEN_LOOKS);
		expect([state.looks, started.length]).toEqual([2, 1]);
	});

	test('uses the balance in a reply if that is less than its own count, since others spend too', async () => {
		const { started, failures, pay, end } = open({ email: 150 });
		await pay();
		await end({ credits: 1, left: 102 });
		for (let n = 0; n < 4; n += 1) await pay();
		expect([started.length, failures.length]).toEqual([2, 0]);
		for (let n = 0; n < 2; n += 1) await end({ credits: 1, left: 101 - n });
		expect(failures.map(({ reason }) => reason)).toEqual(
			[0, 1].map(() => expect.stringMatching(/has 100 email credits, and .* keeps 100/)),
		);
	});

	test('counts an unanswered call as still to be paid for a while', async () => {
		const { account, clock, started, failures, pay, end } = open({ email: 101 });
		await pay();
		await end('open');
		await pay();
		expect(failures[0]?.reason).toMatch(/keeps 100, and earlier calls may still cost 1$/);
		clock.at += LOST_MS + account.lagMs;
		await pay();
		expect(started).toHaveLength(1);
	});

	test('waits for calls of runs without a floor, which it does not limit, and fails what they leave no room for', async () => {
		const { state, started, failures, runs, pay, end } = open({ email: 102 });
		for (let n = 0; n < 2; n += 1) await pay(1, { run: runs.other, held: new Map() });
		expect([started.length, state.looks]).toEqual([2, 0]);
		await pay();
		expect([started.length, failures.length]).toEqual([2, 0]);
		state.left = { email: 100 };
		for (let n = 0; n < 2; n += 1) await end();
		expect([started.length, failures.length]).toEqual([0, 1]);
	});

	test('starts a call after those of other runs that have cost nothing', async () => {
		const { started, failures, runs, pay, end } = open({ email: 110 });
		for (let n = 0; n < 20; n += 1) await pay(1, { run: runs.other, held: new Map() });
		await pay();
		expect([started.length, failures.length]).toEqual([20, 0]);
		for (let n = 0; n < 20; n += 1) await end({ credits: 0 });
		expect([started.length, failures.length]).toEqual([1, 0]);
	});

	test('limits a tool by all floors, and counts its call on all balances', async () => {
		const { started, failures, pay } = open({ email: 101, phone: 100 }, ['email', 'phone']);
		await pay(1, { on: 'tool server' });
		expect(failures[0]?.reason).toMatch(/has 100 phone credits, and Minimum Balance/);
		const other = open({ email: 101, phone: 101 }, ['email', 'phone']);
		await other.pay(1, { on: 'tool server' });
		await other.pay();
		expect([started.length, other.started.length]).toEqual([0, 1]);
	});

	test('lets calls on one balance pass those that wait for another', async () => {
		const { started, pay } = open({ email: 101, phone: 500 }, ['email', 'phone']);
		await pay();
		await pay();
		await pay(1, { on: 'phone' });
		expect(started).toHaveLength(2);
	});

	test('delays no call on a balance that has no floor', async () => {
		const { state, started, pay } = open({ email: 0 });
		await pay(1_000, { on: 'whatsapp' });
		expect([started.length, state.looks]).toEqual([1, 0]);
	});

	test('fails a call whose balance is not shown', async () => {
		const { failures, pay } = open({ phone: 500 });
		await pay();
		expect(failures).toMatchObject([
			{
				cause: 'floor',
				reason: expect.stringMatching(/doesn't show that balance/) as string,
			},
		]);
	});

	test('reads again if the last reading is old', async () => {
		const { state, clock, pay, end } = open({ email: 500 });
		await pay();
		await end();
		clock.at += 6_000;
		await pay();
		expect(state.looks).toBe(2);
	});

	test('fails the waiting calls of the run whose reading failed, unsent, and another run reads itself', async () => {
		const { state, started, failures, runs, pay, end } = open({ email: 500 });
		for (let n = 0; n < MAX_BETWEEN_LOOKS; n += 1) await pay();
		for (let n = 0; n < 3; n += 1) await pay();
		await pay(1, { run: runs.other });
		state.failure = BROKEN;
		for (let n = 0; n < 5; n += 1) await end();
		expect(failures).toHaveLength(4);
		expect(failures[0]).toEqual({
			cause: 'notSent',
			reason:
				"skipped because Minimum Balance is set and the balance couldn't be read: the service failed (HTTP 500)",
			scope: 'question',
		});
		// One look for the three calls of the one run, one for the other run
		expect(state.looks).toBe(3);
		expect(started).toHaveLength(5);
	});

	test('reports that the execution was stopped', async () => {
		const { state, failures, pay } = open({ email: 500 });
		state.failure = { failure: STOPPED };
		await pay();
		expect(failures).toEqual([STOPPED]);
	});
});

test('runs with the same address and key share an account', () => {
	const clock = new FakeClock();
	expect(sharedAccountOf('one', clock)).toBe(sharedAccountOf('one', clock));
	expect(sharedAccountOf('one', clock)).not.toBe(sharedAccountOf('other', clock));
});
