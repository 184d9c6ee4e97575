import type { IDataObject } from 'n8n-workflow';
import {
	type DecisionTable,
	isRefusal,
	negative,
	positive,
	type Told,
	unknown,
} from '../../engine/operation';
import { asReason, inShort, isObject, orNull, quote, textOf } from '../../engine/plan/values';
import { errorText } from '../../engine/refusals/refusal';
import type { Answer, Reading } from '../../engine/results';
import {
	DISAGREE,
	HAS_NO_TROUBLE,
	is,
	isSame,
	REFUSES,
	rowFor,
	SAYS_NO_MORE,
	SUCCEEDS_BESIDE_STATUS,
	that,
	withoutAnswers,
} from '../shared/decisions';
import { plainWord } from '../shared/jobState';
import { e164In } from '../shared/phone/phoneRecord';
import { isOtherCountry, isOtherNumber } from '../shared/phone/sameNumber';
import { flagIn, hasFlag, troubleIn, wordsAgainst } from '../shared/replyWords';
import { WHATSAPP_FLAGS, YES_FLAGS } from '../whatsApp/checkNumber';
import { type Batch, oddStatus, stateOf } from './job';
import { digitsOf } from './numbers';

/** One number of a batch (SPEC §2.4, §3.2). */

const NO_ROW = 'the service returned no row for this number';
export const SEVERAL = 'the service returned several rows for this number, so none is taken';
const NOT_CHECKED = "the service hasn't checked this number yet";
const NOT_TOLD = "the service didn't say whether the number is on WhatsApp";
/** SPEC has VALID_CONFIRMED: the number is valid, and `numberstatus` says whether it has an account. */
const CONFIRMED = ['valid_confirmed', 'valid', 'confirmed'];
/** SPEC has INVALID. */
const SAYS_NO = [
	...['invalid', 'invalid_confirmed', 'not_valid', 'not_on_whatsapp', 'not_registered'],
	'unregistered',
];

function isWord(words: string[]) {
	return that(`\`wa_status\` is ${words.join(' or ')}`, ['wa_status'], ({ found = {} }) =>
		words.some((word) => found.wa_status === word),
	);
}

const TWO_NUMBERS = "the service's row names two different numbers";
const NAMES_TWO = that(
	'`formatted_number`, or a number in the validation data, is another number than `phone_number`',
	['phone_number', 'formatted_number'],
	({ body, asked }) => namesTwo(body, asked),
);
const OTHER_COUNTRY = "the service's row names a country that isn't the number's";
const NAMES_OTHER_COUNTRY = that(
	'`country` is another country than that of the number',
	['phone_number', 'formatted_number', 'country'],
	({ body, asked = '' }) => isOtherCountry(body.country, asked),
);
const IS_TROUBLED = that(
	'a text of the row speaks of trouble of the service',
	['error', 'message'],
	(told) => troubleBeside(told) !== undefined,
);

/** The row, with or without words in its validation data, says no more than a no. */
const SAYS_NO_MORE_OF_NUMBER = that(
	SAYS_NO_MORE.words,
	SAYS_NO_MORE.fields,
	(told) =>
		SAYS_NO_MORE.holds({ ...told, body: withoutValidation(told.body) }) &&
		troubleIn(told.body, told.head.request) === undefined,
);

const BATCH_SAYS_NO_MORE = that(
	'the batch has no `error`, is not `partial`, and no `message`, warning or flag of it says that its check went wrong',
	['error', 'message', 'warnings', 'partial', 'success'],
	({ found = {} }) => found.trouble === undefined,
);

const NO_FLAG_DISAGREES = that(
	'no other field, such as `whatsapp` or `exists`, says the opposite of `numberstatus`',
	['numberstatus', 'whatsapp', 'exists'],
	({ body }) =>
		isSame(body.numberstatus, true)
			? !hasFlag(body, WHATSAPP_FLAGS, false)
			: !hasFlag(body, YES_FLAGS, true),
);

function troubleBeside({ body, head }: Told): string | undefined {
	return troubleIn(withoutValidation(body), head.request);
}

/** An object in a row may be its validation data under any name, whose codes and sentences are about the number (SPEC §2.4). */
function withoutValidation(row: IDataObject): IDataObject {
	const validation = validationIn(row);
	return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== validation));
}

/**
 * A number as it was submitted may lack its country code, or have an extension, so only full ones are compared.
 * @param asked the number of the row, as this node has submitted it
 */
