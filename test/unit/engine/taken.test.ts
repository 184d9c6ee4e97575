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

type Row = [
	title: string,
	of: string,
	fellBy: number,
	says: string,
	more?: { charged?: 'no' | 'yes'; kinds?: readonly string[] },
];

const LOST: Reply = lostFailure('the connection broke');
const REFUSED = replyOf({ scope: 'question', reason: 'no' });

const VOID = 'unclear (others used the account too)';
const HIDDEN = "unclear (the service doesn't show it)";

const THREE_OPEN = 'email: answered 9 charged 9 open 3 openMost 3';
const TWO_OPEN = 'open 2 openMost 2 goingOn 1';
const [NO, YES] = [{ charged: 'no' }, { charged: 'yes' }] as const;
/** What was paid for: `answered 9 charged 9` of a balance, by how much it fell, and what the receipt says has been taken. */
const ROWS: Row[] = [
	['what was answered', 'email: answered 12 charged 10', 10, '10 email credits'],
	['nothing charged', 'email: answered 2 charged 0', 0, '0 email credits'],
	['less than was charged', 'email: answered 12 charged 10', 9, `email ${VOID}`],
	['credits added', 'email: answered 12 charged 10', -90, `email ${VOID}`],
	['more than can have been charged', 'email: answered 12 charged 10', 11, `email ${VOID}`],
	['no open call', THREE_OPEN, 9, '9 email credits. 3 email calls: none was', NO],
	['one open call', THREE_OPEN, 10, '10 email credits. 3 email calls: 1 was charged too'],
	['all open calls', THREE_OPEN, 12, '12 email credits. 3 email calls: 3 were charged too', YES],
	[
		...(['the only call, which was open', 'email: open 1 openMost 1', 1] as const),
		...(['1 email credit. 1 email call: 1 was charged too', YES] as const),
	],
	[
		...(['no open call yet, one of which goes on', `email: ${TWO_OPEN}`, 0] as const),
		'0 email credits. 2 email calls: so far none was',
	],
	[
		...(['all open calls, one of which goes on', `phone: ${TWO_OPEN}`, 2] as const),
		...(['2 phone credits. 2 phone validation calls: 2 were charged too', YES] as const),
	],
	[
		...(['all open calls, one of which may come back', `email: ${TWO_OPEN}`, 2] as const),
		'2 email credits. 2 email calls: so far 2 were charged too',
	],
	[
		...(['a part of an open batch', 'whatsapp: open 1 openMost 1000', 400] as const),
		'400 WhatsApp credits. up to 1000 WhatsApp credits: 400 were charged too',
	],
	['no price', 'whatsapp: answered 12 unpriced 12', 12, '12 WhatsApp credits (1 per call)'],
	['a price of two credits', 'geoip: answered 3 unpriced 3', 6, '6 GeoIP credits (2 per call)'],
	['a price that does not divide', 'geoip: answered 3 unpriced 3', 5, '5 GeoIP credits'],
	[
		...(['calls of two kinds', 'whatsapp: answered 4 unpriced 4', 4] as const),
		...(['4 WhatsApp credits', { kinds: ['check', 'send'] }] as const),
	],
	[
		'no price and an open call',
		'whatsapp: answered 12 open 1 unpriced 13',
		13,
		'13 WhatsApp credits',
	],
	[
		...(['no price, and nothing taken at all', 'whatsapp: open 2 unpriced 2', 0] as const),
		...(['0 WhatsApp credits. 2 WhatsApp calls: none was', NO] as const),
	],
	['a balance that is not shown', 'callerinfo: answered 3 charged 3', 0, `Caller ID ${HIDDEN}`],
	['tools, whatever they debit', 'tool server: answered 3 unpriced 3', 0, 'nothing'],
];

function read(of: string, kinds: readonly string[] = ['one']): [Account, Partial<Tally>] {
	const [account, counts] = of.split(': ');
	const words = counts.split(' ');
	const pairs = words.flatMap((word, n) => (n % 2 === 0 ? [[word, Number(words[n + 1])]] : []));
	return [account as Account, { kinds: new Set(kinds), ...Object.fromEntries(pairs) }];
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
	test.each(ROWS)('of %s, and nothing if another run paid too', (...[, of, fellBy, says, more]) => {
		const [account, tally] = read(of, more?.kinds);
		const findings = judge(account, tally, fellBy);
		const { text, parsed } = receiptWith(findings);
		const [taken, ...judged] = says.split('. ');
		const judgements = judged.map((each) =>
			each.replace(/(.*): (.*)/, 'Of $1 that may have been charged, $2'),
		);
		expect(text.split('. ').filter((part) => /^(?:Taken|Of)\b/.test(part))).toEqual([
			...[`Taken from the balances: ${taken}`, ...judgements],
		]);
		expect(wereCharged(findings, account)).toBe(more?.charged);
		expect(parsed?.other).toEqual([]);
		expect(parsed?.judgements ?? []).toEqual(judgements);
		const ofBoth = judge(account, tally, fellBy, true);
		const sureOf = says.includes(HIDDEN) ? ['balance', 'isHidden'] : ['balance'];
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
		[
			'a time-out of ours',
			{ ...LOST, reason: 'no answer arrived in time' },
			{ how: 'open', goesOn: true },
		],
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
