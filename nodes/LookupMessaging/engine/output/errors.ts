import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { asSentence, ended, escapeHtml, inShort, textOf, withoutTags } from '../plan/values';
import type { Failure, Job } from '../results';
import { mayPass, remedyFor } from './remedies';

/**
 * The one place where failures become n8n errors. The message says what happened, what to do and what it cost, since an AI agent
 * sees nothing else. The description has the rest.
 */

/**
 * A failure as sentences for errors, reasons and hints: what happened, what to do and what it cost.
 * @param isForModel whether a model reads it: its remedies differ from those of a person
 * @param others paid jobs of other items
 * @param item its index, as n8n's editor writes it. The editor adds it only to errors without one. A tool has one item
 */
export function describeFailure(
	failure: Failure,
	isForModel = false,
	others: Job[] = [],
	item?: number,
): string {
	const { forUser, forModel } = remedyFor(failure);
	const cost = describeCost(failure, others);
	const words = sentences([failure.reason, isForModel ? forModel : forUser, cost]);
	return item === undefined || isForModel ? words : `${words} [item ${item}]`;
}

/** The parts of a message as sentences. A long text of the service is shortened. */
function sentences([reason, ...others]: string[]): string {
	return [inShort(asSentence(reason)), ...others]
		.filter((text) => text !== '')
		.map(ended)
		.join(' ');
}

/** Failures that the user can fix in the workflow. */
const OF_THE_USER = new Set<Failure['cause']>([
	...(['budget', 'malformed', 'misconfigured', 'noCredential', 'parameter', 'storage'] as const),
]);

/**
 * The n8n error that fails the node.
 * @param itemIndex the item that failed; undefined if the run was refused as a whole
 * @param soFar what the run and its earlier tries did so far, as sentences without the last full stop
 * @param more.isAlone whether the run has no other item, so that no index is needed
 * @param more.jobs all jobs: the message names those of other items too, since there is no output that could show them
 */
export function toNodeError(
	node: INode,
	failure: Failure,
	itemIndex: number | undefined,
	soFar: string,
	{
		isForModel,
		jobs = [],
		isAlone,
	}: { isForModel?: boolean; jobs?: Job[]; isAlone?: boolean } = {},
) {
	const others = jobs.filter(({ id }) => !failure.jobs?.some((job) => job.id === id));
	const message = describeFailure(failure, isForModel, others, isAlone ? undefined : itemIndex);
	const description = `${remedyFor(failure).more} ${soFar}.`;
	return OF_THE_USER.has(failure.cause)
		? operationError(node, message, { itemIndex, description })
		: apiError(node, failure, { message, description, itemIndex });
}

interface More {
	description?: string;
	itemIndex?: number;
}

export function operationError(node: INode, message: string, more: More = {}) {
	return new NodeOperationError(node, withoutTags(message), asShown(more));
}

function apiError(
	node: INode,
	{ reason, status }: Failure,
	{ message, ...more }: More & { message: string },
) {
	const httpCode = status === undefined ? undefined : textOf(status);
	const options = { ...asShown(more), message: withoutTags(message), httpCode };
	return new NodeApiError(node, { message: inShort(reason) }, options);
}

/** n8n shows a description as HTML. A message is plain text beside the node, for models and in logs, but HTML in a toast. */
function asShown({ description, ...rest }: More): More {
	return description === undefined ? rest : { ...rest, description: escapeHtml(description) };
}

export function toEditorError(node: INode, failure: Failure) {
	const { forUser, withoutItem = forUser, more } = remedyFor(failure);
	const message = sentences([failure.reason, withoutItem, describeCost(failure)]);
	return operationError(node, message, { description: more });
}

/**
 * A failed poll as sentences, for errors and the log.
 * @param goesOn whether another poll follows; a workflow that is being activated stays inactive instead
 */
export function describePollFailure(failure: Failure, goesOn: boolean): string {
	const { reason, mayHaveCost } = failure;
	const { forUser, withoutItem = forUser } = remedyFor(failure);
	const cost = mayHaveCost ? describeCost(failure) : '';
	const next = goesOn ? 'The next poll tries again. No finished job is missed' : '';
	// The user need not do anything before the next poll
	return sentences([reason, mayPass(failure) ? '' : withoutItem, cost, next]);
}

/** The error of a poll that failed. By its HTTP status n8n recognizes a wrong key and a throttled poll. */
export function toPollError(node: INode, failure: Failure, goesOn: boolean) {
	const message = describePollFailure(failure, goesOn);
	const description = mayPass(failure) ? undefined : remedyFor(failure).more;
	return apiError(node, failure, { message, description });
}

/** The error for a workflow that names an operation the node does not have. */
export function unknownOperationError(node: INode, resource: string, operation: string) {
	return operationError(
		node,
		`This version of the node has no operation "${operation}" for the resource "${resource}". Choose an operation from the list. ${NOT_CHARGED}`,
	);
}

/** The sentences about the cost: one for each case, the same in every message. */

const NOT_CHARGED = "You weren't charged.";
const MAY_BE_CHARGED = 'You may have been charged.';
const CHARGED_BEFORE = 'Earlier calls for this item were charged. See the receipt.';
const NOT_THIS_TIME = "You weren't charged this time, but the earlier call may have been charged.";

/** The cost of a failed call, and the jobs that were paid for before it or by other items. */
function describeCost(failure: Failure, others: Job[] = []): string {
	const own = describeOwnCost(failure);
	if (others.length === 0) return own;
	return `${own === NOT_CHARGED ? "You weren't charged for this call." : own} ${describeJobs(others)}`;
}

function describeOwnCost({ cause, jobs, isFinal, mayHaveCost, paidBefore }: Failure): string {
	const isLost = cause === 'lost' && mayHaveCost;
	if (jobs?.length)
		return `${isLost ? MAY_BE_CHARGED : ''} ${describeJobs(jobs, isFinal)}`.trimStart();
	if (cause === 'repeated') return NOT_THIS_TIME;
	if (paidBefore) return mayHaveCost ? `${MAY_BE_CHARGED} ${CHARGED_BEFORE}` : CHARGED_BEFORE;
	return mayHaveCost ? MAY_BE_CHARGED : NOT_CHARGED;
}

/** The jobs that were paid for, or may have been, and how to get results that are not here yet. */
export function describeJobs(jobs: Job[], isOver?: true): string {
	const [job] = jobs;
	const ids = jobs.map(({ id }) => inShort(id, 200)).join(', ');
	const named = jobs.length === 1 ? `the ${job.noun} ${ids}` : `${jobs.length} jobs (${ids})`;
	const were = jobs.some(({ isRefused }) => isRefused) ? 'may have been' : 'were';
	const charged = `You ${were} charged for ${named}.`;
	return isOver ? charged : `${charged} ${describeResume(job, jobs.length)}.`;
}

/** How to get the results of jobs, as a sentence without its full stop. It states the cost only if SPEC does. */
export function describeResume({ resume, resumeCost }: Job, jobs = 1): string {
	const ids = jobs === 1 ? 'this ID returns the result' : 'these IDs returns the results';
	return `${resume} with ${ids}${resumeCost ? '' : ' at no cost'}`;
}
