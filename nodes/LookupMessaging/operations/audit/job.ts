import type { IDataObject } from 'n8n-workflow';
import type { Client, Credits, Endpoint, ReplyHead, ServiceRequest } from '../../engine/client';
import type { Answer, Reading, Refusal } from '../../engine/results';
import {
	type DecisionTable,
	isRefusal,
	negative,
	positive,
	unclear,
	unknown,
} from '../../engine/operation';
import { asReason, isObject, orNull, quote, textOf } from '../../engine/plan/values';
import { jobIdAmong } from '../shared/jobId';
import { errorText, hasError, isFalse, refused, refuses } from '../../engine/refusals/refusal';
import {
	IS_ABOUT_ACCOUNT,
	IS_HTTP_ERROR,
	isSame,
	REFUSES,
	rowFor,
	that,
} from '../shared/decisions';
import { isRunningWord } from '../shared/jobState';
import { wordsOfAll } from '../shared/replyWords';
import { startJob } from '../shared/polling';
import type { AuditRequest } from './names';
import { type Audit, readAudit } from './state';
import { saysUnderWay } from './underWay';

/** The audit job of the service: start it, fetch its status and results (SPEC §3.3, §4.1). */

/** SPEC §8 states no cost, and no balance of SPEC §2.1 shows it. */
export const AUDIT_CREDITS: Credits = { balance: 'audit', cost: 'not stated' };

/** The request that starts an audit (SPEC §2.1, AuditRunRequest). */
export const REQUEST_PARAMETERS = ['brand_name', 'brand_url', 'competitors'];

/** Starts an audit and reports it as a job. The answer has no `auditId` if the service returned none. */
export async function startAudit(
	client: Client,
	{ brandName, brandUrl, competitors }: AuditRequest,
): Promise<Answer> {
	const endpoint: Endpoint<Reading> = {
		request: {
			service: 'main',
			method: 'POST',
			path: '/audit_run',
			body: {
				brand_name: brandName,
				brand_url: brandUrl,
				...(competitors.length > 0 && { competitors }),
			},
		},
		credits: AUDIT_CREDITS,
		effect: 'acts',
		read: (body, head) => readStarted(body, head, { brandName, brandUrl, competitors }),
	};
	const job = { noun: 'audit', resume: 'Audit → Get', resumeCost: 'not stated' } as const;
	const report = (id: string, isRefused?: true) => client.reportJob({ ...job, id, isRefused });
	const answer = await startJob(client, endpoint, 'start', report);
	const { auditId } = answer.record;
	if (typeof auditId === 'string') report(auditId);
	return answer;
}

export function statusRequest(path: '/audit' | '/audit_summary', auditId: string): ServiceRequest {
	return { service: 'main', method: 'GET', path, query: { audit_id: auditId } };
}

/** What a poll returns: the answer of Get, and whether it says finished without results that this node knows as such. */
export interface Poll {
	answer: Answer;
	isBare: boolean;
}

/** One poll while waiting. Polls of jobs count as free, as for the tool server (SPEC §4.3). */
export function pollOf(
	auditId: string,
	finishedWords: string[],
	request?: AuditRequest,
): Endpoint<Poll | Refusal> {
	const values = request ? [request.brandName, request.brandUrl, ...request.competitors] : [];
	const asked = { finishedWords, values };
	return {
		request: statusRequest('/audit', auditId),
		quotesOthers: true,
		read: (body, head) => {
			const audit = readAudit(body, head, asked);
			const answer = statusOf(audit, body, head, auditId, true);
			if (isRefusal(answer)) return answer;
			return { answer, isBare: answer.outcome === 'positive' && !audit.hasFindings };
		},
	};
}

/**
 * Reads the status of an audit: positive when it is finished, negative when it failed, unknown while it runs.
 * @param auditId ID in the request, for a body without one
 */
export function readStatus(body: IDataObject, head: ReplyHead, auditId: string): Reading {
	return statusOf(readAudit(body, head), body, head, auditId, false);
}

/** @param hasFinishedWhen whether the user can name words that mean finished */
function statusOf(
	audit: Audit,
	body: IDataObject,
	head: ReplyHead,
	auditId: string,
	hasFinishedWhen: boolean,
): Reading {
	const says = rowFor(REPLIES, { body, head, found: foundIn(audit), asked: auditId })?.says;
	if (says === 'refused') return refused(body, head);
	if (says === 'unclear') return unclear({ auditId }, ANOTHER_AUDIT);
	const record = recordOf(audit, auditId);
	if (says === 'running' || audit.state === 'running')
		return unknown(record, whyRunning(audit, body, says === 'running', hasFinishedWhen));
	if (audit.state === 'finished') return positive(record);
	return negative(record, errorText(audit.fields) ?? 'the audit failed');
}

const SAYS_NO = that(
	'`status` or `success` is false, `error` says something, the status word means failed, or the HTTP status is 400 or more',
	['status', 'success', 'error'],
	({ body, head, found = {} }) => refuses(body) || found.state === 'failed' || head.status >= 400,
);
const SAYS_RUNNING = that(
	'its words say that the audit is still running, or its status word does',
	['error', 'message', 'status'],
	({ body, found = {} }) =>
		found.runs === true || wordsOfAll(body).some((words) => saysUnderWay(words, true)),
);
const IS_NOT_OF_ACCOUNT = that(
	'its words are not about the key or the credits',
	['error', 'message'],
	(told) => !IS_ABOUT_ACCOUNT.holds(told),
);
const SAYS_FALSE = that(
	'`status` or `success` is false',
	['status', 'success'],
	({ body }) => isFalse(body.status) || isFalse(body.success),
);
const HAS_FAILED = that(
	'`error` says something, or the status word means failed',
	['error', 'status'],
	({ body, found = {} }) => hasError(body) || found.state === 'failed',
);
const IS_NOT_ABOUT_AUDIT = that(
	'an audit ID or a status word is missing',
	['audit_id', 'status'],
	({ found = {} }) => found.id === undefined || found.word === undefined,
);
const IS_NO_FAILED_AUDIT = that(
	'it is not about an audit that failed: an audit ID, and a status word',
	['audit_id', 'status'],
	({ found = {} }) => found.state !== 'failed' || found.id === undefined,
);

