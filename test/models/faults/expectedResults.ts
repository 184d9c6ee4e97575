import { CLASSES, COST, type ClassName, type Kind } from './faultClasses';
import { exceptionFor } from './classExceptions';
import type { Fault } from './faultList';
import type { Subject } from './callsUnderTest';

/** What a cell of the matrix has to come to, worked out from the lists alone. */

/** Of the node's settings: what happens on an error. */
export const MODES = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
export type Mode = (typeof MODES)[number];

/** What becomes of one item. `says` is the whole message about it. */
export type ItemExpected =
	| { state: 'answered'; outcome?: 'negative' | 'positive' | 'unknown' }
	| { state: 'failed' | 'notSent'; says: string };

export interface CellExpected {
	items: ItemExpected[];
	/** Calls that reach the endpoint, and credits that the service takes in this cell. */
	sent: number;
	charged: number;
}

/** What is expected of the one call that the fault spoils. */
export interface CallExpected {
	class: ClassName;
	fate: 'answered' | 'fails' | 'stops';
	outcome?: 'negative' | 'positive' | 'unknown';
	sent: number;
	/** How many of those are spoiled. */
	spoiled: number;
	what: string;
	wayOut: string;
	cost: keyof typeof COST;
	/** What the message says of a job that was paid for before. */
	job?: string;
}

/** Whether an operation can meet a fault in this call. */
export function isPossible(subject: Subject, fault: Fault): boolean {
	// Where looks of a waiting node would meet the port, its submission has met it before
	if (subject.kind === 'poll' && fault.port !== undefined) return false;
	return exceptionFor(subject, fault)?.isUntried !== true;
}

const PASSES = new Set<ClassName>(['lost', 'throttled', 'unclear']);

export function callExpected(subject: Subject, fault: Fault): CallExpected {
	const exception = exceptionFor(subject, fault);
	const name = exception?.class ?? fault.class;
	const { kind } = subject;
	const known = CLASSES[name];
	const money = kind === 'paid' ? 'paid' : 'free';
	const fateOfClass = (kind !== 'paid' && known.fateIfFree) || known.fate;
	const fate = kind === 'poll' && PASSES.has(name) ? 'answered' : fateOfClass;
	const sent = fault.port ? 0 : (exception?.sent ?? known.sent[kind]);
	return {
		class: name,
		fate: exception?.fate ?? fate,
		outcome: exception?.outcome ?? (kind === 'poll' ? undefined : known.outcome),
		sent,
		spoiled: exception?.spoiled ?? spoiledOf(fate, sent, fault, kind),
		what: exception?.what ?? fault.what ?? '',
		wayOut: exception?.wayOut ?? wayOutOf(known.wayOut, kind),
		cost: exception?.cost ?? known.cost[money],
		job: exception?.job ?? subject.job,
	};
}

function wayOutOf(wayOut: Partial<Record<Kind, string>> & { paid: string }, kind: Kind): string {
	return kind === 'poll' ? '' : (wayOut[kind] ?? wayOut.paid);
}

/** All that are sent; but where the item is answered in spite of it, the last of several is not. */
function spoiledOf(fate: string, sent: number, { isOnce }: Fault, kind: Kind): number {
	if (isOnce) return 1;
	return fate === 'answered' && kind === 'poll' && sent > 1 ? sent - 1 : sent;
}

/** Names that are known only when a cell runs. */
export interface Names {
	values: string[];
	/** Host and port of the root. */
	host: string;
	/** ID of the job that was paid for before the call. */
	job?: string;
}

export function cellExpected(
	subject: Subject,
	fault: Fault,
	mode: Mode,
	names: Names,
): CellExpected {
	const call = callExpected(subject, fault);
	const items = itemsExpected(subject, fault, mode, call, names);
	const isSpoiled = (item: ItemExpected, n: number) =>
		item.state === 'failed' || (n === hitItem(subject, names.values.length) && !fault.port);
	const answered = items.filter((item, n) => item.state === 'answered' && !isSpoiled(item, n));
	const calls = subject.isTogether ? 1 : items.length;
	const one = { sent: call.sent, charged: chargedFor(subject, fault, call) };
	const passed = subject.isTogether || calls === 1 ? 0 : answered.length;
	return {
		items,
		sent: one.sent + passed,
		charged: one.charged + passed * subject.charge,
	};
}

function chargedFor({ charge }: Subject, { charged, isOnce }: Fault, { fate }: CallExpected) {
	return charged === true || (isOnce && fate === 'answered') ? charge : 0;
}

/** The item that the fault meets: the second, where there are others. */
export const hitItem = ({ isTogether }: Subject, count: number) =>
	isTogether || count === 1 ? 0 : 1;

function itemsExpected(
	subject: Subject,
	fault: Fault,
	mode: Mode,
	call: CallExpected,
	{ values, host, job = '' }: Names,
): ItemExpected[] {
	const hit = hitItem(subject, values.length);
	const isStopping = call.fate === 'stops' || (mode === 'stopWorkflow' && !subject.keeps);
	return values.map((value, n): ItemExpected => {
		const fill = (text: string) =>
			text.replace('{host}', host).replace('{value}', value).replace('{job}', job);
		const isHit = subject.isTogether === true || fault.port !== undefined || n === hit;
		if (call.fate === 'answered' || (!isHit && (n < hit || !isStopping))) {
			return { state: 'answered', outcome: isHit ? call.outcome : undefined };
		}
		const ofHit = fault.port && isStopping ? n === 0 : isHit;
		const says = ofHit ? failureText(subject, call) : notSentText(subject, call);
		return { state: ofHit ? 'failed' : 'notSent', says: fill(says) };
	});
}

function failureText({ prefix = '', suffix = '' }: Subject, call: CallExpected): string {
	const what = capitalised(`${prefix}${call.what}${suffix}`);
	return [what, call.wayOut, call.job ?? COST[call.cost]].filter(Boolean).map(ended).join(' ');
}

function notSentText({ prefix = '', suffix = '' }: Subject, { what }: CallExpected): string {
	const text = capitalised(`${prefix}it was not sent, because ${what}${suffix}`);
	return [text, 'Mend that and run the item again', COST.none].map(ended).join(' ');
}

/** With a capital at its beginning. */
export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** With its full stop. */
export const ended = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
