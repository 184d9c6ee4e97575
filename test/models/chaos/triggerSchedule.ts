import fc from 'fast-check';
import { faultNames, type FaultName } from './randomFaults';

/** What a chaotic life of the trigger is made of, as plain data. */

export interface Watch {
	resource: 'audit' | 'batch';
	jobsFrom: 'ids' | 'listing';
	emit: 'job' | 'row';
	includeAlreadyFinished: boolean;
	fireOnFailure: boolean;
	/** An ID that the service does not know is among those that are watched. */
	hasStranger: boolean;
	/** Jobs that are there, and may be finished, before the trigger is activated. */
	before: { jobs: JobPlan[]; isFinished: boolean };
	steps: WatchStep[];
}

/** How many numbers a batch has; an audit may fail. */
export interface JobPlan {
	numbers: number;
	isFailing: boolean;
}

export type WatchStep =
	/** The service gets jobs, or is through with all that it has. */
	| { do: 'finish' }
	| { do: 'submit'; jobs: JobPlan[] }
	/** So many polls at once, beside an execution of the action node or not. */
	| { do: 'poll'; at: number; isBeside: boolean }
	/** n8n is stopped and started again; `dies`: in a poll, after the emission and before it is saved. */
	| { do: 'restart'; dies: boolean }
	/** The next calls of a kind go wrong. */
	| { do: 'spoil'; kind: FaultName; of: 'any' | 'listing' | 'look'; times: number; seconds: number }
	/** The listing shows nothing, or only the first so many jobs. */
	| { do: 'hide'; shown: number; times: number };

const jobPlans = fc.array(
	fc.record({
		numbers: fc.integer({ min: 1, max: 3 }),
		isFailing: fc.nat({ max: 4 }).map((n) => n === 0),
	}),
	{ minLength: 1, maxLength: 4 },
);

const step = <Step extends WatchStep>(model: { [Key in keyof Step]: fc.Arbitrary<Step[Key]> }) =>
	fc.record(model) as unknown as fc.Arbitrary<Step>;
const is = <Value>(value: Value) => fc.constant(value);

const steps: fc.Arbitrary<WatchStep> = fc.oneof(
	{
		arbitrary: step<Extract<WatchStep, { do: 'poll' }>>({
			...{ do: is('poll' as const), at: fc.constantFrom(1, 1, 2, 3) },
			isBeside: fc.nat({ max: 7 }).map((n) => n === 0),
		}),
		weight: 8,
	},
	{ arbitrary: is({ do: 'finish' } as const), weight: 3 },
	{ arbitrary: fc.record({ do: is('submit' as const), jobs: jobPlans }), weight: 3 },
	{ arbitrary: fc.record({ do: is('restart' as const), dies: fc.boolean() }), weight: 2 },
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

/** Lives of the trigger of all kinds. */
export const watches: fc.Arbitrary<Watch> = fc.record({
	resource: fc.constantFrom('audit', 'batch'),
	jobsFrom: fc.constantFrom('ids', 'listing'),
	emit: fc.constantFrom('job', 'row'),
	includeAlreadyFinished: fc.boolean(),
	fireOnFailure: fc.boolean(),
	hasStranger: fc.nat({ max: 3 }).map((n) => n === 0),
	before: fc.record({ jobs: jobPlans, isFinished: fc.boolean() }),
	steps: fc.array(steps, { minLength: 1, maxLength: 24 }),
});