const ANOTHER_AUDIT = 'the service answered about another audit';
const IS_OTHER_AUDIT = that(
	'`audit_id` is another audit than in the request',
	['audit_id'],
	({ found = {}, asked = '' }) => {
		const { named } = found;
		// A number instead of another text is a slip of the service, not the ID of an audit
		const isId = typeof named === 'string' || /^\d+$/.test(asked);
		const said = textOf(named).trim();
		return isId && said !== '' && !isSame(said, asked.trim());
	},
);

/** Whether a reply is about an audit, or refuses the request. An audit has an ID and a status word. */
export const REPLIES: DecisionTable = {
	of: 'Error',
	rows: [
		{ when: [SAYS_NO, SAYS_RUNNING, IS_NOT_OF_ACCOUNT, IS_NO_FAILED_AUDIT], says: 'running' },
		{ when: [IS_HTTP_ERROR], says: 'refused' },
		{ when: [SAYS_FALSE], says: 'refused' },
		{ when: [HAS_FAILED, IS_NOT_ABOUT_AUDIT], says: 'refused' },
		{ when: [IS_OTHER_AUDIT], says: 'unclear', why: ANOTHER_AUDIT, isOfOther: true },
	],
	otherwise: 'the audit itself says how far it is',
};

const HAS_ID = that(
	'there is an audit ID',
	['audit_id'],
	({ found = {} }) => found.id !== undefined,
);

/** The result of starting an audit. An audit with an ID is fetched by it, whatever else the reply says. */
export const STARTS: DecisionTable = {
	of: 'Start',
	names: { positive: 'started' },
	rows: [
		{ when: [IS_HTTP_ERROR], says: 'refused' },
		{ when: [REFUSES, HAS_ID], says: 'unknown', why: ({ body }) => errorText(body) },
		{ when: [REFUSES], says: 'refused' },
		{ when: [HAS_FAILED, IS_NOT_ABOUT_AUDIT], says: 'refused' },
		{ when: [HAS_ID], says: 'positive' },
	],
	otherwise: 'the service returned no audit ID',
};

function readStarted(body: IDataObject, head: ReplyHead, request: AuditRequest): Reading {
	const audit = readAudit(body, head);
	const named = namedIn(audit);
	const { id } = foundIn(audit);
	const row = rowFor(STARTS, { body, head, found: foundIn(audit) });
	if (row?.says === 'refused')
		return { ...refused(body, head), ...(id !== undefined && { jobId: id }) };
	if (id !== undefined) {
		const record = { ...request, auditId: id };
		if (row?.says === 'positive') return positive(record);
		return unknown(
			record,
			errorText(body) ?? 'the service gave the audit an ID, and says that it failed',
		);
	}
	const why =
		named && 'unusable' in named
			? `the service calls the audit ${named.unusable}, which can't be sent back`
			: 'the service returned no audit ID';
	return unclear({ ...request }, `${why}, so you can't get the audit`);
}

/** The values that the tables read besides the body. */
function foundIn(audit: Audit) {
	const { word, state } = audit;
	const { audit_id: named, auditId } = audit.fields;
	const runs = state === 'running' && isRunningWord(word ?? '');
	return { id: idOf(audit), named: named ?? auditId, word, state, runs };
}

function idOf(audit: Audit): string | undefined {
	const named = namedIn(audit);
	return named && 'id' in named ? named.id : undefined;
}

function namedIn({ fields }: Audit) {
	return jobIdAmong([fields.audit_id, fields.auditId, fields.id]);
}

/** Why the audit counts as running, as a clause. Only the user knows whether an unknown word means finished. */
function whyRunning(
	{ word, isUnknownWord, isOutweighed, fields }: Audit,
	body: IDataObject,
	isRefusal: boolean,
	hasFinishedWhen: boolean,
): string {
	const words = errorText(body) ?? errorText(fields);
	if (words !== undefined && (isRefusal || saysUnderWay(words))) return words;
	if (word === undefined) return "the audit isn't finished";
	const says = `the status of the audit is ${quote(word)}`;
	if (isOutweighed) return `${says}, but other fields say that it isn't finished`;
	if (!isUnknownWord) return says;
	const remedy = hasFinishedWhen ? '. If it means finished, add it to Finished When' : '';
	return asReason([`${says}, which this node doesn't know${remedy}`]);
}

/** SPEC shows no result fields. These are the fields of the request, and names that such services use. */
function recordOf(audit: Audit, auditId: string) {
	const { fields, word } = audit;
	const platforms = [fields.results, fields.platforms].find(Array.isArray);
	return {
		auditId: idOf(audit) ?? auditId,
		status: word ?? null,
		progress: numberOf(fields.progress ?? fields.percent),
		brandName: orNull(fields.brand_name),
		brandUrl: orNull(fields.brand_url),
		competitors: Array.isArray(fields.competitors) ? fields.competitors : null,
		score: numberOf(fields.overall_score ?? fields.score ?? fields.visibility_score),
		mentions: numberOf(fields.total_mentions ?? fields.mentions),
		platformCount: numberOf(platforms?.length ?? fields.platforms ?? fields.platform_count),
		results: platforms?.filter(isObject) ?? null,
	};
}

function numberOf(value: unknown): number | null {
	return typeof value === 'number' ? value : null;
}
