/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../../../nodes/LookupMessaging/engine/failure';
import { Ledger } from '../../../nodes/LookupMessaging/engine/ledger';
import type { RunMemory } from '../../../nodes/LookupMessaging/engine/memory';
import {
	defineTalk,
	type Answer,
	type Credits,
	type Reading,
	type ServiceRequest,
	type TalkOperation,
} from '../../../nodes/LookupMessaging/engine/operation';
import {
	performTalks,
	type Settlement,
	type Stage,
} from '../../../nodes/LookupMessaging/engine/perform';
import type { Ask, PlannedTalk } from '../../../nodes/LookupMessaging/engine/plan';
import type { Settings } from '../../../nodes/LookupMessaging/engine/settings';
import type { Exchange, Job } from '../../../nodes/LookupMessaging/engine/talk';
import type { Reply } from '../../../nodes/LookupMessaging/engine/transport';

/** Lets everything happen that waits for nothing but its turn. */
export const turn = async () => await new Promise((resolve) => setImmediate(resolve));

/** What a scripted service does with a request: replies, at once or when the test lets it. */
export type Script = (request: ServiceRequest, nth: number) => Promise<Reply> | Reply;

/** A stage without network and clock, which keeps what happened on it. */
export interface ScriptedStage extends Stage {
	/** Requests in the order they went out, and the timeout of each. */
	sent: ServiceRequest[];
	timeouts: number[];
	waits: number[];
	/** What each wait would say of the job if it were the last. */
	notes: Array<string | undefined>;
	logged: Job[];
	/** Most requests that were under way at once. */
	peak: number;
}

/** @param onWait what a wait comes to, where it is not over at once */
export function scriptStage(
	script: Script,
	onWait: (ms: number) => Failure | Promise<Failure | undefined> | undefined = () => undefined,
): ScriptedStage {
	let underWay = 0;
	const stage: ScriptedStage = {
		sent: [],
		timeouts: [],
		waits: [],
		notes: [],
		logged: [],
		peak: 0,
		async deliver(request, { timeoutMs, isOff }) {
			if (isOff?.()) return { retries: 0 };
			stage.sent.push(request);
			stage.timeouts.push(timeoutMs);
			underWay += 1;
			stage.peak = Math.max(stage.peak, underWay);
			const reply = await script(request, stage.sent.length - 1);
			underWay -= 1;
			return { reply, retries: 0 };
		},
		backOff: async (mostMs) => {
			stage.waits.push(mostMs);
		},
		async wait(ms, note) {
			stage.waits.push(ms);
			stage.notes.push(note);
			return await onWait(ms);
		},
		log: (job) => stage.logged.push(job),
	};
	return stage;
}

/** A gate that holds replies or waits back until the test opens it. */
export function gate<Value>() {
	let open: (value: Value) => void = () => undefined;
	const opened = new Promise<Value>((resolve) => (open = resolve));
	return { opened, open };
}

const SETTINGS: Settings = {
	output: 'simplified',
	selectedFields: [],
	onFailure: 'unknown',
	failOnMalformedInput: false,
	maxConcurrentRequests: 1,
	timeoutMs: 60_000,
	maxWaitMs: 1_800_000,
	patienceMs: 300_000,
	checksBalanceFirst: false,
	isDryRun: false,
	asksAgainAfterLost: false,
	retriesInconclusive: false,
	routesByResult: false,
	isForModel: false,
};

/** A question of the operations below: the path that it asks for. */
export type Question = string;

/** A price that the reply body states as `cost`. */
export const PRICE: Credits = {
	balance: 'whatsapp',
	atMost: 100,
	charged: (body) => Number(body.cost ?? 0),
};

/** A job with the ID that its replies have. */
export const jobOf = (id: string): Job => ({ noun: 'batch', id, resume: 'Get Batch' });

/** A call for a path whose reading is the reply body. */
export function call(
	path: string,
	more: Partial<Exchange<IDataObject>> = {},
): Exchange<IDataObject> {
	return { request: { service: 'main', method: 'GET', path }, read: (body) => body, ...more };
}

/** A paid call whose reading is the answer in the reply body, or its refusal. */
export function ask(path: string): Exchange<Reading> {
	const { request } = call(path);
	return { request, credits: PRICE, read: (body) => (body as { reading: Reading }).reading };
}

/** An operation that leads the given talk. */
export function talking(
	talk: TalkOperation<Question>['talk'],
	more: Partial<TalkOperation<Question>> = {},
) {
	return defineTalk<Question>({
		resource: 'test',
		value: 'talk',
		name: 'Talk',
		action: 'Talk',
		description: 'Talks',
		fields: [],
		rules: {},
		endpoints: [],
		prepare: ({ path }) => String(path),
		output: [],
		talk,
		...more,
	});
}

type Performed = Parameters<typeof performTalks>[0];

/** Performs talks about the given questions; a list is one talk about all of them. */
export async function perform(
	operation: Performed,
	talks: Array<Question | Question[]>,
	stage: Stage,
	settings: Partial<Settings> = {},
	additional: PlannedTalk['additional'] = [],
	memory = forgetful(),
) {
	const planned = talks.map((questions): PlannedTalk => {
		const asks = [questions]
			.flat()
			.map((question): Ask => ({ question, firstSlot: 0, place: '0.0' }));
		return { asks, additional };
	});
	const ledger = new Ledger();
	const all = { ...SETTINGS, ...settings };
	const settlements = await performTalks(operation, planned, stage, all, memory, ledger);
	const asks = planned.flatMap((talk) => talk.asks);
	return {
		/** How many questions were settled. */
		settled: settlements.size,
		/** What became of each question, in order: the outcome of its answer, or the cause of its failure. */
		fates: asks.map((each) => {
			const settlement = settlements.get(each);
			return settlement?.kind === 'answer' ? settlement.answer.outcome : settlement?.failure.cause;
		}),
		answers: asks.map((each) => {
			const settlement = settlements.get(each);
			return settlement?.kind === 'answer' ? settlement : undefined;
		}),
		failures: asks.map((each) => {
			const settlement = settlements.get(each);
			return settlement?.kind === 'failure' ? settlement.failure : undefined;
		}),
		ledger,
	};
}

/** A memory that keeps nothing. */
function forgetful(): RunMemory {
	return {
		of: forgetful,
		earlier: new Ledger(),
		taken: () => 0,
		setAside: () => true,
		async onceAsked(key, ask) {
			const remembered = this.settlementOf(key);
			return remembered ? { remembered } : { asked: await ask() };
		},
		settlementOf: () => undefined,
		settle: () => undefined,
		replyTo: () => undefined,
		keep: () => undefined,
		book: () => undefined,
	};
}

/** A memory of questions: what operations have been asked, by their resource. */
export function remembering(kept = new Map<string, Settlement>(), resource = 'test'): RunMemory {
	return {
		...forgetful(),
		of: (operation) => remembering(kept, operation.resource),
		settlementOf: (key) => kept.get(`${resource} ${key}`),
		settle: (key, settlement) => void kept.set(`${resource} ${key}`, settlement),
	};
}

/** The answer yes, with the given record. */
export const yes = (record: Answer['record'] = {}): Answer => ({ outcome: 'positive', record });
