import { defineWorkflow } from '../../engine/operation';
import { REQUEST_FIELDS } from './auditFields';
import { AUDIT_CREDITS, REQUEST_PARAMETERS, startAudit, STARTS } from './job';
import { readRequest, requestFields, type AuditRequest } from './names';

const { auditId, brandName, brandUrl, competitors } = REQUEST_FIELDS;

export const runAudit = defineWorkflow<AuditRequest>({
	resource: 'audit',
	value: 'run',
	name: 'Run',
	action: 'Run brand audit',
	description:
		'Start an audit of how AI platforms describe a brand. Fetch the results later with Get.',
	fields: requestFields,
	subject: 'brandName',
	decide: [STARTS],
	parameterNames: REQUEST_PARAMETERS,
	endpoints: ['POST main /audit_run'],

	prepare: readRequest,
	credits: () => AUDIT_CREDITS,

	run: async ([request], client) => [await startAudit(client, request)],
	output: [auditId, brandName, { ...brandUrl, simplified: true }, competitors],
});
