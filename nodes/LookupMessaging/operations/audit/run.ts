import { defineTalk, type Answer } from '../../engine/operation';
import { REQUEST_FIELDS } from './auditFields';
import { AUDIT_CREDITS, startAudit } from './job';
import { readRequest, requestFields, type AuditRequest } from './names';

const { auditId, brandName, brandUrl, competitors } = REQUEST_FIELDS;

export const runAudit = defineTalk<AuditRequest>({
	resource: 'audit',
	value: 'run',
	name: 'Run',
	action: 'Run brand audit',
	description:
		'Start an audit of how AI platforms speak of a brand and go on; Get fetches it later',
	fields: requestFields,
	subject: 'brandName',
	rules: {
		positive: 'the answer has an audit ID',
		unknown: 'it has none',
		refused: '`status` is false or there is an `error`',
	},
	endpoints: ['POST main /audit_run'],

	prepare: readRequest,
	credits: () => AUDIT_CREDITS,

	*talk(requests) {
		const answers: Answer[] = [];
		for (const request of requests) answers.push(yield* startAudit(request));
		return answers;
	},
	output: [auditId, brandName, { ...brandUrl, simplified: true }, competitors],
});
