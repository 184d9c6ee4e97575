/**
 * What to expect of the nodes when a call goes wrong. It is written from the service's interface and the design, not from
 * running the code. README.md beside this file is made from these lists, and test/hostile/bothReleases/faultMatrix.test.ts checks every
 * operation against them.
 */

/** How a call is treated, according to its price and its purpose. */
export type Kind =
	/** Costs credits, or SPEC does not say that it is free. It is sent once, whatever happens. */
	| 'paid'
	/** Costs nothing. It is sent again after a failure that may be temporary. */
	| 'free'
	/** The poll of Batch → Get: free, and repeated after a pause. */
	| 'look'
	/** A poll while a node waits for a job that is paid for. It is repeated until Max Wait is over. */
	| 'poll';

export type ClassName =
	| 'answered'
	| 'transient'
	| 'unreachable'
	| 'lost'
	| 'throttled'
	| 'redirected'
	| 'seeOther'
	| 'key'
	| 'credits'
	| 'account'
	| 'noPath'
	| 'refused'
	| 'tooLarge'
	| 'unclear'
	| 'negative';

/** What a failure says about the cost. */
export const COST = {
	none: "You weren't charged.",
	perhaps: 'You may have been charged.',
};

export interface FaultClass {
	title: string;
	/** What happens to the item, for the page. */
	happens: string;
	/** Whether the item is answered, fails, or fails and stops the items that are not asked yet. */
	ending: 'answered' | 'fails' | 'stops';
	/** The same for a free call, when it differs. */
	endingIfFree?: 'fails';
	/** The outcome of a lookup that is answered. */
	outcome?: 'negative' | 'unknown';
	/** How often the call is sent. */
	sent: Record<Kind, number>;
	/** The advice in the item's message. */
	remedy: Partial<Record<Kind, string>> & { paid: string };
	cost: Record<'free' | 'paid', keyof typeof COST>;
	/** What the user should do, for the page; and for a free call, when it differs. */
	advice: string;
	adviceIfFree?: string;
}

/** How many polls fail before the matrix lets one succeed. */
const FAILED_POLLS = 3;
const once = { paid: 1, free: 1, look: 1, poll: 1 };
const FREE_COST = { paid: 'none', free: 'none' } as const;

const ACCOUNT = {
	happens: 'The service would refuse every further call too, so the node starts none.',
	ending: 'stops',
	sent: once,
	cost: FREE_COST,
} as const;

