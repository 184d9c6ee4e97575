import type { IDataObject } from 'n8n-workflow';
import type { ReplyHead } from '../../engine/client';
import { rowFor, type DecisionTable } from '../../engine/decision';
import { isObject, numberIn, textOf } from '../../engine/plan/values';
import { isFalse } from '../../engine/refusals/refusal';
import { isSame, that } from '../shared/decisions';
import {
	FINISHED_WORDS,
	isUnknown,
	plainWord,
	stateOfWord,
	type JobState,
} from '../shared/jobState';
import { isNothing } from '../shared/results';

/**
 * The state of an audit. SPEC §3.3 shows no states, so the words that such services use decide. Pure; the operations and the
 * trigger share it.
 */

/** An audit as a body shows it. */
export interface Audit {
	state: JobState;
	/** The service's own status word, if it has one. */
	word?: string;
	/** Whether this node does not know the word. The audit then counts as running. */
	isUnknownWord: boolean;
	/** The fields of the body and of its wrappers. */
	fields: IDataObject;
}

/** Objects in a body that may contain the audit. */
const WRAPPERS = ['data', 'audit', 'result', 'report'];
/** Objects and lists that are no results. */
const NO_RESULTS =
	/^(?:competitors|errors?|warnings?|meta(?:data)?|_?links|request|queue|progress|params|input|options|config|user|account|timing|steps|stages|tasks|jobs|logs?|history|events|timeline|platforms_(?:pending|queued))$/i;
/** Values that are results, by their names. */
const RESULT_NAMES =
	/score|result|mention|visib|summary|report|recommend|rank|sentiment|insight|finding|analysis|platform/i;
/** Fields of an audit that waits or runs. */
const QUEUE = /^(?:queue|queue_?position|position_?in_?queue)$/i;
const TIME_LEFT =
	/^(?:eta(?:_.*)?|estimated_(?:time|seconds|minutes|completion|finish).*|(?:time|seconds|minutes)_(?:left|remaining)|remaining_(?:time|seconds|minutes))$/i;
/** Flags and counts that show whether an audit is over. */
const OF_AUDIT = '^(?:(?:all|audit|has|is|platforms?|report)_?)*';
const OVER = new RegExp(`${OF_AUDIT}(?:completed?|done|final|finished|ready)$`, 'i');
const ON_ITS_WAY = new RegExp(
	`${OF_AUDIT}(?:in_?progress|partial|pending|processing|queued|running)$`,
	'i',
);
const PROGRESS = ['progress', 'percent', 'percentage', 'progress_percent'];
/** Words about the call: it succeeded. They say nothing about the audit if other fields say that it runs. */
const OF_CALL = ['success', 'succeeded'];
const NO_WORD = ['true', 'false', 'ok', '200'];

const HAS_WORD = that('there is a status word', ['status'], ({ found = {} }) => isWord(found.word));
const HAS_NO_WORD = that(
	'there is no status word',
	['status'],
	({ found = {} }) => !isWord(found.word),
);
/** The word may be about the call alone. */
export const IS_OF_CALL = that('the status word is "success"', ['status'], ({ found = {} }) =>
	OF_CALL.includes(plainWord(textOf(found.word))),
);
const RUNS = that(
	"`progress` is below 100, there is a place in the queue or a time left, or a flag or a count says that it isn't finished",
	['progress', 'queue_position', 'eta', 'completed'],
	({ body }) => isUnderWay(body),
);
const IS_BARE = that(
	'there is nothing beyond what was asked for and the status',
	['results'],
	({ body }) => Object.entries(body).every(([name, value]) => isNoResult(name, value)),
);
const IS_OF_CALL_ALONE = that(
	'`status`, `state` and `audit_status` are missing, true, 1, 200 or OK',
	['status'],
	({ body }) => statusesIn(body).every(isOfCall),
);
const HAS_RESULTS = that('there are results', ['results'], ({ body }) => hasResults(body));

/** The progress of an audit, by the fields of its body and of its wrappers. Its status word decides, if it has one. */
export const STATES: DecisionTable = {
	of: 'Audit',
	rows: [
		{ when: [IS_OF_CALL, RUNS], says: 'running' },
		{ when: [IS_OF_CALL, IS_BARE], says: 'running' },
		{ when: [HAS_WORD, isWordFor('finished')], says: 'positive' },
		{ when: [HAS_WORD, isWordFor('failed')], says: 'negative' },
		{ when: [HAS_NO_WORD, RUNS], says: 'running' },
		{ when: [HAS_NO_WORD, IS_OF_CALL_ALONE, HAS_RESULTS], says: 'positive' },
	],
	otherwise: "the audit isn't finished",
};

