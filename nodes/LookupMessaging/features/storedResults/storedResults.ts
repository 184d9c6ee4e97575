import type { IDataObject } from 'n8n-workflow';
import type { Answered, LookupResult } from '../../engine/results';
import type { AnswerSource } from '../../engine/memory/answerStore';
import type { Ask, AskedQuestions } from '../../engine/feature';
import { BoundedCache } from '../../engine/memory/boundedCache';
import { SLICES } from '../../engine/clock';
import { Moment } from '../../engine/gate';
import {
	type AnswerRow,
	type BaseUrls,
	keptOf,
	type PaidAnswer,
	readAnswer,
	readHead,
	type RowHead,
	rowKeyOf,
	rowOf,
	type RowOwner,
	type Unused,
} from './rows';

const DAY_MS = 86_400_000;
/** The newest rows of one key are kept: if none of them can be used, an older one hardly can. They are read without a pause. */
const MAX_OF_A_KEY = { rows: 100, characters: 2_000_000 };
/** Maximum number of characters of the outbox. Beyond it, the oldest answers are dropped. */
const MAX_CHARACTERS = 4_000_000;

/** A row of the second input. Its answer is read when its question is asked. */
type TableRow = RowHead & { text: string; isCounted?: true };

/**
 * The data that the runs of an execution share: the rows of the second input, since in a loop only the first run gets them, and
 * the paid answers that were not returned yet.
 */
export class StoredRows {
	readonly table = new Map<string, TableRow[]>();
	readonly unsent = new Map<string, PaidAnswer>();
}

/** The origin of answers: the base URLs of the credential, and what distinguishes its account. */
export interface AnswerOrigin {
	baseUrls: BaseUrls;
	account: string;
}

interface StoredResultsSettings {
	/** How old an answer may be, in days. With 0, none is used. */
	maxAgeDays: number;
	/** Whether items show the reply of the service, so that a row needs it. */
	showsResponse: boolean;
}

/**
 * The outbox: paid answers of all accounts in this process whose rows may not be in a table yet, since the outputs of their run were
 * lost, or nothing stored them. A later execution uses them and returns their rows again, until the rows come back.
 */
const outbox = new BoundedCache<PaidAnswer>(MAX_CHARACTERS);
/** What the executions of this process are asking. */
const underWay = new Map<string, Moment>();

/** Answers of earlier executions, and new ones for later executions, as one try of a run sees them. */
export class StoredResults implements AnswerSource {
	/** How many rows were not used, by the reason. */
	readonly unused = new Map<Unused, number>();
	/** New results that cannot be returned as rows. */
	withoutRow = 0;
	/** Answers of the outbox that were used. Their rows are returned again. */
	private readonly reused = new Map<string, PaidAnswer>();
	/** The slots that asked a question for a lookup of theirs, by the key of its row. */
	private readonly askers = new Map<string, Set<number>>();
	private readonly now = Date.now();

	private shared = new StoredRows();
	private origin?: AnswerOrigin;

	constructor(private readonly settings: StoredResultsSettings) {}

	/**
	 * @param shared the data of the runs of the execution
	 * @param origin undefined if the credential cannot be used
	 */
	open(shared: StoredRows, origin: AnswerOrigin | undefined): this {
		this.shared = shared;
		this.origin = origin;
		return this;
	}

	/** Reads the rows of the second input. Empty ones are skipped. */
	async read(rows: IDataObject[]): Promise<void> {
		await SLICES.forEach(rows, (json) => {
			if (Object.keys(json).length === 0) return;
			const row = readHead(json, this.now);
			if (typeof row === 'string') this.count(row);
			else this.add(row);
		});
	}

	/** Inserts a row among those of its key: the newest first, and those of one time in their order. */
	private add(row: TableRow) {
		const { table } = this.shared;
		const rows = table.get(row.key) ?? [];
		table.set(row.key, rows);
		const isSame = (one: TableRow) => one.answeredAt === row.answeredAt && one.text === row.text;
		// A retry reads the same rows again
		const same = rows.findIndex(isSame);
		const older = rows.findIndex(({ answeredAt }) => answeredAt < row.answeredAt);
		if (same >= 0) rows[same] = row;
		else rows.splice(older < 0 ? rows.length : older, 0, row);
		let left = MAX_OF_A_KEY.characters;
		const last = rows.findIndex(({ text }) => (left -= text.length) < 0);
		rows.length = Math.min(rows.length, MAX_OF_A_KEY.rows, last < 0 ? Infinity : last);
	}

	/** The stored result of a question, from a table or the outbox. */
	find(asked: RowOwner, key: string): Answered | undefined {
		const rowKey = this.rowKeyOf(asked, key);
		if (rowKey === undefined) return undefined;
		const inTable = this.findInTable(asked, rowKey);
		const name = this.nameOf(rowKey);
		const kept = outbox.get(name);
		if (kept && inTable && inTable.answeredAt >= kept.answeredAt) outbox.drop(name);
		else if (kept && !this.isTooOld(kept)) {
			this.reused.set(rowKey, kept);
			return this.answerOf(kept);
		}
		return inTable && this.answerOf(inTable);
	}

