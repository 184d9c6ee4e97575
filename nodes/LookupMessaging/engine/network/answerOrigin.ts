import type { AnswerOrigin } from '../memory/storedResults';
import { Outbox } from '../memory/outbox';
import type { Settings } from '../plan/settings';
import { apiKeyOf, BASE_URL_FIELDS, readBaseUrl } from './credential';
import type { RunCredential } from './runCredential';
import type { ServiceName } from '../client';

/** Where the answers of the credential come from; undefined without Stored Results, or where the credential cannot be used. */
export function answerOriginOf(
	{ fields }: RunCredential,
	{ storedResults }: Settings,
): AnswerOrigin | undefined {
	if (!storedResults || !fields) return undefined;
	const services = Object.keys(BASE_URL_FIELDS) as ServiceName[];
	const entries = services.map((service) => {
		const baseUrl = readBaseUrl(fields, service);
		return [service, 'url' in baseUrl ? `${baseUrl.host}${baseUrl.prefix}` : ''] as const;
	});
	const baseUrls = Object.fromEntries(entries);
	const account = JSON.stringify([baseUrls, apiKeyOf(fields)]);
	return { baseUrls, outbox: new Outbox(account) };
}
