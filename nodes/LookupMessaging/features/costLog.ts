import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { CLOCK, SLICES } from '../engine/clock';
import type { FeatureOpener, Proof } from '../engine/feature';
import type { Account } from '../engine/client';
import type { Called } from '../engine/billing/ledger';
import type { Charge } from '../engine/results';

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
	let rows: ReturnType<CostLogRows['of']> | undefined;
	return {
		tag: { property: COST_LOG, collection: 'spendingLimits' },
		remember({ run, shared }) {
			const ofExecution = shared('costLog', () => new CostLogRows(CLOCK.random()));
			rows = ofExecution.of(run, context.getExecutionId());
		},
		called: (call) => rows?.book(call),
		proved: ({ wereCharged }) => rows?.closeOpen(wereCharged),
		output: async () =>
			await SLICES.map(
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

/** A paid call as Cost Log shows it. */
export type CostLogRow = {
	/** The same each time the row is returned, and unique. */
	id: string;
	/** When the call was sent: ISO 8601, UTC. */
	time: string;
	/** Null where n8n gives the execution no ID. */
	execution: string | null;
	/** The operation that made the call: that of the lookup, if another one requested it. */
	operation: string;
	/** The first item that asked. */
	item: number;
	balance: Account;
	/** The cost of the call, or its maximum; null if SPEC states no price. */
	credits: number | null;
	charged: Charge['charged'];
	tag: string;
};

/**
 * The rows of an execution, by run. n8n discards the outputs of a try if another try follows, so the rows of a run are kept until
 * its outputs are returned.
 */
export class CostLogRows {
	private readonly byRun = new Map<string, Array<{ row: CostLogRow; items: number[] }>>();
	private booked = 0;
	/** A stored or restarted execution counts from one again, so the count alone is not unique. */
	private readonly series: string;

	/** @param random a number from 0 to 1 */
	constructor(random: number) {
		this.series = random.toString(36).slice(2, 10).padEnd(8, '0');
	}

	/** @param run the same for all tries of a run */
	of(run: string, execution?: string) {
		const rows = this.byRun.get(run) ?? [];
		this.byRun.set(run, rows);
		const ofTry: CostLogRow[] = [];
		const parts = execution === undefined ? [this.series] : [execution, this.series];
		return {
			/** The rows of all tries so far. */
			rows,
			book: ({ price: { balance }, charge, sentAt, payer }: Called) => {
				if (!payer) return;
				const { operation, items, tag } = payer;
				const row: CostLogRow = {
					id: [...parts, (this.booked += 1)].join('-'),
					time: new Date(sentAt).toISOString(),
					execution: execution ?? null,
					...{ operation, item: items[0], balance, ...charge, tag },
				};
				rows.push({ row, items });
				ofTry.push(row);
			},
			/** Says whether the possibly charged calls of this try were charged. */
			closeOpen: (wereCharged: Proof['wereCharged']) => {
				for (const row of ofTry.filter(({ charged }) => charged === 'perhaps')) {
					const charged = wereCharged(row.balance);
					if (charged) row.charged = charged;
					if (charged === 'no') row.credits = 0;
				}
			},
			forget: () => void this.byRun.delete(run),
		};
	}
}
