import type { IDataObject } from 'n8n-workflow';
import { entriesIn, isNo, isNothing, LONGEST_NAME, plainName, says } from '../shared/replyWords';
import { inShort, isObject, numberIn } from '../../engine/plan/values';
import { hasError } from '../../engine/refusals/refusal';
import { isMissing } from '../shared/decisions';
import { FINISHED_WORDS, isRunningWord, plainWord, stateOfWord } from '../shared/jobState';

/**
 * Signs in a body that work on an audit still goes on. SPEC §3.3 shows no states. A strong sign is one of the work of the audit
 * itself: it outweighs a status that says finished. A weak one may be about something else, such as a timing or a plan. Only the
 * fields of the audit and of its parts count: whatever else it has (advice, exports, a watch) may have states of its own.
 */

export type Sign = 'strong' | 'weak';

/** How deep fields are looked at, how many of each object and list, and how many altogether. */
export const LEVELS = 4;
const MAX_ENTRIES = 100;
export const MAX_FIELDS = 2_000;

/** The parts of an audit, around the words below. Names are read in small letters, without what is none. */
const OF_ONE =
	'answers?|assistants?|channels?|checks?|engines?|items?|llms?|models?|phases?|platforms?|prompts?|providers?|quer(?:y|ies)|questions?|responses?|results?|runs?|sections?|stages?|steps?|(?:sub)?tasks?';
const PARTS = `(?:all|audits?|count|has|is|jobs?|num|number|of|reports?|total|${OF_ONE})*`;
const of = (words: string) => new RegExp(`^${PARTS}(?:${words})${PARTS}$`);
/** Flags and counts by which an audit is over, and by which it is not. */
const OVER = of('completed?|done|ended|final(?:i[sz]ed)?|finished|processed|ready');
const ON_ITS_WAY = of(
	// Audits and prompts that remain may be those of a plan
	'(?:analy[sz]|await|collect|generat|refresh|updat)ing|inflight|missing|notstarted|incomplete|inprogress|inqueue|outstanding|pending|processing|queued|(?<!(?:audit|job|prompt|quer(?:y|ie)|report|result)s?)remaining(?!(?:audit|job|prompt|quer|report|result))|running|unfinished|waiting',
);
/** A number or a text of these alone may be a time or what a plan has. */
const MAY_BE_TIME =
	/^(?:all|total)*(?:outstanding|pending|processing|queued|remaining|running|waiting)(?:total)?$/;
/** Flags that may be about anything in a list of results. */
const OF_ANYTHING =
	/complete$|final|incomplete|outstanding|ready|waiting|^(?:pending|processing|queued|remaining|running)$/;
const SHARE = '(?:fraction|pct|percent(?:age)?|ratio|share|value)';
const PROGRESS = new RegExp(
	`^(?:audit|current|job|overall|report|total)?progress${SHARE}?$|^(?:pct|percent(?:age)?)(?:completed?|completion|done|finished)$|^completion$`,
);
/** A share that may be a measure as well. */
const MAY_BE_MEASURE = new RegExp(
	`^(?:completed?|completion|done|finished)?${SHARE}$|^completeness$|^completionrate$`,
);
const IS_SHARE = new RegExp(`^${SHARE}$`);
const STATE =
	/^(?:analysis|audit|current|job|overall|processing|report|results?|sub|summary)?(?:phase|stage|state|status|step)$/;
const END = /^(?:audit|job|report|platform|task|step)?(?:completed|done|ended|finished)(?:at|on)$/;
/** What is expected, by numbers and flags that may be left of the time before. */
const EXPECTED =
	/^(?:queue|queueposition|positioninqueue|eta\w{0,20}|(?:next)?(?:check|poll|retry)(?:after|at|in)\w{0,20}|estimated(?:time|seconds|minutes|completion|finish)\w{0,20}|(?:time|seconds|minutes)(?:left|remaining)|remaining(?:time|seconds|minutes)|(?:all|audit|has|is|platforms?|report|results?)*(?:interim|partial|preliminary))$/;
/** Where the parts of the work of an audit are, by name or in a list. */
const OF_PARTS =
	/^(?:answers|breakdown|responses?|scores|visibility)$|^(?:ai|by|per)*(?:engine|model|platform|provider)s?(?:scores?)?$|^(?:all|audits?|jobs?)*(?:assistants|channels|checks|engines?|jobs|llms?|models?|platforms?|prompts?|providers?|queries|questions|results?|runs|sections|stages?|steps?|(?:sub)?tasks?)+(?:stat(?:e|us)(?:es)?)?$|^(?:analysis|progress|stat(?:e|us)es|summary)$/;
