import type { AnswerOrigin } from '../memory/knownAnswers';
import { Outbox } from '../memory/outbox';
import type { Settings } from '../plan/settings';
import { apiKeyOf, BASE_URL_FIELDS, readBaseUrl } from './credential';
import type { RunCredential } from './runCredential';
import type { ServiceName } from '../client';

/** Where the answers of the credential come from; undefined without Known Answers, or where the credential cannot be used. */
export function answerOriginOf(
	{ fields }: RunCredential,
	{ knownAnswers }: Settings,
): AnswerOrigin | undefined {
	if (!knownAnswers || !fields) return undefined;
	const services = Object.keys(BASE_URL_FIELDS) as ServiceName[];
	const entries = services.map((service) => {
		const baseUrl = readBaseUrl(fields, service);
		return [service, 'url' in baseUrl ? `${baseUrl.host}${baseUrl.prefix}` : ''] as const;
	});
	const baseUrls = Object.fromEntries(entries);
	const account = JSON.stringify([baseUrls, apiKeyOf(fields)]);
	return { baseUrls, outbox: new Outbox(account) };
}
