import type { Refusal } from '../../engine/client';
import { isAccountRefusal } from '../shared/refusal';

/** Whether the tool server refuses the account or the question, by its words. */
export function refusalScope(words: string, status: number): Refusal['scope'] {
	return isAccountRefusal({ error: words }, status) ? 'account' : 'question';
}
