import type { RequestRecord } from '../../sandbox';
import { askedBy, endpoint, textIn, type EndpointName } from './endpoints';
import { canonicalOf, operationOf, partFor } from './operations';
import type { ExecutionSeen, Seen } from './runSchedule';
import type { Subject } from './lookupSubjects';

/** What the sandbox's log says of one execution: its paid requests, what each asked, and what can be known of each. */

/**
 * - `answered`: charged as the answer says
 * - `givenBack`: answered that it could not be told, and not charged
 * - `garbled`: answered without the fields that tell what; it may have been charged
 * - `lost`: no readable answer, so it may have been charged
 * - `open`: the question was refused, which may have been charged
 * - `harmless`: the question was refused before anything was done for it
 * - `unpaid`: asked too fast, or refused for the account or the path: certainly not charged
 */
export type Verdict =
	| 'answered'
	| 'garbled'
	| 'givenBack'
	| 'harmless'
	| 'lost'
	| 'open'
	| 'unpaid';

export interface PaidRequest {
	record: RequestRecord;
	endpoint: EndpointName;
	verdict: Verdict;
	/** What it asked about, in one spelling: several things for a batch. */
	about: string[];
	/** The same with what else makes the question. */
	questions: string[];
}

/** The paid requests of one execution, in order of arrival. */
export function paidRequestsOf({ log }: Seen, execution: ExecutionSeen): PaidRequest[] {
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

/** A message is about its recipient and its text. */
function questionOf(record: RequestRecord, name: EndpointName, about: string): string {
	return name === 'sendwasms'
		? `message to ${about}: ${String(textIn(record))}`
		: `${name} ${about}`;
}

const OF_ACCOUNT = /credits|recharge|api key/i;

/** SPEC leaves most statuses open; these are the sandbox's, and those of the faults. */
function verdictOf(record: RequestRecord, name: EndpointName, subject: Subject): Verdict {
	const { status, fault, charged, error = '' } = record;
	if (status === undefined) return 'lost';
	if (status === 429) return 'unpaid';
	if (status >= 500) return fault?.kind === 'status' && fault.headers ? 'unpaid' : 'lost';
	if ([301, 302, 401, 402, 404].includes(status) || fault?.kind === 'echoKey') return 'unpaid';
	// The tool server's own words come before any tool has run
	if (fault?.kind === 'status') {
		return name === 'tool' && typeof fault.body === 'object' ? 'harmless' : 'open';
	}
	if (fault && status >= 400) return 'open';
	if (fault?.kind === 'body' && !Array.isArray(fault.body)) return 'garbled';
	if (fault) return 'lost';
	return saidVerdict({ charged, error }, name, subject);
}

/** The verdict on what the endpoint itself says. */
function saidVerdict(
	{ charged, error }: { charged: number; error: string },
	name: EndpointName,
	{ isRefunded, isRefused }: Subject,
): Verdict {
	if (name === 'tool') return charged === 0 ? 'unpaid' : 'answered';
	if (OF_ACCOUNT.test(error)) return 'unpaid';
	if (isRefunded && charged === 0) return 'givenBack';
	// A refused row of a batch is no refusal of the batch; the caller ID's own failure is an answer
	const isOwnWord = name !== 'batch' && name !== 'calleridvalidation';
	return isRefused && isOwnWord && error !== '' ? 'open' : 'answered';
}
