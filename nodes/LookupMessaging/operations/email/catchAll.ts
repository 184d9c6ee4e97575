import type { INodeProperties } from 'n8n-workflow';
import type { Group } from '../../engine/client';
import { unknown } from '../../engine/operation';
import { TOOL } from '../shared/toolOnly';

/** If a mail server accepts every mailbox, further checks show nothing. */

export const skipCatchAllOption: INodeProperties = {
	displayName: 'Skip Catch-All Domains',
	name: 'skipCatchAllDomains',
	type: 'boolean',
	default: true,
	description:
		'Whether to skip the other addresses of a domain once one check shows that it accepts every mailbox. Skipped addresses are unknown and cost nothing.',
	displayOptions: { hide: TOOL },
};

export const mailboxesOfDomain: Group<{ email: string }> = {
	of: ({ email }) => domainOf(email),
	infer: ({ record }, { email }) =>
		record.catchAll === true
			? unknown(
					{ email, catchAll: true },
					`not looked up: ${domainOf(email)} accepts every mailbox, as the lookup of another address showed`,
				)
			: undefined,
};

function domainOf(email: string): string {
	return email.slice(email.lastIndexOf('@') + 1);
}
