import type { GenericValue, IDataObject } from 'n8n-workflow';
import type { Refusal } from '../../engine/results';
import { saysDone } from '../../engine/refusals/done';
import {
	FORBIDDEN_NAME,
	inShort,
	isObject,
	isTooDeep,
	numberIn,
	quote,
} from '../../engine/plan/values';
import {
	errorText,
	hasError,
	isFalse,
	refusalText,
	refused,
	refuses,
	scopeOf,
	speaksOfTrouble,
	withoutAsked,
} from '../../engine/refusals/refusal';
import { isNothing, WEB_PAGE } from '../shared/replyWords';
import type { askedOf } from './jsonRpc';
import { parseExactly } from '../../engine/network/parseReply';

/**
 * The failure of a tool: its own error, or that of its REST call, which it passes on without marking it (SPEC §4.3). A tool that
 * says that the work was done has not refused it, whatever else it says of credits.
 */

type Asked = ReturnType<typeof askedOf>;

/** The error that explains how to authenticate (SPEC §4.3). */
const AUTHENTICATES =
	/^authenticat\w+ (?:is )?(?:required|missing|needed)\b.*\b(?:bearer|header|key)\b/is;

/** The tool's own error. The call reached the tool, and its cost is unknown, unless the account was refused. */
export function toolError(bodies: IDataObject[], text: string, asked: Asked): Refusal {
	const words = bodies.map(errorText).find((each) => each !== undefined) ?? text;
	const reason = inShort(words || 'the tool reported an error and gave no reason');
	const isDone = [...bodies, { message: text }].some((each) => saysDone(each, asked.request));
	const isOfKey = AUTHENTICATES.test(withoutAsked(reason, asked.request));
	const ofWords = isOfKey ? 'account' : scopeOf(reason, { status: 200, ...asked });
	const scope = isDone ? 'question' : ofWords;
	return { scope, reason, mayHaveCost: scope === 'question' };
}

/** The failure of a REST call in a result: in its value, or in a text alone. */
export function failureOfCall(
	value: GenericValue,
	text: string | null,
	asked: Asked,
): Refusal | undefined {
	const found = failureIn(value, asked) ?? failureInText(value, text, asked);
	const isDone = isObject(value) && saysDone(value, asked.request);
	return found && isDone ? { ...found, scope: 'question' } : found;
}

/** Where tools put the HTTP status and the body of their REST call, and the fields of one that has failed. */
const STATUSES = ['status', 'status_code', 'statusCode', 'http_status'];
const BODIES = ['data', 'body', 'response', 'result', 'output', 'payload'];
const IS_FAILURE =
	/^(?:(?:has|is)_?)?(?:err(?:or)?s?(?:_?(?:code|message|type))?|exceptions?|fail(?:ed|ure)?)$/i;
const OF_FAILURE =
	/^(?:(?:status)?_?code|details?|instance|message|msg|path|reason|(?:request|trace)_?id|status|success|timestamp|title|type)$/i;

/** The failure of a REST call in a value, or in an object around it. */
function failureIn(given: GenericValue, asked: Asked): Refusal | undefined {
	// A list of failures alone
	const value: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
	if (!isObject(value)) return undefined;
	const names = Object.keys(value);
	const hasOnlyWords = names.every(
		(name) => OF_FAILURE.test(name) || IS_FAILURE.test(name) || isNothing(value[name]),
	);
	const all = STATUSES.map((name) => value[name]).concat(hasOnlyWords ? value.code : []);
	const status = all.map(numberIn).find((each = 0) => each >= 400 && each < 600) ?? 200;
	const inner = BODIES.map((name) => objectIn(value[name])).filter(isObject);
	const body = inner.find((each) => refuses(each) && errorText(each) !== undefined);
	const says = (holder: IDataObject) => refused(holder, { status, ...asked });
	const isMarked = names.some(
		(name) => IS_FAILURE.test(name) && hasError({ error: value[name] } as IDataObject),
	);
	const areReasons = Array.isArray(value.detail) && value.detail.length > 0;
	if (refuses(value) || isFalse(value.ok) || (hasOnlyWords && (isMarked || areReasons)))
		return says(value);
	if (body || status >= 400) return says(body ?? inner[0] ?? value);
	const words = hasOnlyWords ? refusalText(value) : undefined;
	const found = words === undefined ? undefined : failureInWords(words, value, asked);
	return found ?? failureIn(value.response as GenericValue, asked);
}

/** The body of a failure is short. */
const LONGEST_BODY = 2_000;

function objectIn(value: unknown): IDataObject | undefined {
	const isText = typeof value === 'string' && value.length <= LONGEST_BODY;
	const held = isText ? parseStructure(value) : value;
	return isObject(held) ? held : undefined;
}

/** A longer text is one that the tool was asked for. */
const LONGEST_NOTICE = 200;
/** How a notice of a service begins: one that a person wrote has a subject. */
const OF_SERVICE =
	/^\W*(?:(?:an?|no|the|your) )?(?:access|api|auth\w*|client|(?:\w+ ?)?(?:error|exception)|failed|forbidden|https?|in(?:correct|sufficient|valid)|missing|no|not enough|out of|payment|please|request|server|status|un\w+|40[12])\b/i;
