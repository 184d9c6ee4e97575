import type { GenericValue, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { FeatureOpener } from '../../engine/feature';
import { hasExpression, rawOf } from '../../engine/plan/parameters';
import { answerRowsHints, newResults } from './outputs';
import { type AnswerOrigin, Outbox, StoredResults, StoredRows } from './storedResults';
import {
	apiKeyOf,
	BASE_URL_FIELDS,
	type CredentialData,
	readBaseUrl,
} from '../../engine/network/credential';
import type { ServiceName } from '../../engine/client';
import { parameterFailure } from '../../engine/operation';
import type { Failure } from '../../engine/results';
import { textOf } from '../../engine/plan/values';

/** Stored Results: answers of earlier executions from a second input, and new ones at an additional output. */
export const storedResults: FeatureOpener = ({ context, operation, ...settings }) => {
	const ofNothing = hasExpression(rawOf(context, MAX_AGE.name)) ? null : DEFAULT_MAX_AGE_DAYS;
	const { maxAgeDays, problem } = readMaxAge(settings.parameter(MAX_AGE.name, ofNothing));
	const showsResponse = settings.parameter('output', 'simplified') === 'raw';
	const results = new StoredResults({ maxAgeDays, showsResponse });
	return {
		problem,
		source: results,
		async remember({ shared, credential }) {
			const ofExecution = shared('storedResults', () => new StoredRows());
			await results.open(ofExecution, answerOriginOf(credential)).read(rowsOf(context));
		},
		hints: () => answerRowsHints(results, context.getNode()),
		output: async (plan) => await newResults(operation, plan, results),
		delivered: () => results.forgetSent(),
	};
};

/** The rows of the second input, which n8n may not have set. */
function rowsOf(context: IExecuteFunctions): IDataObject[] {
	try {
		return context.getInputData(1).map(({ json }) => json);
	} catch {
		return [];
	}
}

/** The origin of the credential's answers; undefined if it cannot be used. */
function answerOriginOf(fields: CredentialData | undefined): AnswerOrigin | undefined {
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

/** How old a stored result may be, in days. An expression that gives nothing does not mean the default. */
export const MAX_AGE = { name: 'maxAgeDays', displayName: 'Max Age (Days)' };
export const DEFAULT_MAX_AGE_DAYS = 30;

/** Reads how old an answer may be, in days. A problem fails every item before anything is sent. */
function readMaxAge(maxAge: GenericValue): { maxAgeDays: number; problem?: Failure } {
	const text = textOf(maxAge).trim();
	const maxAgeDays = Number(text);
	if (/^\d+(?:\.\d+)?$/.test(text)) return { maxAgeDays };
	const reason = `${MAX_AGE.displayName} isn't a number of days. Enter 0 to use no stored results`;
	return { maxAgeDays, problem: parameterFailure(reason) };
}
