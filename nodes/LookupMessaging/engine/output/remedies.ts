import type { Failure, Remedy } from '../results';
import { BASE_URL_FIELDS } from '../network/credential';
import {
	NO_PATH,
	PART_OF_ACCOUNT,
	PROXY_STATUS,
	speaksOfTrouble,
	UNREAD_STATUSES,
} from '../refusals/refusal';

/** What to do about each failure. */

const FIX_THAT = 'Fix that, then run the item again';

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
		more: 'The job goes on after Max Wait. For longer jobs, raise Max Wait.',
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
	notSent: ({ after }) => (after === 'stop' ? STOP : undefined),
	refused: ofRefusal,
	throttled: ({ status }) => (status ? undefined : PAUSE),
};

export function remedyFor(failure: Failure): Remedy {
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
export function mayPass(failure: Failure): boolean {
	const { cause } = failure;
	const passing = [REMEDIES.refused, TROUBLE, PAID_TROUBLE, OWN];
	return cause === 'lost' || cause === 'throttled' || passing.includes(remedyFor(failure));
}
