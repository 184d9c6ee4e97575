import {
	type Account,
	type Balance,
	type CallCost,
	type Credits,
	type Failed,
	type Failure,
	isFailed,
	LOST_MS,
	SharedAccount,
	sharedAccountOf,
	type Spender,
	STOPPED,
} from '../../engine';
import type { Balances } from '../../../nodes/LookupMessaging/operations/account/balances';
import { FakeClock, flush } from '../fakes/fakeSend';

const BROKEN: Failed = {
	failure: {
		...{ cause: 'lost', reason: 'the service failed (HTTP 500)', scope: 'question', status: 500 },
	},
};
/** What a reading comes to, beside balances. */
const READINGS: Record<string, () => Failed> = {
	broken: () => BROKEN,
	stopped: () => ({ failure: STOPPED }),
	fault: () => {
		throw new TypeError('x is undefined');
	},
};

/**
 * Plays a script on an account. Its log has an L for each reading of the balances, an s for each call that starts, and an F for each
 * that fails. The words of a script:
 * - `left=email:103,phone=500` sets what is left; `left=broken` has a reading fail.
 * - `pay` asks for a call of a credit on email; `pay:9` may cost nine, `pay@phone` is on another balance, `pay/other` of another run.
 *   The floors of all are 100, except those of the run `free`, which has none.
 * - The oldest call in flight ends: `end` with a credit, `end:0` with none, `end:1>102` with a reply that says that 102 are left,
 *   `end:notCharged`, `end:open` without an answer.
 * - `+9` lets 9 ms pass, `late` as long as an unanswered call may still be charged. `|` is written into the log.
 */
async function trace(script: string, floored: Balance[] = ['email']) {
	const clock = new FakeClock();
	const account = new SharedAccount(clock);
	const floors = new Map(floored.map((balance) => [balance, 100]));
	let left: (() => Failed) | Balances = {};
	let log = '';
	const read = async () => {
		log += 'L';
		return await Promise.resolve(typeof left === 'function' ? left() : { ...left });
	};
	const pause = async (ms: number) => await clock.sleep(ms);
	const runs: Record<string, Spender> = { one: { read, pause }, other: { read, pause } };
	account.open(runs.one);
	const started: Array<(cost: CallCost) => void> = [];
	const failures: Failure[] = [];
	const pay = (on: Account, credits: number, run = 'one') => {
		const held: ReadonlyMap<Balance, number> = run === 'free' ? new Map() : floors;
		const spender = runs[run === 'free' ? 'other' : run];
		const price = { balance: on, atMost: credits } as Credits;
		void account.admit(price, spender, held).then((admission) => {
			log += isFailed(admission) ? 'F' : 's';
			if (isFailed(admission)) failures.push(admission.failure);
			else started.push((cost) => admission.end(cost));
		});
	};
	const play = (word: string) => {
		const [, what, credits, more] = /^(\w+)(?::(\w+))?(?:>(\d+))?/.exec(word) ?? [];
		if (word.startsWith('left=')) {
			const text = word.slice(5);
			const entries = text.split(',').map((each) => each.split(/[:=]/));
			left = READINGS[text] ?? Object.fromEntries(entries.map(([name, n]) => [name, Number(n)]));
		} else if (what === 'pay') {
			const [, on = 'email'] = /@(\w+)/.exec(word) ?? [];
			const [, run] = /\/(\w+)/.exec(word) ?? [];
			pay((on === 'tools' ? 'tool server' : on) as Account, Number(credits ?? 1), run);
		} else if (what === 'end') {
			const known = credits === 'notCharged' || credits === 'open';
			const charged = { charged: Number(credits ?? 1), ...(more && { left: Number(more) }) };
			started.shift()?.(known ? { how: credits } : { how: 'answered', ...charged });
		} else if (word.startsWith('+')) clock.at += Number(word.slice(1));
		else if (word === 'late') clock.at += LOST_MS + account.lagMs;
		else log += ` ${word} `;
	};
	for (const word of script.split(' ')) {
		const [once, times = '1'] = word.split('*');
		for (let n = 0; n < Number(times); n += 1) {
			play(once);
			await flush();
		}
	}
	return { log: log.replaceAll(/ +/g, ' ').trim(), failures };
}

