import {
	type Account,
	type CallCost,
	type Credits,
	describeReceipt,
	drawReceipt,
	findTaken,
	History,
	isFailed,
	Ledger,
	newTally,
	proofOf,
	type Reply,
	RunAccount,
	SharedAccount,
	type Tally,
	wereCharged,
	lostFailure,
} from '../../engine';
import type { Balances } from '../../../nodes/LookupMessaging/operations/account/balances';
import { parseReceipt } from '../../harness/parseReceipt';
import { ask, fakeNetwork, replyOf, yes } from '../fakes/fakeSend';

const LOST: Reply = lostFailure('the connection broke');
const REFUSED = replyOf({ scope: 'question', reason: 'no' });

/** What was paid for, by how much the balance fell, what the receipt says has been taken, and what Cost Log says of the open calls. */
const ROWS = [
	'email: answered 12 charged 10 | 10 | 10 email credits',
	'email: answered 2 charged 0 | 0 | 0 email credits',
	'email: answered 12 charged 10 | 9 | email unclear (others used the account too)',
	'email: answered 12 charged 10 | -90 | email unclear (others used the account too)',
	'email: answered 12 charged 10 | 11 | email unclear (others used the account too)',
	'email: answered 9 charged 9 open 3 openMost 3 | 9 | 9 email credits. 3 email calls: none was | no',
	'email: answered 9 charged 9 open 3 openMost 3 | 10 | 10 email credits. 3 email calls: 1 was charged too',
	'email: answered 9 charged 9 open 3 openMost 3 | 12 | 12 email credits. 3 email calls: 3 were charged too | yes',
	'email: open 1 openMost 1 | 1 | 1 email credit. 1 email call: 1 was charged too | yes',
	'email: open 2 openMost 2 goingOn 1 | 0 | 0 email credits. 2 email calls: so far none was',
	'phone: open 2 openMost 2 goingOn 1 | 2 | 2 phone credits. 2 phone validation calls: 2 were charged too | yes',
	// An email credit may come back
	'email: open 2 openMost 2 goingOn 1 | 2 | 2 email credits. 2 email calls: so far 2 were charged too',
	'whatsapp: open 1 openMost 1000 | 400 | 400 WhatsApp credits. up to 1000 WhatsApp credits: 400 were charged too',
	'whatsapp: answered 12 unpriced 12 | 12 | 12 WhatsApp credits (1 per call)',
	'geoip: answered 3 unpriced 3 | 6 | 6 GeoIP credits (2 per call)',
	'geoip: answered 3 unpriced 3 | 5 | 5 GeoIP credits',
	'whatsapp: answered 4 unpriced 4 ofKinds 2 | 4 | 4 WhatsApp credits',
	'whatsapp: answered 12 open 1 unpriced 13 | 13 | 13 WhatsApp credits',
	'whatsapp: open 2 unpriced 2 | 0 | 0 WhatsApp credits. 2 WhatsApp calls: none was | no',
	"callerinfo: answered 3 charged 3 | 0 | Caller ID unclear (the service doesn't show it)",
	'tool server: answered 3 unpriced 3 | 0 | nothing',
];

function read(of: string): [Account, Partial<Tally>] {
	const [account, counts] = of.split(': ');
	const { ofKinds = 1, ...tally } = Object.fromEntries(
		[...counts.matchAll(/(\w+) (\d+)/g)].map(([, name, count]) => [name, Number(count)]),
	) as Record<string, number>;
	const kinds = new Set(['check', 'send'].slice(0, ofKinds));
	return [account as Account, { ...tally, kinds }];
}

const FULL = { email: 1_000, geoip: 1_000, phone: 1_000, whatsapp: 1_000 };

const readingsThat = (areOfOthers = false, agree = true) => ({
	isUsedByOthers: () => areOfOthers,
	isSure: () => agree,
});

function judge(account: Account, tally: Partial<Tally>, fellBy: number, isUsed = false) {
	const after: Balances = { ...FULL };
	if (account in FULL) after[account as keyof typeof FULL] = 1_000 - fellBy;
	const whole = { ...newTally(), kinds: new Set(['one']), ...tally };
	return findTaken(FULL, after, new Map([[account, whole]]), readingsThat(isUsed));
}

function receiptWith(findings: ReturnType<typeof judge>) {
	const ledger = new Ledger();
	ledger.book(
		{ balance: 'email', atMost: 1, charged: () => 1 },
		{ charged: 'perhaps', credits: 1 },
	);
	const tries = { earlier: new Ledger(), history: new History(), proof: proofOf(findings) };
	const text = describeReceipt(drawReceipt([], ledger, tries));
	return { text, parsed: parseReceipt(`${text}.`) };
}

