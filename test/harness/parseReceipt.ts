/** What the node's execution hint says a run did and cost. */
export interface Receipt {
	items: number;
	/** Lookups of items that ask several; the sum below is of them then, else of the items. */
	lookups?: number;
	answered: number;
	/** Answers that took no call: the sum of duplicates, remembered, known and not needed. */
	saved: number;
	paidCalls: number;
	/** Calls to endpoints that cost nothing. */
	freeCalls: number;
	/** Items that shared the answer of an equal item of the same run. */
	duplicates: number;
	/** Items answered from what this execution had paid for earlier. */
	remembered: number;
	/** Items answered by an earlier execution. */
	known: number;
	/** Items that there was nothing to ask about. */
	local: number;
	/** Lookups that no item needed, since one before them said enough. */
	notNeeded: number;
	retries: number;
	failed: number;
	/** Lookups without an answer, of items that ask several. */
	lookupsFailed: number;
	/** Replies that were lost after sending, so that the call may have been charged. */
	lost: number;
	/** Paid calls that were refused without a word on whether they were charged. */
	refused: number;
	/** All calls that may have been charged, as the line of counts says. */
	open: number;
	/** By balance; 'not stated' where the service does not say what a call costs. */
	credits: Record<string, number | 'not stated'>;
	/** What the balances say was taken, by balance, where they were read before and after the run. */
	taken?: Record<string, number | 'unclear'>;
	/** What each call cost whose price is not stated, by balance. */
	each?: Record<string, number>;
	/** What became of the calls that may have been charged, word for word. */
	judged?: string[];
	/** The first failure, as the text after the receipt describes it. */
	firstFailure?: string;
	/** Parts that this parser does not know, word for word. */
	other: string[];
}

type Count = 'freeCalls' | 'open' | 'paidCalls';

/** The parts of the line of counts, and those of the details. */
const COUNTS: Array<[Count, RegExp]> = [
	['paidCalls', /^paid calls?$/],
	['freeCalls', /^free calls?$/],
	['open', /^calls? may have been charged$/],
];
const DETAILS: Array<[keyof Receipt, RegExp]> = [
	['duplicates', /(?<=Saved: [^.]*?)(\d+) duplicates?/],
	['remembered', /(?<=Saved: [^.]*?)(\d+) remembered answers?/],
	['known', /(?<=Saved: [^.]*?)(\d+) known answers?/],
	['notNeeded', /(?<=Saved: [^.]*?)(\d+) lookups? not needed/],
	['retries', /\b(\d+) retr(?:y|ies)\b/],
	['local', /\b(\d+) items? skipped/],
	['failed', /\b(\d+) items? failed/],
	['lookupsFailed', /\b(\d+) lookups? failed/],
	['lost', /\b(\d+) lost repl(?:y|ies)\b/],
	['refused', /\b(\d+) refused calls?\b/],
];

