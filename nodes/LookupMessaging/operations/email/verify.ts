import type { IDataObject } from 'n8n-workflow';
import type { AnswerRecord } from '../../engine/results';
import {
	type DecisionTable,
	defineOperation,
	isLocalAnswer,
	type Told,
} from '../../engine/operation';
import {
	DISAGREE,
	HAS_NO_TROUBLE,
	is,
	IS_ABOUT_ACCOUNT,
	isMissing,
	isNot,
	isOrMissing,
	isSame,
	lacks,
	noneSaysNo,
	noneSaysYes,
	ofOther,
	readBy,
	REFUSES,
	SAYS_NO_MORE,
	STATUS_IS_FALSE,
	SUCCEEDS,
	tells,
	that,
	toldText,
} from '../shared/decisions';
import { flagIn, mailTroubleBesideYes, mailWordsAgainst, yesOrNo } from '../shared/replyWords';
import { emailField, readEmailAddress } from '../shared/email/emailAddress';
import {
	HAS_NO_RESULT,
	hasResult,
	IS_ACCEPTING,
	IS_OF_MAILBOX,
	IS_TROUBLE,
	isCatchAll,
	isCatchAllBody,
	LONGEST_CODE,
	NO_WORD_AGAINST,
	NO_WORD_FOR,
} from './reasonCode';
import { mailboxesOfDomain, skipCatchAllOption } from './catchAll';
import { numberIn, orNull, quote, textOf } from '../../engine/plan/values';
import { errorText, isFalse } from '../../engine/refusals/refusal';

/** With a wrong key there is no balance, and without credits it is 0. If credits are left, the words come from a mail server. */
const HAS_NO_CREDITS = that(
	'`balance` is missing or 0, or the HTTP status is 300 or more',
	['balance'],
	({ body: { balance }, head }) => head.status >= 300 || (numberIn(balance) ?? 0) <= 0,
);

/**
 * The check could not be finished, and the credit was refunded (SPEC §4.2, §7). The list of reason codes is open (SPEC §2.6), so
 * any reply about a check without a result counts: it has a verdict, a reason code, or the balance after the refund.
 */
const IS_INCONCLUSIVE = that(
	`\`reason_code\` is network_timeout, \`error\` is the service's sentence for it, or HTTP is 2xx, \`balance\` is a number, there is a \`verdict\` or \`reason_code\` says something, and ${HAS_NO_RESULT.words}`,
	['reason_code', 'balance', ...HAS_NO_RESULT.fields],
	({ body, head }) =>
		isTimeout(body) ||
		(head.status < 300 &&
			(numberIn(body.balance) !== undefined ||
				!isMissing(body.verdict) ||
				toldText(body.reason_code) !== undefined) &&
			!hasResult(body)),
);

/** SPEC §7: the code, or the sentence beside it. */
function isTimeout(body: IDataObject): boolean {
	return isSame(body.reason_code, 'network_timeout') || OUT_OF_TIME.test(errorText(body) ?? '');
}
const OUT_OF_TIME = /^service temporarily unavailable, please try again\W*$/i;

/** SPEC §4.2, §8: a check that is inconclusive is refunded. Beside a result, a failure may have been charged or not. */
function costOf(body: IDataObject): number | undefined {
	if (!isFalse(body.status)) return 1;
	if (isTimeout(body) || !hasResult(body)) return 0;
	return isSame(body.verdict, 'invalid_format') ? 1 : undefined;
}

/** The server accepts every mailbox (SPEC §2.6), also in the words of other services. */
const IS_CATCH_ALL = that(
	'`catch_all` or `accept_all` is true, `reason_code` names one of them, or another text is no more than one of them, in any spelling',
	['reason_code', 'catch_all', 'accept_all'],
	({ body }) => isCatchAllBody(body),
);
/** Flags of other services for the question. */
const MAILBOX_FLAGS =
	/^(?:is |has )?(?:(?:address|e ?mail|mailbox|smtp|user) )?(?:accepted|deliverable|exists?|reachable|valid)$/i;
const wordsOrDisagree = (told: Told) =>
	otherWords(told) ?? mailTroubleBesideYes(withoutBoth(told)) ?? oddCode(told) ?? DISAGREE;

/** A code that speaks neither for a yes nor for a no explains why it is none. */
function oddCode(told: Told): string | undefined {
	return IS_ACCEPTING.holds(told) || IS_OF_MAILBOX.holds(told) ? undefined : reasonOf(told);
}

/** The reason code and the verdict have rows of their own. */
function otherWords(told: Told): string | undefined {
	return mailWordsAgainst(withoutBoth(told));
}

function withoutBoth(told: Told): Told {
	return { ...told, body: { ...told.body, reason_code: null, verdict: null } };
}

