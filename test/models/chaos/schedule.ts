import { AT_ONCE } from '../../harness/atOnce';
import fc from 'fast-check';
import { rowPlans, type RowPlan } from './storedRows';
import { faults, subjectIndexes, type Fault } from './randomFaults';
import { operationOf, OPERATIONS, type OperationName } from './operations';

/**
 * What a chaotic run is made of, as plain data: printed, it says all that is needed to run it again. The arbitraries draw it at
 * random and shrink it to what matters.
 */

export interface Schedule {
	/** One execution, or several at once. */
	executions: ExecutionPlan[];
	/** Whether errors come with HTTP statuses of their own, or with 200 (SPEC §7). */
	errorStatus: 'http' | 'ok';
	faults: Fault[];
	/** Calls that the service takes, per second and at once. */
	pace?: { callsPerSecond: number; burst: number; retryAfter: 'date' | 'none' | 'seconds' };
	/** Credits that the account has of the product, if they are few. */
	credits?: number;
	/** Delay of every answer, in milliseconds. */
	latencyMs?: number;
	/** The first execution is stopped as soon as so many requests have arrived. */
	stopAfter?: number;
	/** From so many requests on n8n has no credential for the first execution any more. */
	credentialGoneAfter?: number;
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
	/** Items that a Loop Over Items passes at a time; undefined without a loop. */
	loopOf?: number;
	key: 'main' | 'other';
	/** A Dry Run of the same comes first. */
	isDryRunFirst: boolean;
	/** What the second input gets; undefined without Stored Results. */
	storedRows?: RowPlan[];
	/** How old stored results may be; without it, the node's default holds. */
	maxAgeDays?: number;
}

export interface ItemPlan {
	/** Index of the subject; or what no call is made for. */
	about: number | 'malformed';
	/** Index of its spelling. */
	spelling: number;
	/** A message with a text of its own, where there is one. */
	isUnique: boolean;
	/** What its paid calls are booked under. */
	tag: string;
}

/** As the node's collections have them, and Include Other Input Fields beside them. Max Wait is in minutes. */
export type Options = (typeof optionSets extends fc.Arbitrary<infer Drawn> ? Drawn : never) & {
	costLog?: (typeof TAG_PARAMETERS)[number];
};

const sometimes = <Value>(arbitrary: fc.Arbitrary<Value>, oneIn: number) =>
	fc.oneof({ arbitrary: fc.constant(undefined), weight: oneIn - 1 }, { arbitrary, weight: 1 });

const itemPlans: fc.Arbitrary<ItemPlan> = fc.record({
	about: fc.oneof(
		{ arbitrary: subjectIndexes, weight: 14 },
		{ arbitrary: fc.constant('malformed' as const), weight: 1 },
	),
	spelling: fc.nat({ max: 11 }),
	isUnique: fc.boolean(),
	tag: fc.constantFrom('Acme', 'Byte', ''),
});

const rarely = fc.nat({ max: 9 }).map((n) => n === 0);

const optionSets = fc.record(
	{
		[AT_ONCE]: fc.oneof(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 3, max: 30 })),
		ifSomeItemsFail: fc.constantFrom('keepPaidResults' as const, 'stopNode' as const),
		alsoFailItemsIf: fc.subarray(['inputIsInvalid' as const, 'lookupFails' as const]),
		maxPaidLookups: fc.oneof(fc.nat({ max: 6 }), fc.nat({ max: 30 })),
		recheckInconclusiveEmails: fc.boolean(),
		checkBalance: fc.constantFrom('off' as const, 'before' as const, 'beforeAndAfter' as const),
		checkNumberFirst: fc.boolean(),
		stopAtFirstWorkingChannel: fc.boolean(),
		skipCatchAllDomains: fc.boolean(),
		dryRun: rarely,
		includeOtherInputFields: fc.boolean(),
		maxWait: fc.integer({ min: 1, max: 5 }),
	},
	{ requiredKeys: [] },
);