describe('an account with a floor', () => {
	/** So many credits may be under way after a reading. */
	const TEN = 's'.repeat(10);

	test.each<[title: string, script: string, log: string, floored?: Balance[]]>([
		[
			'fails waiting calls when the balances cannot be read, and reads them again for the next',
			'left=fault pay | left=email:1000 pay',
			'LF | Ls',
		],
		[
			'starts a limited number of credits after a reading, and reads again when half have returned',
			'left=email:1000 pay*30 | end*4 | end',
			`L${TEN} | | Lsssss`,
		],
		[
			'frees at once the credits of calls that were certainly not charged',
			'left=email:1000 pay*11 | end:notCharged',
			`L${TEN} | s`,
		],
		[
			'starts a waiting call after all if the ones before it cost nothing',
			'left=email:101 pay*2 | end:0',
			'Ls | s',
		],
		[
			'sends a larger call alone, after its own reading, and fails one that can never fit',
			'left=email:600 pay pay:400 pay | end | pay:500 left=email:199 end:400 | left=email:198 end',
			'Ls | Ls | Ls | LF',
		],
		[
			'reads again for a larger call, however young the last reading is, since others pay too',
			'left=email:1000 pay end:0 | left=email:200 pay:400 | pay:10',
			'Ls | LF | s',
		],
		[
			'uses the balance in a reply if that is less than its own count, since others spend too',
			'left=email:150 pay end:1>102 | pay*4 | end:1>101 end:1>100',
			'Ls | ss | LFF',
		],
		[
			'counts an unanswered call as still to be paid for a while',
			'left=email:101 pay end:open | pay | late pay',
			'Ls | LF | Ls',
		],
		[
			'waits for calls of runs without a floor, which it does not limit, and fails what they leave no room for',
			'left=email:102 pay/free*2 | pay | left=email:100 end*2',
			'ss | L | LF',
		],
		[
			'starts a call after those of other runs that have cost nothing',
			'left=email:110 pay/free*20 pay | end:0*20',
			`${TEN}${TEN}L | s`,
		],
		['limits a tool by all floors', 'left=email:101,phone:100 pay@tools', 'LF', ['email', 'phone']],
		[
			'counts the call of a tool on all balances',
			'left=email:101,phone:101 pay@tools pay',
			'Ls',
			['email', 'phone'],
		],
		[
			'lets calls on one balance pass those that wait for another',
			'left=email:101,phone:500 pay pay | pay@phone',
			'Ls | s',
			['email', 'phone'],
		],
		['delays no call on a balance that has no floor', 'left=email:0 pay:1000@whatsapp', 's'],
		['reads again if the last reading is old', 'left=email:500 pay end | +6000 pay', 'Ls | Ls'],
	])('%s', async (_, script, ...[expected, floored]) => {
		expect((await trace(script, floored)).log).toBe(expected);
	});

	test.each<[script: string, log: string, failure: Partial<Failure>]>([
		[
			'left=email:103 pay*4 | left=email:100 end*3',
			'Lsss | LF',
			{
				reason: 'the account has 100 email credits, and Minimum Balance keeps 100',
				scope: 'account',
			},
		],
		[
			'left=email:198 pay:500',
			'LF',
			{
				reason:
					'the call may cost up to 500 email credits, but the account has 198 email credits, and Minimum Balance keeps 100',
				scope: 'question',
			},
		],
		[
			'left=email:101 pay end:open pay',
			'LsLF',
			{
				reason:
					'the account has 101 email credits, and Minimum Balance keeps 100, and earlier calls may still cost 1',
			},
		],
		[
			'left=phone:500 pay',
			'LF',
			{ reason: expect.stringMatching(/doesn't show that balance/) as string },
		],
	])('fails a call without room, and says why: %s', async (script, expected, failure) => {
		const { log, failures } = await trace(script);
		expect(log).toBe(expected);
		const like = expect.objectContaining({ cause: 'budget', ...failure }) as Failure;
		expect(failures).toEqual(Array(log.split('F').length - 1).fill(like));
	});

	test('fails the waiting calls of the run whose reading failed, unsent, and another run reads itself', async () => {
		const { log, failures } = await trace(
			'left=email:500 pay*13 pay/other | left=broken end*4 | end',
		);
		expect(log).toBe(`L${TEN} | | LLFFFF`);
		const reason =
			"skipped because Minimum Balance is set and the balance couldn't be read: the service failed (HTTP 500)";
		expect(failures[0]).toEqual({ cause: 'notSent', reason, scope: 'question' });
		expect((await trace('left=stopped pay')).failures).toEqual([STOPPED]);
	});
});

test('runs with the same address and key share an account', () => {
	const clock = new FakeClock();
	expect(sharedAccountOf('one', clock)).toBe(sharedAccountOf('one', clock));
	expect(sharedAccountOf('one', clock)).not.toBe(sharedAccountOf('other', clock));
});