/** The additional conditions of a yes, and of a no. */
const SPEAKS_FOR = [
	...['emailexist', 'emailformat', 'mx_found', 'smtp_check'].map((field) =>
		isOrMissing(field, true),
	),
	IS_ACCEPTING,
	that(
		HAS_NO_TROUBLE.words,
		HAS_NO_TROUBLE.fields,
		(told) => mailTroubleBesideYes(withoutBoth(told)) === undefined,
	),
	noneSaysNo(['is_deliverable'], MAILBOX_FLAGS),
	NO_WORD_AGAINST,
];
const SPEAKS_AGAINST = [
	...['emailexist', 'smtp_check'].map((field) => isOrMissing(field, false)),
	IS_OF_MAILBOX,
	that(SAYS_NO_MORE.words, SAYS_NO_MORE.fields, (told) => otherWords(told) === undefined),
	noneSaysYes(['is_deliverable'], MAILBOX_FLAGS),
	NO_WORD_FOR,
];

/** SPEC §2.1, EmailCheckResponse; §2.6; §7. */
const REPLIES: DecisionTable = {
	answers: ['mailboxExists'],
	rows: [
		{
			when: [
				REFUSES,
				IS_ABOUT_ACCOUNT,
				HAS_NO_CREDITS,
				isNot('verdict', 'deliverable'),
				isNot('valid', true),
			],
			says: 'refused',
		},
		ofOther('address', ['email'], isOtherAddress),
		// No failure of a lookup explains it, and it is charged, so it is a no beside any \`status\`
		{
			when: [
				is('verdict', 'invalid_format'),
				isOrMissing('emailformat', false),
				isOrMissing('valid', false),
				...SPEAKS_AGAINST,
			],
			says: 'negative',
			why: reasonOf,
		},
		{
			when: [STATUS_IS_FALSE, IS_INCONCLUSIVE],
			says: 'unknown',
			why: ({ body }) => `${errorText(body) ?? 'the check was inconclusive'} (credit refunded)`,
			isRefunded: true,
		},
		{ when: [REFUSES, lacks('verdict'), HAS_NO_RESULT], says: 'refused' },
		{
			when: [REFUSES],
			says: 'unknown',
			why: (told) => errorText(told.body) ?? (hasResult(told.body) ? DISAGREE : whyOf(told)),
		},
		{ when: [IS_TROUBLE], says: 'unknown', why: whyOf },
		{
			when: [IS_CATCH_ALL],
			says: 'unknown',
			why: (told) => (isCatchAll(told.body.reason_code) ? whyOf(told) : MEANINGS.catch_all),
		},
		{
			when: [is('verdict', 'deliverable'), isOrMissing('valid', true), ...SPEAKS_FOR, SUCCEEDS],
			says: 'positive',
			why: reasonOf,
		},
		{
			when: [is('valid', true), lacks('verdict'), ...SPEAKS_FOR, SUCCEEDS],
			says: 'positive',
			why: reasonOf,
		},
		{
			when: [
				is('verdict', 'undeliverable'),
				isOrMissing('valid', false),
				...SPEAKS_AGAINST,
				SUCCEEDS,
			],
			says: 'negative',
			why: reasonOf,
		},
		{
			when: [is('valid', false), lacks('verdict'), ...SPEAKS_AGAINST, SUCCEEDS],
			says: 'negative',
			why: reasonOf,
		},
		{
			when: [is('verdict', 'deliverable', 'undeliverable', 'invalid_format')],
			says: 'unknown',
			why: wordsOrDisagree,
		},
		{ when: [is('valid', true, false), lacks('verdict')], says: 'unknown', why: wordsOrDisagree },
		{ when: [tells('verdict')], says: 'unknown', why: whyOf },
	],
	otherwise: whyOf,
};

/** The codes of SPEC §2.6 as clauses, and one that mail servers often cause. */
const MEANINGS: Record<string, string> = {
	catch_all:
		"the mail server accepts every address (catch-all), so it isn't known whether this mailbox exists",
	greylisted: 'the mail server turns unknown senders away for a while. Look it up again later',
	invalid_syntax: "the address isn't valid",
	mailbox_accepted: 'the mail server accepts the mailbox',
	mailbox_not_found: "the mailbox doesn't exist",
	network_timeout: "the mail server didn't answer in time",
};

/** A reason code as a clause. The list of codes is open, so any other one is quoted without its underscores. */
function reasonInWords(code: string): string {
	const key = isCatchAll(code) ? 'catch_all' : code.trim().toLowerCase();
	if (Object.hasOwn(MEANINGS, key)) return MEANINGS[key];
	return `the service's reason is ${quote(code.replace(/_+/g, ' ').trim())}`;
}

function reasonOf({ body: { reason_code: code } }: Told): string | undefined {
	const isText = typeof code === 'string' || typeof code === 'number';
	const text = isText ? textOf(code).slice(0, LONGEST_CODE).trim() : '';
	return text === '' ? undefined : reasonInWords(text);
}

function whyOf(told: Told): string {
	const verdict = toldText(told.body.verdict);
	const otherwise = verdict ? `the service's verdict is ${quote(verdict)}` : undefined;
	return reasonOf(told) ?? otherwise ?? 'the service gave no verdict';
}

