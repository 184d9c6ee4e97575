/** Reading and showing values of which nothing is known. */

const LONGEST_REASON = 1_000;

/**
 * Any value as text, without ever throwing: lists and objects as JSON, dates as they write themselves. Empty where there is
 * nothing.
 */
export function textOf(value: unknown): string {
	if (value === null || value === undefined) return '';
	if (typeof value !== 'object' && typeof value !== 'function') return String(value);
	try {
		const json = JSON.stringify(value) ?? '';
		const itself: unknown = json.startsWith('"') ? JSON.parse(json) : json;
		return String(itself);
	} catch {
		return UNREADABLE;
	}
}

/** What stands for a value that has no text, such as one that holds itself. */
export const UNREADABLE = '(a value that cannot be written down)';

/** Whether no character was cut in half: what was cannot be sent, nor stored by every database. */
export function isWhole(text: string): boolean {
	return !/\p{Cs}/u.test(text);
}

/** A clause as the beginning of a sentence. */
export function asSentence(clause: string): string {
	return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/** The words of somebody else for a sentence of ours: cut where they go on for pages, half characters made visible. */
export function inShort(words: string, most = LONGEST_REASON): string {
	const shown = words.length > most ? `${words.slice(0, most - 1)}…` : words;
	return shown.replace(/\p{Cs}/gu, '\ufffd');
}
