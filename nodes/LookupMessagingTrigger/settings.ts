import type { GenericValue, IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Failure } from '../LookupMessaging/engine/results';
import { isLocalAnswer, parameterFailure } from '../LookupMessaging/engine/operation';
import type { ChosenOutput } from '../LookupMessaging/engine/output/resultFields';
import { CREDENTIAL_TYPE } from '../LookupMessaging/engine/plan/settings';
import { isObject } from '../LookupMessaging/engine/plan/values';
import { readFinishedWords } from '../LookupMessaging/operations/audit/runAndWait';
import { splitList } from '../LookupMessaging/operations/batch/numbers';
import { readJsonArguments } from '../LookupMessaging/operations/toolServer/toolArguments';
import { JOB_KINDS, type JobKind, type CheckOptions } from './jobKinds';
import type { Listing } from './listing';
import { fingerprint } from './checkpoint';

/** What the user set. Each poll reads it again, since expressions may have another value. */
export interface TriggerSettings extends CheckOptions {
	kind: JobKind;
	/** The IDs as the user wrote them; empty for a listing. */
	jobIds: unknown[];
	listing?: Listing;
	firesOnFailure: boolean;
	includesFinished: boolean;
	output: ChosenOutput;
	/**
	 * Fingerprint of what is watched. When it changes, the next poll counts as the first one: it passes over the finished jobs
	 * of a listing, and checks all Job IDs that were not emitted.
	 */
	scope: string;
}

/** @throws what n8n throws when an expression fails */
export function readTriggerSettings(
	context: IPollFunctions,
): TriggerSettings | { failure: Failure } {
	const kind = JOB_KINDS[textOf(context, 'resource')];
	if (!kind)
		return { failure: parameterFailure("Trigger On has a value that this trigger doesn't know") };
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const listing = readListing(context, kind, options);
	if (listing && 'failure' in listing) return listing;

	const finishedWords = readFinishedWords(options.finishedWhen);
	const includesFinished = context.getNodeParameter('includeAlreadyFinished', false) === true;
	const firesOnFailure = context.getNodeParameter('fireOnFailure', false) === true;
	const watched = listing && { ...listing, args: listing.tool && argumentsAsSet(context) };
	return {
		kind,
		jobIds: listing ? [] : readJobIds(context),
		listing,
		asRows: textOf(context, 'emit') !== 'job',
		finishedWords,
		firesOnFailure,
		includesFinished,
		output: readOutput(context),
		scope: fingerprint(
			JSON.stringify(
				watched
					? [kind.noun, watched, finishedWords, includesFinished, credentialOf(context)]
					: [kind.noun, 'ids', firesOnFailure],
			),
		),
	};
}

/** The Job IDs as a list. A single object is an item of Submit or Run. */
function readJobIds(context: IPollFunctions): unknown[] {
	const value: unknown = context.getNodeParameter('jobIds', '');
	return isObject(value) ? [value] : splitList(value as GenericValue);
}

/** Where the jobs are listed; undefined for jobs that are named by their IDs. */
function readListing(
	context: IPollFunctions,
	{ noun }: JobKind,
	{ toolArguments }: IDataObject,
): Listing | { failure: Failure } | undefined {
	const source = textOf(context, 'jobsFrom');
	if (source === 'all') return { args: {} };
	if (source !== 'listing') return undefined;
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

function readOutput(context: IPollFunctions): ChosenOutput {
	const fields: unknown = context.getNodeParameter('selectedFields', []);
	return {
		output: context.getNodeParameter('output', 'simplified') as ChosenOutput['output'],
		selectedFields: Array.isArray(fields) ? fields.map(String) : [],
	};
}

/** The credential's ID stands for the account: a new key in the same credential is the same account (SPEC §5). */
function credentialOf(context: IPollFunctions): string {
	return context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '';
}

/** The value of a resource locator or of an expression in its place. */
function chosenIn(context: IPollFunctions, name: string): string {
	const locator: unknown = context.getNodeParameter(name, '');
	return String((isObject(locator) ? locator.value : locator) ?? '').trim();
}

function textOf(context: IPollFunctions, name: string): string {
	return String(context.getNodeParameter(name, ''));
}
