/** What the node's execution hint, or its error, says a run did and cost. */
export interface Receipt extends Money {
	items: number;
	/** Lookups of items that take several; the counts below are of them then, else of the values of the items. */
	lookups?: number;
	done: number;
	/** Those that shared the result of an equal one of the same run. */
	duplicates: number;
	/** Those that this execution had paid for earlier. */
	remembered: number;
	/** Those that an earlier execution had paid for. */
	stored: number;
	/** Lookups that no item needed, since one before them said enough. */
	notNeeded: number;
	/** Items that there was nothing to look up for. */
	local: number;
	failed: number;
	/** Those that were not sent because of an earlier failure, or Stop. */
	notReached: number;
	/** Calls that were sent again. */
	retries: number;
	/** What the balances say was taken, by balance, where they were read before and after the run. */
	taken?: Record<string, number | 'unclear'>;
	/** What each call cost whose price is not stated, by balance. */
	each?: Record<string, number>;
	/** What the balances say of the calls that may have been charged, by balance, and word for word. */
	judged: Record<string, { most: number; charged: number; isFinal: boolean }>;
	judgements: string[];
	/** The first failure, and where it happened, as the receipt describes it. */
	firstFailure?: string;
	/** Parts that this parser does not know, word for word. */
	other: string[];
}

/** What calls cost, by balance as the ledger names them. */
interface Money {
	/** Credits, where the price is stated. */
	credits: Record<string, number>;
	/** Charged calls whose price is not stated. */
	unpriced: Record<string, number>;
	/** Paid calls that turned out to be free. */
	free: Record<string, number>;
	/** Calls that may have been charged; of unknown balance where the receipt has one number for all. */
	open: number;
	openOn: Record<string, number>;
	/** Credits that those calls can have cost at most, where the receipt says it. */
	mostOpen: number;
	/** Paid calls, where each call at a stated price costs one credit. */
	calls: number;
}

const BALANCES: Record<string, string> = {
	...{ 'phone validation': 'phone', WhatsApp: 'whatsapp', GeoIP: 'geoip' },
	...{ 'Caller ID': 'callerinfo', tool: 'tool server' },
};
const LISTS = { Charged: 'credits', 'No price given': 'unpriced', Free: 'free' } as const;
const LIST =
	/(?:^|[.;:]\s|<br>|>)(charged|no price given|free): ([^.;<]*?) (?:credit|call)s?(?=[.;<]|$)/gi;
