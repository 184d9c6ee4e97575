import type { IDataObject } from 'n8n-workflow';
import { isObject, numberIn, textOf } from '../../engine/plan/values';
import { errorText } from '../../engine/refusals/refusal';
import { inWords, isMissing, isSame, that, toldText } from '../shared/decisions';
import {
	fieldsOf,
	hasFlag,
	isMailNo,
	LONGEST_NAME,
	saysMailWentWrong,
	textsNear,
	yesOrNo,
} from '../shared/replyWords';

/** What the reason code of an email check says: of the mailbox, or of the check. */

/** What is looked at of a reason code. */
export const LONGEST_CODE = 1_000;

/** Codes that say how the check went, not what the mailbox is: the list is open (SPEC §2.6). Of a user, unknown is a no. */
const TROUBLE_CODES =
	/network|connect|error\b|(?<!\b(?:user|mailbox|recipient|address|domain|host) )\bunknown\b(?! (?:user|mailbox|recipient|address|domain|host))|server fail|servfail|block|limit|unsure|fail|policy|reputation|firewall|captcha|challenge|tarpit|\b(?:auth\w*|certificate|handshake|ssl|(?:start)?tls)\b|smtp down/i;
export const IS_TROUBLE = that(
	'`reason_code` speaks of trouble, such as network_timeout',
	['reason_code'],
	({ body: { reason_code: code } }) => isTroubleCode(code),
);

function isTroubleCode(code: unknown): boolean {
	if (typeof code === 'number') return isTroubleCode(textOf(code));
	if (typeof code !== 'string') return isObject(code) || Array.isArray(code);
	const words = code.slice(0, LONGEST_CODE).replace(/[_-]+/g, ' ');
	return saysMailWentWrong(words) || TROUBLE_CODES.test(words);
}

/**
 * Codes that a mailbox that works may have: that it accepts, or what kind of mailbox it is. The list is open (SPEC §2.6). By 252 a
 * mail server doesn't say whether the mailbox exists (RFC 5321 §3.5.3).
 */
const ACCEPTS =
	/\b(?:accept(?:ed|s)?|active|alias|business|confirmed|corporate|deliverable|disposable|exists?|found|free|good|ok|okay|passed|personal|reachable|role|safe|success\w*|valid|verified|webmail)\b|^(?:smtp )?25[01]$/i;
const DENIES = /\b(?:cannot|in|no|non|not)\b/i;
export const IS_ACCEPTING = that(
	'`reason_code` says nothing, or names what a mailbox that works may have, such as mailbox_accepted',
	['reason_code'],
	({ body: { reason_code: code } }) => isAccepting(code) ?? true,
);

/** Undefined if it says nothing. */
function isAccepting(code: unknown): boolean | undefined {
	const words = toldCode(code);
	return words === undefined ? undefined : ACCEPTS.test(words) && !DENIES.test(words);
}

/**
 * Codes of a mailbox or a domain that cannot take email. The list is open (SPEC §2.6), and any other code may be about the check,
 * the one who checks or the moment.
 */
const MAILBOX =
	'(?:e ?mail(?: ?box| address)?|mail ?box|inbox|user(?: ?name)?|recipient|address|account|alias|local part)';
const HOST =
	'(?:domain(?: name)?|host(?: ?name)?|(?:mx or a|a or mx) records?|mx(?: hosts?| records?| servers?)?|dns(?: entr(?:ies|y)| records?)?|mail ?(?:host|server)s?|tld)';
const SYNTAX = '(?:syntax|format|e ?mail (?:syntax|format))';
const BAD =
	'(?:bad|closed|deactivated|deleted|disabled|expired|inactive|invalid|malformed|missing|non ?existent|undeliverable|unknown|unregistered)';
const IS_NOT =
	"(?:(?:do(?:es)? ?n['’]?o?t|not) (?:exist(?:s|ing)?|found|known|registered|resolved?|valid|active|deliverable))";
