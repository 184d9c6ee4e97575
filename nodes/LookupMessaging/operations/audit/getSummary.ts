import { defineOperation } from '../../engine/operation';
import { statusRequest } from './job';
import { getFacts } from './auditStatus';

export const getAuditSummary = defineOperation({
	...getFacts,
	value: 'getSummary',
	name: 'Get Summary',
	action: 'Get brand audit summary',
	description: 'Get the overview of an audit, or how far it is',
	request: ({ auditId }) => statusRequest('/audit_summary', auditId),
});
