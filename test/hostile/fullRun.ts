/* eslint-disable @n8n/community-nodes/no-restricted-globals */

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
