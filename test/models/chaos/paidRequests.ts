import type { RequestRecord } from '../../sandbox';
import { askedBy, endpoint, textIn, type EndpointName } from './endpoints';
import { canonicalOf, operationOf, partFor } from './operations';
import type { ObservedExecution, ObservedRun } from './runSchedule';
import type { Subject } from './lookupSubjects';

/** Reads the paid requests of one execution from the sandbox's log: what each asked, and whether it was charged. */

/**
 * - `answered`: charged as the answer says
 * - `refunded`: the answer was inconclusive and not charged
 * - `incomplete`: answered without the fields that matter; it may have been charged
 * - `lost`: no readable answer, so it may have been charged
 * - `refused`: the question was refused, which may have been charged
 * - `notCharged`: too fast, or refused because of the account or the path: certainly not charged
 */
export type Verdict = 'answered' | 'incomplete' | 'refunded' | 'lost' | 'refused' | 'notCharged';

export interface PaidRequest {
	record: RequestRecord;
	endpoint: EndpointName;
	verdict: Verdict;
	/** Its values, in canonical spelling: several for a batch. */
	about: string[];
	/** The same with everything else that makes two questions different. */
	questions: string[];
}

/** The paid requests of one execution, in order of arrival. */
export function paidRequestsOf({ log }: ObservedRun, execution: ObservedExecution): PaidRequest[] {
	const { plan, index } = execution;
	const { endpoints, subjects } = operationOf(plan.operation);
	const known = new Map(
		endpoints.map((name) => [name, subjectsOf(subjects(index), name)] as const),
	);
	return log.flatMap((record): PaidRequest[] => {
		const { name, texts } = askedBy(record) ?? {};
		const subjectOf = name && known.get(name);
		if (!subjectOf || !texts) return [];
		const about = texts.map((text) => endpoint(name).canonical(text));
		const [subject] = about.map((one) => subjectOf.get(one)).filter((one) => one !== undefined);
		if (!subject) return [];
		const questions = about.map((one) => questionOf(record, name, one));
		return [
			{ record, endpoint: name, verdict: verdictOf(record, name, subject), about, questions },
		];
	});
}

function subjectsOf(subjects: Subject[], name: EndpointName): Map<string, Subject> {
	return new Map(subjects.map((each) => [canonicalOf(each, name), partFor(each, name)] as const));
}

/** A message is identified by its recipient and its text. */
function questionOf(record: RequestRecord, name: EndpointName, about: string): string {
	return name === 'sendwasms'
		? `message to ${about}: ${String(textIn(record))}`
		: `${name} ${about}`;
}

function isRedirected({ fault }: RequestRecord): boolean {
	return fault?.kind === 'redirect';
}

/** What acts may have acted before a redirect, and before a page of a gateway. */
const ACTING = new Set<EndpointName>(['audit_run', 'batch', 'sendwasms', 'tool']);

const OF_ACCOUNT = /credits|recharge|api key/i;

/** SPEC leaves most statuses open; these are those of the sandbox and of the faults. */
function verdictOf(record: RequestRecord, name: EndpointName, subject: Subject): Verdict {
	const { method, status, fault, charged, error = '' } = record;
	if (status === undefined) return 'lost';
	const acts = ACTING.has(name);
	if (status === 429) {
		// Words about the pace, unless another fault has replaced them
		const hasWords = !fault || ['latency', 'status'].includes(fault.kind);
		return hasWords || !acts ? 'notCharged' : 'lost';
	}
	if (status >= 500) {
		const after = fault?.kind === 'status' ? fault.headers?.['retry-after'] : undefined;
		return /^\d+$/.test(after ?? '') && !acts ? 'notCharged' : 'lost';
	}
	if (isRedirected(record)) {
		return method === 'GET' && status !== 303 && !acts ? 'notCharged' : 'refused';
	}
	if ([401, 402, 404].includes(status)) return 'notCharged';
	if (fault && (fault.kind === 'status' || status >= 400)) return 'refused';
	if (fault?.kind === 'body' && !Array.isArray(fault.body)) return 'incomplete';
	if (fault) return 'lost';
	return saidVerdict({ charged, error }, name, subject);
}

/** The verdict on an answer of the endpoint itself. */
function saidVerdict(
	{ charged, error }: { charged: number; error: string },
	name: EndpointName,
	{ isRefunded, isRefused }: Subject,
): Verdict {
	if (name === 'tool') return charged === 0 ? 'notCharged' : 'answered';
	if (OF_ACCOUNT.test(error)) return 'notCharged';
	if (isRefunded && charged === 0) return 'refunded';
	// A refused row does not refuse its batch; a failed caller ID lookup is an answer
	const isOwnWord = name !== 'batch' && name !== 'calleridvalidation';
	return isRefused && isOwnWord && error !== '' ? 'refused' : 'answered';
}
