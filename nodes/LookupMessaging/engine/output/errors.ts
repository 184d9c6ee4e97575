import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import type { Failure, Job } from '../results';
import { BASE_URL_FIELDS } from '../network/credential';
import { asSentence, escapeHtml, inShort, withoutTags } from '../plan/values';
import { NO_PATH } from '../refusals/refusal';

/**
 * The one place where failures become n8n errors. The message says what to do, since an AI agent sees nothing else. The
 * description has the rest.
 */

interface Help {
	/** What to do, as one short sentence without its full stop. */
	wayOut: string;
	/** The same for a model, which can call again or tell its user, and cannot change a setting. */
	forModel: string;
	more: string;
}

const HELP: Record<Failure['cause'], Help> = {
	budget: {
		wayOut: 'Raise Max Paid Lookups in the options of this node, or hand in fewer items',
		forModel: 'Ask about fewer values, or tell the user to raise Max Paid Lookups of this tool',
		more: 'What a run may cost is added up before its first paid call. Dry Run shows the sum.',
	},
	credits: {
		wayOut: 'Add credits, or hand in fewer items',
		forModel: 'Ask about fewer values, or tell the user to add credits',
		more: 'Check Balance compares what a run may cost with what is left, before its first paid call.',
	},
	fault: {
		wayOut: 'Report it to the maintainers of this node, with the log of n8n',
		forModel: 'Tell the user; calling again does not help',
		more: 'This is a fault of the node, not of the service or of your workflow. The log of n8n has its stack.',
	},
	floor: {
		wayOut: 'Add credits, lower Leave at Least, or hand in fewer items',
		forModel: 'Ask about fewer values, or tell the user to add credits',
		more: 'Leave at Least keeps these credits in the account, before the first paid call and after it.',
	},
	lost: {
		wayOut: 'Look at the balance of the account before you ask again',
		forModel: 'Do not call again for it, since that may do and cost the same twice; tell the user',
		more: 'The request went out and no readable answer came back. The service may have done its work, and charged for it where it is not free. A longer Timeout helps where answers are only slow.',
	},
	malformed: {
		wayOut: 'Correct the value, or switch off Fail on Malformed Input',
		forModel: 'Correct the value and call again',
		more: 'The value was checked before anything was sent. Without Fail on Malformed Input such items come out as negative or unknown, with the reason.',
	},
	misconfigured: {
		wayOut: 'Correct the credential',
		forModel: 'Tell the user to correct the credential; calling again does not help',
		more: 'The credential has one URL for each host of the service, each with https://. The Base URL and the Lookup URL end with the version prefix, such as https://api.example.com/api/v1; the others have none.',
	},
	noCredential: {
		wayOut: 'Choose a credential that exists and that this workflow may use',
		forModel: 'Tell the user to choose a credential that exists; calling again does not help',
		more: 'n8n did not hand out the credential of this node, so nothing was sent.',
	},
	notSent: {
		wayOut: 'Fix that problem, then run the item again',
		forModel: 'Tell the user; calling again does not help before that problem is fixed',
		more: 'After a failure that would meet every further call too, no further call is started.',
	},
	parameter: {
		wayOut: 'Correct the parameter',
		forModel: 'Correct it and call again',
		more: 'The parameters of an item are read before anything is sent.',
	},
	refused: {
		wayOut: 'Check the value',
		forModel: 'Check the value with the user before you call again',
		more: 'The service answered with a refusal; its own words are in the message.',
	},
	storage: {
		wayOut: 'Check the binary data storage of n8n, then run the item again',
		forModel: 'Tell the user that n8n cannot store or read the file; calling again does not help',
		more: 'n8n keeps files apart from its items, on disk, in its database or in an object store.',
	},
	throttled: {
		wayOut: 'Lower Max Concurrent Requests, or run the item again later',
		forModel: 'Call again later, not now',
		more: 'Requests that the service turns away for their pace are not charged.',
	},
	unfinished: {
		wayOut: 'Raise Max Wait, or get the results later',
		forModel: 'Do not start it again; get the results later',
		more: 'Max Wait is how long the node waits for a job of the service; the job itself goes on.',
	},
	unreachable: {
		wayOut: 'Check the URL in the credential and whether the service is up',
		forModel: 'Tell the user that the service cannot be reached; calling again does not help now',
		more: 'The call did not reach the service, or it was a free look at whether its URL answers.',
	},
};
const ACCOUNT_HELP: Help = {
	wayOut: 'Check the API key of the credential and the credits of the account',
	forModel:
		'Tell the user to check the API key and the credits of the account; calling again does not help',
	more: 'Every further paid call would have been refused too, so none was started. Account, Get Balance shows the credits and costs nothing.',
};
const PAUSE_HELP: Help = {
	wayOut: 'Raise Max Wait, or run the item again then',
	forModel: 'Call again then, not before',
	more: 'The service named the time itself. Nothing was sent meanwhile.',
};
const REDIRECT_HELP: Help = {
	wayOut: 'Enter the final address in the credential',
	forModel: 'Tell the user to enter the final address in the credential',
	more: 'Redirects are not followed, because the API key would go to another address.',
};
/** A redirect may be the answer to what was done. */
const DONE_REDIRECT_HELP: Help = {
	wayOut: 'Look at the balance of the account, and enter the final address in the credential',
	forModel: 'Do not call again for it, since that may do and cost the same twice; tell the user',
	more: `${REDIRECT_HELP.more} A service may also redirect after it has done and charged what was asked.`,
};
const FREE_LOST_HELP: Help = {
	wayOut: 'Try again later',
	forModel: 'Call again later, not now',
	more: 'The request went out and no readable answer came back. The call is free, so it was sent again, and then given up.',
};
/** The reason of a failed job says what to do, and the message goes on with the job. */
const JOB_HELP: Help = {
	wayOut: '',
	forModel: '',
	more: 'The job itself was accepted and paid for.',
};
/** A batch may have more numbers than there are credits, and the next one fewer. */
const FEW_CREDITS_HELP: Help = {
	...HELP.credits,
	more: 'The service compares a batch with the credits before it takes any, so nothing was charged.',
};