const OPEN = /may have been charged: ([^.;<]*)/i;
const OPEN_OF = /(\d+) ([\w ]+?) calls?(?: \(up to (\d+) credits\))?(?:, |$)/g;
const NOTHING = /Nothing charged/;
/** Up to the end of the sum; in the parentheses stand words of the service, of any kind. */
const WORK =
	/(?:(\d+) (?:lookup|value)s? for )?(\d+) (\w+?)s?: ((?:all )?(?:\d+ )?(?:made|done|duplicates?|reused from|from Stored|not needed|skipped|not reached|failed)[^(<]*?(?: \([^<]*\))?)(?=\.?(?:<br>|$)|\.\s)/s;
const FIRST = / \(((?:such as )?.*)\)$/s;
const KINDS: Array<[keyof Receipt, RegExp]> = [
	['done', /^(?:made|done)$/],
	['duplicates', /^duplicates?$/],
	['remembered', /^reused from this execution$/],
	['stored', /^from Stored Results$/],
	['notNeeded', /^not needed$/],
	['local', /^skipped$/],
	['notReached', /^not reached$/],
	['failed', /^failed(?: and may have been charged)?$/],
];
const JUDGED =
	/Of (?:up to )?(\d+) ([\w ]+?) (?:call|credit)s? that may have been charged, (so far )?(none|\d+) w(?:as|ere)(?: charged too)?/g;
const TAKEN = /Taken from the balances: ([^.<]*)/;
const EARLIER = /Earlier in this execution: (.*?)(?=\.(?:\s|<|$)|<|$)/s;

function balanceOf(name: string): string {
	return BALANCES[name] ?? name;
}

/**
 * Reads a receipt such as `Charged: 19 phone credits.<br>30 items: 21 done, 9 duplicates.`, also where it stands among other
 * sentences (a node that fails puts it into its error's description). Returns undefined where there is none.
 */
export function parseReceipt(text: string): Receipt | undefined {
	const own = text.replace(EARLIER, '');
	const work = WORK.exec(own);
	const head = work ? own.slice(0, work.index) : own;
	const rest = work ? own.slice(work.index + work[0].length) : own;
	const money = moneyIn(head, rest);
	if (!work && money.calls === 0 && !NOTHING.test(head) && !TAKEN.test(rest)) return undefined;
	const receipt: Receipt = {
		...{ items: 1, done: work ? 0 : 1, duplicates: 0, remembered: 0, stored: 0, notNeeded: 0 },
		...{ local: 0, failed: 0, notReached: 0, retries: 0, ...money },
		...{ ...judgedIn(rest), other: [] },
	};
	if (work) readWork(work, receipt, rest);
	const [, retries = '0'] = /(\d+) calls? w(?:as|ere) repeated at no cost/.exec(rest) ?? [];
	receipt.retries = Number(retries);
	const [, taken] = TAKEN.exec(rest) ?? [];
	if (taken !== undefined) readTaken(taken, receipt);
	return receipt;
}

/** The receipt among a node's hints (or other texts). */
export function receiptOf(texts: string[]): Receipt | undefined {
	for (const text of texts) {
		const receipt = parseReceipt(text);
		if (receipt) return receipt;
	}
	return undefined;
}

/** @param head what is said before the sum of the work, and `rest` what is said after it */
function moneyIn(head: string, rest: string): Money {
	const money: Money = {
		credits: {},
		unpriced: {},
		free: {},
		open: 0,
		openOn: {},
		mostOpen: 0,
		calls: 0,
	};
	for (const [, label, list] of head.matchAll(LIST)) {
		const of = Object.entries(LISTS).find(([name]) => name.toLowerCase() === label.toLowerCase());
		if (of) Object.assign(money[of[1]], readList(list));
	}
	const [, open = ''] = OPEN.exec(rest) ?? [];
	for (const [, number, name, most = number] of open.matchAll(OPEN_OF)) {
		money.openOn[balanceOf(name)] = Number(number);
		money.open += Number(number);
		money.mostOpen += Number(most);
	}
	money.calls = [money.credits, money.unpriced, money.free].reduce(
		(sum, list) => sum + sumOf(list),
		money.open,
	);
	return money;
}

function sumOf(list: Record<string, number>): number {
	return Object.values(list).reduce((sum, number) => sum + number, 0);
}

/** `15 phone, 26 email`. */
function readList(text: string): Record<string, number> {
	return Object.fromEntries(
		text.split(', ').map((entry) => {
			const [, number, name] = /^(\d+) (.+)$/.exec(entry) ?? [];
			return [balanceOf(name), Number(number)];
		}),
	);
}

/** `105 lookups for 30 contacts: 79 made, 26 duplicates`. */
function readWork([whole, total, items, , list]: RegExpExecArray, receipt: Receipt, rest: string) {
	receipt.items = Number(items);
	if (whole.includes(' for ') && /lookups? for /.test(whole)) receipt.lookups = Number(total);
	const all = Number(total ?? items);
	receipt.firstFailure = FIRST.exec(list)?.[1];
	let sum = 0;
	for (const entry of list.replace(FIRST, '').split(', ')) {
		const [, number, words] = /^(?:all )?(\d+ )?(.*)$/.exec(entry) ?? [];
		const [name] = KINDS.find(([, pattern]) => pattern.test(words)) ?? [];
		const counted = number === undefined ? all : Number(number);
		if (name) Object.assign(receipt, { [name]: counted });
		else receipt.other.push(entry);
		sum += counted;
		if (!words.endsWith('may have been charged')) continue;
		receipt.open += counted;
		receipt.mostOpen += counted;
		receipt.calls += counted;
	}
	if (sum !== all) receipt.other.push(`no sum: ${whole}`);
	const [, skipped] = receipt.lookups === undefined ? [] : (/(\d+) \w+ skipped/.exec(rest) ?? []);
	if (skipped !== undefined) receipt.local = Number(skipped);
}

function judgedIn(text: string): Pick<Receipt, 'judged' | 'judgements'> {
	const found = [...text.matchAll(JUDGED)];
	const judged = found.map(([, most, name, soFar, charged]) => [
		balanceOf(name),
		{ most: Number(most), charged: Number(charged) || 0, isFinal: soFar === undefined },
	]);
	return {
		judged: Object.fromEntries(judged) as Receipt['judged'],
		judgements: found.map(([whole]) => whole),
	};
}

/** `13 email credits, 12 WhatsApp credits (1 per call), phone unclear (others used the account too)`. */
function readTaken(text: string, receipt: Receipt): void {
	receipt.taken = {};
	receipt.each = {};
	if (text === 'nothing') return;
	for (const entry of text.split(/, */)) {
		const [, credits, name, each] =
			/^(\d+) ([\w ]+?) credits?(?: \((\d+) per call\))?$/.exec(entry) ?? [];
		const [, unclear] = /^([\w ]+) unclear \(/.exec(entry) ?? [];
		if (unclear) receipt.taken[balanceOf(unclear)] = 'unclear';
		else if (name) receipt.taken[balanceOf(name)] = Number(credits);
		else receipt.other.push(entry);
		if (name && each) receipt.each[balanceOf(name)] = Number(each);
	}
}

/** What an execution has spent, as its last receipt says: with what it spent earlier. */
export interface Spending extends Money {
	/** What the last receipt says of calls that may have been charged, by balance. */
	judged: Receipt['judged'];
	/** Whether the execution has spent something before, so that other receipts may have judged calls too. */
	hasEarlier: boolean;
}

/** Reads a receipt together with the sentence on what the execution spent before; undefined where there is neither. */
export function spendingOf(text: string): Spending | undefined {
	const receipt = parseReceipt(text);
	const [, earlier] = EARLIER.exec(text) ?? [];
	if (!receipt && earlier === undefined) return undefined;
	const before = moneyIn(`. ${earlier ?? ''}`, `. ${earlier ?? ''}`);
	const own = receipt ?? { ...moneyIn('', ''), judged: {} };
	const judged = Object.values(own.judged).reduce((sum, { most }) => sum + most, 0);
	return {
		credits: added(own.credits, before.credits),
		unpriced: added(own.unpriced, before.unpriced),
		free: added(own.free, before.free),
		openOn: added(own.openOn, before.openOn),
		open: own.open + before.open,
		mostOpen: own.mostOpen + before.mostOpen + judged,
		calls: own.calls + before.calls,
		judged: own.judged,
		hasEarlier: earlier !== undefined,
	};
}

function added(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
	const sum = { ...one };
	for (const [name, number] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + number;
	return sum;
}
