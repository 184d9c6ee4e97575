import fc from 'fast-check';
import type { FaultEffect, FaultRule } from '../../sandbox';
import { operationOf, OPERATIONS, type OperationName } from './subjects';

/**
 * What a chaotic run is made of, as plain data: printed, it says all that is needed to run it again. The arbitraries draw it at
 * random and shrink it to what matters.
 */

export interface Schedule {
	/** One execution, or two at once with the same API key. */
	executions: ExecutionPlan[];
	faults: Fault[];
	/** Calls that the service takes, per second and at once. */
	pace?: { callsPerSecond: number; burst: number; retryAfter: 'date' | 'none' | 'seconds' };
	/** Credits that the account has of the product, if they are few. */
	credits?: number;
	/** Delay of every answer, in milliseconds. */
	latencyMs?: number;
	/** The first execution is stopped as soon as so many requests have arrived. */
	stopAfter?: number;
}

export interface ExecutionPlan {
	operation: OperationName;
	items: ItemPlan[];
	options: Options;
	output: 'raw' | 'simplified';
	routeByResult: boolean;
	onError: 'continueErrorOutput' | 'continueRegularOutput' | 'stopWorkflow';
	/** More than one turns Retry On Fail on. */
	tries: number;
	alwaysOutputData: boolean;
	/** Items that a Loop Over Items hands in at a time; undefined without a loop. */
	loopOf?: number;
}

export interface ItemPlan {
	/** Index of the subject; or what no call is made for. */
	about: number | 'nonsense';
	/** Index of its spelling. */
	spelling: number;
	/** A message with a text of its own, where there is one. */
	isUnique: boolean;
}

/** As the node's Options collection has them. */
export interface Options {
	maxConcurrentRequests?: number;
	ifSomeItemsFail?: 'keepPaidAnswers' | 'stopNode';
	failOnMalformedInput?: boolean;
	maxPaidLookups?: number;
	retryInconclusive?: boolean;
	askAgainAfterLostReply?: boolean;
	checkBalanceFirst?: boolean;
	checkNumberFirst?: boolean;
	includeInputFields?: boolean;
	/** In minutes. */
	maxWait?: number;
}

export interface Fault {
	kind: FaultName;
	/** Meets questions about this subject; or calls of a kind, after so many. */
	at: { about: number } | { after: number; of: 'any' | 'free' | 'paid' };
	/** How many calls it meets. */
	times: number;
	/** What a refusal asks for, in seconds. */
	seconds: number;
}

export type FaultName = keyof typeof EFFECTS;

const refusal = (status: number, error: string, headers?: Record<string, string>): FaultEffect => ({
	...{ kind: 'status', status, headers, body: { status: false, error } },
});
const inSeconds = (seconds: number) => ({ 'retry-after': String(seconds) });

const EFFECTS = {
	tooFast: (seconds) => refusal(429, 'Too many requests', inSeconds(seconds)),
	tooFastUntil: (seconds) => {
		const date = new Date(Date.now() + 1_000 * seconds).toUTCString();
		return refusal(429, 'Too many requests', { 'retry-after': date });
	},
	tooFastNoTime: () => refusal(429, 'Too many requests'),
	busy: (seconds) => refusal(503, 'Busy', inSeconds(seconds)),
	error500: () => refusal(500, 'Internal error'),
	error502: () => ({ kind: 'status', status: 502, body: '<html>Bad gateway</html>' }),
	error503: () => refusal(503, 'Unavailable'),
	wrongKey: () => refusal(401, 'Invalid API key.'),
	noCredits: () => refusal(402, 'Please recharge'),
	refused: () => refusal(422, 'This cannot be looked up.'),
	refusedInText: () => ({ kind: 'status', status: 400, body: 'Bad request' }),
	notFound: () => refusal(404, 'Not found'),
	redirect: () => ({ kind: 'redirect', to: 'https://elsewhere.example/' }),
	echoKey: () => ({ kind: 'echoKey' }),
	resetBeforeCharge: () => ({ kind: 'resetBeforeCharge' }),
	resetAfterCharge: () => ({ kind: 'resetAfterCharge' }),
	html: () => ({ kind: 'html' }),
	truncatedJson: () => ({ kind: 'truncatedJson' }),
	emptyBody: () => ({ kind: 'emptyBody' }),
	jsonArray: () => ({ kind: 'body', body: [] }),
	latency: (seconds) => ({ kind: 'latency', ms: Math.min(seconds, 5) }),
} satisfies Record<string, (seconds: number) => FaultEffect>;

/** Faults that cost an item nothing but time, as long as they meet a call only a few times. */
const PASSING = new Set<FaultName>(['tooFast', 'tooFastUntil', 'tooFastNoTime', 'busy', 'latency']);

export function isPassing({ kind }: Fault): boolean {
	return PASSING.has(kind);
}

