import fc from 'fast-check';
import { faultNames, type FaultName } from './randomFaults';

/** A random schedule for the trigger, as plain data. */

export interface TriggerSchedule {
	resource: 'audit' | 'batch';
	jobsToWatch: 'byId' | 'fromTool';
	splitIntoItems: boolean;
	includeAlreadyFinished: boolean;
	includeFailedJobs: boolean;
	/** Whether an ID that the service does not know is watched too. */
	hasUnknownJob: boolean;
	/** Jobs that exist, and may be finished, before the trigger is activated. */
	before: { jobs: JobPlan[]; isFinished: boolean };
	steps: TriggerStep[];
}

/** The numbers of a batch; an audit may fail instead. */
export interface JobPlan {
	numbers: number;
	isFailing: boolean;
}

export type TriggerStep =
	/** Jobs are submitted, or all jobs finish. */
	| { do: 'finish' }
	| { do: 'submit'; jobs: JobPlan[] }
	/** Several polls at once, with or without an execution of the action node. */
	| { do: 'poll'; at: number; hasParallelLookup: boolean }
	/** n8n is stopped and started again. `crashes`: during a poll, after the emission and before the state is saved. */
	| { do: 'restart'; crashes: boolean }
	/** The next calls of a kind fail. */
	| { do: 'spoil'; kind: FaultName; of: 'any' | 'listing' | 'look'; times: number; seconds: number }
	/** The listing shows nothing, or only the first jobs. */
	| { do: 'hide'; shown: number; times: number };

const jobPlans = fc.array(
	fc.record({
		numbers: fc.integer({ min: 1, max: 3 }),
		isFailing: fc.nat({ max: 4 }).map((n) => n === 0),
	}),
	{ minLength: 1, maxLength: 4 },
);

const step = <Step extends TriggerStep>(model: { [Key in keyof Step]: fc.Arbitrary<Step[Key]> }) =>
	fc.record(model) as unknown as fc.Arbitrary<Step>;
const is = <Value>(value: Value) => fc.constant(value);

const steps: fc.Arbitrary<TriggerStep> = fc.oneof(
	{
		arbitrary: step<Extract<TriggerStep, { do: 'poll' }>>({
			...{ do: is('poll' as const), at: fc.constantFrom(1, 1, 2, 3) },
			hasParallelLookup: fc.nat({ max: 7 }).map((n) => n === 0),
		}),
		weight: 8,
	},
	{ arbitrary: is({ do: 'finish' } as const), weight: 3 },
	{ arbitrary: fc.record({ do: is('submit' as const), jobs: jobPlans }), weight: 3 },
	{ arbitrary: fc.record({ do: is('restart' as const), crashes: fc.boolean() }), weight: 2 },
	{
		arbitrary: fc.record({
			...{ do: is('spoil' as const), kind: fc.constantFrom(...faultNames) },
			of: fc.constantFrom('any' as const, 'listing' as const, 'look' as const, 'look' as const),
			times: fc.oneof(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 12 })),
			seconds: fc.integer({ min: 0, max: 400 }),
		}),
		weight: 4,
	},
	{
		arbitrary: fc.record({
			...{ do: is('hide' as const), shown: fc.nat({ max: 2 }) },
			times: fc.integer({ min: 1, max: 4 }),
		}),
		weight: 1,
	},
);

/** Trigger schedules of all kinds. */
export const triggerSchedules: fc.Arbitrary<TriggerSchedule> = fc.record({
	resource: fc.constantFrom('audit', 'batch'),
	jobsToWatch: fc.constantFrom('byId', 'fromTool'),
	splitIntoItems: fc.boolean(),
	includeAlreadyFinished: fc.boolean(),
	includeFailedJobs: fc.boolean(),
	hasUnknownJob: fc.nat({ max: 3 }).map((n) => n === 0),
	before: fc.record({ jobs: jobPlans, isFinished: fc.boolean() }),
	steps: fc.array(steps, { minLength: 1, maxLength: 24 }),
});
