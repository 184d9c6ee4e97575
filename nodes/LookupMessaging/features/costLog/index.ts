import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { CLOCK } from '../../engine/clock';
import type { FeatureOpener } from '../../engine/feature';
import { CostLogRows, type RowsOfRun } from './rows';

/** Cost Log: an output with a row for each paid call. */

export const COST_LOG: INodeProperties = {
	displayName: 'Cost Log',
	name: 'costLog',
	type: 'string',
	default: '',
	placeholder: 'e.g. a customer or a campaign',
	description:
		'Adds an output with one row per paid call: its time, item, balance and credits, and this text as tag. The text may be empty, or an expression that gives each item its own. In a batch, numbers with different tags are submitted separately.',
};

export const costLog: FeatureOpener = ({ context }) => {
	let rows: RowsOfRun | undefined;
	return {
		tag: { property: COST_LOG, collection: 'spendingLimits' },
		remember({ run, shared }) {
			const ofExecution = shared('costLog', () => new CostLogRows(CLOCK.random()));
			rows = ofExecution.of(run, context.getExecutionId());
		},
		called: (call) => rows?.book(call),
		proved: ({ wereCharged }) => rows?.closeOpen(wereCharged),
		output: async (_, slices) =>
			await slices.map(
				rows?.rows ?? [],
				({ row, items }): INodeExecutionData => ({
					// The next try may return the row again, and a later node may change the object
					json: { ...row },
					pairedItem: items.map((item) => ({ item })),
				}),
			),
		delivered: () => rows?.forget(),
	};
};
