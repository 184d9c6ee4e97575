import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import type { Failure } from './failure';
import type { Job } from './talk';
import { asSentence, inShort } from './text';

/**
 * The one place where failures become n8n errors. The way out stands in the message itself, since an AI agent is shown
 * nothing else; the description has room for the rest.
 */

interface Help {
	/** What to do, as one short sentence without its full stop. */
	wayOut: string;
	/** What a model is to do, which can call again or tell its user, and change no setting. */
	forModel: string;
	/** What else is worth knowing. */
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
		more: 'Check Balance First compares what a run may cost with what is left, before its first paid call.',
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
		more: 'The credential has one URL for each host of the service, each with https:// and its version prefix, such as https://api.example.com/api/v1.',
	},
	noCredential: {
		wayOut: 'Choose a credential that exists and that this workflow may use',
		forModel: 'Tell the user to choose a credential that exists; calling again does not help',
		more: 'n8n did not hand out the credential of this node, so nothing was sent.',
	},
	notSent: {
		wayOut: 'Mend that and run the item again',
		forModel: 'Tell the user; calling again does not help before that is mended',
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
		more: 'No connection was made, so nothing was sent.',
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
const FREE_LOST_HELP: Help = {
	wayOut: 'Try again later',
	forModel: 'Call again later, not now',
	more: 'The request went out and no readable answer came back. The call is free, so it was sent again, and then given up.',
};

/** What went wrong within a job has its own words, and the job follows. */
const JOB_HELP: Help = {
	wayOut: '',
	forModel: '',
	more: 'The job itself was accepted and paid for.',
};
const PATH_HELP: Help = {
	wayOut: 'Check the URL in the credential, including its version prefix such as /api/v1',
	forModel: 'Tell the user to check the URL in the credential; calling again does not help',
	more: 'The host answers, but it does not know the path. No further call was started.',
};
/** Of a free call, which may as well be about a job that is not there. */
const FREE_PATH_HELP: Help = {
	...PATH_HELP,
	more: 'The host answers, but it does not know what was asked for.',
};

function helpFor({ cause, scope, jobs, mayHaveCost, refusal, status = 0 }: Failure): Help {
	if (cause === 'throttled' && status === 0) return PAUSE_HELP;
	if (cause === 'lost' && !mayHaveCost && !jobs?.length) return FREE_LOST_HELP;
	if (cause !== 'refused') return HELP[cause];
	if (jobs?.length) return JOB_HELP;
	if (status === 404 || status === 405) {
		if (scope === 'account') return PATH_HELP;
		if (!refusal) return FREE_PATH_HELP;
	}
	if (status >= 300 && status < 400) return REDIRECT_HELP;
	return scope === 'account' ? ACCOUNT_HELP : HELP.refused;
}

/** Who is to act on what is said: they can do different things. */
export type Reader = 'model' | 'person';

/** Who reads what a run says. */
export function readerOf({ isForModel }: { isForModel?: boolean }): Reader {
	return isForModel ? 'model' : 'person';
}

/** What happened, what to do and what it cost, in sentences. Used in errors, reasons and hints alike. */
export function describeFailure(failure: Failure, reader: Reader = 'person'): string {
	const { wayOut, forModel } = helpFor(failure);
	return [whatHappened(failure), reader === 'model' ? forModel : wayOut, spent(failure)]
		.filter((text) => text !== '')
		.map(endSentence)
		.join(' ');
}

/** The reason as the beginning of a message. The words of a service may go on for pages. */
function whatHappened({ reason }: Failure): string {
	return inShort(asSentence(reason));
}

function spent({ cause, jobs, mayHaveCost, paidBefore }: Failure): string {
	const isOpen = cause === 'lost' && mayHaveCost;
	if (jobs?.length)
		return `${isOpen ? 'The call may have been charged. ' : ''}${describeJobs(jobs)}`;
	if (isOpen) return 'The call may have been charged.';
	if (mayHaveCost) return 'Whether the call was charged is not known.';
	return paidBefore
		? 'An earlier call for it was answered, and so paid for.'
		: 'Nothing was spent on it.';
}

/** No service gives an ID of so many characters that anybody could use. */
const LONGEST_ID = 200;

/** The jobs that were paid for, and how to come back to them. */
export function describeJobs(jobs: Job[]): string {
	const [job] = jobs;
	const ids = jobs.map(({ id }) => inShort(id, LONGEST_ID)).join(', ');
	const are =
		jobs.length === 1 ? `The ${job.noun} ${ids} was` : `${jobs.length} jobs (${ids}) were`;
	return `${are} paid for: ${describeResume(job)}.`;
}

/** How to come back to a job, as a clause; what that costs only where SPEC says so. */
export function describeResume({ resume, resumeCost }: Job): string {
	return `${resume} with the ID ${resumeCost ? 'gets the result' : 'costs nothing'}`;
}

/** describeFailure with the item named, by the index that n8n shows. A tool has one item, and its index would puzzle a model. */
export function describeItemFailure(
	failure: Failure,
	itemIndex: number,
	reader: Reader = 'person',
): string {
	const words = describeFailure(failure, reader);
	return reader === 'model' ? words : `Item ${itemIndex}: ${words}`;
}

/** Failures that the user can mend in the workflow. */
const OF_THE_USER = new Set<Failure['cause']>([
	...(['budget', 'credits', 'malformed', 'misconfigured', 'noCredential', 'parameter'] as const),
]);

/**
 * The n8n error that fails the node because of an item.
 * @param soFar receipt of the run up to then, as text
 * @param told.reader a model reads the message, and that alone
 * @param told.jobs what the run has paid for: those of other items are named too, since they come out nowhere else
 */
export function toNodeError(
	node: INode,
	failure: Failure,
	itemIndex: number,
	soFar: string,
	{ reader, jobs = [] }: { reader?: Reader; jobs?: Job[] } = {},
) {
	const others = jobs.filter((job) => !failure.jobs?.includes(job));
	const message = [
		describeItemFailure(failure, itemIndex, reader),
		...(others.length > 0 ? [describeJobs(others)] : []),
	].join(' ');
	const description = `${helpFor(failure).more} The run until then: ${soFar}.`;
	const { status } = failure;
	const reason = inShort(failure.reason);
	if (OF_THE_USER.has(failure.cause)) {
		return new NodeOperationError(node, message, { itemIndex, description });
	}
	const httpCode = status === undefined ? undefined : String(status);
	return new NodeApiError(node, { message: reason }, { message, description, itemIndex, httpCode });
}

/** The error of a list that the editor asked for. */
export function toEditorError(node: INode, failure: Failure) {
	const { more } = helpFor(failure);
	return new NodeOperationError(node, describeFailure(failure), { description: more });
}

/**
 * The error of a poll that learned nothing. Its HTTP status lets n8n tell a wrong key and a throttled poll from others.
 * @param goesOn whether another poll follows; a workflow that is being activated stays inactive instead
 */
export function toPollError(node: INode, failure: Failure, goesOn: boolean) {
	const { wayOut, more } = helpFor(failure);
	const isOwn = POLLS_AGAIN.has(failure.cause) || helpFor(failure) === HELP.refused;
	const remedy = isOwn ? '' : wayOut;
	const cost = failure.mayHaveCost ? spent(failure) : '';
	const next = goesOn ? 'The next poll asks again, and no finished job is missed' : '';
	const message = [whatHappened(failure), remedy, cost, next]
		.filter((text) => text !== '')
		.map(endSentence)
		.join(' ');
	const httpCode = failure.status === undefined ? undefined : String(failure.status);
	const description = isOwn ? undefined : more;
	return new NodeApiError(
		node,
		{ message: inShort(failure.reason) },
		{ message, description, httpCode },
	);
}

/** Failures that nobody can do anything about before the next poll. */
const POLLS_AGAIN = new Set<Failure['cause']>(['lost', 'throttled']);

/** The error of a test of the trigger that has no job to show. */
export function toTestError(node: INode, sentence: string) {
	return new NodeOperationError(node, sentence);
}

/** The error for a workflow that names an operation the node does not have. */
export function unknownOperationError(node: INode, resource: string, operation: string) {
	return new NodeOperationError(
		node,
		`This version of the node has no operation "${operation}" for the resource "${resource}". Choose an operation from the list. Nothing was spent.`,
	);
}

function endSentence(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}
