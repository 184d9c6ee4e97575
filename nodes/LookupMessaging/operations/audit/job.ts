import type { IDataObject } from 'n8n-workflow';
import type { Client, Credits, Endpoint, ReplyHead, ServiceRequest } from '../../engine/client';
import type { Answer, Reading } from '../../engine/results';
import { negative, positive, unclear, unknown } from '../../engine/operation';
import { asReason, isObject, orNull, quote } from '../../engine/plan/values';
import { jobIdAmong } from '../shared/jobId';
import { errorText, hasError, refused } from '../../engine/refusals/refusal';
import type { AuditRequest } from './names';
import { readAudit, type Audit } from './state';

/** The audit job of the service: start it, fetch its status and results (SPEC §3.3, §4.1). */

/** SPEC §8 states no cost, and no balance of SPEC §2.1 shows it. */
export const AUDIT_CREDITS: Credits = { balance: 'audit', cost: 'not stated' };

/** What the start of an audit sends (SPEC §2.1, AuditRunRequest). */
export const REQUEST_PARAMETERS = ['brand_name', 'brand_url', 'competitors'];

/** Starts an audit and reports it as a job. The answer has no `auditId` where the service gave none. */
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
		read: (body, head) => readStarted(body, head, { brandName, brandUrl, competitors }),
	};
	const answer = await client.call(endpoint, 'start');
	const { auditId } = answer.record;
	if (typeof auditId === 'string') {
		client.reportJob({
			noun: 'audit',
			id: auditId,
			resume: 'Audit, Get',
			resumeCost: 'not stated',
		});
	}
	return answer;
}

/** Fetches an audit, or its summary. */
export function statusRequest(path: '/audit' | '/audit_summary', auditId: string): ServiceRequest {
	return { service: 'main', method: 'GET', path, query: { audit_id: auditId } };
}

/** One poll while waiting. Polls of jobs count as free, as for the tool server (SPEC §4.3). */
export function pollOf(auditId: string, finishedWords: string[]): Endpoint<Reading> {
	return {
		request: statusRequest('/audit', auditId),
		quotesOthers: true,
		read: (body, head) => readStatus(body, head, auditId, finishedWords),
	};
}

/**
 * Reads the status of an audit: positive when it is finished, negative when it failed, unknown while it runs.
 * @param auditId ID in the request, for a body without one
 */
export function readStatus(
	body: IDataObject,
	head: ReplyHead,
	auditId: string,
	finishedWords?: string[],
): Reading {
	const audit = readAudit(body, finishedWords);
	if (isRefused(body, head.status, audit)) return refused(body, head);
	const record = recordOf(audit, auditId);
	switch (audit.state) {
		case 'finished':
			return positive(record);
		case 'failed':
			return negative(record, errorText(audit.fields) ?? 'the audit failed');
		case 'running':
			return unknown(record, whyRunning(audit, finishedWords !== undefined));
	}
}

function readStarted(body: IDataObject, head: ReplyHead, request: AuditRequest): Reading {
	const audit = readAudit(body);
	if (isRefused(body, head.status, audit)) return refused(body, head);
	const named = namedIn(audit);
	if (named && 'id' in named) return positive({ ...request, auditId: named.id });
	const why = named
		? `the service calls the audit ${named.unusable}, which can't be sent back`
		: 'the service returned no audit ID';
	return unclear({ ...request }, `${why}, so you can't get the audit`);
}

/** Whether the request failed. A body with an audit ID and a status word is about the audit, not about the request. */
function isRefused(body: IDataObject, status: number, audit: Audit): boolean {
	if (status >= 400 || body.status === false || body.success === false) return true;
	const isAboutAudit = idOf(audit) !== undefined && audit.word !== undefined;
	return !isAboutAudit && (hasError(body) || audit.state === 'failed');
}

function idOf(audit: Audit): string | undefined {
	const named = namedIn(audit);
	return named && 'id' in named ? named.id : undefined;
}

function namedIn({ fields }: Audit) {
	return jobIdAmong([fields.audit_id, fields.auditId, fields.id]);
}

/** Why the audit counts as running, as a clause. Only the user knows whether an unknown word means finished. */
function whyRunning({ word, isUnknownWord }: Audit, hasFinishedWhen: boolean): string {
	if (word === undefined) return "the audit isn't finished";
	const says = `the status of the audit is ${quote(word)}`;
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
