/** A problem that the user can solve. It is shown as one sentence, without a stack trace. */
export class UserError extends Error {}

export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
