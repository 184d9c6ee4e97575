import { defineOperation } from '../../engine/operation';
import { lookAt } from './job';
import { LOOK } from './look';

export const getAudit = defineOperation({
	...LOOK,
	value: 'get',
	name: 'Get',
	action: 'Get brand audit',
	description: 'Get the results of an audit, or how far it is',
	request: ({ auditId }) => lookAt('/audit', auditId),
});
