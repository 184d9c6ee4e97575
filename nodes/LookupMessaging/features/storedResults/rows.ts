import type { GenericValue, IDataObject } from 'n8n-workflow';
import type { Answer, AnswerRecord, Outcome, OutputField } from '../../engine/results';
import {
	FORBIDDEN_NAME,
	MAY_BE_FORBIDDEN,
	hasTooManyParts,
	inOneGo,
	isObject,
	isTooDeep,
	textOf,
} from '../../engine/plan/values';

/** Answers as rows of a table: the format of New Results and Stored Results (docs/STORED_RESULTS.md). Pure. */

const VERSION = 1;
/** Longest text of an answer. A longer one is neither returned nor used. */
const MAX_CHARACTERS = 1_000_000;
/** Maximum difference between the clocks of two machines, in milliseconds. */
const CLOCK_SKEW_MS = 600_000;

/** The operation that an answer belongs to. */
export interface RowOwner {
	resource: string;
	value: string;
	output: OutputField[];
	/** The calls of an operation that makes several: method, base URL and path. */
	endpoints?: string[];
}

/** The base URLs of the credential, without their scheme; by the name of the service. */
export type BaseUrls = Record<string, string>;

/** The facts of a row about its answer. */
export interface RowHead {
	key: string;
	outcome: Outcome;
	/** In milliseconds since the epoch. */
	answeredAt: number;
}

/** An answer as stored in a row. */
export type KeptAnswer = Pick<Answer, 'reason' | 'record'> & { response?: IDataObject };

/** A paid answer whose row is not in a table yet. */
export type PaidAnswer = RowHead & KeptAnswer;

export interface AnswerRow extends IDataObject {
	key: string;
	operation: string;
	outcome: Outcome;
	answeredAt: string;
	answer: string;
}

/** Why a row is not used. */
export type Unused =
	| 'expired'
	| 'future'
	| 'lacksColumn'
	| 'malformed'
	| 'noResponse'
	| 'otherVersion';

export const COLUMNS = ['key', 'operation', 'outcome', 'answeredAt', 'answer'] as const;

/**
 * The key of a row: the operation, and what is sent to which address. It is readable, and different for different questions. So
 * answers of one server, such as a sandbox, are never used for another.
 * @param key the key of the question (equalityKey in plan/plan.ts)
 * @returns undefined if the question contains half a character, which no table takes
 */
export function rowKeyOf(
	{ resource, value, endpoints: [first = ''] = [] }: Omit<RowOwner, 'output'>,
	key: string,
	baseUrls: BaseUrls,
) {
	const [sent, additional] = JSON.parse(key) as [unknown, Array<[string, string]>];
	const service = first.split(' ')[1];
	try {
		const what = describeSent(sent, baseUrls, service);
		const parts = [`${resource}.${value}`, what, pairsOf(additional)];
		return parts.filter((part) => part !== '').join(' ');
	} catch {
		return undefined;
	}
}

/** A request as its address without the scheme; any other question as its values, at its first base URL. */
function describeSent(sent: unknown, baseUrls: BaseUrls, firstService = ''): string {
	const { service, path, query, body } = isObject(sent) ? sent : {};
	if (typeof service !== 'string' || typeof path !== 'string') {
		const values = isObject(sent) ? Object.entries(sent) : [['', sent] as [string, unknown]];
		return `${baseUrls[firstService] ?? ''}?${pairsOf(values)}`;
	}
	const pairs = pairsOf(Object.entries({ ...Object(query), ...Object(body) }));
	return `${baseUrls[service] ?? ''}${path}${pairs === '' ? '' : `?${pairs}`}`;
}

/** A value that is no text has a colon before its equals sign, so 1 and "1" differ. */
function pairsOf(pairs: Array<[name: string, value: unknown]>): string {
	return pairs
		.map(([name, value]) =>
			typeof value === 'string'
				? `${encodeURIComponent(name)}=${encode(value)}`
				: `${encodeURIComponent(name)}:=${encode(JSON.stringify(value))}`,
		)
		.join('&');
}

/** Percent-encoded, except the characters of phone numbers, addresses and IPv6. */
function encode(text: string): string {
	return encodeURIComponent(text).replace(/%2B/g, '+').replace(/%40/g, '@').replace(/%3A/g, ':');
}

/** The part of an answer that a row stores. */
export function keptOf(
	{ output }: RowOwner,
	{ record, reason }: Answer,
	response: IDataObject,
): KeptAnswer {
	const kept: AnswerRecord = {};
	for (const { name } of output.filter(({ ofCall }) => !ofCall)) {
		if (record[name] !== undefined && record[name] !== null) kept[name] = record[name];
	}
	return { record: kept, response, ...(reason !== undefined && { reason }) };
}

