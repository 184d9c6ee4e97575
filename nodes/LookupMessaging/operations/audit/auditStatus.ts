import type { IDataObject } from 'n8n-workflow';
import type { ReplyHead } from '../../engine/client';
import type { Answer } from '../../engine/results';
import { isLocalAnswer, type Params } from '../../engine/operation';
import { AUDIT_FIELDS, auditIdField, readAuditId } from './auditFields';
import { AUDIT_CREDITS, readStatus, REPLIES } from './job';
import { STATES } from './state';

interface AuditId {
	auditId: string;
}

export const getFacts = {
	resource: 'audit',
	fields: [auditIdField],
	subject: 'auditId',
	decide: [REPLIES, STATES],

	prepare: (params: Params) => {
		const auditId = readAuditId(params.auditId);
		return isLocalAnswer(auditId) ? auditId : { auditId };
	},
	repeatable: true as const,
	// The progress of a running audit is requested again; its end is paid for once
	isFinal: ({ outcome }: Answer) => outcome !== 'unknown',
	quotesOthers: true as const,
	credits: () => AUDIT_CREDITS,
	read: (body: IDataObject, head: ReplyHead, { auditId }: AuditId) =>
		readStatus(body, head, auditId),
	output: AUDIT_FIELDS,
};