const CREDITS = /^charged: */;
const UNSTATED = /^price not stated: */;
const TAKEN = /Taken from the balances: ([^.]*)/;
const JUDGED = /Of (?:up to )?\d+ \w+ (?:calls?|credits?) that may have been charged, [^.]*/g;
const NO_CREDITS = 'nothing charged';
/** The line of counts; what follows it are details. */
const LINE = /\d+ items?(?:, \d+ lookups?)?(?::[^·]*)? · .*?(?=<br>|\.\s|\.?$)/s;
const SUM = /^(\d+) items?(?:, (\d+) lookups?)?(?:: (.*))?$/;
const FIRST_FAILURE = /First (?:failure|failed lookup) \((.*?)(?:<br>|$)/s;
const EARLIER = /Earlier in this execution: (.*?)\.(?:\s|<|$)/s;

/**
 * Reads a receipt such as `30 items: 21 answered, 9 saved · 21 paid calls · charged: phone 19`, with its details, also where it
 * stands among other sentences (a node that fails puts it into its error's description). Returns undefined where there is none.
 */
export function parseReceipt(text: string): Receipt | undefined {
	const found = LINE.exec(text);
	if (!found) return undefined;
	const [line] = found;
	const rest = text.slice(found.index + line.length);
	const details = rest.replace(EARLIER, '').replace(FIRST_FAILURE, '');
	const receipt: Receipt = {
		...{ items: 0, answered: 0, saved: 0, paidCalls: 0, freeCalls: 0, duplicates: 0 },
		...{ remembered: 0, known: 0, local: 0, notNeeded: 0, retries: 0, failed: 0 },
		...{ lookupsFailed: 0, lost: 0, refused: 0, open: 0 },
		credits: {},
		firstFailure: FIRST_FAILURE.exec(rest)?.[1],
		other: [],
	};
	const [sum, ...parts] = line.split(' · ');
	readSum(sum, receipt);
	for (const part of parts) readPart(part, receipt);
	for (const [name, pattern] of DETAILS) {
		const [, number] = pattern.exec(details) ?? [];
		if (number !== undefined) Object.assign(receipt, { [name]: Number(number) });
	}
	const [, taken] = TAKEN.exec(details) ?? [];
	if (taken !== undefined) readTaken(taken, receipt);
	const judged = details.match(JUDGED);
	if (judged) receipt.judged = judged;
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

/** `30 items: 20 answered, 8 saved, 2 failed`, of lookups where it names them. */
function readSum(text: string, receipt: Receipt): void {
	const [, items, lookups, sum] = SUM.exec(text) ?? [];
	const number = (what: string) => Number(new RegExp(`(\\d+) ${what}`).exec(sum ?? '')?.[1] ?? 0);
	const isOfLookups = lookups !== undefined;
	receipt.items = Number(items);
	if (isOfLookups) receipt.lookups = Number(lookups);
	receipt.answered = sum === undefined ? Number(lookups ?? items) : number('answered');
	receipt.saved = number('saved');
	receipt.local = number('skipped');
	receipt[isOfLookups ? 'lookupsFailed' : 'failed'] = number('failed');
	const { answered, saved, local } = receipt;
	const whole = answered + saved + local + number('failed');
	if (whole !== Number(lookups ?? items)) receipt.other.push(`no sum: ${text}`);
}

function readPart(part: string, receipt: Receipt): void {
	if (part === NO_CREDITS) return;
	if (CREDITS.test(part)) {
		Object.assign(receipt.credits, readCredits(part.replace(CREDITS, '')));
		return;
	}
	if (UNSTATED.test(part)) {
		for (const balance of part.replace(UNSTATED, '').split(', ')) {
			receipt.credits[balance] = 'not stated';
		}
		return;
	}
	const [, number, words] = /^(\d+) (.+)$/.exec(part) ?? [];
	const known = COUNTS.find(([, pattern]) => words !== undefined && pattern.test(words));
	if (known) receipt[known[0]] = Number(number);
	else receipt.other.push(part);
}

/** `phone 19`, or several, as in `phone 19, email 3`. */
function readCredits(text: string): Receipt['credits'] {
	const credits: Receipt['credits'] = {};
	for (const entry of text.split(/, */)) {
		const [, balance, amount] = /^([\w ]+?) (\d+)$/.exec(entry.trim()) ?? [];
		if (balance) credits[balance] = Number(amount);
	}
	return credits;
}

/** `email 13, whatsapp 12 for 12 calls (1 each), phone unclear (others used the account meanwhile)`. */
function readTaken(text: string, receipt: Receipt): void {
	receipt.taken = {};
	receipt.each = {};
	if (text === 'nothing') return;
	for (const entry of text.split(/, */)) {
		const [, balance, amount, each] =
			/^(\w+) (\d+|unclear)(?: for \d+ calls?(?: \((\d+) each\))?| \(.*\))?$/.exec(entry) ?? [];
		if (!balance) receipt.other.push(entry);
		else receipt.taken[balance] = amount === 'unclear' ? amount : Number(amount);
		if (balance && each) receipt.each[balance] = Number(each);
	}
}

/** What an execution has spent, as its last receipt says: with what it spent earlier. */
export interface Spending {
	paidCalls: number;
	refused: number;
	lost: number;
	/** Credits that the lost replies may have cost, at most. */
	mostLostCredits: number;
	/** The same of refused calls. */
	mostRefusedCredits: number;
	credits: Receipt['credits'];
	/** Credits that the open calls of a balance were charged in the end, where the last receipt says it of all or of none of them. */
	told: Record<string, number>;
	/** Whether the execution has spent something before, so that other receipts may have told more. */
	hasEarlier: boolean;
}

const TOLD =
	/Of (?:up to )?(\d+) (\w+) (?:calls?|credits?) that may have been charged, (?:none|(\d+)) w(?:as|ere)(?! so far)/g;

/** Reads a receipt together with the sentence on what the execution spent before; undefined where there is neither. */
export function spendingOf(text: string): Spending | undefined {
	const line = LINE.exec(text);
	const [whole = '', earlier = ''] = EARLIER.exec(text) ?? [];
	if (!line && earlier === '') return undefined;
	const own = line ? text.slice(line.index).replace(whole, '').replace(FIRST_FAILURE, '') : '';
	const total: Spending = {
		...{ paidCalls: 0, refused: 0, lost: 0, mostLostCredits: 0, mostRefusedCredits: 0 },
		...{ credits: {}, told: {}, hasEarlier: earlier !== '' },
	};
	for (const [, most, balance, charged = '0'] of own.matchAll(TOLD)) {
		if (charged === '0' || charged === most) total.told[balance] = Number(charged);
	}
	for (const part of [own, earlier]) addSpending(part, total);
	return total;
}

function addSpending(part: string, total: Spending): void {
	const count = (pattern: RegExp) => Number(pattern.exec(part)?.[1] ?? 0);
	const lost = count(/(\d+) lost repl/);
	const refused = count(/(\d+) refused calls?/);
	total.paidCalls += count(/(\d+) paid calls?/);
	total.refused += refused;
	total.lost += lost;
	const mostLost = count(/lost repl\w+ \(up to (\d+) credits\)/) || lost;
	const mostRefused = count(/refused calls? \(up to (\d+) credits\)/) || refused;
	// Where the balances tell what became of them, only that part says how much it was about
	const told = [...part.matchAll(/Of up to (\d+) \w+ credits? that may/g)];
	const mostTold = told.reduce((sum, [, credits]) => sum + Number(credits), 0);
	total.mostLostCredits += Math.max(mostLost, mostTold - mostRefused);
	total.mostRefusedCredits += mostRefused;
	const [, spent = ''] = /charged: ([^·.<]*)/.exec(part) ?? [];
	addCredits(total.credits, readCredits(spent.trim()));
	const [, unstated = ''] = /price not stated: ([^·.<]*)/.exec(part) ?? [];
	for (const balance of unstated.split(', ').filter(Boolean)) {
		addCredits(total.credits, { [balance.trim()]: 'not stated' });
	}
}

function addCredits(total: Receipt['credits'], more: Receipt['credits']): void {
	for (const [balance, amount] of Object.entries(more)) {
		const before = total[balance] ?? 0;
		total[balance] =
			amount === 'not stated' || before === 'not stated' ? 'not stated' : before + amount;
	}
}
