import type { RequestRecord } from '../../sandbox';
import type { ExecutionSeen, Seen } from './perform';
import { canonicalOf, operationOf, type OperationName } from './subjects';

/** What the sandbox's log says of one execution: its paid requests, what each asked, and what can be known of each. */

/**
 * - `answered`: charged as the answer says
 * - `givenBack`: answered that it could not be told, and not charged
 * - `lost`: no readable answer, so it may have been charged
 * - `open`: the question was refused, which may have been charged
 * - `unpaid`: asked too fast, or refused for the account or the path: certainly not charged
 */
export type Verdict = 'answered' | 'givenBack' | 'lost' | 'open' | 'unpaid';

export interface PaidRequest {
	record: RequestRecord;
	verdict: Verdict;
	/** What it asked, in one spelling: several things for a batch. */
	questions: string[];
}

/** The paid requests of one execution, in order of arrival. */
export function paidRequestsOf(
	{ log }: Seen,
	{ plan, subjects, index }: ExecutionSeen,
): PaidRequest[] {
	const known = new Set(
		operationOf(plan.operation)
			.subjects(index)
			.map(({ spellings }) => canonicalOf(plan.operation, spellings[0])),
	);
	const refused = new Set(
		subjects.flatMap((subject) =>
			subject?.isRefused ? [canonicalOf(plan.operation, subject.spellings[0])] : [],
		),
	);
	const refunded = new Set(
		subjects.flatMap((subject) =>
			subject?.isRefunded ? [canonicalOf(plan.operation, subject.spellings[0])] : [],
		),
	);
	return log.flatMap((record) => {
		const asked = askedBy(record, plan.operation);
		const about = asked.map((text) => canonicalOf(plan.operation, text));
		if (about.length === 0 || !about.some((one) => known.has(one))) return [];
		const verdict = verdictOf(record, {
			isRefused: refused.has(about[0]) && isOwnWord(record),
			isRefunded: refunded.has(about[0]),
		});
		return [{ record, verdict, questions: about.map((one) => questionOf(record, one)) }];
	});
}

/** What a paid request asks about, as it was sent. */
function askedBy(
	{ path, method, query, body }: RequestRecord,
	operation: OperationName,
): unknown[] {
	const sent = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
	switch (path.split('/').pop()) {
		case 'checkemail':
			return operation === 'verifyEmail' ? [query.email] : [];
		case 'phonevalidation':
			return operation === 'validatePhone' ? [sent.phone_number] : [];
		case 'calleridvalidation':
			return operation === 'lookUpCallerId' ? [query.phone_number] : [];
		case 'checkwanumber':
			return ['checkWhatsApp', 'sendMessage'].includes(operation) ? [query.number] : [];
		case 'sendwasms':
			return operation === 'sendMessage' ? [query.number] : [];
		case 'batch':
			return operation === 'checkMany' && method === 'POST'
				? (sent.phone_numbers as unknown[])
				: [];
		case '':
			return operation === 'locateIp' ? [query.ip] : [];
		default:
			return [];
	}
}

/** A message is about its recipient and its text. */
function questionOf({ path, query }: RequestRecord, about: string): string {
	if (path.endsWith('/sendwasms')) return `message to ${about}: ${query.message}`;
	return path.endsWith('/checkwanumber') ? `check of ${about}` : about;
}

/** A refused row of a batch is no refusal of the batch, nor is a number that cannot be written to one that cannot be checked. */
function isOwnWord({ path }: RequestRecord): boolean {
	return !path.endsWith('/batch');
}

/** SPEC leaves most statuses open; these are the sandbox's in its `http` mode, and those of the faults. */
function verdictOf(
	{ status, fault, path, charged }: RequestRecord,
	{ isRefused, isRefunded }: { isRefused: boolean; isRefunded: boolean },
): Verdict {
	if (status === undefined) return 'lost';
	if (status === 429) return 'unpaid';
	if (status >= 500) return fault?.kind === 'status' && fault.headers ? 'unpaid' : 'lost';
	if ([301, 302, 401, 402, 404].includes(status) || fault?.kind === 'echoKey') return 'unpaid';
	if (fault?.kind === 'status') return 'open';
	if (fault) return status >= 400 ? 'open' : 'lost';
	if (isRefunded && charged === 0) return 'givenBack';
	return isRefused && status === 422 && !path.endsWith('/calleridvalidation') ? 'open' : 'answered';
}
