import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { linksOf } from '../../harness/ledger';
import { runStored } from '../../harness/storedResults';
import type { Sandbox } from '../../sandbox';
import { ENDPOINT_OF } from './endpoints';
import type { Outcome } from './lookupSubjects';
import { canonicalOf, operationOf } from './operations';
import { subjectIndexes } from './randomFaults';
import type { ObservedExecution } from './runSchedule';
import type { ExecutionPlan } from './schedule';

/** Rows for Stored Results: what a pretended earlier execution was answered, some of it too old, and some of it spoiled. */

export interface RowPlan {
	/** Index of the subject, and of the lookup of a contact. */
	about: number;
	part: number;
	kind: RowKind;
	ageDays: number;
	/** What the row says, where that is not what the service says. */
	outcome?: Outcome;
}

type RowKind = keyof typeof SPOIL | 'good' | 'withoutResponse';

/** What an earlier execution was answered about a question. */
export interface EarlierAnswer {
	/** As chaos names questions: the endpoint, and what it is about. */
	question: string;
	/** The row that the node returned. */
	row: IDataObject;
	/** The same with another Output, which holds no reply. */
	withoutResponse: IDataObject;
}

/** A row that is handed over. */
export interface StoredRow {
	row: IDataObject;
	question: string;
	outcome: Outcome;
	ageDays: number;
	/** What its answer gives as the reason, and what its reply holds. */
	mark: string;
	isUsable: boolean;
}

const withAnswer = (row: IDataObject, more: IDataObject) => ({
	...row,
	answer: JSON.stringify({ ...(JSON.parse(row.answer as string) as IDataObject), ...more }),
});
const DAY_MS = 86_400_000;

/** What makes a row useless, in four ways of many: unit/engine/storedResults has them all, and the ways to write a row. */
const SPOIL = {
	future: (row) => ({ ...row, answeredAt: new Date(Date.now() + 2 * DAY_MS).toISOString() }),
	otherKey: (row) => ({ ...row, key: `${row.key as string}0` }),
	cutAnswer: (row) => ({ ...row, answer: (row.answer as string).slice(0, -1) }),
	empty: () => ({}),
} satisfies Record<string, (row: IDataObject) => IDataObject>;

export const DEFAULT_MAX_AGE_DAYS = 30;

/** Far enough from each Max Age, whatever time passes in a run. */
const AGES = [0.01, 0.01, 0.01, 0.6, 1.5, 10, 28, 32, 100];

/** Rows of all kinds; half of them can be used if they are young. */
export const rowPlans: fc.Arbitrary<RowPlan> = fc.record(
	{
		about: subjectIndexes,
		part: fc.nat({ max: 4 }),
		kind: fc.oneof(
			{ arbitrary: fc.constant<RowKind>('good'), weight: 5 },
			{ arbitrary: fc.constant<RowKind>('withoutResponse'), weight: 1 },
			{ arbitrary: fc.constantFrom(...(Object.keys(SPOIL) as RowKind[])), weight: 4 },
		),
		ageDays: fc.constantFrom(...AGES),
		outcome: fc.constantFrom<Outcome>('negative', 'positive', 'unknown'),
	},
	{ requiredKeys: ['about', 'part', 'kind', 'ageDays'] },
);

/** Has the node look up all subjects in an undisturbed execution of its own, once for all schedules. */
export async function earlierAnswersOf(
	plan: ExecutionPlan,
	index: number,
	sandbox: Sandbox,
): Promise<Map<string, EarlierAnswer>> {
	if (!plan.storedRows) return new Map();
	const { operation, output } = plan;
	const name = [sandbox.roots.baseUrl, operation, index, output].join();
	const known = asked.get(name);
	if (known) return known;
	const rows = await ask(plan, output, index, sandbox);
	const others = output === 'raw' ? await ask(plan, 'simplified', index, sandbox) : rows;
	const answers = new Map(
		[...rows].map(([key, { question, row }]): [string, EarlierAnswer] => [
			key,
			{ question, row, withoutResponse: others.get(key)?.row ?? row },
		]),
	);
	asked.set(name, answers);
	return answers;
}

const asked = new Map<string, Map<string, EarlierAnswer>>();

async function ask(
	{ operation }: ExecutionPlan,
	output: ExecutionPlan['output'],
	index: number,
	sandbox: Sandbox,
): Promise<Map<string, { question: string; row: IDataObject }>> {
	sandbox.reset();
	const apiKey = `${sandbox.keys.main}-earlier`;
	sandbox.openAccount(apiKey);
	const { parameters, subjects } = operationOf(operation);
	const all = subjects(index);
	const items = all.map(({ spellings: [value], parts }) => ({
		value,
		...(parts && { email: parts.email.spellings[0], ip: parts.geoIp.spellings[0] }),
	}));
	const options = { recheckInconclusiveEmails: true };
	const run = await runStored(
		{ ...parameters, output, options },
		{ items, credentials: { lookupMessagingApi: { apiKey, ...sandbox.roots } } },
	);
	return new Map(
		run.items(1).map((item) => {
			const row = item.json;
			const endpoint = ENDPOINT_OF[row.operation as string];
			const question = `${endpoint} ${canonicalOf(all[linksOf(item)[0]], endpoint)}`;
			return [row.key as string, { question, row }];
		}),
	);
}

/** The rows for the second input, as old as planned. */
export function handOver({
	plan,
	index,
	earlier,
}: Pick<ObservedExecution, 'earlier' | 'index' | 'plan'>): StoredRow[] {
	const { storedRows = [], maxAgeDays = DEFAULT_MAX_AGE_DAYS, operation, output } = plan;
	const { endpoints, subjects } = operationOf(operation);
	const all = subjects(index);
	return storedRows.flatMap(({ about, part, kind, ageDays, ...rest }, n) => {
		const name = endpoints[part % endpoints.length];
		const question = `${name} ${canonicalOf(all[about % all.length], name)}`;
		const answer = [...earlier.values()].find((each) => each.question === question);
		// What was given back has no row
		if (!answer) return [];
		const source = kind === 'withoutResponse' ? answer.withoutResponse : answer.row;
		const { outcome = source.outcome as Outcome } = rest;
		const mark = `row ${n}`;
		// Of several rows of one key, none is as old as another
		const answeredAt = new Date(Date.now() - ageDays * DAY_MS - n * 1_000).toISOString();
		const good = marked({ ...source, outcome, answeredAt }, mark);
		const isComplete = kind === 'good' || (kind === 'withoutResponse' && output !== 'raw');
		const isUsable = isComplete && outcome !== 'unknown' && ageDays < maxAgeDays;
		const row = kind === 'good' || kind === 'withoutResponse' ? good : SPOIL[kind](good);
		return [{ row, question, outcome, ageDays, mark, isUsable }];
	});
}

/** Says in the answer which row it is of. */
function marked(row: IDataObject, mark: string): IDataObject {
	const { response } = JSON.parse(row.answer as string) as { response?: IDataObject };
	return withAnswer(row, { reason: mark, ...(response && { response: { ...response, mark } }) });
}

/** The row that is to answer a question: the newest that can be used. */
export function usableRow(
	{ storedRows }: Pick<ObservedExecution, 'storedRows'>,
	question: string,
): StoredRow | undefined {
	const own = storedRows.filter((row) => row.isUsable && row.question === question);
	// Those of one age are in order, the newest first
	return own.sort((a, b) => a.ageDays - b.ageDays)[0];
}
