/** `1 lead`, `2 leads`. */
export function counted(number: number, one: string, many = `${one}s`): string {
	return `${number} ${number === 1 ? one : many}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[], joint = 'and'): string {
	if (words.length < 2) return words.join();
	return `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`;
}

/** `"a", "b"`, with long texts cut: for what a file has, in a sentence. */
export function quoted(texts: readonly string[]): string {
	return texts.map((text) => `"${text.length > 40 ? `${text.slice(0, 39)}…` : text}"`).join(', ');
}
