/** A problem that the person at the keyboard can solve: shown as one sentence, without a stack trace. */
export class Complaint extends Error {}

export function wordsOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