describe('what the balances prove', () => {
	test.each(ROWS)('is, and is nothing if another run paid too: %s', (row) => {
		const [of, fellBy, says, charged] = row.split(' | ');
		const [account, tally] = read(of);
		const findings = judge(account, tally, Number(fellBy));
		const { text, parsed } = receiptWith(findings);
		const [taken, ...judged] = says.split('. ');
		const judgements = judged.map((each) =>
			each.replace(/(.*): (.*)/, 'Of $1 that may have been charged, $2'),
		);
		expect(text.split('. ').filter((part) => /^(?:Taken|Of)\b/.test(part))).toEqual([
			...[`Taken from the balances: ${taken}`, ...judgements],
		]);
		expect(wereCharged(findings, account)).toBe(charged);
		expect(parsed).toMatchObject({ other: [], judgements });
		const ofBoth = judge(account, tally, Number(fellBy), true);
		const sureOf = says.includes("doesn't show") ? ['balance', 'isHidden'] : ['balance'];
		for (const each of ofBoth.taken) expect(Object.keys(each)).toEqual(sureOf);
	});

	test('is the sum of all tools, by balance', () => {
		const tools = { ...newTally(), answered: 4, unpriced: 4 };
		const after = { ...FULL, phone: 997, whatsapp: 999 };
		const { taken } = findTaken(FULL, after, new Map([['tool server', tools]]), readingsThat());
		expect(taken).toEqual([
			{ balance: 'phone', credits: 3 },
			{ balance: 'whatsapp', credits: 1 },
		]);
	});

	test.each<[what: string, reply: Reply, cost: CallCost]>([
		['a broken connection', LOST, { how: 'open', goesOn: true }],
		['an error of a server', { ...LOST, status: 500 }, { how: 'open', goesOn: true }],
		['a refusal', REFUSED, { how: 'open', goesOn: false }],
		...['Request is still being processed', 'Already in progress', 'queued'].map(
			(reason): [string, Reply, CallCost] => [
				`a refusal of what goes on: ${reason}`,
				replyOf({ scope: 'question', reason }),
				{ how: 'open', goesOn: true },
			],
		),
		['an answer', replyOf(yes(), { cost: 3 }), { how: 'answered', charged: 3 }],
	])('of %s is final only if the service has ended', async (_, reply, cost) => {
		const costs: CallCost[] = [];
		const admit = async () =>
			await Promise.resolve({ end: (each: CallCost) => void costs.push(each) });
		const { send } = fakeNetwork(() => reply, { account: { admit } });
		await Promise.all(
			[0, 1, 2].map(
				async (n) => await send({ endpoint: ask(`p${n}`), request: ask(`p${n}`).request }),
			),
		);
		expect(costs).toEqual([cost, cost, cost]);
	});

	test('is unclear of a balance that only one of the two readings shows', () => {
		const tally = { ...newTally(), answered: 1, charged: 1 };
		const { taken } = findTaken({ email: 5 }, {}, new Map([['email', tally]]), readingsThat());
		expect(taken).toEqual([{ balance: 'email', isHidden: true }]);
	});

	test('replaces "may have been charged" if the balances show it', () => {
		const isOpen = /May have been charged: 1 email call\b/;
		expect(receiptWith(judge('email', { open: 1, openMost: 1 }, 1)).text).not.toMatch(isOpen);
		for (const findings of [
			judge('email', { open: 1, openMost: 1 }, 2),
			judge('callerinfo', { open: 1, openMost: 1 }, 0),
		]) {
			expect(receiptWith(findings).text).toMatch(isOpen);
		}
	});

	test('is reported as missing if the second reading failed', () => {
		const findings = { taken: [], unread: 'the service failed (HTTP 500)' };
		expect(receiptWith(findings).text).toContain(
			"The balances couldn't be read after the run: the service failed (HTTP 500)",
		);
	});
});

describe('a run with others on the same account', () => {
	const PRICE: Credits = { balance: 'email', atMost: 1, charged: () => 1 };
	const ANSWERED: CallCost = { how: 'answered', charged: 1 };

	/** Two runs on one account; balances are read in turn. */
	function twoRuns(...readings: number[]) {
		const shared = new SharedAccount({ now: () => 0 });
		const read = async () => await Promise.resolve({ email: readings.shift() ?? 0 });
		const pause = async () => await Promise.resolve(undefined);
		const [own, other] = [1, 2].map(() => new RunAccount(shared, new Map(), read, pause));
		const pay = async (run: RunAccount, cost: CallCost = ANSWERED, balance = PRICE) => {
			const admitted = await run.admit(balance, 'call');
			if (isFailed(admitted)) throw new Error('not admitted');
			return { end: () => admitted.end(cost) };
		};
		return { own, other, pay };
	}

	test('trusts the difference if the other was over before, or paid from another balance', async () => {
		const { own, other, pay } = twoRuns(10, 9);
		(await pay(other)).end();
		await own.look();
		(await pay(other, { how: 'answered' }, { balance: 'phone', cost: 'not stated' })).end();
		(await pay(own)).end();
		expect((await own.lookBack())?.taken).toEqual([{ balance: 'email', credits: 1 }]);
	});

	test.each<[what: string, cost: CallCost, before: boolean, after: boolean, credits?: number]>([
		['nothing if the other pays in between', ANSWERED, false, false],
		['nothing if the other pays from before', ANSWERED, true, false],
		['nothing if the other pays beyond the end', ANSWERED, false, true],
		['nothing if the other pays all the time', ANSWERED, true, true],
		['the difference if the other was not charged', { how: 'notCharged' }, false, false, 1],
	])('claims %s', async (...[, cost, before, after, credits]) => {
		const { own, other, pay } = twoRuns(10, 9);
		const early = before ? await pay(other, cost) : undefined;
		await own.look();
		(await pay(own)).end();
		const call = early ?? (await pay(other, cost));
		if (!after) call.end();
		const taken = { balance: 'email', ...(credits && { credits }) };
		expect((await own.lookBack())?.taken).toEqual([taken]);
	});

	test('reads nothing if nothing was paid for', async () => {
		const { own, pay } = twoRuns(10, 9);
		await own.look();
		(await pay(own, { how: 'notCharged' })).end();
		expect(await own.lookBack()).toBeUndefined();
	});
});
