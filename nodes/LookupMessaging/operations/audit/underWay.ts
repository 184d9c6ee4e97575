import type { IDataObject } from 'n8n-workflow';
import { inShort, isObject, numberIn } from '../../engine/plan/values';
import { isMissing } from '../shared/decisions';
import { FINISHED_WORDS, isRunningWord, plainWord, stateOfWord } from '../shared/jobState';
import { isNo, says } from '../shared/results';

/**
 * Signs in a body that work on an audit still goes on. SPEC §3.3 shows no states. A strong sign is progress that falls short: it
 * outweighs a status that says finished. A weak one may be about something else, such as a timing or a plan.
 */

export type Sign = 'strong' | 'weak';

/** How deep fields are looked at, how many of each object and list, and how many altogether. */
export const LEVELS = 4;
const MAX_ENTRIES = 100;
export const MAX_FIELDS = 2_000;
/** Longer names are no signs. */
const LONGEST_NAME = 60;

/** What tells nothing of the audit: what it was asked for, who asked, and what it has been. */
export const NOT_OF_AUDIT =
	/^(?:competitors?|request|params|input|options|config|settings|user|account|plan|subscription|credits?|quota|usage|limits?|ratelimits?|billing|next(?!check|poll)\w{0,20}|(?:last|previous)\w{0,20}|pagination|schedules?|timings?|timestamps?|links?|history|logs?|events|timeline|errors?|warnings?)$/;
/** What it advises and cites is a finding, and no work. */
const ADVICE =
	/^(?:recommendations?|suggestions?|opportunities|actions?|actionitems|todos?|nextsteps|mentions|citations|sources)$/;

/** The parts of an audit, around the words below. Names are read in small letters, without what is none. */
const OF_ONE =
	'answers?|checks?|engines?|items?|models?|phases?|platforms?|prompts?|providers?|quer(?:y|ies)|results?|stages?|steps?|tasks?';
const PARTS = `(?:all|audits?|count|has|is|jobs?|number|of|reports?|total|${OF_ONE})*`;
const of = (words: string) => new RegExp(`^${PARTS}(?:${words})${PARTS}$`);
/** Flags and counts by which an audit is over, and by which it is not. */
const OVER = of('completed?|done|final|finished|ready');
const ON_ITS_WAY = of(
	// Audits and prompts that remain may be those of a plan
	'incomplete|inprogress|inqueue|outstanding|pending|processing|queued|(?<!(?:audit|job|prompt|quer(?:y|ie)|report|result)s?)remaining(?!(?:audit|job|prompt|quer|report|result))|running|unfinished|waiting',
);
/** A number or a text of these alone may be a time or what a plan has. */
const MAY_BE_TIME =
	/^(?:all|total)*(?:outstanding|pending|processing|queued|remaining|running|waiting)(?:count|total)?$/;
/** Flags that may be about anything below the top, unless they stand in one of the parts. */
const OF_ANYTHING =
	/complete$|final|incomplete|outstanding|ready|waiting|^(?:pending|processing|queued|remaining|running)$/;
const SHARE = '(?:fraction|pct|percent(?:age)?|ratio|share|value)';
const PROGRESS = new RegExp(
	`^(?:audit|current|job|overall|report|total)?progress${SHARE}?$|^(?:pct|percent(?:age)?)(?:completed?|completion|done|finished)?$|^(?:completed?|completion|done|finished)${SHARE}$|^completion$`,
);
const IS_SHARE = new RegExp(`^${SHARE}$`);
const STATE = /^(?:audit|job|current|overall)?(?:phase|stage|state|status|step)$/;
const END = /^(?:audit|job|report|platform|task|step)?(?:completed|done|ended|finished)(?:at|on)$/;
/** What is expected, by numbers and flags that may be left of the time before. */
const EXPECTED =
	/^(?:queue|queueposition|positioninqueue|eta\w{0,20}|(?:next)?(?:check|poll|retry)(?:after|at|in)\w{0,20}|estimated(?:time|seconds|minutes|completion|finish)\w{0,20}|(?:time|seconds|minutes)(?:left|remaining)|remaining(?:time|seconds|minutes)|(?:all|audit|has|is|platforms?|report|results?)*partial)$/;
/** Fields whose values are each the state of one part. */
const STATES =
	/(?:engines|models|phases|platforms?|progress|providers|results?|stages|stat(?:e|us)(?:es)?|steps|tasks)$/;
const COUNT = new RegExp(
	`^(${PARTS})(collected|completed?|current|done|errors?|expected|failed|finished|processed|received|skipped|total)(${PARTS})$`,
);

