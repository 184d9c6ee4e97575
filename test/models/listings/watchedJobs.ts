import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { interpret, type Reply, lostFailure } from '../../engine';
import { readFinishedWords } from '../../../nodes/LookupMessaging/operations/audit/runAndWait';
import { openBudget } from '../../../nodes/LookupMessagingTrigger/jobChecks';
import { JOB_KINDS } from '../../../nodes/LookupMessagingTrigger/jobKinds';
import { readCheckpoint, storedForm } from '../../../nodes/LookupMessagingTrigger/checkpoint';
import { runPollCycle } from '../../../nodes/LookupMessagingTrigger/pollCycle';
import type { TriggerSettings } from '../../../nodes/LookupMessagingTrigger/settings';
import { FakeClient } from '../../unit/fakes/fakeClient';

/** Jobs that the trigger follows through a listing over many polls, as random data. */

/** What the service answers about an audit that its listing calls finished. */
const ANSWERS = {
	finished: { status: 'completed', overall_score: 7 },
	bare: { status: 'completed' },
	unknownWord: { status: 'published', overall_score: 7 },
	counts: { status: 'completed', platforms_completed: 3, platforms_total: 4 },
	progress: { status: 'completed', progress: 99 },
	pending: { status: 'completed', pending: ['ChatGPT'] },
	notFound: 404,
	broken: 500,
} satisfies Record<string, IDataObject | number>;

type AnswerName = keyof typeof ANSWERS;

/** The answers about one audit, check by check. The last one stays. */
export type ListedAudit = AnswerName[];

const answerName = fc.constantFrom(...(Object.keys(ANSWERS) as AnswerName[]));
/** Sometimes all the checks before the last answer fail. */
export const listedAudits: fc.Arbitrary<ListedAudit[]> = fc.array(
	fc.oneof(
		fc.array(answerName, { minLength: 1, maxLength: 8 }),
		fc
			.tuple(fc.constantFrom<AnswerName>('broken', 'notFound'), fc.nat({ max: 8 }), answerName)
			.map(([failed, times, last]) => [...Array<AnswerName>(times).fill(failed), last]),
	),
	{ minLength: 1, maxLength: 4 },
);

/** Whether a check of the audit fails for ever. */
export function neverAnswers(audit: ListedAudit): boolean {
	return ['broken', 'notFound'].includes(audit.at(-1) ?? '');
}

/** A batch at the activation of the trigger. */
export interface BatchBefore {
	word: 'completed' | 'in-flight' | 'processing';
	/** Whether it was finished. The word `in-flight` doesn't say. */
	isFinished: boolean;
	/** Whether its check fails at the first activation. */
	isBroken: boolean;
}

/** Jobs that end at a poll, or never, and how many of those that run a listing has: it has none that ended. */
export interface ShortListing {
	kind: 'audit' | 'batch';
	/** The poll at which each job ends. */
	ends: number[];
	/** How many jobs are listed at each poll, and whether the checks of the poll fail. */
	listed: number[];
	fails: boolean[];
}

export const shortListings: fc.Arbitrary<ShortListing> = fc.record({
	kind: fc.constantFrom('audit', 'batch'),
	ends: fc.array(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(Infinity)), {
		...{ minLength: 1, maxLength: 6 },
	}),
	listed: fc.array(fc.nat({ max: 6 }), { minLength: 12, maxLength: 12 }),
	fails: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
});

/** Batches, and whether the first poll has no time for a second page. */
export interface Activation {
	batches: BatchBefore[];
	isCut: boolean;
}

export const activations: fc.Arbitrary<Activation> = fc.record({
	batches: fc.array(
		fc.oneof(
			fc.record({
				word: fc.constant('in-flight' as const),
				isFinished: fc.boolean(),
				isBroken: fc.boolean(),
			}),
			fc.boolean().map((isFinished) => ({
				word: isFinished ? ('completed' as const) : ('processing' as const),
				...{ isFinished, isBroken: false },
			})),
		),
		{ minLength: 1, maxLength: 12 },
	),
	isCut: fc.boolean(),
});

