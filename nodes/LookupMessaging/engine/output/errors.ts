import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { asSentence, ended, escapeHtml, inShort, textOf, withoutTags } from '../plan/values';
import type { Failure, Job, Remedy } from '../results';
import { BASE_URL_FIELDS } from '../network/credential';
import {
	NO_PATH,
	PART_OF_ACCOUNT,
	PROXY_STATUS,
	speaksOfTrouble,
	UNREAD_STATUSES,
} from '../refusals/refusal';

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

const FIX_THAT = 'Fix that, then run the item again';

/** What to do about each failure. */
const REMEDIES: Record<Failure['cause'], Remedy> = {
	budget: {
		forUser: 'Raise Max Paid Lookups under Spending Limits, or run fewer items',
		forModel: 'Look up fewer values, or ask the user to raise Max Paid Lookups in this tool',
		more: 'The node adds up what a run can cost before its first paid call. Outside of tools, Dry Run shows the total.',
	},
	fault: {
		forUser: "Report this to the maintainers of this node, and attach n8n's log",
		forModel: "Tell the user. Calling again doesn't help",
		more: "This is a bug in the node, not in the service or in your workflow. n8n's log has the stack trace.",
	},
	lost: {
		forUser: 'Check your balance before you run the item again',
		forModel:
			"Don't repeat this call, because that can do the work and charge for it twice. Tell the user",
		withoutItem: 'Check your balance before you try again',
		more: 'The request went out, but no readable answer came back. The service may have done the work, and charged for it unless it is free. If answers are only slow, a longer Timeout helps.',
	},
	malformed: {
		forUser: 'Fix the value, or remove Their Input Is Invalid from Also Fail Items If',
		forModel: 'Fix the value and call again',
		more: 'The node checks the value before it sends anything. Without Their Input Is Invalid, the node returns such items as negative or unknown, with the reason.',
	},
	misconfigured: {
		forUser: 'Fix the credential, then run the item again',
		forModel: "Ask the user to fix the credential. Calling again doesn't help",
		withoutItem: 'Fix the credential',
		more: 'The credential has one URL for each host of the service. Each URL starts with https://. The Base URL and the Lookup URL end with the version prefix, such as https://api.example.com/api/v1. The others have no prefix.',
	},
	noCredential: {
		forUser: 'Choose a credential that exists and that this workflow can use',
		forModel: "Ask the user to choose a credential that exists. Calling again doesn't help",
		more: "n8n didn't give this node its credential, so nothing was sent.",
	},
	notSent: {
		forUser: 'Fix that one first',
		forModel: "Tell the user. Calling again doesn't help until that is fixed",
		more: 'After a failure that every further call would meet too, the node starts no more calls.',
	},
	parameter: {
		forUser: FIX_THAT,
		forModel: 'Fix that and call again',
		withoutItem: 'Fix that',
		more: 'The node reads the parameters of an item before it sends anything.',
	},
	refused: {
		forUser: 'Check the value',
		forModel: 'Check the value with the user before you call again',
		more: 'The message has the words of the service.',
	},
	repeated: {
		forUser:
			'Check with the service whether it was done. To do it once more, change what is sent, or start a new execution',
		forModel: "Don't repeat this call, because that can do the work twice. Tell the user",
		more: 'The earlier call may have done the work, and charged for it. Within one execution, the node never repeats such a call.',
	},
	storage: {
		forUser: "Check n8n's binary data storage, then run the item again",
		forModel: "Tell the user that n8n can't store or read the file. Calling again doesn't help",
		more: 'n8n keeps files apart from its items: on disk, in its database or in an object store.',
	},
	throttled: {
		forUser: 'Set Max Requests per Minute, or run the item again later',
		forModel: 'Call again later, not now',
		withoutItem: 'Try again later',
		more: "The service doesn't charge for requests that it turns away because they come too fast.",
	},
	unfinished: {
		forUser: 'Get the results later, because a new run would pay again',
		forModel: "Don't start it again. Get the results later",
		more: 'The job goes on. Max Wait can be longer.',
	},
	unreachable: {
		forUser: 'Check the URL in the credential, and check that the service is up',
		forModel: "Tell the user that the service can't be reached. Calling again doesn't help now",
		more: "The call didn't reach the service.",
	},
};

const STARTED_NONE =
	'The service would have refused every further paid call too, so the node started none.';
const SHOWS_CREDITS =
	'Account → Get Balance shows email, GeoIP, phone and WhatsApp credits at no cost.';