/** Fields whose text may be about the work, and those whose text is about the work or the brand. */
const MESSAGE = /^(?:message|msg|details?|hint|info|notes?|notice|status(?:message|text))$/;
const WRITTEN = /^(?:summary|report|results?|analysis|data)$/;
const ABOUT = '(?:the|this|your|brand|ai|visibility|audit|report|analysis|summary|results?|job)';
const AT_WORK =
	'(?:being (?:analy[sz]ed|audited|built|checked|collected|created|generated|prepared|processed|run|worked on)|incomplete|generating|pending|processing|queued|running|working)';
const NOT_YET =
	"(?:\\bnot|n['’]t)(?: yet| been)* (?:complete|completed|done|finish|finished|ready)\\b|\\bnot yet available|\\bnot available yet";
/** What says that work goes on: within words about it, or as a whole sentence. */
const GOES_ON = `\\b(?:in progress|in (?:the )?queue|under ?way|still (?:in |${AT_WORK}|\\w{1,20}ing)|(?:is|are|been|currently|now) ${AT_WORK}|will be (?:available|ready)|please wait)\\b|${NOT_YET}`;
const WITHIN = new RegExp(GOES_ON, 'i');
const SENTENCE = new RegExp(
	`^(?:(?:${ABOUT}|we|it|is|are|was|has|have|been|still|currently|now) ){0,8}(?:${GOES_ON}|${AT_WORK}\\b)(?: ${ABOUT}){0,5}(?: (?:in|later|shortly|soon|within|yet)\\b.{0,40})?(?:[,.;] ?(?:check|come|please|try) .{0,60})?\\W{0,10}$|^please wait\\b|^(?:analy[sz]ing|collecting|generating|processing|querying|waiting)\\b.{0,60}(?:\\.\\.\\.|…)$`,
	'i',
);

/** As the page prints the rules. */
export const STRONG =
	'HTTP status 202, or a sign near the top that work goes on: progress below 100 %, fewer parts done than in total, a part that is running or pending, a flag of the end that is false';
export const WEAK =
	'a number, an object or a text at `pending`, `processing` or `remaining`, an end without a time, a queue, a time left, partial results, or words such as "Audit in progress"';

/** The strongest sign near the top of a body that work on an audit goes on; undefined if there is none. */
export function signOfWork(fields: IDataObject, finishedWords: string[]): Sign | undefined {
	const isRunning = (value: unknown) =>
		typeof value === 'string' &&
		isRunningWord(value) &&
		stateOfWord(value, finishedWords) === 'running';
	let left = MAX_FIELDS;
	let found: Sign | undefined;
	let level: Array<{ name: string; value: object }> = [{ name: '', value: fields }];
	for (let depth = 0; depth <= LEVELS; depth += 1) {
		const next: typeof level = [];
		for (const { name: holder, value: object } of level) {
			const entries = entriesOf(object);
			if ((depth === 0 || IS_PART.test(holder)) && hasFewerDone(object, holder)) return 'strong';
			if (areStates(holder, object) && entries.some(([, each]) => isRunning(each))) return 'strong';
			// A part that failed or was skipped has no end, and its progress stands still
			const isOver = depth > 0 && entries.some(isEndOfPart);
			for (const [name, value] of entries) {
				if ((left -= 1) < 0) return found;
				const plain = plainName(name);
				if (NOT_OF_AUDIT.test(plain) || ADVICE.test(plain)) continue;
				if (STATE.test(plain) && isRunning(value)) return 'strong';
				const sign = isOver ? undefined : signIn(plain, value, depth, holder);
				if (sign === 'strong') return sign;
				found ??= sign;
				if (typeof value === 'object' && value !== null)
					next.push({ name: Array.isArray(object) ? holder : plain, value });
			}
		}
		level = next;
	}
	return found;
}

function isEndOfPart([name, value]: [string, unknown]): boolean {
	return STATE.test(plainName(name)) && typeof value === 'string' && isEnd(value);
}

function signIn(name: string, value: unknown, depth: number, holder: string): Sign | undefined {
	const isTop = depth === 0;
	const isOfAudit = isTop || STATES.test(holder) || !OF_ANYTHING.test(name);
	if (isOfAudit && OVER.test(name) && (isNo(value) || isLess(value))) return 'strong';
	if (isOfAudit && ON_ITS_WAY.test(name) && says(value))
		return isCertain(name, value) ? 'strong' : 'weak';
	const isOfProgress = isTop || `${holder} ${name}`.includes('progress');
	const isShare = PROGRESS.test(name) || (!isTop && IS_SHARE.test(name));
	if (isOfProgress && isShare && isPartial(value)) return 'strong';
	if (STATE.test(name) && isLess(value)) return 'strong';
	if (END.test(name) && (isMissing(value) || value === false)) return 'weak';
	if (isTop && EXPECTED.test(name) && (says(value) || value === 0)) return 'weak';
	const isMessage = MESSAGE.test(name);
	if (depth > 1 || !(isMessage || WRITTEN.test(name))) return undefined;
	return saysUnderWay(value, isMessage) || (isMessage && isLess(value)) ? 'weak' : undefined;
}