const OF_ACCOUNT =
	/\b40[12]\b|^\W*(?:authentication|authorization|authentication credentials) (?:is |were )?(?:not provided|required)\b|^\W*(?:expired|invalid) token\W*$|^\W*un(?:authenticated|authori[sz]ed)\W*$/i;
/** One that says no more than what the account lacks. */
const NOTICE =
	/^\W*(?:you|your|credits?|balance)\b[^.:,;]{1,80}(?:\W*$|\. (?:add|buy|contact|please|renew|top)\b)/i;
/** A list of balances has none of these words. */
const REFUSES = /\b(?:api key|exhausted|insufficient|not enough|out of|recharge|top[ -]up)\b/i;
/** What says that a call failed, besides the words of trouble, and what says that nothing did. */
const HAS_FAILED = new RegExp(
	`\\b(?:${[
		'bad (?:gateway|request)|denied|econn\\w+|errors?|exceeded|exceptions?|fail(?:ed|ure|s)?|forbidden|something went wrong|socket hang up|traceback',
		"(?:could|can|do|did)(?: ?n[o’']t| not) \\w+|unable to|un(?:authenticated|authori[sz]ed|known tool)|payment required|method not",
		'(?:expired|invalid|missing|required|unknown) (?:access|api|arg\\w*|auth\\w*|credential\\w*|field|input|key|method|param\\w*|property|request|tool|token)',
		'(?:(?:are|is) (?:a )?|authentication |authorization )(?:missing|required)|requires auth\\w+|not (?:allowed|authenticated|authori[sz]ed|supported)|http\\W{0,3}[45]\\d\\d',
	].join('|')})\\b|^\\W*(?:404\\W*)?not found\\W*$`,
	'i',
);
const NONE =
	/\b\w{1,30}\W{1,3}(?:0|false|n\/a|no|none|null)(?=\s{0,9}(?:[,;|]|$))|\b(?:0|no|without|zero) (?:errors?|fail\w{0,5})\b/gim;

export function hasFailed(words: string): boolean {
	return HAS_FAILED.test(words);
}

/**
 * The refusal in words that speak of a failure; undefined for others. Only those of a service may be about the account.
 * @param holder what has the words
 */
function failureInWords(words: string, holder: IDataObject, asked: Asked): Refusal | undefined {
	const own = withoutAsked(words.replace(NONE, ''), asked.request);
	const isFailure = speaksOfTrouble(own) || HAS_FAILED.test(own);
	const isRefusal = isFailure || REFUSES.test(words);
	const isOfAccount =
		(isFailure && OF_ACCOUNT.test(words)) ||
		((isRefusal || NOTICE.test(words)) && scopeOf(own, { status: 200, ...asked }) === 'account');
	const refusesAccount = isOfAccount && !saysDone(holder, asked.request);
	if (refusesAccount && isRefusal && OF_SERVICE.test(words))
		return { scope: 'account', reason: inShort(words) };
	return isFailure || refusesAccount ? said(words) : undefined;
}

function said(words: string): Refusal {
	return { scope: 'question', reason: `the tool says ${quote(words)}`, isOwn: true };
}

/** How a longer text about a failure begins. */
const TELLS_FAILURE =
	/^\W*(?:\w+ ){0,3}(?:\w*error|\w*exception|failed|traceback|unable|could(?: not|n.t))\b/i;

/** The failure in a text alone, or in a page. A short text may be what was asked for as well. */
function failureInText(
	value: GenericValue,
	text: string | null,
	asked: Asked,
): Refusal | undefined {
	const isAlone = value === null || (isObject(value) && Object.keys(value).join() === 'result');
	const told = (isObject(value) ? value.result : null) ?? text;
	if (!isAlone || typeof told !== 'string') return undefined;
	if (WEB_PAGE.test(told)) return said(told);
	const start = told.slice(0, LONGEST_NOTICE);
	const found = failureInWords(start, { message: start }, asked);
	const isOfFailure = start === told || TELLS_FAILURE.test(start) || found?.scope === 'account';
	return isOfFailure ? found : undefined;
}

/** A JSON object or list in a text; other text, numbers included, is text. */
export function parseStructure(text: string): IDataObject | GenericValue[] | undefined {
	try {
		const value = parseExactly(text);
		if (isTooDeep(value)) return undefined;
		if (MAY_BE_FORBIDDEN.test(text)) removeForbidden(value);
		return isObject(value) || Array.isArray(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** The forbidden name in a text, plain or escaped. */
const MAY_BE_FORBIDDEN = new RegExp(`${FORBIDDEN_NAME}|\\\\u00`);

/** Removes the forbidden name from parsed JSON. A parser with a callback for each value takes many times as long. */
function removeForbidden(json: unknown): void {
	if (typeof json !== 'object' || json === null) return;
	if (Object.hasOwn(json, FORBIDDEN_NAME)) Reflect.deleteProperty(json, FORBIDDEN_NAME);
	for (const inner of Object.values(json)) removeForbidden(inner);
}
