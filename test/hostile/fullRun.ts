/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { appendFileSync } from 'node:fs';

/** Whether `npm run test:hostile` asks for everything; `npm test` takes a slice, the same one every time. */
export const whole = process.env.HOSTILE === 'whole';

/** One row of what `npm run test:hostile` prints: how much of something a test has tried, and what it found. */
export interface Tried {
	/** Such as `Fault matrix`. */
	part: string;
	/** `2.x`, `1.x`, or nothing where no n8n engine is in play. */
	release?: string;
	/** How many of what, such as `{ cells: 4200, 'keys found': 0 }`. */
	counts: Record<string, number>;
}

/**
 * Hands in what was tried, for the table at the end. To be called when the test's expectations have held; without
 * `npm run test:hostile` it does nothing.
 */
export function tally(tried: Tried): void {
	const file = process.env.HOSTILE_TALLY;
	if (file) appendFileSync(file, `${JSON.stringify(tried)}\n`);
}
