import { defineOperation } from '../../engine/operation';
import { statusRequest } from './job';
import { getFacts } from './auditStatus';

export const getAudit = defineOperation({
	...getFacts,
	value: 'get',
	name: 'Get',
	action: 'Get brand audit',
	description: 'Get the results of an audit, or its progress while it runs',
	request: ({ auditId }) => statusRequest('/audit', auditId),
});