/** The mailbox of an address. Gmail leaves dots out, and what follows a plus. */
function mailboxOf(address: string): string {
	const whole = address.toLowerCase();
	const [, local] = /^([^@]+)@(?:gmail|googlemail)\.com$/.exec(whole) ?? [];
	return local === undefined ? whole : `${local.split('+', 1)[0].replace(/\./g, '')}@gmail.com`;
}

function isOtherAddress(said: unknown, asked: string): boolean {
	if (typeof said !== 'string' || said === asked || !said.includes('@')) return false;
	const read = readEmailAddress(said);
	const other = isLocalAnswer(read) ? said.trim() : read;
	return mailboxOf(other) !== mailboxOf(asked);
}

export const verifyEmail = defineOperation({
	resource: 'email',
	value: 'verify',
	name: 'Verify',
	action: 'Verify email address',
	description: 'Check whether a mailbox exists. No email is sent.',
	fields: [emailField],
	options: [skipCatchAllOption],
	subject: 'email',
	outcomes: { positive: 'Deliverable', negative: 'Undeliverable', unknown: 'Unknown' },
	repeatable: true,
	refunds: true,
	groupOption: skipCatchAllOption.name,
	group: mailboxesOfDomain,
	decide: [REPLIES],

	prepare: (params) => {
		const email = readEmailAddress(params.email);
		return isLocalAnswer(email) ? email : { email };
	},

	request: ({ email }) => ({
		service: 'main',
		method: 'GET',
		path: '/checkemail',
		query: { email },
	}),
	credits: () => ({
		balance: 'email',
		atMost: 1,
		charged: costOf,
		// SPEC §2.6
		left: ({ balance }) => {
			const left = numberIn(balance) ?? -1;
			return left >= 0 ? Math.floor(left) : undefined;
		},
	}),

	read: (body, head, { email }) => {
		const record = { ...readRecord(body), email: orNull(body.email) ?? email };
		return readBy(REPLIES, { body, head, asked: email }, record, { email });
	},
	output: [
		{
			name: 'email',
			type: 'string',
			description: 'The checked address',
			example: 'name@example.com',
			simplified: true,
		},
		{
			name: 'verdict',
			type: 'string',
			description: 'One of deliverable, undeliverable, unknown and invalid_format',
			example: 'deliverable',
			simplified: true,
		},
		{
			name: 'reasonCode',
			type: 'string',
			description:
				'Code of the reason, such as mailbox_accepted, mailbox_not_found or catch_all. The field reason says it in words.',
			example: 'mailbox_accepted',
			simplified: true,
		},
		{
			name: 'mailboxExists',
			type: 'boolean',
			description: 'Whether the mail server accepts the mailbox. A catch-all server accepts any.',
			example: true,
			simplified: true,
		},
		{
			name: 'catchAll',
			type: 'boolean',
			description: 'Whether the domain accepts every mailbox; null if unknown',
			example: false,
			simplified: true,
		},
		{
			name: 'disposable',
			type: 'boolean',
			description: 'Whether the domain offers disposable addresses; null if unknown',
			example: false,
			simplified: true,
		},
		{
			name: 'formatValid',
			type: 'boolean',
			description: 'Whether the syntax is valid',
			example: true,
		},
		{
			name: 'mxFound',
			type: 'boolean',
			description: 'Whether the domain has a mail server (MX record); null if unknown',
			example: true,
		},
		{
			name: 'creditsLeft',
			type: 'number',
			description: 'Email credits left after the check',
			example: 999,
			ofCall: true,
		},
	],
});

/** Both declared shapes: the detailed record (SPEC §2.6) and EmailCheckResponse (SPEC §2.1). */
function readRecord(body: IDataObject): AnswerRecord {
	const valid = yesOrNo(body.valid);
	if (valid !== undefined && isMissing(body.verdict)) {
		return {
			verdict: valid ? 'deliverable' : 'undeliverable',
			mailboxExists: flagIn(body.smtp_check),
			...(isCatchAllBody(body) && { catchAll: true }),
			disposable: flagIn(body.disposable),
			mxFound: flagIn(body.mx_found),
		};
	}
	return {
		verdict: orNull(body.verdict),
		reasonCode: orNull(body.reason_code),
		mailboxExists: flagIn(body.emailexist),
		catchAll: readCatchAll(body),
		disposable: flagIn(body.disposable),
		mxFound: flagIn(body.mx_found),
		formatValid: flagIn(body.emailformat),
		creditsLeft: orNull(body.balance),
	};
}

/** Only the answer of a mail server about a mailbox shows whether it accepts every mailbox. */
function readCatchAll(body: IDataObject): boolean | null {
	const { status, verdict, reason_code: reason } = body;
	if (isFalse(status)) return null;
	if (isCatchAllBody(body)) return true;
	const isTold = isSame(verdict, 'deliverable') || isSame(verdict, 'undeliverable');
	return isTold && typeof reason === 'string' ? false : null;
}
