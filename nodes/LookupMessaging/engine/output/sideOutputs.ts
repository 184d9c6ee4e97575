import type { INode, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import type { RunMemory } from '../memory/answerStore';
import { COLUMNS, type Unused } from '../memory/answerRows';
import type { StoredResults } from '../memory/storedResults';
import type { AnyOperation } from '../operation';
import type { Plan } from '../plan/plan';
import type { Settings } from '../plan/settings';
import { TimeSlices } from '../timeSlices';
import { hint } from './hints';
import { count } from './receipt';

/** What comes out beside the results, each on an output of its own, in the order of editor/outputs.ts. */

interface RunWithSideOutputs {
	operation: AnyOperation;
	settings: Settings;
	plan: Plan;
	memory: RunMemory;
}

/**
 * The side outputs of a run: New Results, Cost Log. A dry run has none of their items.
 * @param isDryRun whether nothing was asked
 */
export async function sideOutputs(
	run: RunWithSideOutputs,
	isDryRun = false,
	slices = new TimeSlices(),
): Promise<INodeExecutionData[][]> {
	const { known, ledgerRows } = run.memory;
	const outputs: INodeExecutionData[][] = [];
	if (known) outputs.push(isDryRun ? [] : await newResults(run, known, slices));
	if (run.settings.hasCostLog) outputs.push(isDryRun ? [] : await ledgerItems(ledgerRows, slices));
	return outputs;
}

/** A row for each paid call of this try of the run and of its earlier ones, linked to the items that asked. */
async function ledgerItems({ rows }: RunMemory['ledgerRows'], slices: TimeSlices) {
	return await slices.map(
		rows,
		({ row, items }): INodeExecutionData => ({
			// The next try may put the row out again, and a later node may change the object
			json: { ...row },
			pairedItem: items.map((item) => ({ item })),
		}),
	);
}

/** A row for each answer that was paid for and is not out yet, linked to the items that asked. */
async function newResults(
	{ operation, plan }: RunWithSideOutputs,
	known: StoredResults,
	slices: TimeSlices,
) {
	const itemsOf = new Map<string, Set<number>>();
	await slices.forEach(plan.slots, (slot) => {
		if (slot.kind !== 'asked' || slot.asked.key === undefined) return;
		const key = known.rowKeyOf(operation, slot.asked.key) ?? '';
		itemsOf.set(key, (itemsOf.get(key) ?? new Set()).add(slot.item));
	});
	const rows = await known.newRows(slices);
	return await slices.map(rows, ({ row, slots }): INodeExecutionData => {
		const items = new Set(itemsOf.get(row.key));
		for (const slot of slots) items.add(plan.slots[slot].item);
		const pairedItem = [...items].sort((a, b) => a - b).map((item) => ({ item }));
		return { json: row, pairedItem };
	});
}

const A_COLUMN = `a column (${COLUMNS.join(', ')})`;

const IN_FUTURE = 'a future date (times without a zone count as UTC)';

/** Why rows were not used, as a predicate of one row and of several. */
const WHY_UNUSED: Record<Unused, [one: string, many: string]> = {
	lacksColumn: [`lacks ${A_COLUMN}`, `lack ${A_COLUMN}`],
	malformed: ['is invalid', 'are invalid'],
	otherVersion: ['is from another version', 'are from another version'],
	future: [`has ${IN_FUTURE}`, `have ${IN_FUTURE}`],
	noResponse: ['lacks the response that Raw shows', 'lack the response that Raw shows'],
	expired: ['is older than Max Age', 'are older than Max Age'],
};

/** n8n's Execute Once cuts each input, the second one as well. */
const ONE_ROW =
	'Execute Once passes only one stored row, so you pay for the others again. Use a Limit node instead.';

/** How many rows of Stored Results were not used, and how many new results have no row. */
export function answerRowsHints(
	{ known }: RunMemory,
	{ executeOnce }: Pick<INode, 'executeOnce'>,
): NodeExecutionHint[] {
	if (!known) return [];
	const { unused, withoutRow } = known;
	const told = [
		unused.size > 0 && describeUnused([...unused]),
		withoutRow > 0 && `${count(withoutRow, 'result')} couldn't be stored: too long or incomplete.`,
	];
	const hints = told.flatMap((sentence) => (sentence ? [hint(sentence, 'info')] : []));
	return executeOnce ? [hint(ONE_ROW, 'warning'), ...hints] : hints;
}

function describeUnused(counts: Array<[why: Unused, number: number]>): string {
	const all = counts.reduce((sum, [, number]) => sum + number, 0);
	const [[only]] = counts;
	const predicates = counts.map(
		([why, number]) => `${number} ${WHY_UNUSED[why][number === 1 ? 0 : 1]}`,
	);
	const alone = all === 1 ? `it ${WHY_UNUSED[only][0]}` : `they ${WHY_UNUSED[only][1]}`;
	const reasons = counts.length === 1 ? alone : predicates.join(', ');
	const rows = `${count(all, 'row')} of Stored Results ${all === 1 ? "wasn't" : "weren't"} used`;
	return `${rows}: ${reasons}.`;
}
