import type { AnswerOrigin } from './storedResults';
import { Outbox } from './outbox';
import {
	apiKeyOf,
	BASE_URL_FIELDS,
	readBaseUrl,
	type CredentialData,
} from '../../engine/network/credential';
import type { ServiceName } from '../../engine/client';

/** The origin of the credential's answers; undefined if it cannot be used. */
export function answerOriginOf(fields: CredentialData | undefined): AnswerOrigin | undefined {
	if (!fields) return undefined;
	const services = Object.keys(BASE_URL_FIELDS) as ServiceName[];
	const entries = services.map((service) => {
		const baseUrl = readBaseUrl(fields, service);
		return [service, 'url' in baseUrl ? `${baseUrl.host}${baseUrl.prefix}` : ''] as const;
	});
	const baseUrls = Object.fromEntries(entries);
	const account = JSON.stringify([baseUrls, apiKeyOf(fields)]);
	return { baseUrls, outbox: new Outbox(account) };
}