function isWordFor(state: JobState) {
	const words = `the status word means ${state}`;
	return that(words, ['status'], ({ found = {} }) => found.state === state);
}

/**
 * Reads the state of an audit. Without a row of the table it is running.
 * @param finishedWords words that mean finished, in any spelling
 */
export function readAudit(body: IDataObject, finishedWords: string[] = FINISHED_WORDS): Audit {
	const fields = unwrapped(body);
	const word = wordOf(body, finishedWords);
	const found = { word, state: word && stateOfWord(word, finishedWords) };
	const says = rowFor(STATES, { body: fields, head: NO_HEAD, found })?.says;
	return {
		state: says === 'positive' ? 'finished' : says === 'negative' ? 'failed' : 'running',
		word,
		isUnknownWord: word !== undefined && isUnknown(word, finishedWords),
		fields,
	};
}

/** The fields alone decide. */
const NO_HEAD: ReplyHead = {
	status: 200,
	headers: {},
	request: { service: 'main', method: 'GET', path: '' },
};

function isUnderWay(fields: IDataObject): boolean {
	const has = (names: RegExp, isSuch: (value: unknown) => boolean) =>
		Object.entries(fields).some(([name, value]) => names.test(name) && isSuch(value));
	const says = (names: RegExp) => has(names, (value) => !isNothing(value) && !isNo(value));
	return (
		has(OVER, isNo) ||
		says(ON_ITS_WAY) ||
		PROGRESS.some((name) => isPartial(fields[name])) ||
		isPlace(fields.queue_position) ||
		says(QUEUE) ||
		says(TIME_LEFT)
	);
}

/** The values that mean no in a flag or a count. */
function isNo(value: unknown): boolean {
	return isFalse(value) || value === 0 || isSame(value, '0') || isSame(value, 'no');
}

/** A place in the queue; the first may be 0. */
function isPlace(value: unknown): boolean {
	return typeof value === 'number';
}

/** Less than 100 percent. A share of 1 is all or one percent, so it says nothing. */
function isPartial(value: unknown): boolean {
	if (isObject(value)) return !isNothing(value);
	const share = numberIn(typeof value === 'string' ? value.replace(/\s*%\s*$/, '') : value);
	return share !== undefined && share < 100 && share !== 1;
}

function hasResults(fields: IDataObject): boolean {
	return Object.entries(fields).some(([name, value]) => {
		if (isNoResult(name, value)) return false;
		if (typeof value === 'object') return true;
		return RESULT_NAMES.test(name) && typeof value !== 'boolean' && value !== 0;
	});
}

function isNoResult(name: string, value: unknown): boolean {
	return isNothing(value) || NO_RESULTS.test(name) || HEAD.has(name);
}

/** Fields of the audit itself, not results. */
const HEAD = new Set([
	...['audit_id', 'audit_status', 'brand_name', 'brand_url', 'created_at', 'id', 'message'],
	...['percent', 'progress', 'started_at', 'state', 'status', 'success', 'updated_at'],
]);

/** The fields of the body and of its wrappers. Those of the wrappers win. */
function unwrapped(body: IDataObject): IDataObject {
	const own = Object.entries(body).filter(
		([name, value]) => !(WRAPPERS.includes(name) && isObject(value)),
	);
	const parts = [Object.fromEntries(own), ...wrappersIn(body)];
	return parts.reduce((all, part) => ({ ...all, ...part }), {});
}

function wrappersIn(body: IDataObject): IDataObject[] {
	return WRAPPERS.map((name) => body[name]).filter(isObject);
}

/** The status word: of a wrapper before that of the body, unless one of them says that the audit runs. */
function wordOf(body: IDataObject, finishedWords: string[]): string | undefined {
	const words = [...wrappersIn(body).reverse(), body].flatMap(
		(part) => statusesIn(part).find(isWord) ?? [],
	);
	const says = (word: string) =>
		stateOfWord(word, finishedWords) === 'running' && !isUnknown(word, finishedWords);
	return words.find(says) ?? words[0];
}

/** The possible status words. An object in its place may contain one. */
function statusesIn({ audit_status: own, state, status }: IDataObject): unknown[] {
	return [own, state, status].map((value) =>
		isObject(value) ? ([value.state, value.status, value.name].find(isWord) ?? value) : value,
	);
}

/** Whether a status only says that the call succeeded. */
function isOfCall(value: unknown): boolean {
	return value === 1 || isNothing(value) || NO_WORD.includes(textOf(value).trim().toLowerCase());
}

function isWord(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '' && !NO_WORD.includes(plainWord(value));
}