/** The service says neither that the key is wrong nor that there are too few credits. */
const ACCOUNT: Remedy = {
	forUser: 'Check the API key in the credential and the credits in your account',
	forModel: "Ask the user to check the API key and the credits. Calling again doesn't help",
	more: `${STARTED_NONE} ${SHOWS_CREDITS}`,
};
const KEY: Remedy = {
	forUser: 'Check the API key in the credential, then run the item again',
	forModel: "Ask the user to check the API key in the credential. Calling again doesn't help",
	withoutItem: 'Check the API key in the credential',
	more: STARTED_NONE,
};
const CREDITS: Remedy = {
	forUser: 'Add credits, then run the item again',
	forModel: "Ask the user to add credits. Calling again doesn't help until then",
	withoutItem: 'Add credits',
	more: `${STARTED_NONE} ${SHOWS_CREDITS}`,
};
/** There are too few credits for this run or question alone. */
export const FEW_CREDITS: Remedy = {
	forUser: 'Add credits, or run fewer items',
	forModel: 'Look up fewer values, or ask the user to add credits',
	more: 'Check Balance compares what a run can cost with your balance before the first paid call.',
};
/** The service reports a problem of its own. */
const TROUBLE: Remedy = {
	forUser: 'Run the item again later',
	forModel: 'Call again later, not now',
	withoutItem: 'Try again later',
	more: 'The service had trouble of its own. The value may be fine.',
};
/** It may have done the work nevertheless. */
const PAID_TROUBLE: Remedy = {
	...REMEDIES.lost,
	more: `${TROUBLE.more} It may have been charged.`,
};
/** The node itself knows the cause and the remedy. */
const OWN: Remedy = {
	forUser: '',
	forModel: 'Tell the user',
	more: 'The service took the request, but its reply has no result that this node can use.',
};
const PAUSE: Remedy = {
	forUser: 'Run the item again after that time, or raise Max Wait',
	forModel: 'Call again after that time, not before',
	withoutItem: 'Try again after that time',
	more: 'The service set that time itself. The node sent nothing in the meantime.',
};
const TOO_LARGE: Remedy = {
	forUser: 'Send a shorter text or a smaller file',
	forModel: 'Call again with a shorter text or a smaller file',
	more: 'The server reads no request of this size.',
};
const PROXY: Remedy = {
	forUser: "Put them into the proxy's URL in n8n's environment",
	forModel: "Tell the user. Calling again doesn't help until that is fixed",
	more: "The call didn't reach the service. The node started no more calls.",
};
const REDIRECT: Remedy = {
	forUser: 'Enter the final address in the credential',
	forModel: 'Ask the user to enter the final address in the credential',
	more: "The node doesn't follow redirects, because the API key would go to another address.",
};
/** A redirect may be the reply to a completed side effect. */
const DONE_REDIRECT: Remedy = {
	forUser: 'Check your balance, and enter the final address in the credential',
	forModel: REMEDIES.lost.forModel,
	more: `${REDIRECT.more} Some services redirect after they have done the work and charged for it.`,
};
const FREE_LOST: Remedy = {
	forUser: 'Try again later',
	forModel: 'Call again later, not now',
	more: 'The request went out, but no readable answer came back. The call is free, so the node sent it again before it gave up.',
};
const STOP: Remedy = {
	...REMEDIES.notSent,
	forUser: 'Run the item again',
	more: 'After Stop, the node starts no more calls.',
};
/** The reason of a failed job is the remedy, and the message continues with the job. */
const JOB: Remedy = {
	forUser: '',
	forModel: '',
	more: 'The service gave the job an ID, by which it can be fetched.',
};

/** For a path that the host does not know. A free call may be about a job that does not exist. */
function ofPath({ scope, service = 'main' }: Failure): Remedy {
	const { displayName, prefix } = BASE_URL_FIELDS[service];
	const url = `the ${displayName} in the credential`;
	const missing =
		scope === 'account' ? 'the path. The node started no more calls' : 'what the call asked for';
	return {
		forUser: prefix
			? `Check ${url}, including its version prefix such as ${prefix}`
			: `Check ${url}. It has no version prefix`,
		forModel: `Ask the user to check ${url}. Calling again doesn't help`,
		more: `The host answers, but it doesn't know ${missing}.`,
	};
}

const BY_FIELDS: { [Cause in Failure['cause']]?: (failure: Failure) => Remedy | undefined } = {
	budget: ({ remedy }) => remedy,
	lost: ({ mayHaveCost, jobs }) => (mayHaveCost || jobs?.length ? undefined : FREE_LOST),
	notSent: ({ after, jobs }) =>
		after === 'stop' ? (jobs?.length ? REMEDIES.unfinished : STOP) : undefined,
	refused: ofRefusal,
	throttled: ({ status }) => (status ? undefined : PAUSE),
};

function remedyFor(failure: Failure): Remedy {
	return BY_FIELDS[failure.cause]?.(failure) ?? REMEDIES[failure.cause];
}

function ofRefusal(failure: Failure): Remedy {
	const { scope, jobs, mayHaveCost, refusal, status = 0 } = failure;
	const { about = PART_OF_ACCOUNT[status], isOwn, reason = '' } = refusal ?? {};
	if (jobs?.length) return JOB;
	if (about === 'key') return KEY;
	if (about === 'credits') return scope === 'account' ? CREDITS : FEW_CREDITS;
	const isOfPath = scope === 'account' ? refusal?.scope !== 'account' : !refusal;
	if (NO_PATH.has(status) && isOfPath) return ofPath(failure);
	if (status >= 300 && status < 400) return mayHaveCost ? DONE_REDIRECT : REDIRECT;
	if (UNREAD_STATUSES.has(status)) return TOO_LARGE;
	if (status === PROXY_STATUS && scope === 'account') return PROXY;
	if (isOwn) return OWN;
	if (speaksOfTrouble(reason)) return mayHaveCost ? PAID_TROUBLE : TROUBLE;
	return scope === 'account' ? ACCOUNT : REMEDIES.refused;
}

/** Whether the next poll may succeed without a fix. */
function mayPass(failure: Failure): boolean {
	const { cause } = failure;
	const passing = [REMEDIES.refused, TROUBLE, PAID_TROUBLE, OWN];
	return cause === 'lost' || cause === 'throttled' || passing.includes(remedyFor(failure));
}
