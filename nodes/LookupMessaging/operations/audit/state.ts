import type { IDataObject } from 'n8n-workflow';
import { entriesIn, isNothing, plainName } from '../shared/replyWords';
import type { ReplyHead } from '../../engine/client';
import type { DecisionTable } from '../../engine/operation';
import { inShort, isObject, textOf } from '../../engine/plan/values';
import { rowFor, that } from '../shared/decisions';
import {
	FINISHED_WORDS,
	isUnknown,
	type JobState,
	LONGEST_WORD,
	plainWord,
	stateOfWord,
} from '../shared/jobState';
import { FINDINGS, hasFindings, NOT_OF_AUDIT, plainText } from './findings';
import { isEndFlag, signOfWork, STRONG, WEAK } from './underWay';

/**
 * The state of an audit. SPEC §3.3 shows no states, so the words that such services use decide. Pure; the operations and the
 * trigger share it.
 */

export interface Audit {
	state: JobState;
	/** The service's own status word, if it has one. */
	word?: string;
	/** Whether this node does not know the word. The audit then counts as running. */
	isUnknownWord: boolean;
	/** Whether the word means finished, and other fields say that work goes on. */
	isOutweighed: boolean;
	/** Whether it has results that this node knows as such. */
	hasFindings: boolean;
	/** The fields of the body and of its wrappers. */
	fields: IDataObject;
}

/** What a reply about an audit is compared with. */
export interface Asked {
	/** Words that mean finished, in any spelling. */
	finishedWords?: string[];
	/** Values of the request, which a service may repeat. */
	values?: string[];
}

/** Words of an envelope: the call succeeded, which says nothing of the audit. */
const OF_CALL = ['success', 'succeeded'];
const NO_WORD = ['true', 'false', 'ok', '200'];

const FAILED = that(
	'the status word means failed',
	['status'],
	({ found = {} }) => found.state === 'failed',
);
const IS_OWN = that(
	'the status word is in Finished When, as the user set it',
	['status'],
	({ found = {} }) => found.isOwnWord === true && found.state === 'finished',
);
const FINISHED = that(
	'the status word means finished, and isn\'t "success"',
	['status'],
	({ found = {} }) => found.state === 'finished' && !isWordOfCall(found.word),
);
const WORKS = that(
	STRONG,
	['progress', 'completed', 'total', 'steps', 'platforms', 'pending', 'is_complete'],
	({ head, found = {} }) => head.status === 202 || found.sign === 'strong',
);
const MAY_WORK = that(
	WEAK,
	['pending', 'remaining', 'completed_at', 'queue_position', 'eta', 'partial', 'message'],
	({ found = {} }) => found.sign !== undefined,
);
const IS_WORDLESS = that(
	'`status`, `state` and the like are missing, true, 1, 200, OK or "success"',
	['status'],
	({ body, found = {} }) =>
		isWordOfCall(found.word ?? '') && statusesIn(body).every((value) => isOfCall(value)),
);
const IS_SUCCESS = that('the status word is "success"', ['status'], ({ found = {} }) =>
	isWordOfCall(found.word),
);
const HAS_END = that('a flag of the end is true', ['finished', 'is_complete'], ({ body }) =>
	entriesIn(body).some(isEndFlag),
);
const HAS_FINDINGS = that(FINDINGS, ['results'], ({ found = {} }) => found.hasFindings === true);

/**
 * How far an audit is, by the fields of its body and of its wrappers. What isn't known is running: a poll too many costs nothing,
 * and an end too early loses the results.
 */
export const STATES: DecisionTable = {
	of: 'Audit',
	rows: [
		{ when: [IS_OWN], says: 'positive' },
		{ when: [FAILED], says: 'negative' },
		{ when: [WORKS], says: 'running' },
		{ when: [FINISHED], says: 'positive' },
		{ when: [MAY_WORK], says: 'running' },
		{ when: [IS_SUCCESS, HAS_END], says: 'positive' },
		{ when: [IS_WORDLESS, HAS_FINDINGS], says: 'positive' },
	],
	otherwise: "the audit isn't finished",
};

/** Reads the state of an audit. Without a row of the table it is running. */
export function readAudit(
	body: IDataObject,
	head: ReplyHead,
	{ finishedWords = FINISHED_WORDS, values = [] }: Asked = {},
): Audit {
	const parts = partsOf(body, finishedWords);
	const fields = parts.reduce((all, part) => ({ ...all, ...part }), {});
	const word = wordIn(parts, finishedWords);
	const found = {
		word,
		state: word && stateOfWord(word, finishedWords),
		isOwnWord: finishedWords.join() !== FINISHED_WORDS.join(),
		sign: signOfWork(fields, finishedWords),
		hasFindings: hasFindings(fields, new Set(values.map(plainText))),
	};
	const says = rowFor(STATES, { body: fields, head, found })?.says;
	return {
		state: says === 'positive' ? 'finished' : says === 'negative' ? 'failed' : 'running',
		word,
		isUnknownWord: word !== undefined && isUnknown(word, finishedWords),
		isOutweighed: says === 'running' && found.state === 'finished' && !isWordOfCall(word),
		hasFindings: found.hasFindings,
		fields,
	};
}

