import { CLASSES, COST, type ClassName, type Kind } from './faultClasses';
import { exceptionFor } from './classExceptions';
import type { Fault } from './faultList';
import type { CallUnderTest } from './callsUnderTest';

/** The expected result of each cell of the matrix, computed from the lists alone. */

/** The node's On Error setting. */
export const MODES = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
export type Mode = (typeof MODES)[number];

/** The expected state of one item. `says` is its whole message. */
export type ExpectedItem =
	| { state: 'answered'; outcome?: 'negative' | 'positive' | 'unknown' }
	| { state: 'failed' | 'notSent'; says: string };

interface ExpectedCell {
	items: ExpectedItem[];
	/** Calls that reach the endpoint, and credits that the service takes in this cell. */
	sent: number;
	charged: number;
}

/** What is expected of the call that the fault affects. */
export interface ExpectedCall {
	class: ClassName;
	ending: 'answered' | 'fails' | 'stops';
	outcome?: 'negative' | 'positive' | 'unknown';
	sent: number;
	/** How many of the calls sent the fault affects. */
	affectedCalls: number;
	what: string;
	remedy: string;
	cost: keyof typeof COST;
	/** What the message says about a job that is already paid for. */
	job?: string;
}

/** Whether a fault can affect this call. */
export function isPossible(target: CallUnderTest, fault: Fault): boolean {
	// The submission of a waiting node would meet the port before its polls
	if (target.kind === 'poll' && fault.port !== undefined) return false;
	return exceptionFor(target, fault)?.isUntried !== true;
}

const PASSES = new Set<ClassName>(['lost', 'throttled', 'unclear']);

export function expectedCall(target: CallUnderTest, fault: Fault): ExpectedCall {
	const exception = exceptionFor(target, fault);
	const name = exception?.class ?? fault.class;
	const { kind } = target;
	const known = CLASSES[name];
	const money = kind === 'paid' ? 'paid' : 'free';
	const endingOfClass = (kind !== 'paid' && known.endingIfFree) || known.ending;
	const ending = kind === 'poll' && PASSES.has(name) ? 'answered' : endingOfClass;
	const sent = fault.port ? 0 : (exception?.sent ?? known.sent[kind]);
	return {
		class: name,
		ending: exception?.ending ?? ending,
		outcome: exception?.outcome ?? (kind === 'poll' ? undefined : known.outcome),
		sent,
		affectedCalls: exception?.affectedCalls ?? affectedCallsOf(ending, sent, fault, kind),
		what: exception?.what ?? fault.what ?? '',
		remedy: exception?.remedy ?? remedyOf(known.remedy, kind),
		cost: exception?.cost ?? known.cost[money],
		job: exception?.job ?? target.job,
	};
}

function remedyOf(remedy: Partial<Record<Kind, string>> & { paid: string }, kind: Kind): string {
	return kind === 'poll' ? '' : (remedy[kind] ?? remedy.paid);
}

/** All calls that are sent. When the item is answered all the same, the last of several polls succeeds. */
function affectedCallsOf(ending: string, sent: number, { isOnce }: Fault, kind: Kind): number {
	if (isOnce) return 1;
	return ending === 'answered' && kind === 'poll' && sent > 1 ? sent - 1 : sent;
}

/** Values that are known only when a cell runs. */
export interface Names {
	values: string[];
	/** Host and port of the root. */
	host: string;
	/** ID of the job that was paid for before the call. */
	job?: string;
}

export function expectedCell(
	target: CallUnderTest,
	fault: Fault,
	mode: Mode,
	names: Names,
): ExpectedCell {
	const call = expectedCall(target, fault);
	const items = expectedItems(target, fault, mode, call, names);
	const isFaulty = (item: ExpectedItem, n: number) =>
		item.state === 'failed' ||
		(n === affectedItem(target, fault, names.values.length) && !fault.port);
	const answered = items.filter((item, n) => item.state === 'answered' && !isFaulty(item, n));
	const calls = target.isOneCall ? 1 : items.length;
	const one = { sent: call.sent, charged: chargedFor(target, fault, call) };
	const passed = target.isOneCall || calls === 1 ? 0 : answered.length;
	return {
		items,
		sent: one.sent + passed,
		charged: one.charged + passed * target.charge,
	};
}

