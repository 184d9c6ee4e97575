import type { Client } from '../../engine/client';
import { isFailed, MAX_ROWS } from '../../engine/operation';
import { batchPaceMs, waitsOn } from '../shared/polling';
import { pollOf, stateOf, type Batch } from './job';
import { isPending } from './row';

/**
 * Rows of a batch may arrive later than its status "finished": the machine that answers the poll may receive them after the one
 * that wrote the status. They are paid for, so they get a few more polls, which cost nothing.
 */

export const MAX_LATE_POLLS = 5;

/** Waits for the rows of a batch that is over. Rows that are still missing then remain missing. */
export async function awaitRows(client: Client, ended: Batch, numbers = 0): Promise<Batch> {
	const total = Math.max(numbers, ended.total);
	let best = ended;
	for (let polls = 0; polls < MAX_LATE_POLLS && rowsMissing(best, total) > 0; polls += 1) {
		if (!(await waitsOn(client, batchPaceMs(total)))) return best;
		const polled = await client.attempt({ ...pollOf(ended.id), noRetry: true });
		if (!isFailed(polled) && rowsMissing(polled, total) < rowsMissing(best, total)) best = polled;
	}
	return best;
}

/**
 * How many numbers of a batch that is over have no result yet. The remaining numbers of a failed batch are not checked any more.
 */
export function rowsMissing(batch: Batch, total = batch.total): number {
	if (stateOf(batch) === 'failed') return 0;
	// Rows beyond the size of any batch are ignored
	const rows = batch.rows.slice(0, MAX_ROWS);
	const done = rows.filter((row) => !isPending(row)).length;
	return Math.max(total, rows.length) - done;
}
