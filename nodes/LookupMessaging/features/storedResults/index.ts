import type {
	GenericValue,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';
import type { FeatureOpener } from '../../engine/feature';
import { SLICES } from '../../engine/clock';
import { hint } from '../../engine/output/report';
import type { Plan } from '../../engine/plan/plan';
import { hasExpression, rawOf } from '../../engine/plan/parameters';
import { COLUMNS, type Unused } from './rows';
import { type AnswerOrigin, StoredResults, StoredRows } from './storedResults';
import { apiKeyOf, type CredentialData, baseUrlsIn } from '../../engine/network/credential';
import { type AnyOperation, parameterFailure } from '../../engine/operation';
import type { Failure } from '../../engine/results';
import { count, textOf } from '../../engine/plan/values';

/** Stored Results: answers of earlier executions from a second input, and new ones at an additional output. */
export const storedResults: FeatureOpener = ({ context, operation, ...settings }) => {
	const ofNothing = hasExpression(rawOf(context, MAX_AGE.name)) ? null : DEFAULT_MAX_AGE_DAYS;
	const { maxAgeDays, problem } = readMaxAge(settings.parameter(MAX_AGE.name, ofNothing));
	const showsResponse = settings.parameter('output', 'simplified') === 'raw';
	const results = new StoredResults({ maxAgeDays, showsResponse });
	return {
		problem,
		source: results,
		async remember({ shared, credential }) {
			const ofExecution = shared('storedResults', () => new StoredRows());
			await results.open(ofExecution, answerOriginOf(credential)).read(rowsOf(context));
		},
		aroundQuestion: () => ({ ask: results.ask.bind(results) }),
		hints: () => answerRowsHints(results, context.getNode()),
		output: async (plan) => await newResults(operation, plan, results),
		delivered: () => results.forgetSent(),
	};
};

/** The rows of the second input, which n8n may not have set. */
function rowsOf(context: IExecuteFunctions): IDataObject[] {
	try {
		return context.getInputData(1).map(({ json }) => json);
	} catch {
		return [];
	}
}

/** The origin of the credential's answers; undefined if it cannot be used. */
function answerOriginOf(fields: CredentialData | undefined): AnswerOrigin | undefined {
	if (!fields) return undefined;
	const entries = baseUrlsIn(fields).map(({ service, baseUrl }) => {
		return [service, 'url' in baseUrl ? `${baseUrl.host}${baseUrl.prefix}` : ''] as const;
	});
	const baseUrls = Object.fromEntries(entries);
	return { baseUrls, account: JSON.stringify([baseUrls, apiKeyOf(fields)]) };
}

/** How old a stored result may be, in days. An expression that gives nothing does not mean the default. */
export const MAX_AGE = { name: 'maxAgeDays', displayName: 'Max Age (Days)' };
export const DEFAULT_MAX_AGE_DAYS = 30;

/** Reads how old an answer may be, in days. A problem fails every item before anything is sent. */
function readMaxAge(maxAge: GenericValue): { maxAgeDays: number; problem?: Failure } {
	const text = textOf(maxAge).trim();
	const maxAgeDays = Number(text);
	if (/^\d+(?:\.\d+)?$/.test(text)) return { maxAgeDays };
	const reason = `${MAX_AGE.displayName} isn't a number of days. Enter 0 to use no stored results`;
	return { maxAgeDays, problem: parameterFailure(reason) };
}

/** A row for each paid answer that was not returned yet, linked to the items that asked. */
export async function newResults(
	operation: AnyOperation,
	plan: Plan,
	known: StoredResults,
): Promise<INodeExecutionData[]> {
	const itemsOf = new Map<string, Set<number>>();
	await SLICES.forEach(plan.slots, (slot) => {
		if (slot.kind !== 'asked' || slot.asked.key === undefined) return;
		const key = known.rowKeyOf(operation, slot.asked.key) ?? '';
		itemsOf.set(key, (itemsOf.get(key) ?? new Set()).add(slot.item));
	});
	const rows = await known.newRows();
	return await SLICES.map(rows, ({ row, slots }): INodeExecutionData => {
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

/** n8n's Execute Once limits each input to one item, also the second one. */
const ONE_ROW =
	'Execute Once passes only one stored row, so you pay for the others again. Use a Limit node instead.';

/** How many rows of Stored Results were not used, and how many new results have no row. */
export function answerRowsHints(
	{ unused, withoutRow }: Pick<StoredResults, 'unused' | 'withoutRow'>,
	{ executeOnce }: Pick<INode, 'executeOnce'>,
): NodeExecutionHint[] {
	const told = [
		unused.size > 0 && describeUnused([...unused]),
		withoutRow > 0 &&
			`${count(withoutRow, 'result')} couldn't be stored: too long, or with text that no table takes.`,
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