/** The sandbox's rule for a fault. */
export function ruleOf({ kind, at, times, seconds }: Fault, { executions }: Schedule): FaultRule {
	const [{ operation }] = executions;
	const effect: FaultEffect = EFFECTS[kind](seconds);
	if ('about' in at) {
		const subjects = operationOf(operation).subjects(0);
		return { ...effect, times, contains: subjects[at.about % subjects.length].mark };
	}
	const paths = { any: undefined, free: freePathOf(operation), paid: operationOf(operation).path };
	return { ...effect, path: paths[at.of], times, skip: at.after };
}

/** The poll of a batch; else the look at the balance. */
function freePathOf(operation: OperationName): string {
	return operation === 'checkMany' ? '/api/v1/wavalidation/batch/:batch_id' : 'checkbalance';
}

/** Few, so that many are equal, or all. */
const places = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 19 }));
const sometimes = <Value>(arbitrary: fc.Arbitrary<Value>, oneIn: number) =>
	fc.oneof({ arbitrary: fc.constant(undefined), weight: oneIn - 1 }, { arbitrary, weight: 1 });

const itemPlans: fc.Arbitrary<ItemPlan> = fc.record({
	about: fc.oneof(
		{ arbitrary: places, weight: 14 },
		{ arbitrary: fc.constant('nonsense' as const), weight: 1 },
	),
	spelling: fc.nat({ max: 3 }),
	isUnique: fc.boolean(),
});

const optionSets: fc.Arbitrary<Options> = fc.record(
	{
		maxConcurrentRequests: fc.oneof(
			fc.integer({ min: 1, max: 2 }),
			fc.integer({ min: 3, max: 30 }),
		),
		ifSomeItemsFail: fc.constantFrom('keepPaidAnswers', 'stopNode'),
		failOnMalformedInput: fc.boolean(),
		maxPaidLookups: fc.oneof(fc.nat({ max: 6 }), fc.nat({ max: 30 })),
		retryInconclusive: fc.boolean(),
		askAgainAfterLostReply: fc.boolean(),
		checkBalanceFirst: fc.boolean(),
		checkNumberFirst: fc.boolean(),
		includeInputFields: fc.boolean(),
		maxWait: fc.integer({ min: 1, max: 5 }),
	},
	{ requiredKeys: [] },
);

const executionPlans: fc.Arbitrary<ExecutionPlan> = fc
	.record({
		// Batches have the most to go wrong
		operation: fc.constantFrom('checkMany', ...(Object.keys(OPERATIONS) as OperationName[])),
		items: fc.array(itemPlans, { minLength: 1, maxLength: 16 }),
		options: optionSets,
		output: fc.constantFrom<ExecutionPlan['output']>('simplified', 'simplified', 'raw'),
		routeByResult: fc.boolean(),
		onError: fc.constantFrom<ExecutionPlan['onError']>(
			...['stopWorkflow' as const, 'continueRegularOutput' as const],
			'continueErrorOutput',
		),
		tries: fc.integer({ min: 1, max: 3 }),
		alwaysOutputData: fc.boolean(),
		loopOf: sometimes(fc.integer({ min: 1, max: 4 }), 3),
	})
	.map(({ loopOf, ...rest }) => {
		// Half an hour of polls that are lost would be hundreds
		const { maxWait = 2 } = rest.options;
		const plan =
			rest.operation === 'checkMany' ? { ...rest, options: { ...rest.options, maxWait } } : rest;
		if (loopOf === undefined) return plan;
		// Items on several outputs would each go round by themselves
		const onError = plan.onError === 'stopWorkflow' ? plan.onError : 'continueRegularOutput';
		return { ...plan, loopOf, onError, routeByResult: false };
	});

const faults: fc.Arbitrary<Fault> = fc.record({
	kind: fc.constantFrom(...(Object.keys(EFFECTS) as FaultName[])),
	at: fc.oneof(
		fc.record({ about: places }),
		fc.record({
			after: fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 10 })),
			of: fc.constantFrom('any' as const, 'free' as const, 'paid' as const),
		}),
	),
	times: fc.oneof(
		{ arbitrary: fc.integer({ min: 1, max: 3 }), weight: 5 },
		{ arbitrary: fc.constant(1_000), weight: 1 },
	),
	seconds: fc.integer({ min: 0, max: 20 }),
});

const paces = fc.record({
	callsPerSecond: fc.integer({ min: 1, max: 20 }),
	burst: fc.integer({ min: 1, max: 10 }),
	retryAfter: fc.constantFrom('date' as const, 'none' as const, 'seconds' as const),
});

/** Schedules of all kinds. */
export const schedules: fc.Arbitrary<Schedule> = fc.record({
	executions: fc.oneof(
		{ arbitrary: fc.tuple(executionPlans), weight: 4 },
		{ arbitrary: fc.tuple(executionPlans, executionPlans), weight: 1 },
	),
	faults: fc.array(faults, { maxLength: 4 }),
	pace: sometimes(paces, 5),
	credits: sometimes(fc.nat({ max: 8 }), 10),
	latencyMs: sometimes(fc.integer({ min: 1, max: 4 }), 4),
	stopAfter: sometimes(fc.integer({ min: 1, max: 12 }), 8),
});