/** The row of an answer; undefined where its text is too long. */
export function rowOf(
	{ key, outcome, answeredAt, record, reason, response }: PaidAnswer,
	withResponse: boolean,
): AnswerRow | undefined {
	const kept = { version: VERSION, record, reason, ...(withResponse && { response }) };
	const answer = JSON.stringify(kept);
	if (answer.length > MAX_CHARACTERS) return undefined;
	const operation = key.slice(0, key.indexOf(' '));
	return { key, operation, outcome, answeredAt: new Date(answeredAt).toISOString(), answer };
}

export function readHead(row: IDataObject, now: number): (RowHead & { text: string }) | Unused {
	if (COLUMNS.some((name) => row[name] === undefined)) return 'lacksColumn';
	const { key, operation, outcome } = row;
	const text = textOfAnswer(row.answer);
	const answeredAt = readTime(row.answeredAt);
	if (typeof key !== 'string' || typeof operation !== 'string') return 'malformed';
	if (!key.startsWith(`${operation} `) || text === undefined) return 'malformed';
	// An unknown is never stored: the next execution may learn more
	if (outcome !== 'negative' && outcome !== 'positive') return 'malformed';
	if (Number.isNaN(answeredAt)) return 'malformed';
	if (answeredAt > now + CLOCK_SKEW_MS) return 'future';
	return { key, outcome, answeredAt, text };
}

/** A column of the type JSON is an object. Its text is a copy that no other node can change. */
function textOfAnswer(answer: GenericValue): string | undefined {
	const text = isObject(answer) ? textOf(answer) : answer;
	return typeof text === 'string' && text.length <= MAX_CHARACTERS ? text : undefined;
}

/** The day, the time if there is one, its seconds and fraction, and the zone, as ISO 8601 and SQL write them. */
const TIME =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** A longer text is no time. */
const LONGEST_TIME = 100;

/** A point in time in milliseconds: a date, text in ISO 8601 (without a zone in UTC), or milliseconds. NaN for anything else. */
export function readTime(value: unknown): number {
	if (typeof value === 'number') return value;
	const text = textOf(value).slice(0, LONGEST_TIME).trim();
	if (/^\d{12,14}$/.test(text)) return Number(text);
	const [, day, time = '00:00', seconds = ':00', zone = 'Z'] = TIME.exec(text) ?? [];
	if (day === undefined) return NaN;
	const [, sign = '', hours = '', minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
	const offset = sign === '' ? 'Z' : `${sign}${hours}:${minutes}`;
	return Date.parse(`${day}T${time}${seconds.slice(0, 7)}${offset}`);
}

/** Reads the text of an answer of the operation. */
export function readAnswer(
	owner: RowOwner,
	{ text, outcome }: Pick<RowHead, 'outcome'> & { text: string },
): KeptAnswer | Unused {
	const json = parse(text);
	if (!isObject(json) || json.version === undefined) return 'malformed';
	const { version, record, reason, response, ...others } = json;
	if (version !== VERSION) return 'otherVersion';
	if (Object.keys(others).length > 0 || isTooDeep(json)) return 'malformed';
	if (!isObject(record) || !isDeclared(record, owner.output)) return 'malformed';
	// Only negative results may have no fields
	if (outcome === 'positive' && Object.keys(record).length === 0) return 'malformed';
	if (reason !== undefined && typeof reason !== 'string') return 'malformed';
	if (response !== undefined && !isObject(response)) return 'malformed';
	return { record, reason, response };
}

/** Undefined for invalid JSON, for too many parts, and for a name that a careless copy of an object trips over. */
function parse(text: string): unknown {
	if (inOneGo(hasTooManyParts([text]))) return undefined;
	let isSafe = true;
	const look = (name: string, value: unknown) => {
		isSafe &&= name !== FORBIDDEN_NAME;
		return value;
	};
	try {
		const json: unknown = JSON.parse(text, MAY_BE_FORBIDDEN.test(text) ? look : undefined);
		return isSafe ? json : undefined;
	} catch {
		return undefined;
	}
}

/** Whether all fields are declared, and about the subject. Services write some values in another type. */
function isDeclared(record: AnswerRecord, output: OutputField[]): boolean {
	const names = new Set(output.filter(({ ofCall }) => !ofCall).map(({ name }) => name));
	return Object.keys(record).every((name) => names.has(name));
}
