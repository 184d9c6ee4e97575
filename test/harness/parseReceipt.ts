/** What the node's execution hint says a run did and cost. */
export interface Receipt {
	items: number;
	paidCalls: number;
	/** Calls to endpoints that cost nothing. */
	freeCalls: number;
	/** Items that shared the answer of an equal item of the same run. */
	duplicates: number;
	/** Items answered from what this execution had paid for earlier. */
	remembered: number;
	/** Items answered by an earlier execution. */
	known: number;
	/** Items answered before anything was sent. */
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

type Count = Exclude<
	keyof Receipt,
	'credits' | 'each' | 'firstFailure' | 'judged' | 'other' | 'taken'
>;

const COUNTS: Array<[Count, RegExp]> = [
	['items', /^items?$/],
	['paidCalls', /^paid calls?$/],
	['freeCalls', /^free calls?$/],
	['duplicates', /^duplicates? saved$/],
	['remembered', /^from memory$/],
	['known', /^known$/],
	['local', /^answered locally$/],
	['notNeeded', /^lookups? not needed$/],
	['retries', /^retr(y|ies)/],
	['failed', /^failed$/],
	['lookupsFailed', /^lookups? failed$/],
	['lost', /^lost repl(y|ies)/],
	['refused', /^refused calls?/],
];

const CREDITS = /^credits spent: */;
const TAKEN = /^taken: */;
const NOTHING_TAKEN = 'nothing that the balances show';
const JUDGED = /^of (?:up to )?\d+ .* that may have been charged, /;
const NO_CREDITS = 'no credits spent';
/** The receipt is one sentence; what follows it is no part of it. */
const RECEIPT = /\d+ items? · .*?(?=\.\s|\.?$)/s;
const FIRST_FAILURE = /\. First failure\W+(.*)$/s;

/**
 * Reads a receipt such as `30 items · 21 paid calls · 5 duplicates saved · credits spent: phone 19`, also where it stands
 * among other sentences (a node that fails puts it into its error's description). Returns undefined where there is none.
 */
export function parseReceipt(text: string): Receipt | undefined {
	const [found] = RECEIPT.exec(text) ?? [];
	if (found === undefined) return undefined;
	const receipt: Receipt = {
		...{ items: 0, paidCalls: 0, freeCalls: 0, duplicates: 0, remembered: 0 },
		...{ known: 0, local: 0, notNeeded: 0, retries: 0, failed: 0 },
		...{ lookupsFailed: 0, lost: 0, refused: 0 },
		credits: {},
		firstFailure: FIRST_FAILURE.exec(text)?.[1],
		other: [],
	};
	for (const part of found.split(' · ')) readPart(part, receipt);
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

function readPart(part: string, receipt: Receipt): void {
	if (part === NO_CREDITS) return;
	if (CREDITS.test(part)) {
		Object.assign(receipt.credits, readCredits(part.replace(CREDITS, '')));
		return;
	}
	if (TAKEN.test(part)) {
		readTaken(part.replace(TAKEN, ''), receipt);
		return;
	}
	if (JUDGED.test(part)) {
		receipt.judged = [...(receipt.judged ?? []), part];
		return;
	}
	const [, number, words] = /^(\d+) (.+)$/.exec(part) ?? [];
	const known = COUNTS.find(([, pattern]) => words !== undefined && pattern.test(words));
	if (known) receipt[known[0]] = Number(number);
	else receipt.other.push(part);
}

/** `phone 19`, or several, as in `phone 19, whatsapp not stated`. */
function readCredits(text: string): Receipt['credits'] {
	const credits: Receipt['credits'] = {};
	for (const entry of text.split(/, */)) {
		const [, balance, amount] = /^([\w ]+?) (\d+|not stated)$/.exec(entry.trim()) ?? [];
		if (balance) credits[balance] = amount === 'not stated' ? amount : Number(amount);
	}
	return credits;
}

/** `email 13, whatsapp 12 for 12 calls (1 each), phone unclear (others used the account meanwhile)`. */
function readTaken(text: string, receipt: Receipt): void {
	receipt.taken = {};
	receipt.each = {};
	if (text === NOTHING_TAKEN) return;
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
	/of (?:up to )?(\d+) (\w+) (?:calls?|credits?) that may have been charged, (?:none|(\d+)) w(?:as|ere)(?! so far)/g;
const EARLIER = /Earlier in this execution: (.*?)\.(?:\s|$)/s;

/** Reads a receipt together with the sentence on what the execution spent before; undefined where there is neither. */
export function spendingOf(text: string): Spending | undefined {
	const [own = ''] = RECEIPT.exec(text) ?? [];
	const [, earlier = ''] = EARLIER.exec(text) ?? [];
	if (own === '' && earlier === '') return undefined;
	const total: Spending = {
		...{ paidCalls: 0, refused: 0, lost: 0, mostLostCredits: 0, mostRefusedCredits: 0 },
		...{ credits: {}, told: {}, hasEarlier: earlier !== '' },
	};
	for (const [, most, balance, charged = '0'] of own.matchAll(TOLD)) {
		if (charged === '0' || charged === most) total.told[balance] = Number(charged);
	}
	for (const part of [own, earlier]) {
		const count = (pattern: RegExp) => Number(pattern.exec(part)?.[1] ?? 0);
		const lost = count(/(\d+) lost repl/);
		const refused = count(/(\d+) refused calls?/);
		total.paidCalls += count(/(\d+) paid calls?/);
		total.refused += refused;
		total.lost += lost;
		const mostLost = count(/lost repl[^·,]* \(up to (\d+) credits\)/) || lost;
		const mostRefused = count(/refused calls?[^·,]* \(up to (\d+) credits\)/) || refused;
		// Where the balances tell what became of them, only that part says how much it was about
		const told = [...part.matchAll(/of up to (\d+) \w+ credits? that may/g)];
		const mostTold = told.reduce((sum, [, credits]) => sum + Number(credits), 0);
		total.mostLostCredits += Math.max(mostLost, mostTold - mostRefused);
		total.mostRefusedCredits += mostRefused;
		const [, spent = ''] = /credits spent: ([^·]*)/.exec(part) ?? [];
		addCredits(total.credits, readCredits(spent.trim()));
	}
	return total;
}

function addCredits(total: Receipt['credits'], more: Receipt['credits']): void {
	for (const [balance, amount] of Object.entries(more)) {
		const before = total[balance] ?? 0;
		total[balance] =
			amount === 'not stated' || before === 'not stated' ? 'not stated' : before + amount;
	}
}