/** Parts that are over without an answer. */
const GAVE_UP =
	'aborted|blocked|cancell?ed|dropped|error(?:ed|s)?|excluded|fail(?:ed|ures?)|ignored|noanswer|refused|rejected|skipped|timed?outs?|un(?:answered|available|successful|supported)';
const COUNT = new RegExp(
	`^(${PARTS})(collected|completed?|current|done|expected|finished|processed|received|total|${GAVE_UP})(${PARTS})$`,
);
/** Counts of parts that were worked on, which may be a measure as well. */
const WORKED_ON = new RegExp(
	`^(${PARTS})(analy[sz]ed|answered|asked|checked|executed|queried|run|total|${GAVE_UP})(${PARTS})$`,
);
/** How many there are of the parts, without a word for it. */
const ALL_OF =
	/^(?:all|num(?:ber(?:of)?)?)?((?:engine|llm|model|phase|platform|prompt|provider|quer(?:ie|y)|question|section|stage|step|task)(?:s|(?=count$)))(?:count)?$/;
const HAS_GIVEN_UP = new RegExp(`^(?:${GAVE_UP})$`);

/** Fields whose text may be about the work, and those whose text is about the work or the brand. */
const MESSAGE = /^(?:messages?|msg|details?|hint|info|notes?|notice|status(?:message|text))$/;
const WRITTEN = /^(?:summary|report|results?|analysis|data)$/;
const REMARK = /^(?:comments?|information|remarks?|warnings?)$/;
const ABOUT = '(?:the|this|your|brand|ai|visibility|audit|report|analysis|summary|results?|job)';
const AT_WORK =
	'(?:analy[sz]ing|asking|collecting|crawling|fetching|gathering|preparing|querying|being (?:analy[sz]ed|audited|built|checked|collected|created|generated|prepared|processed|run|worked on)|incomplete|generating|ongoing|pending|processing|queued|running|working)';
const NOT_YET =
	"(?:\\bnot|n['’]t)(?: yet| been)* (?:complete|completed|done|finish|finished|ready|started)\\b(?!.{0,60}\\b(?:cancel|due to|error|fail|problem))|\\bnot yet available|\\bnot available yet|\\bno results (?:are )?(?:available )?yet\\b";
/** What says that work goes on: within words about it, or as a whole sentence. */
const GOES_ON = `\\b(?:in progress|in (?:the )?queue|under ?way|still (?:in |${AT_WORK}|\\w{1,20}ing)|(?:is|are|been|currently|now) ${AT_WORK}|will be (?:available|ready)|please wait|check back|scheduled to (?:run|start)|started (?:analy[sz]|ask|collect|query)ing|waiting for (?:the )?(?:answers?|platforms?|results?)|takes? (?:a few|some|up to \\d{1,3}) (?:hours?|minutes?|moments?|seconds?))\\b|${NOT_YET}`;
const WITHIN = new RegExp(GOES_ON, 'i');
const SENTENCE = new RegExp(
	`^(?:(?:${ABOUT}|we|it|is|are|was|has|have|been|still|currently|now) ){0,8}(?:${GOES_ON}|${AT_WORK}\\b)(?: ${ABOUT}){0,5}(?:[:,(]{0,2} ?\\d{1,3} ?%\\)?)?(?: (?:in|later|shortly|soon|within|yet)\\b.{0,40})?(?:[,.;] ?(?:check|come|please|try) .{0,60})?\\W{0,10}$|^please wait\\b|^(?:analy[sz]ing|collecting|generating|processing|querying|waiting)\\b.{0,60}(?:\\.\\.\\.|…)$`,
	'i',
);

/** What a message begins with that says what the work is at. */
const AT_IT =
	/^(?:analy[sz]ing|asking|auditing|collecting|fetching|gathering|generating|preparing|processing|querying|running|waiting)\b(?!.{0,60}\b(?:completed?|done|failed|finished)\b)/i;

/** What says that there is more to come, in any text about the work. */
const TO_COME =
	/\b(?:(?:check|come) back|so far|interim|preliminary|to come|to follow)\b|(?<!\bno )\bpartial (?:audit|data|findings?|report|results?|summary)\b|\b(?:audit|data|findings|report|results?|summary) (?:is|are) (?:only |still )?(?:partial|incomplete)\b|^\W*partial\W*$/i;
