/**
 * The state of a job, by its status word. SPEC §3.1 has two words for batches and §3.3 none for audits, so the usual words of
 * services count.
 */

/** `failed` is over too, without results. */
export type JobState = 'failed' | 'finished' | 'running';

/** Status words of a finished job. */
export const FINISHED_WORDS = [
	'complete',
	'completed',
	'done',
	'finished',
	'ready',
	'succeeded',
	'success',
];
const RUNNING_WORDS = new Set([
	'accepted',
	'active',
	'created',
	'in_process',
	'in_progress',
	'initializing',
	'new',
	'pending',
	'processing',
	'queued',
	'running',
	'scheduled',
	'started',
	'starting',
	'submitted',
	'waiting',
	'working',
]);
const FAILED_WORDS = new Set([
	'aborted',
	'canceled',
	'cancelled',
	'error',
	'errored',
	'expired',
	'failed',
	'failure',
	'rejected',
	'timed_out',
	'timeout',
]);

/** The state that a status word means. Unknown words mean running. */
export function stateOfWord(word: string, finishedWords: string[]): JobState {
	if (finishedWords.map(plainWord).includes(plainWord(word))) return 'finished';
	return FAILED_WORDS.has(plainWord(word)) ? 'failed' : 'running';
}

/** Whether a status word is in none of the lists. */
export function isUnknown(word: string, finishedWords: string[]): boolean {
	return stateOfWord(word, finishedWords) === 'running' && !RUNNING_WORDS.has(plainWord(word));
}

/** A word in the spelling of the lists. */
export function plainWord(word: string): string {
	return word
		.trim()
		.toLowerCase()
		.replace(/[\s-]+/g, '_');
}
