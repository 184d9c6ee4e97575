import type { NodeExecutionHint } from 'n8n-workflow';
import type { AnyOperation } from './operation';
import type { Plan } from './plan';
import type { SettledSlot } from './settle';

/**
 * What the user of a run would do better another time, as its operation judges by the counts. A hint of its own beside the
 * receipt, since it is about the workflow and not about this run.
 * @param slots what the run came to; none for a plan that is not made
 */
export function adviceOn(
	{ advise }: AnyOperation,
	{ talks, remembered }: Plan,
	slots: SettledSlot[] = [],
): NodeExecutionHint[] {
	// What an earlier try has asked counts as asked: a retry is told the same
	const questions = talks.reduce((sum, { asks }) => sum + asks.length, remembered.size);
	const leftOut = slots.reduce(
		(sum, slot) => sum + (slot.kind === 'answer' ? (slot.answer.leftOut ?? 0) : 0),
		0,
	);
	const message = advise?.({ questions, leftOut });
	return message ? [{ message, type: 'info', location: 'outputPane' }] : [];
}
