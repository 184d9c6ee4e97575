import type { INodeProperties } from 'n8n-workflow';

/** Which of the two endpoint families answers (SPEC §1). */
export const responseDetailField: INodeProperties = {
	displayName: 'Response Detail',
	name: 'responseDetail',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Basic',
			value: 'basic',
			description: 'The most important fields; needs no other URL than the Base URL',
		},
		{
			name: 'Detailed',
			value: 'detailed',
			description: 'All fields; needs the Lookup URL or the GeoIP URL of the credential',
		},
	],
	default: 'detailed',
	description: 'How much the service answers. Fields that Basic does not know are null.',
};

/** Whether the Detailed family is asked; it is unless Basic was chosen. */
export function isDetailed(responseDetail: unknown): boolean {
	return responseDetail !== 'basic';
}
