import type { JudgeWords } from '../../engine/jsonRpc';
import { isAccountRefusal } from '../shared/refusal';

/** Tells from its words whether the tool server refuses the account or the question. */
export const judgeWords: JudgeWords = (words, status) =>
	isAccountRefusal({ error: words }, status) ? 'account' : 'question';
