import type { IDataObject } from 'n8n-workflow';
import {
	negative,
	positive,
	unclear,
	unknown,
	type Answer,
	type Credits,
	type Reading,
	type ServiceRequest,
} from '../../engine/operation';
import { exchange, report, type Exchange, type Talk } from '../../engine/talk';
import { orNull } from '../shared/record';
import { errorText, hasError, refused } from '../shared/refusal';
import { isObject } from '../../engine/parse';
import { quote } from '../shared/text';
import type { AuditRequest } from './names';
import { readAudit, type Audit } from './state';

/** The audit job of the service: run, look (SPEC §3.3, §4.1). */

/** SPEC §8 states no cost, and no balance of SPEC §2.1 shows it. */
export const AUDIT_CREDITS: Credits = { balance: 'audit', cost: 'not stated' };

/** Starts an audit and reports it as a job. The answer has no `auditId` where the service gave none. */
export function* startAudit({ brandName, brandUrl, competitors }: AuditRequest): Talk<Answer> {
	const answer = yield* exchange({
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
		read: (body, { status }) => readStarted(body, status, { brandName, brandUrl, competitors }),
	});
	const { auditId } = answer.record;
	if (typeof auditId === 'string') {
		yield* report({ noun: 'audit', id: auditId, resume: 'Audit, Get', resumeCost: 'not stated' });
	}
	return answer;
}

/** A look at an audit, or at its summary. */
export function lookAt(path: '/audit' | '/audit_summary', auditId: string): ServiceRequest {
	return { service: 'main', method: 'GET', path, query: { audit_id: auditId } };
}

/** A look while waiting. Polls of jobs are taken to be free, as they are for the tool server (SPEC §4.3). */
export function pollOf(auditId: string, finishedWords: string[]): Exchange<Reading> {
	return {
		request: lookAt('/audit', auditId),
		read: (body, { status }) => readLook(body, status, auditId, finishedWords),
	};
}

/**
 * Reads what a look at an audit shows: positive when it is finished, negative when it failed, unknown while it runs.
 * @param auditId the audit that was asked about
 */
export function readLook(
	body: IDataObject,
	status: number,
	auditId: string,
	finishedWords?: string[],
): Reading {
	const audit = readAudit(body, finishedWords);
	if (isRefused(body, status, audit)) return refused(body, status);
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

function readStarted(body: IDataObject, status: number, request: AuditRequest): Reading {
	const audit = readAudit(body);
	if (isRefused(body, status, audit)) return refused(body, status);
	const id = idOf(audit);
	if (id !== undefined) return positive({ ...request, auditId: id });
	return unclear({ ...request }, 'the service named no audit ID, so the audit cannot be fetched');
}

/** Whether the request went wrong; what a body says of an audit by ID and status word is no error of the request. */
function isRefused(body: IDataObject, status: number, audit: Audit): boolean {
	if (status >= 400 || body.status === false || body.success === false) return true;
	const isAboutAudit = idOf(audit) !== undefined && audit.word !== undefined;
	return !isAboutAudit && (hasError(body) || audit.state === 'failed');
}

function idOf({ fields }: Audit): string | undefined {
	const id = [fields.audit_id, fields.auditId, fields.id].find(
		(value) => typeof value === 'number' || (typeof value === 'string' && value !== ''),
	);
	return id === undefined ? undefined : String(id);
}

/** Why the audit is taken to be running, as a clause. An unknown word may mean finished, which only the user can say. */
function whyRunning({ word, isUnknownWord }: Audit, canBeTold: boolean): string {
	if (word === undefined) return 'the audit is not finished';
	const says = `the status of the audit is ${quote(word)}`;
	if (!isUnknownWord) return says;
	const remedy = canBeTold ? '; if it means finished, add it to Finished When' : '';
	return `${says}, which this node does not know${remedy}`;
}

/** SPEC shows no fields of results: those of the request, and the names that such services use. */
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
