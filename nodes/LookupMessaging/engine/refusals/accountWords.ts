import { GAP, askedWords, wordsIn, withoutAsked, plain, type Asked } from './askedValues';

/**
 * The table of words by which a refusal is about the account: its key, its credits, its access. All patterns are for plain text
 * (askedValues.ts), and every repetition in them is bounded.
 */

/** Up to four words between two others that belong together. Those that begin something else are none of them. */
const SOME = `(?:(?!(?:about|for|in|of|on|posts?|results?|that|to|with)\\b)[\\w'${GAP}-]{1,30} ){0,4}`;
const IS = '(?:(?:already|are|been|has|have|is|longer|no|not|now|was|were) ){0,4}';
const BAD =
	'(?:bad|disabled|expired|inactive|incorrect|invalid|missing|no|revoked|unknown|unrecogni[sz]ed|wrong)';
const API_KEY = 'api[ -]?keys?\\b';
const CREDITS = '(?:balance|credits?(?! card)|funds)\\b';
const UNUSABLE =
	'(?:blocked|disabled|exhausted|expired|inactive|invalid|missing|not (?:active|found|recogni[sz]ed|valid)|required|revoked|suspended|unknown|wrong)\\b';

/** What a limit of the pace is never called. */
const INSUFFICIENT = `\\b(?:insufficient|not enough|(?:ran )?out of) ${SOME}${CREDITS}`;
/** No credits. Under HTTP 429 too, these words are no matter of the pace. */
const NO_CREDITS = [
	`\\b(?:0|exhausted|insufficient|lack of|low|no|not enough|too few|too little|zero) ${SOME}(?:${CREDITS}|quota\\b)`,
	`\\b(?:(?:ran )?out of|need more|buy(?: more)?|purchase(?: more)?|add(?: more)?) ${SOME}${CREDITS}`,
	`\\b${CREDITS} ${SOME}(?:0|depleted|empty|exceeded|exhausted|expired|insufficient|spent|too low|used up|zero)\\b`,
	'\\b(?:please|must|need to) (?:recharge|top[ -]?up)\\b',
	'\\b(?:recharge|top[ -]?up) (?:the|your)\\b',
	'\\bpayment (?:is )?required\\b|\\bwallet (?:is )?empty\\b',
];

/** The words of an endpoint that also passes on what others say of a page, a mailbox or a job of theirs. */
const NARROW = [
	...NO_CREDITS,
	`\\b${BAD} ${SOME}${API_KEY}`,
	`\\b${API_KEY} (?:(?:given|provided|supplied) )?${IS}${UNUSABLE}`,
];

/** The words of all others. */
const WIDE = [
	...NARROW,
	'\\brecharge\\b',
	API_KEY,
	`\\b${BAD} (?:(?:access|auth|authentication|authorization|bearer|client|secret|security|the|your) ){0,2}(?:credentials?|key|licen[cs]e|login|signature|token)\\b`,
	`\\b(?:credentials?|key|licen[cs]e|plan|subscription|token|trial) ${IS}(?:${UNUSABLE}|ended\\b)`,
	'\\bauthenticat|\\bauthori[sz]ation\\b|\\bnot authori[sz]ed\\b|\\bunauthenticated\\b|\\bunauthori[sz]ed\\b',
	'\\bplease (?:log|sign) ?in\\b|\\b(?:login|log in|sign in) required\\b',
	// SPEC §7, batch poll: "Batch not found or access denied."
	`(?<!\\b(?:carrier|network|operator|or) )\\b(?:access|permission) ${IS}denied\\b(?! (?:by|for|from|to) (?:(?:that|the|this) )?(?:audit|batch|job|number|page|post|profile)\\b)`,
	'^(?:access )?forbidden\\W{0,3}$|\\bnot have (?:the )?permission\\b|\\bip (?:address )?(?:is )?not (?:allow|white)-?listed\\b',
	`(?<!\\b(?:business|email|mail|user|whatsapp) )\\baccount ${IS}(?:active|activated|banned|blocked|closed|deactivated|disabled|expired|frozen|inactive|locked|on hold|overdue|restricted|suspended|terminated|verified)\\b`,
	'\\b(?:blocked|deactivated|disabled|inactive|locked|suspended) account\\b',
	`\\bquota ${IS}(?:exceeded|exhausted|reached|used up)\\b|\\bexceed(?:ed|s)? (?:[\\w'-]{1,20} ){0,3}quota\\b`,
	`\\b(?:account|credit|daily|monthly|plan|subscription|usage|weekly) (?:[\\w'-]{1,20} )?limit ${IS}(?:exceeded|exhausted|reached)\\b`,
	'\\bbilling\\b|\\bupgrade (?:the|your)\\b|\\bsubscription required\\b',
];

/** SPEC's own sentences (§7). No value that was asked about makes one of them by chance. */
const OF_SPEC = /^(?:please recharge|invalid api key|insufficient (?:\w{1,20} )?api credits)[.!]*$/;

/** What mail servers, and the accounts of others, are told by. A refusal that quotes them is judged narrowly. */
const OF_OTHERS =
	/\b[245]\.\d{1,3}\.\d{1,3}\b|\b(?:mailbox|recipient|relay|smtp)\b|\b(?:business|email|whatsapp) account\b/;

/** What pages, posts and jobs of others are, without the service having failed. */
const GONE =
	/\b(?:access denied|archived|authentication|deleted|does not exist|doesn't exist|gone|no longer|no such|not available|not exist|not found|private|protected|removed|restricted|suspended|unauthori[sz]ed|unavailable|unknown)\b/;

const inTable = (patterns: string[]) => patterns.map((pattern) => new RegExp(pattern, 'g'));
const TABLES = {
	insufficient: inTable([INSUFFICIENT]),
	credits: inTable(NO_CREDITS),
	narrow: inTable(NARROW),
	wide: inTable(WIDE),
};

/**
 * Whether the words are about the credits of the account, which no pause brings back.
 * @param namesPause whether the service names a pause, and may only advertise more credits
 */
export function isAboutCredits(words: string, asked: Asked, namesPause: boolean): boolean {
	const table = namesPause ? TABLES.insufficient : TABLES.credits;
	return OF_SPEC.test(plain(words)) || isIn(table, words, asked);
}

/**
 * Whether the words are about the account rather than about what was asked.
 * @param quotesOthers whether the endpoint passes on what others say
 */
export function isAboutAccount(words: string, asked: Asked, quotesOthers = false): boolean {
	const text = plain(words);
	const isNarrow = quotesOthers || OF_OTHERS.test(text);
	return OF_SPEC.test(text) || isIn(isNarrow ? TABLES.narrow : TABLES.wide, words, asked);
}

/** Whether the words say that a page or a job of others is not there. */
export function isGone(words: string): boolean {
	return GONE.test(plain(words));
}

/** A phrase counts unless the request has all of its words. */
function isIn(table: RegExp[], words: string, asked: Asked): boolean {
	const text = withoutAsked(words, asked);
	const phrases = table.flatMap((pattern) => text.match(pattern) ?? []);
	if (phrases.length === 0) return false;
	const own = askedWords(asked);
	return phrases.some((phrase) => !wordsIn(phrase).every((word) => own.has(word)));
}
