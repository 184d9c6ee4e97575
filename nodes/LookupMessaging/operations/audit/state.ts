import type { IDataObject } from 'n8n-workflow';
import type { ReplyHead } from '../../engine/client';
import { rowFor, type DecisionTable } from '../../engine/decision';
import { inShort, isObject, textOf } from '../../engine/plan/values';
import { that } from '../shared/decisions';
import {
	FINISHED_WORDS,
	isUnknown,
	LONGEST_WORD,
	plainWord,
	stateOfWord,
	type JobState,
} from '../shared/jobState';
import { isNothing, says } from '../shared/results';
import { isUnderWay, SIGNS } from './underWay';

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
	/** Whether the word means finished, and other fields say that work goes on. */
	isOutweighed: boolean;
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
/** Fields of an audit that waits or runs, and those that may be left of the time before. */
const QUEUE = /^(?:queue|queue_?position|position_?in_?queue)$/i;
const TIME_LEFT =
	/^(?:eta(?:_.*)?|estimated_(?:time|seconds|minutes|completion|finish).*|(?:time|seconds|minutes)_(?:left|remaining)|remaining_(?:time|seconds|minutes))$/i;
const PARTIAL = /^(?:(?:all|audit|has|is|platforms?|report|results?)_?){0,3}partial$/i;
/** Words of an envelope: the call succeeded, which says nothing of the audit where other fields say that it runs. */
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
	SIGNS,
	['progress', 'phase', 'stage', 'pending', 'remaining', 'completed', 'total', 'completed_at'],
	({ body, found = {} }) => isUnderWay(body, found.finishedWords as string[]),
);
const MAY_RUN = that(
	'there is a place in the queue or a time left, or the results are partial',
	['queue_position', 'eta', 'partial'],
	({ body }) => isExpected(body),
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

/** How far an audit is, by the fields of its body and of its wrappers. It is finished where a word or results say so, and nothing says that it runs. */
export const STATES: DecisionTable = {
	of: 'Audit',
	rows: [
		{ when: [HAS_WORD, isWordFor('failed')], says: 'negative' },
		{ when: [RUNS], says: 'running' },
		{ when: [IS_OF_CALL, MAY_RUN], says: 'running' },
		{ when: [IS_OF_CALL, IS_BARE], says: 'running' },
		{ when: [HAS_WORD, isWordFor('finished')], says: 'positive' },
		{ when: [HAS_NO_WORD, MAY_RUN], says: 'running' },
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
	const found = { word, state: word && stateOfWord(word, finishedWords), finishedWords };
	const told = { body: fields, head: NO_HEAD, found };
	const says = rowFor(STATES, told)?.says;
	return {
		state: says === 'positive' ? 'finished' : says === 'negative' ? 'failed' : 'running',
		word,
		isUnknownWord: word !== undefined && isUnknown(word, finishedWords),
		isOutweighed: says === 'running' && found.state === 'finished' && !IS_OF_CALL.holds(told),
		fields,
	};
}

/** The fields alone decide. */
const NO_HEAD: ReplyHead = {
	status: 200,
	headers: {},
	request: { service: 'main', method: 'GET', path: '' },
};

/** What is expected of an audit, by numbers and flags that a finished one may still have. */
function isExpected(fields: IDataObject): boolean {
	return Object.entries(fields).some(
		([name, value]) =>
			(name === 'queue_position' && typeof value === 'number') ||
			([QUEUE, TIME_LEFT, PARTIAL].some((names) => names.test(name)) && says(value)),
	);
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
	...[
		'percent',
		'phase',
		'progress',
		'stage',
		'started_at',
		'state',
		'status',
		'success',
		'updated_at',
	],
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
		(part) => [...statusesIn(part), part.phase, part.stage].find(isWord) ?? [],
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
	const word = inShort(textOf(value), LONGEST_WORD).trim().toLowerCase();
	return value === 1 || isNothing(value) || NO_WORD.includes(word);
}

function isWord(value: unknown): value is string {
	if (typeof value !== 'string' || value.length > LONGEST_WORD) return false;
	return value.trim() !== '' && !NO_WORD.includes(plainWord(value));
}
