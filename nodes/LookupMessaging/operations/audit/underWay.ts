import type { IDataObject } from 'n8n-workflow';
import { inShort, isObject, numberIn, textOf } from '../../engine/plan/values';
import { isMissing } from '../shared/decisions';
import { FINISHED_WORDS, isRunningWord, plainWord, stateOfWord } from '../shared/jobState';
import { isNo, says } from '../shared/results';

/**
 * Signs in a body that work on an audit still goes on. SPEC §3.3 shows no states, and services name the parts of an audit that
 * are over beside those that are not, so one sign outweighs all that says finished.
 */

/** How deep signs are looked for, in how many entries of each object and list, and in how many fields altogether. */
const LEVELS = 4;
const MAX_ENTRIES = 100;
const MAX_FIELDS = 2_000;
/** Longer names are no signs. */
const LONGEST_NAME = 60;

/** What tells nothing of the audit: what it was asked for, who asked, what it advises, and what it cites or has been. */
const NOT_OF_AUDIT =
	/^(?:competitors?|recommendations?|suggestions?|opportunities|actions?|actionitems|todos?|nextsteps|request|params|input|options|config|settings|user|account|plan|subscription|credits?|quota|usage|limits?|ratelimits?|billing|next\w{0,20}|schedules?|timings?|timestamps?|links?|history|logs?|events|timeline|errors?|warnings?|mentions|citations|sources)$/;

/** The parts of an audit, around the words below. Names are read in small letters, without what is none. */
const OF_ONE = 'engines?|items?|models?|platforms?|providers?|steps?|tasks?';
const PARTS = `(?:all|audits?|checks?|count|has|is|jobs?|number|of|prompts?|quer(?:y|ies)|reports?|results?|total|${OF_ONE})*`;
const of = (words: string) => new RegExp(`^${PARTS}(?:${words})${PARTS}$`);
/** Flags and counts by which an audit is over, and by which it is not. */
const OVER = of('completed?|done|final|finished|ready');
const ON_ITS_WAY = of(
	'incomplete|inprogress|inqueue|outstanding|pending|processing|queued|running|unfinished|waiting',
);
/** Audits and prompts that remain may be those of a plan. */
const REMAINING = new RegExp(`^(?:all|count|number|of|${OF_ONE})*remaining(?:count|${OF_ONE})*$`);
/** Flags that may be about anything below the top, unless they stand in one of the parts. */
const OF_ANYTHING =
	/complete$|final|incomplete|outstanding|ready|waiting|^(?:pending|processing|queued|running)$/;
const PROGRESS =
	/^(?:audit|report|overall)?progress(?:percent(?:age)?)?$|^(?:percent(?:age)?|completion)(?:complete|done)?$|^completionpercent(?:age)?$/;
const STATE = /^(?:audit|job|current|overall)?(?:phase|stage|state|status|step)$/;
const END = /^(?:audit|job|report|platform|task|step)?(?:completed|done|ended|finished)(?:at|on)$/;
/** Fields whose values are each the state of one part. */
const STATES =
	/(?:engines|models|phases|platforms?|progress|providers|results?|stages|stat(?:e|us)(?:es)?|steps|tasks)$/;
const COUNT = new RegExp(
	`^(${PARTS})(completed?|done|errors?|failed|finished|processed|skipped|total)(${PARTS})$`,
);

/** Fields whose text may be a sentence about the audit, and such sentences. */
const SENTENCE_FIELD =
	/^(?:message|msg|summary|details?|info|notes?|report|results?|analysis|data|status(?:message|text))$/;
const NOT_YET = '(?:yet )?(?:available|complete|completed|done|finished|ready)(?: yet)?';
const STILL = new RegExp(
	`^(?:(?:the|this|your|brand|ai|visibility|audit|report|analysis|summary|results?|job|is|are|was|has|have|been|still|currently|now) ){0,8}(?:in progress|incomplete|in (?:the )?queue|pending|processing|queued|running|under ?way|generating|being (?:analy[sz]ed|built|checked|collected|created|generated|prepared|processed|run)|will be (?:available|ready) (?:later|shortly|soon)|not ${NOT_YET}|(?:is|are)n['’]t ${NOT_YET})\\b(?:[,.;] ?(?:check|come|please|try) .{0,60})?\\W{0,10}$|^please wait\\b|^(?:analy[sz]ing|collecting|generating|processing|querying|waiting)\\b.{0,60}(?:\\.\\.\\.|…)$`,
	'i',
);

/** As the page prints the rule. */
export const SIGNS =
	'something near the top (four levels, 100 entries of each) says that work goes on: a status, phase or stage that means running, a progress below 100, fewer done than in total, parts that are pending or remaining, a flag of the end that is false, an end without a time, or a sentence such as "Audit in progress"';