export const CLASSES: Record<ClassName, FaultClass> = {
	answered: {
		title: 'Read as usual',
		happens: 'The node reads the answer as usual.',
		ending: 'answered',
		sent: once,
		remedy: { paid: '' },
		cost: FREE_COST,
		advice: 'Nothing.',
	},
	transient: {
		title: 'Sent again, then answered',
		happens:
			'The service certainly did no work yet. The node sends the call again after the pause that the service asks for, and the item is answered.',
		ending: 'answered',
		sent: { paid: 2, free: 2, look: 2, poll: 2 },
		remedy: { paid: '' },
		cost: FREE_COST,
		advice: 'Nothing.',
	},
	unreachable: {
		title: 'Not reached',
		happens:
			"The node can't connect, so nothing reaches the service. It tries a refused connection and an unknown host four times, and a wrong certificate once.",
		ending: 'fails',
		sent: { paid: 0, free: 0, look: 0, poll: 0 },
		remedy: { paid: 'Check the URL in the credential, and check that the service is up' },
		cost: FREE_COST,
		advice: 'Check the URLs in the credential, then run the items again.',
	},
	lost: {
		title: 'Reply lost',
		happens:
			"The request went out, but no readable answer came back. The node never sends a paid call again by itself, and Retry On Fail doesn't either. It sends a free call three times. It keeps polling a job.",
		ending: 'fails',
		sent: { paid: 1, free: 3, look: 4, poll: FAILED_POLLS + 1 },
		remedy: {
			paid: 'Check your balance before you run the item again',
			free: 'Try again later',
			look: 'Try again later',
		},
		cost: { paid: 'perhaps', free: 'none' },
		advice: 'Check your balance (Account, Get Balance). Then run the item in a new execution.',
		adviceIfFree: 'Run the item again.',
	},
	throttled: {
		title: 'Turned away because of the request rate',
		happens:
			'The service turns the call away before it works on it. The node waits as long as the service says, and sends the call eight times at most.',
		ending: 'fails',
		sent: { paid: 8, free: 8, look: 4, poll: FAILED_POLLS + 1 },
		remedy: { paid: 'Set Max Requests per Minute, or run the item again later' },
		cost: FREE_COST,
		advice: 'Run the items again later, or set Max Requests per Minute.',
	},
	redirected: {
		title: 'Redirected',
		happens:
			"The node doesn't follow the redirect. Nothing reaches the other address, and the API key stays where it is. The node starts no more calls.",
		ending: 'stops',
		sent: once,
		remedy: { paid: 'Enter the final address in the credential' },
		cost: FREE_COST,
		advice: 'Enter the final address in the credential.',
	},
	seeOther: {
		title: 'Redirected, possibly after the work was done',
		happens:
			"A redirect can mean that the service has done the work: with 303 See Other, and with any status after a message, which is a GET, or after a POST (RFC 9110 §15.4). The node doesn't follow it and starts no more calls. Retry On Fail doesn't send the call again.",
		ending: 'stops',
		sent: once,
		remedy: {
			paid: 'Check your balance, and enter the final address in the credential',
			free: 'Enter the final address in the credential',
			look: 'Enter the final address in the credential',
		},
		cost: { paid: 'perhaps', free: 'none' },
		advice:
			'Check your balance (Account, Get Balance), and enter the final address in the credential.',
		adviceIfFree: 'Enter the final address in the credential.',
	},
	key: {
		title: 'The API key is refused',
		...ACCOUNT,
		remedy: { paid: 'Check the API key in the credential, then run the item again' },
		advice: 'Check the API key.',
	},
	credits: {
		title: 'There are too few credits',
		...ACCOUNT,
		remedy: { paid: 'Add credits, then run the item again' },
		advice: 'Add credits.',
	},
	account: {
		title: 'The account is refused, and nothing says why',
		...ACCOUNT,
		happens: `${ACCOUNT.happens} Once the path has answered in a run, HTTP 403 is about the value: the question is refused.`,
		remedy: { paid: 'Check the API key in the credential and the credits in your account' },
		advice: 'Check the API key and the credits.',
	},
	noPath: {
		title: "The path doesn't exist",
		happens:
			"The host doesn't know the path. That is what a wrong URL in the credential looks like. After a paid call, the node starts no more calls. Once the path has answered in a run, the status is about the value: the question is refused.",
		ending: 'stops',
		endingIfFree: 'fails',
		sent: once,
		remedy: { paid: 'Check the {url} in the credential{prefix}' },
		cost: FREE_COST,
		advice:
			"Check the URL in the message. The Base URL and the Lookup URL end with a version prefix. The others don't.",
	},
	refused: {
		title: 'The question is refused',
		happens: "This item fails with the service's own words. The others go on.",
		ending: 'fails',
		sent: once,
		remedy: { paid: 'Check the value' },
		cost: { paid: 'perhaps', free: 'none' },
		advice: "Fix the value. The service doesn't say whether it charges for a refusal.",
	},
	tooLarge: {
		title: 'The request is too large',
		happens:
			'The service turns the request away before it has read all of it, so it did no work. The other items go on.',
		ending: 'fails',
		sent: once,
		remedy: { paid: 'Send a shorter text or a smaller file' },
		cost: FREE_COST,
		advice: 'Send a shorter text or a smaller file.',
	},
	unclear: {
		title: 'No clear answer',
		happens:
			'The answer has none of the fields that decide. A lookup is returned as unknown, never as yes or no.',
		ending: 'answered',
		outcome: 'unknown',
		sent: { ...once, poll: FAILED_POLLS + 1 },
		remedy: { paid: '' },
		cost: FREE_COST,
		advice: 'Look at the answer with Output set to Raw.',
	},
	negative: {
		title: 'A negative answer',
		happens: 'The service says no. That is an answer, not an error.',
		ending: 'answered',
		outcome: 'negative',
		sent: once,
		remedy: { paid: '' },
		cost: FREE_COST,
		advice: 'Nothing.',
	},
};
