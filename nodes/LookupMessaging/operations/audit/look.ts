import type { IDataObject } from 'n8n-workflow';
import { isLocalAnswer, type Given } from '../../engine/operation';
import { AUDIT_FIELDS, auditIdField, readAuditId } from './auditFields';
import { AUDIT_CREDITS, readLook } from './job';

interface AuditId {
	auditId: string;
}

/** What Get and Get Summary have in common. */
export const LOOK = {
	resource: 'audit',
	fields: [auditIdField],
	subject: 'auditId',
	rules: {
		positive: 'finished: a status word that says so, or results without a status word',
		negative: 'failed: a status word that says so',
		unknown: 'running: any other status word, or nothing but an ID and a status',
		refused: 'any error that is not about the audit itself',
	},

	prepare: (given: Given) => {
		const auditId = readAuditId(given.auditId);
		return isLocalAnswer(auditId) ? auditId : { auditId };
	},
	isFleeting: true as const,
	credits: () => AUDIT_CREDITS,
	read: (body: IDataObject, status: number, { auditId }: AuditId) =>
		readLook(body, status, auditId),
	output: AUDIT_FIELDS,
};
