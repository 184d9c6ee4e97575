import type { INodeProperties } from 'n8n-workflow';

/** The value of Basic; every other value stands for Detailed. */
export const BASIC = 'basic';

/** Which of the two endpoint families answers (SPEC §1). */
export const responseDetailField: INodeProperties = {
	displayName: 'Response Detail',
	name: 'responseDetail',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Basic',
			value: BASIC,
			description: 'The most important fields. Needs only the Base URL of the credential.',
		},
		{
			name: 'Detailed',
			value: 'detailed',
			description: 'All fields. Needs the Lookup URL or the GeoIP URL of the credential.',
		},
	],
	default: 'detailed',
	description: 'How many fields to return. Fields that Basic lacks are null.',
};
