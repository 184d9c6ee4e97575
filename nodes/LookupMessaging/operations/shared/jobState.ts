/**
 * The state of a job, by its status word. SPEC §3.1 has two words for batches and §3.3 none for audits, so the usual words of
 * services count.
 */

/** `failed` is over too, without results. */
export type JobState = 'failed' | 'finished' | 'running';

/** A longer text is no word, and is not looked at. */
export const LONGEST_WORD = 200;

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
	'analysing',
	'analyzing',
	'collecting',
	'crawling',
	'created',
	'fetching',
	'generating',
	'in_process',
	'in_progress',
	'in_queue',
	'initializing',
	'new',
	'not_started',
	'pending',
	'processing',
	'querying',
	'queued',
	'retrying',
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
	'fail',
	'failed',
	'failure',
	'rejected',
	'timed_out',
	'timeout',
]);

/** The state that a status word means. Unknown words mean running. */
export function stateOfWord(word: string, finishedWords: string[]): JobState {
	const plain = plainWord(word);
	if (finishedWords.some((finished) => plainWord(finished) === plain)) return 'finished';
	return FAILED_WORDS.has(plain) ? 'failed' : 'running';
}

/** Words of a job that goes on, which other things are too: a new account, an active user. */
const OF_OTHERS = new Set(['accepted', 'active', 'created', 'new']);

/** Whether a word means that work goes on, wherever it stands. */
export function isRunningWord(word: string): boolean {
	const plain = plainWord(word);
	return RUNNING_WORDS.has(plain) && !OF_OTHERS.has(plain);
}

/** Whether a word of a part of the work means that it goes on or has failed. */
export function isUnfinishedWord(word: string): boolean {
	return isRunningWord(word) || FAILED_WORDS.has(plainWord(word));
}

/** Whether a status word is in none of the lists. */
export function isUnknown(word: string, finishedWords: string[]): boolean {
	return stateOfWord(word, finishedWords) === 'running' && !RUNNING_WORDS.has(plainWord(word));
}

/** A word in the spelling of the lists; a text that is no word as it is. */
export function plainWord(word: string): string {
	if (word.length > LONGEST_WORD) return word;
	return word
		.trim()
		.toLowerCase()
		.replace(/(?<![.!…])[.!…]+$/, '')
		.replace(/[\s-]+/g, '_');
}