const PAGE = 5;

/** The trigger on a listing of jobs, with the state that n8n stores between its polls. */
export class Watcher {
	readonly warnings: string[] = [];
	/** Jobs that were emitted, and that were checked, in order. */
	readonly emitted: IDataObject[] = [];
	readonly checks: string[] = [];
	private stored: IDataObject = {};

	constructor(
		private readonly kind: 'audit' | 'batch',
		private readonly service: {
			list: () => IDataObject[];
			/** A body, or an HTTP status. */
			answer: (id: string) => IDataObject | number;
		},
		private readonly includesFinished: boolean,
		private readonly includesFailed = false,
	) {}

	/** One poll; whether it succeeded. */
	async poll(isCut = false): Promise<boolean> {
		const settings: TriggerSettings = {
			kind: JOB_KINDS[this.kind],
			jobIds: [],
			listing: { tool: 'list', args: {}, idField: 'id', statusField: 'status' },
			...{
				asRows: false,
				finishedWords: readFinishedWords(''),
				includesFailed: this.includesFailed,
			},
			...{ includesFinished: this.includesFinished, scope: 'account' },
			output: { output: 'simplified', selectedFields: [] },
		};
		const client = new FakeClient(
			async (endpoint) =>
				await Promise.resolve(
					interpret(endpoint, this.replyTo(endpoint.request), (where, error) => {
						throw new Error(`Fault in ${where}`, { cause: error });
					}),
				),
		);
		const budget = { ...openBudget(), isReadingOver: () => isCut };
		const cycle = await runPollCycle(readCheckpoint(this.stored), settings, client, budget);
		this.stored = JSON.parse(JSON.stringify(storedForm(cycle.checkpoint))) as IDataObject;
		this.emitted.push(...cycle.items.map(({ json }) => json));
		if (cycle.warning !== undefined) this.warnings.push(cycle.warning);
		return cycle.failure === undefined;
	}

	private replyTo({ service, path, query, body }: FakeClient['requests'][number]): Reply {
		const ok = (value: IDataObject): Reply => ({
			...{ kind: 'ok', status: 200, headers: {} },
			body: value,
		});
		if (service === 'mcp') {
			const { method, params } = body as { method: string; params: { arguments?: IDataObject } };
			return ok({ jsonrpc: '2.0', id: 1, result: this.toolResult(method, params.arguments) });
		}
		const id = String(query?.audit_id ?? path.split('/').at(-1));
		this.checks.push(id);
		const answer = this.service.answer(id);
		if (typeof answer !== 'number') return ok({ ...answer, [`${this.kind}_id`]: id });
		if (answer >= 500) return lostFailure('the service failed', answer);
		const refusal = { status: false, error: `${this.kind} not found` };
		return { kind: 'httpError', status: answer, headers: {}, body: refusal };
	}

	private toolResult(method: string, { page = 1 }: IDataObject = {}): IDataObject {
		const inputSchema = { type: 'object', properties: { page: { type: 'integer' } } };
		if (method === 'tools/list') return { tools: [{ name: 'list', inputSchema }] };
		const jobs = this.service.list();
		const rows = jobs.slice((Number(page) - 1) * PAGE, Number(page) * PAGE);
		return { content: [], structuredContent: { total: jobs.length, page, jobs: rows } };
	}
}

/** An audit server: the answer to each check. */
export function auditsAnswering(audits: ListedAudit[]) {
	const counts = audits.map(() => 0);
	return {
		list: () => audits.map((_, index) => ({ id: `audit-${index}`, status: 'completed' })),
		answer: (id: string) => {
			const index = Number(id.split('-')[1]);
			const answers = audits[index];
			const name = answers[Math.min(counts[index], answers.length - 1)];
			counts[index] += 1;
			return ANSWERS[name];
		},
	};
}