/** For a path that the host does not know. A free call may ask about a job that does not exist. */
function pathHelp({ scope, service = 'main' }: Failure): Help {
	const { displayName, prefix } = BASE_URL_FIELDS[service];
	const how = prefix
		? `including its version prefix such as ${prefix}`
		: 'which has no version prefix';
	return {
		wayOut: `Check the URL in the credential (${displayName}), ${how}`,
		forModel: `Tell the user to check the URL in the credential (${displayName}); calling again does not help`,
		more: `The host answers, but it does not know ${scope === 'account' ? 'the path. No further call was started' : 'what was asked for'}.`,
	};
}

function helpFor(failure: Failure): Help {
	const { cause, scope, jobs, mayHaveCost, refusal, status = 0 } = failure;
	if (cause === 'throttled' && status === 0) return PAUSE_HELP;
	if (cause === 'lost' && !mayHaveCost && !jobs?.length) return FREE_LOST_HELP;
	if (cause !== 'refused') return HELP[cause];
	if (jobs?.length) return JOB_HELP;
	if (refusal?.lacksCredits) return FEW_CREDITS_HELP;
	const isOfPath = scope === 'account' ? refusal?.scope !== 'account' : !refusal;
	if (NO_PATH.has(status) && isOfPath) return pathHelp(failure);
	if (status >= 300 && status < 400) return mayHaveCost ? DONE_REDIRECT_HELP : REDIRECT_HELP;
	return scope === 'account' ? ACCOUNT_HELP : HELP.refused;
}

/** The reader of a message. A model can do other things than a person. */
type Reader = 'model' | 'person';

export function readerOf({ isForModel }: { isForModel?: boolean }): Reader {
	return isForModel ? 'model' : 'person';
}

/** What happened, what to do and what it cost, in sentences, for errors, reasons and hints. */
export function describeFailure(failure: Failure, reader: Reader = 'person'): string {
	const { wayOut, forModel } = helpFor(failure);
	return sentences([failure.reason, reader === 'model' ? forModel : wayOut, spent(failure)]);
}

/** The parts of a message as sentences. The words of a service may go on for pages, so they are cut. */
function sentences([reason, ...others]: string[]): string {
	return [inShort(asSentence(reason)), ...others]
		.filter((text) => text !== '')
		.map((text) => (/[.!?]$/.test(text) ? text : `${text}.`))
		.join(' ');
}

function spent({ cause, jobs, mayHaveCost, paidBefore }: Failure): string {
	const lost = cause === 'lost' && mayHaveCost ? 'The call may have been charged.' : '';
	if (jobs?.length) return `${lost} ${describeJobs(jobs)}`.trimStart();
	if (lost) return lost;
	if (mayHaveCost) return 'Whether the call was charged is not known.';
	return paidBefore
		? 'An earlier call for it was answered, and so paid for.'
		: 'Nothing was spent on it.';
}