/** Whether parts are on their way for certain: a flag, a list of them, or a field that counts them. */
function isCertain(name: string, value: unknown): boolean {
	return Array.isArray(value) || isYes(value) || (!isObject(value) && !MAY_BE_TIME.test(name));
}

function isYes(value: unknown): boolean {
	return (
		value === true || (typeof value === 'string' && /^\s{0,9}(?:true|yes)\s{0,9}$/i.test(value))
	);
}

/** Whether a field is a flag of the end that is true. */
export function isEndFlag([name, value]: [string, unknown]): boolean {
	return OVER.test(plainName(name)) && isYes(value);
}

/** The first entries of an object or a list. */
export function entriesOf(object: object): Array<[string, unknown]> {
	const first = Array.isArray(object) ? object.slice(0, MAX_ENTRIES) : object;
	return Object.entries(first).slice(0, MAX_ENTRIES);
}

export function plainName(name: string): string {
	return name.length > LONGEST_NAME ? '' : name.toLowerCase().replace(/[^a-z\d]/g, '');
}

/** Whether the values of a field are the states of the parts that it names: "running" may be a topic as well. */
function areStates(holder: string, object: object): boolean {
	const words = entriesOf(object).map(([, value]) => value);
	return (
		STATES.test(holder) &&
		!Array.isArray(object) &&
		words.every((word) => typeof word === 'string' && (isRunningWord(word) || isEnd(word)))
	);
}

function isEnd(word: string): boolean {
	return plainWord(word) === 'skipped' || stateOfWord(word, FINISHED_WORDS) !== 'running';
}

/** Less than all, in any spelling: 40, "50% complete", "2 of 4 platforms". A share of 1 is all or one percent, so it says nothing. */
function isPartial(value: unknown): boolean {
	const share = numberIn(typeof value === 'string' ? value.trim() : value);
	return share === undefined ? isLess(value) : share >= 0 && share < 100 && share !== 1;
}

/** Whether a text says "50 %" or "Step 2 of 4". */
function isLess(value: unknown): boolean {
	if (typeof value !== 'string') return false;
	const [, done, of = '100'] = DONE_OF.exec(value.slice(0, LONGEST_NAME)) ?? [];
	return done !== undefined && (numberIn(done) ?? 0) < (numberIn(of) ?? 0);
}
const DONE_OF =
	/^[^\d/]{0,40}(\d{1,9}(?:\.\d{1,9})?)\s?(?:%|per ?cent|(?:\/|(?:out )?of)\s?(\d{1,9})\b(?!\/))/;

const IS_PART = new RegExp(`^${PARTS}$|progress$|^completion$`);

/** Whether fewer parts are done than there are, or a progress of one of them is below 100. */
function hasFewerDone(object: object, holder: string): boolean {
	const { done, all } = countsIn(object, holder);
	const isShares = holder.endsWith('progress') && all.size === 0;
	if (isShares && Object.values(object).every((each) => numberIn(each) !== undefined))
		return entriesOf(object).some(([, each]) => isPartial(each));
	const totalOf = (part: string) =>
		all.get(part) ?? (part === '' ? all.get('platform') : all.get(''));
	return [...done].some(([part, count]) => count < (totalOf(part) ?? 0));
}

/** How many of each part are done, failed ones among them, and how many there are. Audits and reports are those of a plan. */
function countsIn(object: object, holder: string) {
	const [done, failed, all] = [1, 2, 3].map(() => new Map<string, number>());
	for (const [name, value] of Array.isArray(object) ? [] : entriesOf(object)) {
		const plain = plainName(name);
		const isList = Array.isArray(value);
		const count = isList ? value.length : numberIn(value);
		if (count === undefined) continue;
		const [, one, many] = /^(?:(stage|step)|(platform|stage|step)s(?:count)?)$/.exec(plain) ?? [];
		if (one !== undefined && !isList) done.set(one, count);
		if (many !== undefined && (many === 'platform' || !isList)) all.set(many, count);
		const [, before = '', word, after = ''] = COUNT.exec(plain) ?? [];
		if (word === undefined || /audit|report/.test(plain)) continue;
		const part = `${before}${after}`.replace(/count|number|of|total/g, '').replace(/s$/, '');
		if (word === 'current' && part === '' && !holder.endsWith('progress')) continue;
		const counts = /total|expected/.test(word) ? all : /fail|error|skip/.test(word) ? failed : done;
		counts.set(part, count);
	}
	for (const [part, count] of done) done.set(part, count + (failed.get(part) ?? 0));
	return { done, all };
}

/** Whether a text says that the audit goes on: as a whole, or in a part of it. */
export function saysUnderWay(value: unknown, isPart = false): boolean {
	if (typeof value !== 'string') return false;
	const words = inShort(value, 200).replace(/_/g, ' ').trim();
	return (isPart && WITHIN.test(words)) || SENTENCE.test(words);
}