const STATUS = /^(?:audit|job|overall|report|task)?(?:state|status)$/;

/**
 * Objects in a body that contain the audit, by their names; any other only if it is the only one, and has the ID. Without an ID in
 * the body it may be a wrapper too, but not of another name beside a finished audit: that of a brand or a website, which is active.
 */
const WRAPPERS = ['data', 'attributes', 'response', 'payload', 'job', 'audit', 'result', 'report'];
const OF_JOB =
	/^(?:ai|brand|current|visibility)?(?:audit|analysis|job|process|run|task)(?:data|info|run|state|status)?$/;
const MAX_WRAPPERS = 3;

/** The fields of a body without its wrappers, then those of each wrapper. */
function partsOf(body: IDataObject, finishedWords: string[], levels = MAX_WRAPPERS): IDataObject[] {
	const objects = entriesIn(body).flatMap(([name, value]) => {
		const [only, ...others] = Array.isArray(value) ? value : [value];
		const isPart = isObject(only) && (only === value || (others.length === 0 && hasId(only)));
		return isPart && !NOT_OF_AUDIT.test(plainName(name)) ? [{ name, part: only }] : [];
	});
	const isWrapper = (name: string, part: IDataObject) =>
		!hasId(body) &&
		!body.id &&
		(statusesIn(part).some(isWord) || partsOf(part, finishedWords, 1).length > 1) &&
		(OF_JOB.test(plainName(name)) || !isWhole({ ...body, [name]: null }, finishedWords));
	const wrappers = objects.filter(
		({ name, part }) =>
			WRAPPERS.includes(name) || (objects.length === 1 && (hasId(part) || isWrapper(name, part))),
	);
	if (levels === 0 || wrappers.length === 0) return [body];
	const names = wrappers.map(({ name }) => name);
	const own = entriesIn(body).filter(([name]) => !names.includes(name));
	const inner = wrappers
		.sort((one, other) => WRAPPERS.indexOf(one.name) - WRAPPERS.indexOf(other.name))
		.flatMap(({ part }) => partsOf(part, finishedWords, levels - 1));
	return [Object.fromEntries(own), ...inner];
}

function hasId({ audit_id: named, auditId }: IDataObject): boolean {
	return !isNothing(named ?? auditId);
}

/** Whether fields are those of an audit with its end and its results. */
function isWhole(fields: IDataObject, finishedWords: string[]): boolean {
	const word = wordIn([fields], finishedWords);
	const isEnd = word !== undefined && stateOfWord(word, finishedWords) === 'finished';
	return isEnd && !isWordOfCall(word) && hasFindings(fields, new Set());
}

/** The status word: of a wrapper before that of the body, unless one of them says that the audit runs; "success" last. */
function wordIn(parts: IDataObject[], finishedWords: string[]): string | undefined {
	const words = [...parts.slice(1).reverse(), parts[0]].flatMap((part) => {
		const all = [...statusesIn(part), part.phase, part.stage].filter(isWord);
		return all.find((word) => !isWordOfCall(word)) ?? all[0] ?? [];
	});
	const runs = (word: string) =>
		stateOfWord(word, finishedWords) === 'running' && !isUnknown(word, finishedWords);
	return words.find(runs) ?? words.find((word) => !isWordOfCall(word)) ?? words[0];
}

/** The possible status words, those of the audit first. An object in their place may contain one. */
function statusesIn(fields: IDataObject): unknown[] {
	const found = entriesIn(fields)
		.filter(([name]) => STATUS.test(plainName(name)))
		.sort(([one], [other]) => other.length - one.length || one.localeCompare(other))
		.map(([, value]) => value);
	return found.map((value) => {
		if (!isObject(value)) return value;
		const { state, status, name } = value;
		return [state, status, name, ...entriesIn(value).map(([, each]) => each)].find(isWord) ?? value;
	});
}

/** Whether a status only says that the call succeeded. */
function isOfCall(value: unknown): boolean {
	if (isObject(value)) return entriesIn(value).every(([, each]) => isOfCall(each));
	const word = plainWord(inShort(textOf(value), LONGEST_WORD));
	return value === 1 || isNothing(value) || [...NO_WORD, ...OF_CALL].includes(word);
}

function isWordOfCall(word: unknown): boolean {
	return word === '' || (isWord(word) && OF_CALL.includes(plainWord(word)));
}

function isWord(value: unknown): value is string {
	if (typeof value !== 'string' || value.length > LONGEST_WORD) return false;
	return value.trim() !== '' && !NO_WORD.includes(plainWord(value));
}
