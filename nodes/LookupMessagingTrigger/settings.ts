import type { GenericValue, IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Failure } from '../LookupMessaging/engine/results';
import { isLocalAnswer, parameterFailure } from '../LookupMessaging/engine/operation';
import type { ChosenOutput } from '../LookupMessaging/engine/output/resultFields';
import {
	CREDENTIAL_TYPE,
	isDeclaredType,
	Misread,
	readAll,
} from '../LookupMessaging/engine/plan/settings';
import { isObject, textOf } from '../LookupMessaging/engine/plan/values';
import { readFinishedWords } from '../LookupMessaging/operations/audit/runAndWait';
import { readList } from '../LookupMessaging/operations/batch/numbers';
import { readJsonArguments } from '../LookupMessaging/operations/toolServer/toolArguments';
import { type CheckOptions, JOB_KINDS, type JobKind } from './jobKinds';
import type { Listing } from './listing';
import { fingerprint } from './checkpoint';
import { triggerProperties } from './properties';

/** The settings of the user. Each poll reads them again, since expressions may have another value. */
export interface TriggerSettings extends CheckOptions {
	kind: JobKind;
	/** The IDs as the user wrote them; empty for a listing. */
	jobIds: unknown[];
	listing?: Listing;
	includesFailed: boolean;
	includesFinished: boolean;
	output: ChosenOutput;
	/**
	 * Fingerprint of what is watched. When it changes, the next poll counts as the first one: it skips the finished jobs of a
	 * listing, and checks all Job IDs that were not emitted.
	 */
	scope: string;
}

/** @throws the exception of n8n when an expression fails */
export function readTriggerSettings(
	context: IPollFunctions,
): TriggerSettings | { failure: Failure } {
	const resource = textOf(context.getNodeParameter('resource', ''));
	const kind = Object.hasOwn(JOB_KINDS, resource) ? JOB_KINDS[resource] : undefined;
	if (!kind)
		return { failure: parameterFailure("Trigger On has a value that this trigger doesn't know") };
	const chosen = readChosen(context, kind);
	if (chosen instanceof Misread) return chosen;
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const listing = readListing(context, kind, options, chosen.jobsToWatch);
	if (listing && 'failure' in listing) return listing;
	const jobIds = listing ? [] : readJobIds(context);
	if ('failure' in jobIds) return jobIds;

	const finishedWords = readFinishedWords(options.finishedWhen);
	const includesFinished = chosen.includeAlreadyFinished === true;
	const includesFailed = chosen.includeFailedJobs === true;
	const watched = listing && { ...listing, args: listing.tool && argumentsAsSet(context) };
	return {
		kind,
		jobIds,
		listing,
		asRows: chosen.splitIntoItems !== false,
		finishedWords,
		includesFailed,
		includesFinished,
		output: {
			output: (chosen.output ?? 'simplified') as ChosenOutput['output'],
			selectedFields: (chosen.selectedFields ?? []) as string[],
		},
		scope: fingerprint(
			JSON.stringify(
				watched
					? [kind.noun, watched, finishedWords, includesFinished, credentialOf(context)]
					: [kind.noun, 'ids', includesFailed],
			),
		),
	};
}

/** The switches and choices, read by their declarations, or the first that cannot be read. */
function readChosen(context: IPollFunctions, { noun }: JobKind): IDataObject | Misread {
	const properties = triggerProperties.filter((property) => {
		const { resource = [noun] } = property.displayOptions?.show ?? {};
		return resource.includes(noun) && isDeclaredType(property);
	});
	const written = properties.map(({ name }) => [name, context.getNodeParameter(name, null)]);
	const chosen = Object.fromEntries(written) as IDataObject;
	return readAll(properties, chosen) ?? chosen;
}

/** The Job IDs as a list. A single object is an item of Submit or Run. */
function readJobIds(context: IPollFunctions): unknown[] | { failure: Failure } {
	const value = context.getNodeParameter('jobIds', '') as GenericValue;
	const ids = readList(value);
	return typeof ids === 'string' ? { failure: parameterFailure(`Job IDs ${ids}`) } : ids;
}

/** The listing of the jobs; undefined for jobs with given IDs. */
function readListing(
	context: IPollFunctions,
	{ noun }: JobKind,
	{ toolArguments }: IDataObject,
	source: unknown,
): Listing | { failure: Failure } | undefined {
	if (source === 'all') return { args: {} };
	if (source !== 'fromTool') return undefined;
	const read = readJsonArguments(toolArguments);
	if (isLocalAnswer(read)) return { failure: parameterFailure(`Tool Arguments ${read.reason}`) };
	const tool = chosenIn(context, 'listingTool');
	if (tool === '') return { failure: parameterFailure('Listing Tool is empty. Choose a tool') };
	return {
		tool,
		args: read.args,
		idField: chosenIn(context, `${noun}IdField`),
		statusField: chosenIn(context, 'statusField'),
	};
}

/** Tool Arguments with unevaluated expressions: a date in them must not make each poll a first one. */
function argumentsAsSet(context: IPollFunctions): unknown {
	const options: unknown = context.getNode().parameters.options;
	return isObject(options) ? options.toolArguments : options;
}

/** The credential's ID represents the account: a new key in the same credential is the same account (SPEC §5). */
function credentialOf(context: IPollFunctions): string {
	return context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '';
}

/** The value of a resource locator or of an expression in its place. */
function chosenIn(context: IPollFunctions, name: string): string {
	const locator: unknown = context.getNodeParameter(name, '');
	return textOf(isObject(locator) ? locator.value : locator).trim();
}
