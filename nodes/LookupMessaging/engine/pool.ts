/**
 * Runs `work` for every entry, at most `limit` at a time, in order of start.
 * @returns when all have ended; rejects with the first rejection
 */
export async function runBounded<Entry>(
	entries: Entry[],
	limit: number,
	work: (entry: Entry) => Promise<void>,
): Promise<void> {
	const queue = entries.values();
	const lane = async () => {
		for (const entry of queue) await work(entry);
	};
	await Promise.all(Array.from({ length: Math.min(limit, entries.length) }, lane));
}