function namesTwo(row: IDataObject, asked?: string): boolean {
	const formatted = e164Of(row.formatted_number);
	const own = e164In(row.phone_number) ?? asked ?? formatted;
	const { number, formatted_number, formatinternational } = validationIn(row) ?? {};
	// A number that is no text may count the rows
	const inText = typeof row.number === 'string' ? row.number : undefined;
	const others = [formatted, inText, number, formatted_number, formatinternational];
	return own !== undefined && others.some((other) => isOtherNumber(other, own));
}

const MESSAGE_NAME = /error|message|reason|failure/i;

export const ROWS: DecisionTable = {
	of: 'Row',
	answers: ['onWhatsApp', 'businessAccount'],
	rows: [
		{ when: [is('status', 'failed', 'error')], says: 'refused' },
		{
			when: [is('status', 'pending', 'queued', 'processing', 'running')],
			says: 'running',
			why: NOT_CHECKED,
		},
		{ when: [NAMES_TWO], says: 'unknown', why: TWO_NUMBERS },
		{ when: [NAMES_OTHER_COUNTRY], says: 'unknown', why: OTHER_COUNTRY },
		{ when: [REFUSES], says: 'unknown', why: ({ body }) => errorText(body) ?? NOT_TOLD },
		{ when: [IS_TROUBLED], says: 'unknown', why: troubleBeside },
		{
			when: [
				...[is('status', 'completed'), isWord(CONFIRMED), is('numberstatus', true)],
				SUCCEEDS_BESIDE_STATUS,
				HAS_NO_TROUBLE,
				NO_FLAG_DISAGREES,
			],
			says: 'positive',
		},
		{
			when: [
				is('status', 'completed'),
				isWord([...SAYS_NO, ...CONFIRMED]),
				is('numberstatus', false),
				SUCCEEDS_BESIDE_STATUS,
				SAYS_NO_MORE_OF_NUMBER,
				BATCH_SAYS_NO_MORE,
				NO_FLAG_DISAGREES,
			],
			says: 'negative',
		},
	],
	otherwise: (told) =>
		wordsAgainst({ ...told, body: { ...told.body, wa_status: null } }) ??
		(told.found?.trouble as string | undefined) ??
		(NO_FLAG_DISAGREES.holds(told) ? oddMix(told.body) : DISAGREE),
};

function oddMix({ wa_status: word, numberstatus }: IDataObject): string {
	return typeof word === 'string' && word.trim() !== ''
		? `the service says ${quote(word)}, which with ${quote(textOf(numberstatus))} as numberstatus is neither a yes nor a no`
		: NOT_TOLD;
}

/**
 * The reading of one row, as in DESIGN: a failed row is a refusal, everything else without an answer is unknown.
 * @param asked the number of the row, where it is known
 * @param trouble what its batch says beside the rows
 */
export function readRow(
	row: IDataObject | undefined,
	whyNone = NO_ROW,
	asked?: string,
	trouble?: string,
): Reading {
	if (!row) return unknown({}, whyNone);
	const told = toldBy(row, asked, trouble);
	const record = recordOf(row, told.asked);
	const decision = rowFor(ROWS, told) ?? { says: 'unknown', why: ROWS.otherwise };
	const why = typeof decision.why === 'function' ? decision.why(told) : decision.why;
	switch (decision.says) {
		case 'refused':
			return {
				scope: 'question',
				isOwn: true,
				reason: `the service couldn't check this number${rowError(row)}. Submitting it again costs another credit`,
			};
		case 'positive':
			return positive(record);
		case 'negative':
			return negative(record);
		default:
			return unknown(withoutAnswers(record, ROWS), why);
	}
}

/** The beginning of the table, up to the last row that says so: a batch has thousands of rows. */
const IS_PENDING: DecisionTable = {
	...ROWS,
	rows: ROWS.rows.slice(0, ROWS.rows.map(({ says }) => says).lastIndexOf('running') + 1),
};

/** Whether the service has not checked the number of a row yet. */
export function isPending(row: IDataObject): boolean {
	return rowFor(IS_PENDING, toldBy(row))?.says === 'running';
}

/** Whether it has checked the number. */
function wasChecked(row: IDataObject): boolean {
	return rowFor(IS_PENDING, toldBy(row)) === undefined;
}

const ANSWER = ['status', 'wa_status', 'numberstatus', 'businessnumber'];

