import type { GenericValue, IDataObject, IPollFunctions } from 'n8n-workflow';
import { parameterFailure, type Failure } from '../LookupMessaging/engine/failure';
import type { ChosenOutput } from '../LookupMessaging/engine/link';
import { isLocalAnswer } from '../LookupMessaging/engine/operation';
import { CREDENTIAL_TYPE } from '../LookupMessaging/engine/transport';
import { readFinishedWords } from '../LookupMessaging/operations/audit/runAndWait';
import { splitList } from '../LookupMessaging/operations/batch/numbers';
import { isObject } from '../LookupMessaging/engine/parse';
import { readJsonArguments } from '../LookupMessaging/operations/toolServer/toolArguments';
import { JOB_KINDS, type JobKind, type LookOptions } from './jobKinds';
import type { Listing } from './listing';
import { fingerprint } from './seen';

/** What the user set, read anew at each poll: expressions may have another value by then. */
export interface TriggerSettings extends LookOptions {
	kind: JobKind;
	/** The IDs as the user gave them; empty where a listing is asked. */
	given: unknown[];
	listing?: Listing;
	firesOnFailure: boolean;
	includesFinished: boolean;
	output: ChosenOutput;
	/**
	 * Fingerprint of what is watched: when it changes, a listing is looked at for the first time again, and of jobs given by
	 * their IDs those that were passed over are looked at again.
	 */
	scope: string;
}

/** @throws what n8n throws when an expression fails */
export function readTriggerSettings(
	context: IPollFunctions,
): TriggerSettings | { failure: Failure } {
	const kind = JOB_KINDS[textOf(context, 'resource')];
	if (!kind)
		return { failure: parameterFailure('Trigger On names nothing that can be waited for') };
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const fromListing = textOf(context, 'jobsFrom') === 'listing';
	const listing = fromListing ? readListing(context, kind, options) : undefined;
	if (listing && 'failure' in listing) return listing;

	const finishedWords = readFinishedWords(options.finishedWhen);
	const includesFinished = context.getNodeParameter('includeAlreadyFinished', false) === true;
	const firesOnFailure = context.getNodeParameter('fireOnFailure', false) === true;
	const asked = listing && { ...listing, args: argumentsAsSet(context) };
	return {
		kind,
		given: listing ? [] : readJobIds(context),
		listing,
		asRows: textOf(context, 'emit') !== 'job',
		finishedWords,
		firesOnFailure,
		includesFinished,
		output: readOutput(context),
		scope: fingerprint(
			JSON.stringify(
				asked
					? [kind.noun, asked, finishedWords, includesFinished, credentialOf(context)]
					: [kind.noun, 'ids', firesOnFailure],
			),
		),
	};
}

/** What is given as IDs, each for itself; a single object is what Submit or Run put out. */
function readJobIds(context: IPollFunctions): unknown[] {
	const given: unknown = context.getNodeParameter('jobIds', '');
	return isObject(given) ? [given] : splitList(given as GenericValue);
}

function readListing(
	context: IPollFunctions,
	{ noun }: JobKind,
	{ toolArguments }: IDataObject,
): Listing | { failure: Failure } {
	const read = readJsonArguments(toolArguments);
	if (isLocalAnswer(read)) return { failure: parameterFailure(`Tool Arguments ${read.reason}`) };
	const tool = chosenIn(context, 'listingTool');
	if (tool === '') return { failure: parameterFailure('Listing Tool is empty; choose the tool') };
	return {
		tool,
		args: read.args,
		idField: chosenIn(context, `${noun}IdField`),
		statusField: chosenIn(context, 'statusField'),
	};
}

/** Tool Arguments before expressions are evaluated: a date in them must not make each poll a first look. */
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

/** The credential by its ID: a new key in the same credential is the same account (SPEC §5), another one another. */
function credentialOf(context: IPollFunctions): string {
	return context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '';
}

/** What is chosen or typed in a resource locator, or given by an expression. */
function chosenIn(context: IPollFunctions, name: string): string {
	const given: unknown = context.getNodeParameter(name, '');
	return String((isObject(given) ? given.value : given) ?? '').trim();
}

function textOf(context: IPollFunctions, name: string): string {
	return String(context.getNodeParameter(name, ''));
}