/** The same of a text that may be about the brand: it says nothing else. */
const ONLY_PARTIAL =
	/^\W*(?:(?:are|is|only|still|the|these|this) ){0,4}(?:incomplete|interim|partial|preliminary)(?: (?:audit|data|findings?|report|results?|summary))?\W*$|^\W*(?:(?:the|these|your) )?(?:audit|data|findings|report|results?|summary) (?:is|are) (?:only |still )?(?:incomplete|partial)\W*$|^\W*(?:further|more) (?:data|findings|results?) to (?:come|follow)\W*$/i;
/** A word that says it in a field of how complete the results are. */
const OF_COMPLETENESS =
	/^(?:data|report|results?)+(?:completion|kind|quality|state|status|type)$|^(?:data|reports?|results?)*completeness$/;
/** Further words of it, in a text that stands in the place of a summary. */
const NOT_THERE = /\b(?:once|pending|please|shortly|soon|until|wait|when|will|yet)\b/i;

/** As the page prints the rules. */
export const STRONG =
	'HTTP status 202, or a sign that the work of the audit goes on: `progress` below 100 %, fewer parts done, failed and skipped than in total, a platform, prompt, step or the like that is running or pending, a flag of the end that is false';
export const WEAK =
	'a number, an object or a text at `pending`, `processing` or `remaining`, an end without a time, a queue, a time left, a `percent` below 100, partial results, a platform without any, fewer parts answered than in total, or words such as "Audit in progress"';

/** The strongest sign in the fields of an audit and of its parts that work on it goes on; undefined if there is none. */
export function signOfWork(fields: IDataObject, finishedWords: string[]): Sign | undefined {
	const isRunning = (value: unknown) =>
		typeof value === 'string' &&
		isRunningWord(value) &&
		stateOfWord(value, finishedWords) === 'running';
	let left = MAX_FIELDS;
	const { gaveUp } = countsIn(fields, '', COUNT);
	const signs: Array<Sign | undefined> = [];
	/** @param holder the name that the object stands at or below; empty for the audit itself */
	const look = (object: object, holder: string, depth: number) => {
		const entries = entriesOf(object);
		// A part that failed or was skipped has no end, and its progress stands still
		const isOver =
			depth > 0 &&
			(entries.some(([key, value]) => STATE.test(plainName(key)) && isEnd(value)) ||
				hasGivenUp(object));
		signs.push(signOfAll(object, holder, depth, isRunning, gaveUp));
		for (const [key, value] of entries) {
			if ((left -= 1) < 0) return;
			const name = plainName(key);
			if ((STATE.test(name) || PLATFORM.test(name)) && isRunning(value)) signs.push('strong');
			else if (!isOver) signs.push(signIn(name, value, depth, holder));
			if (typeof value !== 'object' || value === null || depth > LEVELS) continue;
			// Else an entry of a list, or a part by its name
			const isEntry = holder !== '' && !Array.isArray(value);
			const isPart = OF_PARTS.test(name) || PLATFORM.test(name);
			if (isPart || isEntry) look(value, isPart ? name : holder, depth + 1);
		}
	};
	look(fields, '', 0);
	return signs.find((sign) => sign === 'strong') ?? signs.find((sign) => sign !== undefined);
}

/** What the fields of an object say together. */
function signOfAll(
	object: object,
	holder: string,
	depth: number,
	isRunning: (value: unknown) => boolean,
	ofAudit: Counts,
): Sign | undefined {
	if (hasFewerDone(object, holder, COUNT, ofAudit)) return 'strong';
	if (depth === 0 && hasFewerDone(object, holder, WORKED_ON, ofAudit)) return 'weak';
	if (depth === 0 && lacksPlatforms(object)) return 'weak';
	if (depth !== 1) return undefined;
	const values = entriesOf(object).map(([, value]) => value);
	const isByName = !Array.isArray(object);
	if (isByName && areStates(values) && values.some(isRunning)) return 'strong';
	const isOfFlags = holder === 'progress' && values.every((value) => typeof value === 'boolean');
	if (isOfFlags && values.includes(false)) return 'weak';
	const areParts = values.every((value) => value === null || isObject(value));
	return areParts && values.some(says) && values.some(isEmpty) ? 'weak' : undefined;
}

/** The names of platforms, of their number, and of the one that a result is of. */
const PLATFORM =
	/^(?:(?:open)?ai|bard|bing|chatgpt|claude|copilot|deepseek|gemini|google|(?:chat)?gpt\w{0,9}|grok|llama|meta|mistral|perplexity)$/;
