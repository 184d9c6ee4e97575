import type { INodeProperties } from 'n8n-workflow';
import type { BaseUrlsSet, Params } from '../../engine/operation';
import type { ServiceName } from '../../engine/client';

const [BASIC, DETAILED] = ['basic', 'detailed'];

/**
 * Which of the two endpoint families answers (SPEC §1).
 * @param url display name of the base URL that Detailed needs
 * @param adds the fields that only Detailed has
 */
export function responseDetailField(url: string, adds: string): INodeProperties {
	return {
		displayName: 'Response Detail',
		name: 'responseDetail',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description: `Detailed where the ${url} of the credential is set, otherwise Basic`,
			},
			{
				name: 'Basic',
				value: BASIC,
				description: 'The most important fields. Needs only the Base URL of the credential.',
			},
			{
				name: 'Detailed',
				value: DETAILED,
				description: `All fields. Needs the ${url} of the credential.`,
			},
		],
		default: 'automatic',
		description: `How many fields to return. With the ${url} of the credential, Detailed adds ${adds}. Fields that Basic lacks are null.`,
	};
}

/** Whether the endpoint of Detailed answers. @param service whose base URL it needs */
export function isDetailed(
	{ responseDetail }: Params,
	service: ServiceName,
	urls?: BaseUrlsSet,
): boolean {
	if (responseDetail === BASIC) return false;
	return responseDetail === DETAILED || (urls?.has(service) ?? true);
}
