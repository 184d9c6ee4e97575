import { defineOperation } from '../../engine/operation';
import { lookAt } from './job';
import { LOOK } from './look';

export const getAuditSummary = defineOperation({
	...LOOK,
	value: 'getSummary',
	name: 'Get Summary',
	action: 'Get brand audit summary',
	description: 'Get the overview of an audit, or how far it is',
	request: ({ auditId }) => lookAt('/audit_summary', auditId),
});