const PLATFORM_COUNT = /^(?:total)?platforms?(?:count|total)?$/;
const OF_PLATFORM = /^(?:ai)?(?:engine|model|platform|provider)$/;

/** Whether an audit has results of some platforms alone: a named one has none, or they are fewer than their number. */
function lacksPlatforms(audit: object): boolean {
	const entries = entriesOf(audit).map(([name, value]) => [plainName(name), value] as const);
	const named = entries.filter(([name]) => PLATFORM.test(name)).map(([, value]) => value);
	if (named.some(says) && named.some(isEmpty)) return true;
	const total = entries.find(([name, value]) => PLATFORM_COUNT.test(name) && numberIn(value));
	const isOne = (each: unknown) =>
		isObject(each) && Object.keys(each).some((name) => OF_PLATFORM.test(plainName(name)));
	const lists = entries.map(([, value]) => value).filter(Array.isArray);
	const list = lists.find((each) => each.length > 0 && each.every(isOne));
	const count = numberIn(total?.[1]) ?? 0;
	const areDone = entries.some(
		([name, value]) => OVER.test(name) && (numberIn(value) ?? 0) >= count,
	);
	return list !== undefined && list.length < count && !areDone;
}

function isEmpty(value: unknown): boolean {
	return isNothing(value) || isPlaceAlone(value);
}

/** Whether a part has a name, and nothing in the place of its measures. */
function isPlaceAlone(part: unknown): boolean {
	if (!isObject(part)) return false;
	const values = entriesOf(part).map(([, value]) => value);
	const measures = values.filter((value) => typeof value !== 'string' || value === '');
	return measures.length > 0 && measures.length < values.length && measures.every(isNothing);
}

/** Whether a part failed or was skipped: by its state, by an error, or by a flag. */
function hasGivenUp(part: unknown): boolean {
	if (typeof part === 'string')
		return isEnd(part) && stateOfWord(part, FINISHED_WORDS) !== 'finished';
	if (!isObject(part)) return false;
	return (
		hasError(part) ||
		entriesOf(part).some(([key, value]) => {
			const name = plainName(key);
			return HAS_GIVEN_UP.test(name)
				? isYes(value)
				: STATE.test(name) && typeof value === 'string' && hasGivenUp(value);
		})
	);
}

function signIn(name: string, value: unknown, depth: number, holder: string): Sign | undefined {
	const isTop = depth === 0;
	if (isTop || !holder.endsWith('results') || !OF_ANYTHING.test(name)) {
		if (OVER.test(name) && (isNo(value) || isLess(value))) return 'strong';
		if (ON_ITS_WAY.test(name) && says(value)) return isCertain(name, value) ? 'strong' : 'weak';
	}
	const isOfProgress = depth === 1 && holder === 'progress' && IS_SHARE.test(name);
	const isShare = PROGRESS.test(name) || (isTop && MAY_BE_MEASURE.test(name));
	if ((isShare || isOfProgress) && isPartial(value))
		return isOfProgress || (!holder.endsWith('results') && PROGRESS.test(name)) ? 'strong' : 'weak';
	if (STATE.test(name) && isLess(value)) return 'strong';
	if (END.test(name) && (isMissing(value) || value === false)) return 'weak';
	// The first place in a queue is 0; of what is partial, 0 is none
	const isPlace = value === 0 && !/(?:interim|partial|preliminary)$/.test(name);
	if (isTop && EXPECTED.test(name) && (says(value) || isPlace)) return 'weak';
	const isMessage = MESSAGE.test(name);
	if (isTop && OF_COMPLETENESS.test(name) && isOnlyPartial(value)) return 'weak';
	const isRemark = isTop && REMARK.test(name);
	if (!isMessage && !isRemark && !(isTop && WRITTEN.test(name))) return undefined;
	// What a result notes is about the brand
	const isOfWork = isMessage && (isTop || !holder.endsWith('results'));
	const holdsTexts = (isMessage || isRemark) && typeof value === 'object' && value !== null;
	const texts: unknown[] = holdsTexts ? entriesOf(value).map(([, text]) => text) : [value];
	const goesOn = (text: unknown) =>
		saysUnderWay(text, isMessage) ||
		(isOfWork ? isLess(text) || isToCome(text) : isRemark && isOnlyPartial(text));
	return texts.some(goesOn) ? 'weak' : undefined;
}

