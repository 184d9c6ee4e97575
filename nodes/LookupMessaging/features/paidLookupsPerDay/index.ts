import type { INodeProperties } from 'n8n-workflow';
import { lookupsOf } from '../../engine/billing/ledger';
import type { FeatureOpener } from '../../engine/feature';
import { BoundedCache } from '../../engine/memory/boundedCache';
import { limitProblem } from '../../engine/plan/settings';
import type { Failure } from '../../engine/results';
import { DayCount, keptIn, RunShare, type Exceeded } from './dayCount';

/** Max Paid Lookups per Day, over all executions of a workflow: for a webhook that runs out of control. Tools count, too. */

const NAME = 'Max Paid Lookups per Day';

export const MAX_PAID_LOOKUPS_PER_DAY: INodeProperties = {
	displayName: NAME,
	name: 'maxPaidLookupsPerDay',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 1000,
	description:
		"How many paid lookups this workflow may make with one account from 00:00 UTC to 00:00 UTC, counted as for Max Paid Lookups. A run that would need more doesn't start. It can't see other workflows, what other workers do at the same time, or, after a restart, manual runs and other nodes. 0 takes the limit away.",
};

/** Maximum number of characters of all names together: those of some thousand workflows. */
const MAX_CHARACTERS = 1_000_000;
const counts = new BoundedCache<DayCount>(MAX_CHARACTERS);

/** Counts every paid run, since another node of the workflow may have a limit. */
export const paidLookupsPerDay: FeatureOpener = ({ context, options }) => {
	const isSet = MAX_PAID_LOOKUPS_PER_DAY.name in options;
	const limit = isSet ? options[MAX_PAID_LOOKUPS_PER_DAY.name] : 0;
	const most = Number(limit) || Infinity;
	let share: RunShare | undefined;
	return {
		problem: limitProblem(NAME, limit),
		open({ account, clock }) {
			const workflow = `${context.getWorkflow().id}`;
			const name = JSON.stringify([workflow, account]);
			const count = counts.get(name) ?? new DayCount();
			counts.set(name, count, 0);
			const data: unknown = most < Infinity && context.getWorkflowStaticData('node');
			const own = new RunShare(count, clock, keptIn(data, workflow, account));
			share = own;
			return { close: () => own.close() };
		},
		called: ({ price }) => share?.made(lookupsOf(price)),
		...(most < Infinity && {
			reserve: (lookups) => failureOf(share?.reserve(lookups, most), lookups, most),
		}),
	};
};

function failureOf(exceeded: Exceeded, lookups: number, limit: number): Failure | undefined {
	if (!exceeded) return undefined;
	const { made, reserved } = exceeded;
	const underWay = reserved > 0 ? ` and ${reserved} under way` : '';
	const reason = `the run would make ${lookups} paid ${lookups === 1 ? 'lookup' : 'lookups'}, after ${made} today${underWay}, which is more than Max Paid Lookups per Day (${limit}). The count resets at 00:00 UTC`;
	return { cause: 'budget', reason, scope: 'question', remedy: REMEDY };
}

const REMEDY: Failure['remedy'] = {
	forUser: `Run it again after that, or raise ${NAME} under Spending Limits`,
	forModel: `Call again after that, not before, or ask the user to raise ${NAME}`,
	more: 'The node adds up what a run can cost before its first paid call, and all executions of the workflow take from one count.',
};
