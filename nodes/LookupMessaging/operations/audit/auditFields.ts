import type { INodeProperties } from 'n8n-workflow';
import type { LocalAnswer, OutputField } from '../../engine/operation';
import { readJobId } from '../shared/jobId';

export const auditIdField: INodeProperties = {
	displayName: 'Audit ID',
	name: 'auditId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 8c5f1c1e-0000-4000-8000-000000000000',
	description: 'The auditId that Run returns',
};

export function readAuditId(value: unknown): LocalAnswer | string {
	return readJobId(value, auditIdField.displayName, 'the ID from Run');
}

/** Fields of the request (SPEC §2.1, AuditRunRequest). */
export const REQUEST_FIELDS = {
	auditId: {
		name: 'auditId',
		type: 'string',
		description: 'ID of the audit',
		example: '8c5f1c1e-0000-4000-8000-000000000000',
		simplified: true,
		isJobId: true,
	},
	brandName: {
		name: 'brandName',
		type: 'string',
		description: 'The audited brand',
		example: 'Example Coffee',
		simplified: true,
	},
	brandUrl: {
		name: 'brandUrl',
		type: 'string',
		description: 'Website of the brand',
		example: 'https://www.example.com',
	},
	competitors: {
		name: 'competitors',
		type: 'array',
		description: 'The brands it was compared with',
		example: ['Other Coffee'],
	},
} satisfies Record<string, OutputField>;

const { auditId, brandName, brandUrl, competitors } = REQUEST_FIELDS;

/** The fields of an audit, read tolerantly: SPEC §4.1 shows none of them. */
export const AUDIT_FIELDS: OutputField[] = [
	auditId,
	{
		name: 'status',
		type: 'string',
		description: 'Status, in the words of the service; null if it gives none',
		example: 'completed',
		simplified: true,
	},
	{
		name: 'progress',
		type: 'number',
		description: 'Percent done while the audit runs',
		example: 40,
		simplified: true,
	},
	brandName,
	{
		name: 'score',
		type: 'number',
		description: 'Overall score',
		example: 62,
		simplified: true,
	},
	{
		name: 'mentions',
		type: 'number',
		description: 'How often the brand was mentioned, if the service counts it',
		example: 48,
		simplified: true,
	},
	brandUrl,
	competitors,
	{
		name: 'platformCount',
		type: 'number',
		description: 'Number of AI platforms covered',
		example: 4,
	},
	{
		name: 'results',
		type: 'array',
		description: 'The results by platform, as the service returns them',
		example: [{ platform: 'assistant', visibility_score: 62 }],
	},
];