/** Whether work on an audit goes on, by any sign near the top. */
export function isUnderWay(fields: IDataObject, finishedWords: string[]): boolean {
	const isRunning = (value: unknown) =>
		typeof value === 'string' &&
		isRunningWord(value) &&
		stateOfWord(value, finishedWords) === 'running';
	let left = MAX_FIELDS;
	let level: Array<{ name: string; value: object }> = [{ name: '', value: fields }];
	for (let depth = 0; depth <= LEVELS; depth += 1) {
		const next: typeof level = [];
		for (const { name: holder, value: object } of level) {
			if (hasFewerDone(object)) return true;
			if (areStates(holder, object) && entriesOf(object).some(([, each]) => isRunning(each)))
				return true;
			// A part that failed or was skipped has no end, and its progress stands still
			const isOver = depth > 0 && entriesOf(object).some(isEndOfPart);
			for (const [name, value] of entriesOf(object)) {
				if ((left -= 1) < 0) return false;
				const plain = plainName(name);
				if (NOT_OF_AUDIT.test(plain)) continue;
				if (STATE.test(plain) && isRunning(value)) return true;
				if (!isOver && isSign(plain, value, depth, STATES.test(holder))) return true;
				if (typeof value === 'object' && value !== null)
					next.push({ name: Array.isArray(object) ? holder : plain, value });
			}
		}
		level = next;
	}
	return false;
}

function isEndOfPart([name, value]: [string, unknown]): boolean {
	return STATE.test(plainName(name)) && typeof value === 'string' && isEnd(value);
}

function isSign(name: string, value: unknown, depth: number, isInPart: boolean): boolean {
	const isTop = depth === 0;
	const isOfAudit = isTop || isInPart || !OF_ANYTHING.test(name);
	if (OVER.test(name) && isOfAudit && isNo(value)) return true;
	if ((ON_ITS_WAY.test(name) || REMAINING.test(name)) && isOfAudit && says(value)) return true;
	if (END.test(name) && (isMissing(value) || value === false)) return true;
	if (PROGRESS.test(name) && (isTop || name.includes('progress')) && isPartial(value)) return true;
	return depth <= 1 && SENTENCE_FIELD.test(name) && saysUnderWay(value);
}

/** The first entries of an object or a list. */
function entriesOf(object: object): Array<[string, unknown]> {
	const first = Array.isArray(object) ? object.slice(0, MAX_ENTRIES) : object;
	return Object.entries(first).slice(0, MAX_ENTRIES);
}

function plainName(name: string): string {
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

/** Less than 100 percent, or "2 of 4". A share of 1 is all or one percent, so it says nothing. */
function isPartial(value: unknown): boolean {
	if (isObject(value)) return tellsLess(value);
	if (typeof value === 'string' && value.length > LONGEST_NAME) return false;
	const [, done, total] = /^\s*(\d{1,9})\s*(?:\/|of)\s*(\d{1,9})\s*$/.exec(textOf(value)) ?? [];
	if (total !== undefined) return (numberIn(done) ?? 0) < (numberIn(total) ?? 0);
	const share = numberIn(typeof value === 'string' ? value.replace('%', '').trim() : value);
	return share !== undefined && share < 100 && share !== 1;
}

/** Names of a share in an object that tells the progress. */
const SHARE = /^(?:pct|share|value)$/;

/** Whether an object that tells the progress shows less than all: fewer than there are, a share below 100, or a word of work. */
function tellsLess(progress: IDataObject): boolean {
	const [current, total] = [progress.current, progress.total].map(numberIn);
	if (current !== undefined && total !== undefined) return current < total;
	if (hasFewerDone(progress)) return true;
	const all = entriesOf(progress);
	if (all.some(([, value]) => typeof value === 'string' && isRunningWord(value))) return true;
	const isShare = ([name]: [string, unknown]) => PROGRESS.test(plainName(name)) || SHARE.test(name);
	const shares = all.filter(isShare);
	const areShares = all.every(([, value]) => numberIn(value) !== undefined);
	return (shares.length === 0 && areShares && total === undefined ? all : shares).some(
		([, value]) => isPartial(value),
	);
}

function hasFewerDone(object: object): boolean {
	const { done, all } = countsIn(object);
	const totalOf = (part: string) =>
		all.get(part) ?? (part === '' ? all.get('platform') : all.get(''));
	return [...done].some(([part, count]) => count < (totalOf(part) ?? 0));
}

/** How many of each part are done, failed ones among them, and how many there are. */
function countsIn(object: object) {
	const [done, failed, all] = [1, 2, 3].map(() => new Map<string, number>());
	for (const [name, value] of Array.isArray(object) ? [] : entriesOf(object)) {
		const count = numberIn(value);
		const plain = plainName(name);
		if (count === undefined) continue;
		if (/^platforms(?:count)?$/.test(plain)) all.set('platform', count);
		const [, before = '', word, after = ''] = COUNT.exec(plain) ?? [];
		if (word === undefined) continue;
		const part = `${before}${after}`.replace(/count|number|of|total/g, '').replace(/s$/, '');
		(word === 'total' ? all : /fail|error|skip/.test(word) ? failed : done).set(part, count);
	}
	for (const [part, count] of done) done.set(part, count + (failed.get(part) ?? 0));
	return { done, all };
}

/** Whether a text says that the audit goes on, and nothing else. */
export function saysUnderWay(value: unknown): boolean {
	return typeof value === 'string' && STILL.test(inShort(value, 200).replace(/_/g, ' ').trim());
}
