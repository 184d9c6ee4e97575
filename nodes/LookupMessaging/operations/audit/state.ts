import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../engine/plan/values';
import { FINISHED_WORDS, isUnknown, stateOfWord, type JobState } from '../shared/jobState';
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

/** Objects in a body that may hold the audit. */
const WRAPPERS = ['data', 'audit', 'result', 'report'];
/** Fields of the audit itself, not results. */
const HEAD = new Set([
	'audit_id',
	'audit_status',
	'brand_name',
	'brand_url',
	'competitors',
	'created_at',
	'eta',
	'id',
	'message',
	'percent',
	'progress',
	'started_at',
	'state',
	'status',
	'success',
	'updated_at',
]);

/**
 * Reads the state of an audit. Its status word decides. Without one, an audit with any result is finished.
 * @param finishedWords words that mean finished, in any spelling
 */
export function readAudit(body: IDataObject, finishedWords: string[] = FINISHED_WORDS): Audit {
	const fields = unwrapped(body);
	const word = [fields.audit_status, fields.state, fields.status].find(isWord);
	const state = stateOf(word, fields, finishedWords);
	return {
		state,
		word,
		isUnknownWord: word !== undefined && isUnknown(word, finishedWords),
		fields,
	};
}

function stateOf(word: string | undefined, fields: IDataObject, finishedWords: string[]): JobState {
	if (word === undefined) return hasResults(fields) ? 'finished' : 'running';
	return stateOfWord(word, finishedWords);
}

function hasResults(fields: IDataObject): boolean {
	return Object.entries(fields).some(([name, value]) => !HEAD.has(name) && !isNothing(value));
}

/** The fields of the body and of its wrappers. Those of the wrappers win. */
function unwrapped(body: IDataObject): IDataObject {
	const own = Object.entries(body).filter(
		([name, value]) => !(WRAPPERS.includes(name) && isObject(value)),
	);
	const inner = WRAPPERS.map((name) => body[name]).filter(isObject);
	return [Object.fromEntries(own), ...inner].reduce((all, part) => ({ ...all, ...part }), {});
}

function isWord(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