/** No tag, one for all, that of the item, and what n8n makes of it. */
const TAG_PARAMETERS = [
	...['', 'All', '={{ $json.tag }}', '={{ $json.tag.toUpperCase() }}'],
] as const;

/** The tag that the rows of an item are to have. */
export function tagOf({ tag }: Pick<ItemPlan, 'tag'>, { options }: ExecutionPlan): string {
	const { costLog = '' } = options;
	if (!costLog.startsWith('=')) return costLog;
	return costLog.includes('Upper') ? tag.toUpperCase() : tag;
}

const executionPlans: fc.Arbitrary<ExecutionPlan> = fc
	.record({
		// Batches and contacts have the most to go wrong
		operation: fc.constantFrom(
			...['checkMany' as const, 'enrichContact' as const],
			...(Object.keys(OPERATIONS) as OperationName[]),
		),
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
		key: fc.constantFrom<ExecutionPlan['key']>('main', 'main', 'main', 'other'),
		isDryRunFirst: rarely,
		storedRows: sometimes(fc.array(rowPlans, { maxLength: 20 }), 2),
		maxAgeDays: fc.constantFrom(undefined, undefined, 0, 0.2, 5, 90),
		ledger: fc.nat({ max: 7 }),
	})
	.map(({ loopOf, ledger, ...rest }) => {
		if (!operationOf(rest.operation).isLookup) delete rest.storedRows;
		// Half of the tags are those of the items, and one run in four has no Cost Log
		const costLog = TAG_PARAMETERS[ledger % TAG_PARAMETERS.length];
		if (ledger < 6) Object.assign(rest.options, { costLog });
		if (operationOf(rest.operation).hasNoInput) delete rest.options.includeOtherInputFields;
		// Only a contact has lookups that fail apart
		const { alsoFailItemsIf } = rest.options;
		if (alsoFailItemsIf && rest.operation !== 'enrichContact') {
			const all = alsoFailItemsIf.filter((each) => each === 'inputIsInvalid');
			rest.options.alsoFailItemsIf = all;
		}
		// Half an hour of polls that are lost would be hundreds
		const { maxWait = 2 } = rest.options;
		const plan = operationOf(rest.operation).isWaiting
			? { ...rest, options: { ...rest.options, maxWait } }
			: rest;
		// The one item of a Dry Run is no item to go round with
		if (loopOf === undefined || plan.options.dryRun) return plan;
		// Items on several outputs would each go round by themselves
		const onError = plan.onError === 'stopWorkflow' ? plan.onError : 'continueRegularOutput';
		return { ...plan, loopOf, onError, routeByResult: false };
	});

const paces = fc.record({
	callsPerSecond: fc.integer({ min: 1, max: 20 }),
	burst: fc.integer({ min: 1, max: 10 }),
	retryAfter: fc.constantFrom('date' as const, 'none' as const, 'seconds' as const),
});

/** Schedules of all kinds. */
export const schedules: fc.Arbitrary<Schedule> = fc
	.record({
		executions: fc.oneof(
			{ arbitrary: fc.tuple(executionPlans), weight: 4 },
			{ arbitrary: fc.array(executionPlans, { minLength: 2, maxLength: 3 }), weight: 1 },
		),
		errorStatus: fc.constantFrom<Schedule['errorStatus']>('http', 'http', 'ok'),
		faults: fc.array(faults, { maxLength: 4 }),
		pace: sometimes(paces, 5),
		credits: sometimes(fc.nat({ max: 8 }), 6),
		latencyMs: sometimes(fc.integer({ min: 1, max: 4 }), 4),
		stopAfter: sometimes(fc.integer({ min: 1, max: 12 }), 8),
		credentialGoneAfter: sometimes(fc.integer({ min: 1, max: 12 }), 20),
	})
	.map((schedule) => {
		// A look at the balance tells most where it is small
		const [{ options }] = schedule.executions;
		if ((schedule.credits ?? 1) % 2 === 0) options.checkBalance = 'before';
		return schedule;
	});
