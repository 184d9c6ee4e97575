import type { IDataObject } from 'n8n-workflow';
import type { ReplyHead } from '../../engine/client';
import { isLocalAnswer, type Params } from '../../engine/operation';
import { AUDIT_FIELDS, auditIdField, readAuditId } from './auditFields';
import { AUDIT_CREDITS, readStatus } from './job';

interface AuditId {
	auditId: string;
}

/** What Get and Get Summary share. */
export const getFacts = {
	resource: 'audit',
	fields: [auditIdField],
	subject: 'auditId',
	rules: {
		positive: 'finished: a status word that says so, or results without a status word',
		negative: 'failed: a status word that says so',
		unknown: 'running: any other status word, or nothing but an ID and a status',
		refused: 'any error that is not about the audit itself',
	},

	prepare: (params: Params) => {
		const auditId = readAuditId(params.auditId);
		return isLocalAnswer(auditId) ? auditId : { auditId };
	},
	noStore: true as const,
	quotesOthers: true as const,
	credits: () => AUDIT_CREDITS,
	read: (body: IDataObject, head: ReplyHead, { auditId }: AuditId) =>
		readStatus(body, head, auditId),
	output: AUDIT_FIELDS,
};