/** The jobs that were paid for, and how to get their results. */
export function describeJobs(jobs: Job[]): string {
	const [job] = jobs;
	const ids = jobs.map(({ id }) => inShort(id, 200)).join(', ');
	const are =
		jobs.length === 1 ? `The ${job.noun} ${ids} was` : `${jobs.length} jobs (${ids}) were`;
	return `${are} paid for: ${describeResume(job)}.`;
}

/** How to get a job's result, as a clause. It says what that costs only where SPEC does. */
export function describeResume({ resume, resumeCost }: Job): string {
	return `${resume} with the ID ${resumeCost ? 'gets the result' : 'costs nothing'}`;
}

/** describeFailure with the index of the item, as n8n shows it. A tool has one item, so a model sees no index. */
export function describeItemFailure(
	failure: Failure,
	itemIndex: number,
	reader: Reader = 'person',
): string {
	const words = describeFailure(failure, reader);
	return reader === 'model' ? words : `Item ${itemIndex}: ${words}`;
}

/** Failures that the user can fix in the workflow. */
const OF_THE_USER = new Set<Failure['cause']>([
	...(['budget', 'credits', 'malformed', 'misconfigured', 'noCredential', 'parameter'] as const),
	...(['floor', 'storage'] as const),
]);

/**
 * The n8n error that fails the node because of an item.
 * @param soFar what the run and its earlier tries did up to then, as text
 * @param more.jobs all jobs of these: the message names those of other items too, since there is no output to hold them
 */
export function toNodeError(
	node: INode,
	failure: Failure,
	itemIndex: number,
	soFar: string,
	{ reader, jobs = [] }: { reader?: Reader; jobs?: Job[] } = {},
) {
	const others = jobs.filter(({ id }) => !failure.jobs?.some((job) => job.id === id));
	const words = describeItemFailure(failure, itemIndex, reader);
	const message = others.length > 0 ? `${words} ${describeJobs(others)}` : words;
	const description = `${helpFor(failure).more} The run until then: ${soFar}.`;
	return OF_THE_USER.has(failure.cause)
		? operationError(node, message, { itemIndex, description })
		: apiError(node, failure, { message, description, itemIndex });
}

interface More {
	description?: string;
	itemIndex?: number;
}

function operationError(node: INode, message: string, more: More = {}) {
	return new NodeOperationError(node, withoutTags(message), asShown(more));
}

function apiError(
	node: INode,
	{ reason, status }: Failure,
	{ message, ...more }: More & { message: string },
) {
	const httpCode = status === undefined ? undefined : String(status);
	const options = { ...asShown(more), message: withoutTags(message), httpCode };
	return new NodeApiError(node, { message: inShort(reason) }, options);
}

/** n8n shows a description as HTML. A message is text beside the node, to models and in logs, and HTML in a toast. */
function asShown({ description, ...rest }: More): More {
	return description === undefined ? rest : { ...rest, description: escapeHtml(description) };
}

/** The error of a list that the editor asked for. */
export function toEditorError(node: INode, failure: Failure) {
	const { more } = helpFor(failure);
	return operationError(node, describeFailure(failure), { description: more });
}

/**
 * The error of a poll that failed. By its HTTP status n8n recognizes a wrong key and a throttled poll.
 * @param goesOn whether another poll follows; a workflow that is being activated stays inactive instead
 */
export function toPollError(node: INode, failure: Failure, goesOn: boolean) {
	const { cause, reason, mayHaveCost } = failure;
	const help = helpFor(failure);
	// The user need not do anything before the next poll
	const needsNoHelp = cause === 'lost' || cause === 'throttled' || help === HELP.refused;
	const cost = mayHaveCost ? spent(failure) : '';
	const next = goesOn ? 'The next poll asks again, and no finished job is missed' : '';
	const message = sentences([reason, needsNoHelp ? '' : help.wayOut, cost, next]);
	return apiError(node, failure, { message, description: needsNoHelp ? undefined : help.more });
}

/** The error of a manual test of the trigger that has no job to show. */
export function toTestError(node: INode, sentence: string) {
	return operationError(node, sentence);
}

/** The error for a workflow that names an operation the node does not have. */
export function unknownOperationError(node: INode, resource: string, operation: string) {
	return operationError(
		node,
		`This version of the node has no operation "${operation}" for the resource "${resource}". Choose an operation from the list. Nothing was spent.`,
	);
}