/** The row of a number that has several: one that was checked, or none if these contradict each other. */
export function ofBoth(one: IDataObject | undefined, other: IDataObject): IDataObject | undefined {
	if (one && !wasChecked(one)) return other;
	const isSame = ANSWER.every((name) => {
		const [word, otherWord] = [one?.[name], other[name]].map((value) => plainWord(textOf(value)));
		return word === '' || otherWord === '' || word === otherWord;
	});
	return isSame || !wasChecked(other) ? one : undefined;
}

/** A row for the table; a poll of several numbers has no separate head for each. */
function toldBy(row: IDataObject, number?: string, trouble?: string): Told {
	const head = { status: 200, headers: {}, request: NO_REQUEST };
	const asked = number ?? numberOf(row);
	return {
		body: row,
		head,
		asked,
		found: { wa_status: plainWord(textOf(row.wa_status)), trouble },
	};
}

const NO_REQUEST = { service: 'lookup', method: 'GET', path: '' } as const;

/** Like readRow, for an output of rows: a failed row is an unknown with its reason. */
export function rowAnswer(row: IDataObject, batch: Batch): Answer {
	const reading = readRow(row, undefined, undefined, batch.trouble);
	const answer = isRefusal(reading)
		? unknown(withoutAnswers(recordOf(row), ROWS), asReason([reading.reason]))
		: reading;
	const odd = answer.reason === NOT_CHECKED && oddStatus(batch);
	const reason = odd ? `${NOT_CHECKED}: ${odd}` : answer.reason;
	const record = { ...answer.record, batchId: batch.id };
	return { ...answer, reason, record, response: row, shape: 'number' };
}

/** One row for each number. */
export function rowsOfNumbers(rows: IDataObject[]): IDataObject[] {
	const byNumber = new Map<IDataObject | string, IDataObject[]>();
	for (const row of rows) {
		const number = digitsOf(row.phone_number) || row;
		const own = byNumber.get(number);
		if (own) own.push(row);
		else byNumber.set(number, [row]);
	}
	return [...byNumber.values()].map((own) => {
		const [first, ...others] = own;
		const row = others.reduce<IDataObject | undefined>(ofBoth, first);
		return row ?? { phone_number: first.phone_number, error: SEVERAL, rows: own };
	});
}

/** The reading of a number of a batch that is over. If the batch failed, the remaining numbers are not checked any more. */
export function readNumber(
	row: IDataObject | undefined,
	batch: Batch,
	whyNone?: string,
	asked?: string,
): Reading {
	const reading = readRow(row, whyNone, asked, batch.trouble);
	if (stateOf(batch) === 'failed' && (!row || isPending(row))) {
		const reason = `${oddStatus(batch)} before this number was checked. Submitting it again costs another credit`;
		return { scope: 'question', isOwn: true, reason };
	}
	if (isRefusal(reading)) return reading;
	return { ...reading, record: { ...reading.record, batchId: batch.id }, response: row ?? {} };
}

/** SPEC §2.4 does not name the field of a row's failure message: any text that says error, message or reason. */
function rowError(row: IDataObject): string {
	const name = Object.keys(row).find((key) => MESSAGE_NAME.test(key));
	const text = name === undefined ? undefined : row[name];
	return typeof text === 'string' && text !== '' ? ` (${inShort(text)})` : '';
}

function recordOf(row: IDataObject, asked?: string) {
	return {
		submittedNumber: orNull(row.phone_number),
		phoneNumber: namesTwo(row, asked) ? null : (numberOf(row) ?? null),
		onWhatsApp: flagIn(row.numberstatus),
		businessAccount: flagIn(row.businessnumber),
		carrier: orNull(row.carrier),
		countryCode: orNull(row.country),
		rowStatus: orNull(row.status),
		validation: validationIn(row),
	};
}

function numberOf(row: IDataObject): string | undefined {
	return e164Of(row.formatted_number) ?? e164In(row.phone_number);
}

/** SPEC §2.4: `formatted_number` is E.164, which some services write without its +. */
function e164Of(value: unknown): string | undefined {
	const digits = inShort(textOf(value)).replace(/[\s().-]/g, '');
	return e164In(value) ?? (/^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : undefined);
}

/** SPEC §2.4 does not name the field of the full validation data. It is the one that holds an object. */
function validationIn(row: IDataObject): IDataObject | null {
	if (plainWord(textOf(row.status)) !== 'completed') return null;
	const fields = Object.entries(row).filter(([name]) => !MESSAGE_NAME.test(name));
	return fields.map(([, value]) => value).find(isObject) ?? null;
}
