import { headOf } from '../jobs/auditReport';
import { answered } from '../http/endpoint';
import { TOOL } from '../answers/magicInputs';
import { getAudit, getAuditSummary, runAudit } from '../routes/audit';
import { askEndpoint, backedBy, LIMIT, limited, text, withAccount, type Tool } from './tool';

/** One pixel of PNG. */
const PIXEL =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const AUDIT_ID = text('ID that run_audit returned');

/** Brand audits. */
export const auditTools: Tool[] = [
	{
		name: 'run_audit',
		description: 'Start an audit of how visible a brand is to AI assistants. Costs 1 audit credit.',
		properties: {
			brand_name: text('Brand to audit'),
			brand_url: { ...text('Website of the brand'), format: 'uri' },
			competitors: {
				type: 'array',
				description: 'Brands to compare it with',
				items: { type: 'string' },
			},
		},
		required: ['brand_name', 'brand_url'],
		answer: (args, call) => askEndpoint(runAudit, call, { json: args }),
	},
	{
		name: 'get_audit',
		description: 'How far an audit is, or its results by platform. Free.',
		properties: { audit_id: AUDIT_ID },
		required: ['audit_id'],
		answer: backedBy(getAudit),
	},
	{
		name: 'get_audit_summary',
		description: 'How far an audit is, or a summary of its results. Free.',
		properties: { audit_id: AUDIT_ID },
		required: ['audit_id'],
		answer: backedBy(getAuditSummary),
		instead: ({ audit_id }) =>
			audit_id === TOOL.imageAudit
				? { content: [{ type: 'image', data: PIXEL, mimeType: 'image/png' }] }
				: undefined,
	},
	{
		name: 'list_audits',
		description: 'The audits of the account, newest first. Free.',
		properties: {
			status: {
				type: 'string',
				description: 'Only audits with this status',
				enum: ['pending', 'running', 'completed', 'failed'],
			},
			limit: LIMIT,
		},
		required: [],
		answer: withAccount((args, { account, state: { audits } }) => {
			const wanted = audits
				.of(account.key)
				.filter((audit) => audits.stateOf(audit) === (args.status ?? audits.stateOf(audit)));
			return answered({
				audits: limited(wanted, args).map((audit) => ({
					...headOf(audit, audits),
					brand_name: audit.request.brandName,
					progress: audits.progress(audit),
					created_at: new Date(audit.at).toISOString(),
				})),
			});
		}),
	},
];