const NO_CODE = new RegExp(
	`^(?:smtp )?(?:${[
		`(?:${BAD}|no(?: such| valid)?|null) (?:${MAILBOX}|${HOST}|${SYNTAX})(?: found| here)?`,
		`(?:${MAILBOX}|${HOST}|${SYNTAX}) (?:(?:has been|is|was) )?(?:${BAD}|${IS_NOT})`,
		`rejected ${MAILBOX}|${MAILBOX} rejected|not accepted|${MAILBOX} not accepted`,
		`(?:domain|host) (?:has no|no|without) mx(?: records?)?|(?:domain )?(?:do(?:es)? ?n['’]?o?t) accept (?:e ?)?mails?`,
		`${IS_NOT}|hard bounced?|invalid|non ?existent|nxdomain|un(?:deliverable|registered)`,
	].join('|')})$`,
	'i',
);
export const IS_OF_MAILBOX = that(
	'`reason_code` says nothing, or names why a mailbox cannot take email, such as mailbox_not_found',
	['reason_code'],
	({ body: { reason_code: code } }) => isOfMailbox(code) ?? true,
);

/** Undefined if it says nothing. */
function isOfMailbox(code: unknown): boolean | undefined {
	const words = toldCode(code);
	return words === undefined ? undefined : NO_CODE.test(words) || isMailNo(words);
}

/** Its words. A code may be a number: a reply of the mail server. */
function toldCode(code: unknown): string | undefined {
	const text = toldText(typeof code === 'number' ? textOf(code) : code);
	return text && inWords(text);
}

export function isCatchAll(code: unknown): boolean {
	return (
		typeof code === 'string' &&
		/(?<![a-z])(?<!\b(?:not?|non)[\W_]{1,3}(?:a[\W_])?)(?:catch|accepts?)[\W_]*all(?![a-z])/i.test(
			code.slice(0, LONGEST_CODE),
		)
	);
}

/** A whole text that says so, and no more. */
const CATCH_ALL_ALONE =
	/^(?:(?:address|an?|domain|e ?mail|host|is|mail(?:box)?|mx|server|smtp|the|this) )*(?:catch|accepts?) ?all(?: (?:address(?:es)?|detected|domain|e ?mails?|host|mail(?:box(?:es)?)?|server|true|yes))*\W*$/i;

const CATCH_ALL_FLAG = /(?<!\b(?:check|ignore|non?|not|skip) )\b(?:catch|accepts?) ?all\b/i;

/** Whether a flag, the reason code or a whole text says that the server accepts every mailbox. */
export function isCatchAllBody(body: IDataObject): boolean {
	const isAlone = (text: string) =>
		text.length <= LONGEST_CODE && CATCH_ALL_ALONE.test(text.replace(/[_-]+/g, ' ').trim());
	return (
		isCatchAll(body.reason_code) ||
		hasFlag(body, CATCH_ALL_FLAG, true) ||
		textsNear(body).some(isAlone)
	);
}

/** Words of a verifier beside its verdict, by which the verdict does not hold. */

const OF_RESULT =
	/^(?:(?:check|e_?mail|mailbox|smtp|verification)_?)?(?:deliverability|outcome|result|state|status|sub_?status|verdict)$/i;
const UNSURE =
	/^(?:disconnect(?:ed)?|forcible disconnect|no connect|risky|time ?out|unknown|unverifiable)$/i;
const ACCEPTED = /^(?:deliverable|verified)$/i;
/** RFC 5321 §4.2.3: the mail server accepts the mailbox. */
const OF_SMTP = /^smtp_?(?:code|reply|response|status(?:_?code)?)$/i;
const ACCEPTED_BY_SERVER = /^25[012](?!\d)/;

export const NO_WORD_AGAINST = that(
	'no word of the check, such as `state` or `deliverability`, is unknown or risky',
	['result', 'state', 'deliverability', 'sub_status'],
	({ body }) => !hasWord(body, (word) => UNSURE.test(word)),
);

export const NO_WORD_FOR = that(
	'no word of the check, such as `state` or `deliverability`, is deliverable, unknown or risky, and `smtp_code` is not 250',
	['result', 'state', 'deliverability', 'sub_status', 'smtp_code'],
	({ body }) =>
		!hasWord(
			body,
			(word, name) =>
				UNSURE.test(word) ||
				ACCEPTED.test(word) ||
				(OF_SMTP.test(name) && ACCEPTED_BY_SERVER.test(word)),
		),
);

function hasWord(body: IDataObject, isSuch: (word: string, name: string) => boolean): boolean {
	return fieldsOf(body).some(({ name, value, of }) => {
		if (name.length > LONGEST_NAME || of.length > LONGEST_NAME) return false;
		if (typeof value !== 'string' && typeof value !== 'number') return false;
		const full = OF_SMTP.test(`${of}_${name}`) ? `${of}_${name}` : name;
		const isTold = OF_RESULT.test(full) || OF_SMTP.test(full);
		return isTold && isSuch(inWords(textOf(value)), full);
	});
}

/** A completed check is charged, also one of a malformed address (SPEC §4.2), whatever `status` says. */
export const HAS_NO_RESULT = that(
	'no field has the result of a check: a `verdict` of a mailbox, a `reason_code` of one, a false `emailformat`, without a verdict a flag, or beside a `balance` words about the mailbox',
	['verdict', 'reason_code', 'emailformat', 'emailexist', 'valid', 'balance', 'error'],
	({ body }) => !hasResult(body),
);

export function hasResult(body: IDataObject): boolean {
	const { verdict, emailformat, emailexist, valid } = body;
	const words = ['deliverable', 'undeliverable', 'invalid_format'];
	const flags = isMissing(verdict) && !isTroubleCode(body.reason_code) ? [emailexist, valid] : [];
	return (
		words.some((word) => isSame(verdict, word)) ||
		isSame(emailformat, false) ||
		flags.some((flag) => yesOrNo(flag) !== undefined) ||
		isCatchAllBody(body) ||
		isAccepting(body.reason_code) === true ||
		isOfMailbox(body.reason_code) === true ||
		// Beside a balance, such words end a check: they refuse no request
		(numberIn(body.balance) !== undefined && NO_CODE.test(inWords(errorText(body) ?? '')))
	);
}
