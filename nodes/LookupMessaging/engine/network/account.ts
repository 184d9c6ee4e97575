import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { Outbox } from '../memory/outbox';
import { CREDENTIAL_TYPE, type Settings } from '../plan/settings';
import { apiKeyOf, BASE_URL_FIELDS } from './credential';

/** The outbox of the account that the credential is for; undefined without Known Answers, or where the credential cannot be used. */
export async function outboxOf(
	context: IExecuteFunctions,
	{ knownAnswers }: Settings,
): Promise<Outbox | undefined> {
	if (!knownAnswers) return undefined;
	try {
		const credentials = await context.getCredentials(CREDENTIAL_TYPE);
		const urls = Object.values(BASE_URL_FIELDS).map(({ field }) => credentials[field]);
		return new Outbox(JSON.stringify([urls, apiKeyOf(credentials)]));
	} catch {
		return undefined;
	}
}

/** The rows of the second input, which n8n may not have set; none without Known Answers. */
export function knownRows(context: IExecuteFunctions, { knownAnswers }: Settings): IDataObject[] {
	if (!knownAnswers) return [];
	try {
		return context.getInputData(1).map(({ json }) => json);
	} catch {
		return [];
	}
}
