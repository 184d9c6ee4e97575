import type { Account } from '../../engine/client';
import type { Called } from '../../engine/billing/ledger';
import type { Charge } from '../../engine/results';

/** A paid call as Cost Log shows it. */
export type CostLogRow = {
	/** The same whenever the row comes out, and of no other row. */
	id: string;
	/** When the call was sent: ISO 8601, UTC. */
	time: string;
	/** Null where n8n gives the execution no ID. */
	execution: string | null;
	/** The operation that made the call: that of the lookup, where another one asked for it. */
	operation: string;
	/** The first item that asked. */
	item: number;
	balance: Account;
	/** What the call cost, or what it can have cost at most; null where SPEC states no price. */
	credits: number | null;
	charged: Charge['charged'];
	tag: string;
};

/** A row, and the items that it is linked to. */
export type BookedRow = { row: CostLogRow; items: number[] };

/**
 * The rows of an execution, by run. n8n throws away the outputs of a try that another one follows, so the rows of a run are kept
 * until its outputs come out.
 */
export class CostLogRows {
	private readonly byRun = new Map<string, BookedRow[]>();
	private booked = 0;
	/** An execution that n8n has stored or begun anew counts from one again, so the count alone would not do. */
	private readonly series: string;

	/** @param random a number from 0 to 1 */
	constructor(random: number) {
		this.series = random.toString(36).slice(2, 10).padEnd(8, '0');
	}

	/** @param run the same for all tries of a run */
	of(run: string, execution?: string): RowsOfRun {
		const rows = this.byRun.get(run) ?? [];
		this.byRun.set(run, rows);
		const ofTry: CostLogRow[] = [];
		const parts = execution === undefined ? [this.series] : [execution, this.series];
		return {
			rows,
			book: ({ price: { balance }, charge, sentAt, payer }) => {
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
			closeOpen: (wereCharged) => {
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

/** The rows of one run. */
export interface RowsOfRun {
	/** Those of all tries so far. */
	readonly rows: BookedRow[];
	/** Adds the row of a paid call. */
	book(call: Called): void;
	/**
	 * Says of the calls of this try that may have been charged whether they were.
	 * @param wereCharged of all of them that are on an account; undefined where that is not known
	 */
	closeOpen(wereCharged: (balance: Account) => 'no' | 'yes' | undefined): void;
	/** Once they have come out for good. It frees memory and no more, since no other run would see them. */
	forget(): void;
}
