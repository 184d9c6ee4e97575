/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { appendFileSync } from 'node:fs';

/**
 * Whether this is `npm run test:hostile`, which tries everything. Otherwise a sample is taken, the same one every time: by
 * `npm test` in a few files (jest.config.js), and with `HOSTILE=sample npx jest test/hostile` in all of them.
 */
export const isFullRun = process.env.HOSTILE === 'full';

/**
 * How many random runs a test makes. On n8n 1.x a tenth: the package is the same there, and what differs is how n8n starts it, hands it
 * its input and stops it.
 * @param sample how many make a sample
 */
export function runsOn(release: string, full: number, sample: number): number {
	if (!isFullRun) return sample;
	return release === '1.x' ? Math.ceil(full / 10) : full;
}

/** One row of the table that `npm run test:hostile` prints: what a test has tried, and what it found. */
export interface TestCounts {
	/** Such as `Fault matrix`. */
	part: string;
	/** `2.x` or `1.x`; undefined when the test needs no n8n. */
	release?: string;
	/** Numbers by what they count, such as `{ cells: 4200, 'keys found': 0 }`. */
	counts: Record<string, number>;
}

/**
 * Reports a test's counts for the table. Call it after the test's expectations. It does nothing outside
 * `npm run test:hostile`.
 */
export function reportCounts(counts: TestCounts): void {
	const file = process.env.HOSTILE_TALLY;
	if (file) appendFileSync(file, `${JSON.stringify(counts)}\n`);
}