function chargedFor(
	{ charge }: CallUnderTest,
	{ charged, isOnce }: Fault,
	{ ending }: ExpectedCall,
) {
	return charged === true || (isOnce && ending === 'answered') ? charge : 0;
}

/**
 * The index of the item that the fault affects: the second, when there are several. A path that is not there, or forbidden, answers
 * nobody, and after an answer the same status is about the value.
 */
export const affectedItem = (target: CallUnderTest, fault: Fault, count: number) => {
	const isOfAll = ['account', 'noPath'].includes(expectedCall(target, fault).class);
	return target.isOneCall || count === 1 || isOfAll ? 0 : 1;
};

function expectedItems(
	target: CallUnderTest,
	fault: Fault,
	mode: Mode,
	call: ExpectedCall,
	{ values, host, job = '' }: Names,
): ExpectedItem[] {
	const affected = affectedItem(target, fault, values.length);
	const isStopping = call.ending === 'stops' || (mode === 'stopWorkflow' && !target.keeps);
	const { url, prefix } = URL_FIELDS[target.root];
	return values.map((_, n): ExpectedItem => {
		const fill = (text: string) =>
			withValue(text, values[affected])
				.replace('{host}', host)
				.replace('{job}', job)
				.replace('{credits}', creditsOf(target))
				.replace('{url}', url)
				.replace('{prefix}', prefix);
		const isAffected = target.isOneCall === true || fault.port !== undefined || n === affected;
		if (call.ending === 'answered' || (!isAffected && (n < affected || !isStopping))) {
			return { state: 'answered', outcome: isAffected ? call.outcome : undefined };
		}
		const isFailure = fault.port && isStopping ? n === 0 : isAffected;
		const says = isFailure ? failureText(target, call) : notSentText(target, call);
		return { state: isFailure ? 'failed' : 'notSent', says: fill(says) };
	});
}

function failureText({ prefix = '', suffix = '' }: CallUnderTest, call: ExpectedCall): string {
	const what = capitalised(`${prefix}${call.what}${suffix}`);
	return [what, call.remedy, call.job ?? COST[call.cost]].filter(Boolean).map(ended).join(' ');
}

function notSentText({ prefix = '', suffix = '' }: CallUnderTest, { what }: ExpectedCall): string {
	const text = capitalised(`${prefix}skipped after an earlier failure: ${what}${suffix}`);
	return [text, 'Fix that one first', COST.none].map(ended).join(' ');
}

/** The name of the balance of a call, with a space; empty for free calls and tools. */
function creditsOf({ of, kind }: CallUnderTest): string {
	const [resource] = of.split('.');
	return (kind === 'paid' && CREDITS[resource]) || '';
}
const CREDITS: Record<string, string> = {
	...{ phone: 'phone ', callerId: 'Caller ID ', whatsApp: 'WhatsApp ', batch: 'WhatsApp ' },
	...{ email: 'email ', geoIp: 'GeoIP ', contact: 'email ', scraper: 'scraper ', audit: 'audit ' },
};

/** What the messages say about each URL of the credential (SPEC §9). */
const VERSIONED = ', including its version prefix such as /api/v1';
const PLAIN = '. It has no version prefix';
const URL_FIELDS: Record<CallUnderTest['root'], { url: string; prefix: string }> = {
	baseUrl: { url: 'Base URL', prefix: VERSIONED },
	lookupUrl: { url: 'Lookup URL', prefix: VERSIONED },
	geoipUrl: { url: 'GeoIP URL', prefix: PLAIN },
	mcpUrl: { url: 'Tool Server URL', prefix: PLAIN },
};

/** A text with the value that is looked up, as it is and as a URL has it. */
export const withValue = (text: string, value: string) =>
	text.replaceAll('{value}', value).replaceAll('{encoded}', encodeURIComponent(value));

/** Puts the first letter in upper case. */
export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** Adds the full stop, if the text has none. */
export const ended = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