function isOnlyPartial(value: unknown): boolean {
	return typeof value === 'string' && ONLY_PARTIAL.test(inShort(value).replace(/[_-]/g, ' '));
}

function isToCome(value: unknown): boolean {
	return typeof value === 'string' && TO_COME.test(inShort(value));
}

/** A longer text says what "will" be of the brand. */
const LONGEST_NOTICE = 200;

/** Whether what stands in the place of a summary is about one to come. */
export function announces(text: string): boolean {
	const isShort = text.length <= LONGEST_NOTICE;
	return (
		isToCome(text) || (isShort && NOT_THERE.test(text.slice(0, 100))) || saysUnderWay(text, true)
	);
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
	const first = Array.isArray(object)
		? Object.entries(object.slice(0, MAX_ENTRIES))
		: entriesIn(object);
	return first.slice(0, MAX_ENTRIES);
}

/** Whether values are the states of parts: "running" may be a topic as well. */
function areStates(values: unknown[]): boolean {
	return values.every((word) => typeof word === 'string' && (isRunningWord(word) || isEnd(word)));
}

function isEnd(word: unknown): boolean {
	if (typeof word !== 'string') return false;
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

/** Whether fewer parts are done than there are, or a progress of one of them is below 100 and that of another is not. */
function hasFewerDone(object: object, holder: string, names: RegExp, ofAudit: Counts): boolean {
	const { done, gaveUp, all } = countsIn(object, holder, names);
	const shares = entriesOf(object).map(([, each]) => each);
	if (holder === 'progress' && shares.every((each) => numberIn(each) !== undefined) && !all.size)
		return shares.some(isPartial) && !shares.every(isPartial);
	const [only] = names === WORKED_ON && all.size === 1 ? all.values() : [];
	const totalOf = (part: string) =>
		all.get(part) ?? (part === '' ? (all.get('platform') ?? only) : undefined);
	const goneOf = (part: string) =>
		Math.max(gaveUp.get(part) ?? 0, gaveUp.get('') ?? 0, ofAudit.get(part || 'platform') ?? 0);
	return [...done].some(([part, count]) => count + goneOf(part) < (totalOf(part) ?? 0));
}

type Counts = Map<string, number>;

/** How many of each part are done, those without an answer among them, and how many there are. Audits and reports are those of a plan. */
function countsIn(object: object, holder: string, names: RegExp) {
	const [done, gaveUp, all, listed] = [1, 2, 3, 4].map((): Counts => new Map());
	for (const [name, value] of Array.isArray(object) ? [] : entriesOf(object)) {
		const plain = plainName(name);
		const isList = Array.isArray(value);
		const [, parts] = /^(engine|model|platform|prompt|provider|task)s$/.exec(plain) ?? [];
		if (parts !== undefined && typeof value === 'object' && value !== null)
			listed.set(parts, entriesOf(value).filter(([, part]) => hasGivenUp(part)).length);
		const count = isList ? value.length : numberIn(value);
		if (count === undefined) continue;
		if (/^(?:stage|step)$/.test(plain) && !isList) done.set(plain, count);
		const many = ALL_OF.exec(plain)?.[1].replace(/s$/, '');
		// A list may have further parts than those that are counted
		const isTotal = many === 'platform' ? !(isList && all.has(many)) : !isList;
		if (many !== undefined && isTotal) all.set(many, count);
		const [, before = '', word, after = ''] = names.exec(plain) ?? [];
		if (word === undefined || /audit|report/.test(plain)) continue;
		const part = `${before}${after}`.replace(/count|num(?:ber)?|of|total/g, '').replace(/s$/, '');
		if (word === 'current' && part === '' && holder !== 'progress') continue;
		const counts = /total|expected/.test(word) ? all : HAS_GIVEN_UP.test(word) ? gaveUp : done;
		counts.set(part, count + (counts === gaveUp ? (gaveUp.get(part) ?? 0) : 0));
	}
	for (const [part, count] of listed) gaveUp.set(part, Math.max(count, gaveUp.get(part) ?? 0));
	return { done, gaveUp, all };
}

/** Whether a text says that the audit goes on: as a whole, or in a part of it. */
export function saysUnderWay(value: unknown, isPart = false): boolean {
	if (typeof value !== 'string') return false;
	const words = inShort(value, 200).replace(/_/g, ' ').trim();
	return (isPart && (WITHIN.test(words) || AT_IT.test(words))) || SENTENCE.test(words);
}