	private findInTable(asked: RowOwner, rowKey: string): PaidAnswer | undefined {
		const needsResponse = this.settings.showsResponse;
		for (const row of this.shared.table.get(rowKey) ?? []) {
			const read = this.isTooOld(row) ? 'expired' : readAnswer(asked, row);
			const isRead = typeof read !== 'string';
			if (isRead && (read.response || !needsResponse)) return { ...read, ...row };
			if (!row.isCounted) this.count(isRead ? 'noResponse' : read);
			row.isCounted = true;
		}
		return undefined;
	}

	/** Forms that are sent at once ask one question, one after the other until the outbox has its answer. Nobody waits for a job. */
	async ask(asked: AskedQuestions, next: Ask): Promise<LookupResult[]> {
		const { operation, keys, waitFor, heard } = asked;
		const [key, ...more] = keys;
		const isAlone = !this.origin || this.settings.maxAgeDays === 0 || 'waits' in operation;
		if (isAlone || key === undefined || more.length > 0) return this.kept(asked, await next(asked));
		const name = this.nameOf(`${operation.resource}.${operation.value} ${key}`);
		let known: LookupResult | undefined = this.find(operation, key);
		for (let other = underWay.get(name); other && !known; other = underWay.get(name)) {
			const failure = await waitFor(other.reached);
			known = failure ? { failure } : this.find(operation, key);
		}
		if (known) {
			heard?.([known]);
			return [known];
		}
		const end = new Moment();
		underWay.set(name, end);
		try {
			return this.kept(asked, await next(asked));
		} finally {
			underWay.delete(name);
			end.come();
		}
	}

	/** Keeps new results for the output and the outbox. */
	private kept({ operation, keys }: AskedQuestions, results: LookupResult[]): LookupResult[] {
		for (const [index, key] of keys.entries())
			if (key !== undefined) this.keep(operation, key, results[index]);
		return results;
	}

	/** The key of the row of a question; undefined if it can have none. */
	rowKeyOf(asked: Omit<RowOwner, 'output'>, key: string): string | undefined {
		return this.origin && rowKeyOf(asked, key, this.origin.baseUrls);
	}

	private nameOf(key: string): string {
		return JSON.stringify([this.origin?.account, key]);
	}

	private answerOf({ outcome, record, reason, response = {}, answeredAt }: PaidAnswer): Answered {
		const days = Math.max(0, this.now - answeredAt) / DAY_MS;
		const ageDays = Math.round(days * 100) / 100;
		return { answer: { outcome, record, reason }, response, source: 'stored', ageDays };
	}

	keep(asked: RowOwner, key: string, result: LookupResult) {
		// An unknown result is worth another lookup
		if ('failure' in result || result.answer.outcome === 'unknown') return;
		if (result.answer.isAsItCame) return;
		const rowKey = this.rowKeyOf(asked, key);
		if (rowKey === undefined) {
			this.withoutRow += 1;
			return;
		}
		// Whole seconds, since tables may keep no fractions
		const answeredAt = Math.floor(Date.now() / 1_000) * 1_000;
		const kept = keptOf(asked, result.answer, result.response);
		const paid = { ...kept, key: rowKey, outcome: result.answer.outcome, answeredAt };
		this.shared.unsent.set(rowKey, paid);
		outbox.set(this.nameOf(rowKey), paid, result.size ?? 0);
	}

	/** Notes that a slot has asked a question for a lookup of its own. */
	noteAsker(asked: RowOwner, key: string, slot: number) {
		const rowKey = this.rowKeyOf(asked, key);
		if (rowKey === undefined) return;
		this.askers.set(rowKey, (this.askers.get(rowKey) ?? new Set()).add(slot));
	}

	/** The rows to return, each with the slots whose lookups asked for it. */
	async newRows(): Promise<Array<{ row: AnswerRow; slots: number[] }>> {
		const paid = new Map(this.shared.unsent);
		for (const [key, answer] of this.reused) paid.set(key, answer);
		const rows: Array<{ row: AnswerRow; slots: number[] }> = [];
		await SLICES.forEach(paid.values(), (answer) => {
			const row = rowOf(answer, this.settings.showsResponse);
			if (row) rows.push({ row, slots: [...(this.askers.get(row.key) ?? [])] });
			else this.withoutRow += 1;
		});
		return rows;
	}

	forgetSent() {
		this.shared.unsent.clear();
		this.reused.clear();
	}

	private isTooOld({ answeredAt }: RowHead): boolean {
		// Another clock may be ahead
		const age = Math.max(0, this.now - answeredAt);
		return age >= this.settings.maxAgeDays * DAY_MS;
	}

	private count(why: Unused) {
		this.unused.set(why, (this.unused.get(why) ?? 0) + 1);
	}
}
