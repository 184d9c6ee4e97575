import { GAP, askedWords, wordsIn, withoutAsked, plain, type Asked } from './askedValues';

/**
 * The table of words by which a refusal is about the account: its API key and its credits. Words that a number, a page or a
 * mailbox of others may be refused by too ("account not verified", "access denied") are not in it: where they are about the
 * account, the first ten calls fail alike, and that ends the run. All patterns are for plain text (askedValues.ts), and every
 * repetition in them is bounded.
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

/** A key that does not do. A service has no other thing that it calls so. */
const BAD_KEY = [
	`\\b${BAD} ${SOME}${API_KEY}`,
	`\\b${API_KEY} (?:(?:given|provided|supplied) )?${IS}${UNUSABLE}`,
	`\\b(?:enter|needs?|pass|provide|requires?|send|supply) ${SOME}${API_KEY}`,
];

/** SPEC's own sentences (§7). No value that was asked about makes one of them by chance. */
const SENTENCES = '(?:please recharge|invalid api key|insufficient (?:\\w{1,20} )?api credits)';
const OF_SPEC = new RegExp(`^${SENTENCES}[.!]*$`);
const HAS_SENTENCE = new RegExp(SENTENCES, 'g');

/** What services say to calls that come too fast. */
const PACE = [
	'\\btoo (?:fast|frequent|frequently|many|quick|quickly)\\b',
	'\\b(?:call|rate|request)s?[ -]?limit|\\blimit(?:ing)? (?:the |your )?(?:call|rate|request)|\\blimit (?:has been |is |was )?(?:exceeded|reached)\\b',
	'\\bthrottl|\\bslow (?:it )?down\\b|\\b(?:calls|requests) per (?:day|hour|minute|second)\\b',
];

/** What pages, posts and jobs of others are, without the service having failed. */
const GONE =
	/\b(?:access denied|archived|authentication|deleted|does not exist|doesn't exist|gone|no longer|no such|not available|not exist|not found|private|protected|removed|restricted|suspended|unauthori[sz]ed|unavailable|unknown)\b/;

const inTable = (patterns: string[]) => patterns.map((pattern) => new RegExp(pattern, 'g'));
const TABLES = {
	insufficient: inTable([INSUFFICIENT]),
	credits: inTable(NO_CREDITS),
	key: inTable(BAD_KEY),
	account: inTable([...NO_CREDITS, ...BAD_KEY]),
	pace: inTable(PACE),
};

/**
 * Whether the words are about the credits of the account, which no pause brings back.
 * @param namesPause whether the service names a pause, and may only advertise more credits
 */
export function isAboutCredits(words: string, asked: Asked, namesPause: boolean): boolean {
	const table = namesPause ? TABLES.insufficient : TABLES.credits;
	return OF_SPEC.test(plain(words)) || isIn(table, words, asked);
}

/** Whether the words say that calls come too fast, so that this one was not taken. */
export function isAboutPace(words: string, asked: Asked): boolean {
	return isIn(TABLES.pace, words, asked);
}

/** Whether the words are about the key or the credits rather than about what was asked. */
export function isAboutAccount(words: string, asked: Asked): boolean {
	const text = plain(words);
	if (OF_SPEC.test(text)) return true;
	return hasOther(text.match(HAS_SENTENCE), asked) || isIn(TABLES.account, words, asked);
}

/** What of the account an HTTP status is about (SPEC §7, email). */
export const PART_OF_ACCOUNT: Partial<Record<number, 'credits' | 'key'>> = {
	401: 'key',
	402: 'credits',
};

/** What of the account a refusal is about; undefined where neither its words nor its HTTP status say it. */
export function accountPartIn(words: string, asked: Asked, status: number) {
	if (OF_SPEC.test(plain(words))) return isSpecOnCredits(words) ? 'credits' : 'key';
	if (isIn(TABLES.credits, words, asked)) return 'credits';
	return isIn(TABLES.key, words, asked) ? 'key' : PART_OF_ACCOUNT[status];
}

/** Whether words are SPEC's own about too few credits, which the node says in words of its own. */
export function isSpecOnCredits(words: string): boolean {
	return OF_SPEC.test(plain(words)) && !/^invalid api key/.test(plain(words));
}

/** Whether the words say that a page or a job of others is not there. */
export function isGone(words: string): boolean {
	return GONE.test(plain(words));
}

function isIn(table: RegExp[], words: string, asked: Asked): boolean {
	const text = withoutAsked(words, asked);
	return hasOther(
		table.flatMap((pattern) => text.match(pattern) ?? []),
		asked,
	);
}

/** A phrase counts unless the request has all of its words. */
function hasOther(phrases: string[] | null, asked: Asked): boolean {
	if (phrases === null || phrases.length === 0) return false;
	const own = askedWords(asked);
	return phrases.some((phrase) => !wordsIn(phrase).every((word) => own.has(word)));
}
