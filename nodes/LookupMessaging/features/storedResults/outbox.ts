import type { RowHead, KeptAnswer } from './rows';
import { BoundedCache } from '../../engine/memory/boundedCache';

/**
 * Paid answers of this process whose rows may not be in a table yet: the outputs of their run were lost, or nothing stored them.
 * A later execution uses them and returns their rows again, until the rows come back.
 */

/** An answer that was paid for. */
export type PaidAnswer = RowHead & KeptAnswer;

/** Maximum number of characters of all answers together. Beyond it, the oldest are dropped. */
const MAX_CHARACTERS = 4_000_000;
const paid = new BoundedCache<PaidAnswer>(MAX_CHARACTERS);

/** The answers that were paid for with one account. */
export class Outbox {
	/** @param account distinguishes accounts */
	constructor(private readonly account: string) {}

	find(key: string): PaidAnswer | undefined {
		return paid.get(this.nameOf(key));
	}

	keep(answer: PaidAnswer, characters: number) {
		paid.set(this.nameOf(answer.key), answer, characters);
	}

	/** Forgets an answer that has come back from a table. */
	forget(key: string) {
		paid.drop(this.nameOf(key));
	}

	private nameOf(key: string): string {
		return JSON.stringify([this.account, key]);
	}
}
