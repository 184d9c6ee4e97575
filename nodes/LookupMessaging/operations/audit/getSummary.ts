import { defineOperation } from '../../engine/operation';
import { statusRequest } from './job';
import { getFacts } from './auditStatus';

export const getAuditSummary = defineOperation({
	...getFacts,
	value: 'getSummary',
	name: 'Get Summary',
	action: 'Get brand audit summary',
	description: 'Get the summary of an audit, or its progress while it runs',
	request: ({ auditId }) => statusRequest('/audit_summary', auditId),
});
