import type { IExecuteFunctions } from 'n8n-workflow';
import type { AnswerOrigin } from '../memory/knownAnswers';
import { Outbox } from '../memory/outbox';
import { CREDENTIAL_TYPE, type Settings } from '../plan/settings';
import { apiKeyOf, BASE_URL_FIELDS, readBaseUrl } from './credential';
import type { ServiceName } from '../client';

/** Where the answers of the credential come from; undefined without Known Answers, or where the credential cannot be used. */
export async function answerOriginOf(
	context: IExecuteFunctions,
	{ knownAnswers }: Settings,
): Promise<AnswerOrigin | undefined> {
	if (!knownAnswers) return undefined;
	try {
		const credentials = await context.getCredentials(CREDENTIAL_TYPE);
		const services = Object.keys(BASE_URL_FIELDS) as ServiceName[];
		const entries = services.map((service) => {
			const baseUrl = readBaseUrl(credentials, service);
			return [service, 'url' in baseUrl ? `${baseUrl.host}${baseUrl.prefix}` : ''] as const;
		});
		const baseUrls = Object.fromEntries(entries);
		return { baseUrls, outbox: new Outbox(JSON.stringify([baseUrls, apiKeyOf(credentials)])) };
	} catch {
		return undefined;
	}
}
