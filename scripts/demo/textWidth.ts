/** How many cells a text takes on a terminal: wide characters two, combining marks none. */
export function widthOf(text: string): number {
	let width = 0;
	for (const character of text) width += widthOfOne(character);
	return width;
}

const COMBINING = /^\p{M}$/u;
const WIDE =
	/^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]$/u;

function widthOfOne(character: string): number {
	if (COMBINING.test(character)) return 0;
	return WIDE.test(character) ? 2 : 1;
}

/** Breaks a text into lines of at most `most`: between words, and inside a word only where it is longer than a line. */
export function wrap(text: string, most: number): string[] {
	const lines: string[] = [];
	for (const paragraph of text.split('\n')) {
		let line = '';
		for (const word of paragraph.split(/ +/).flatMap((whole) => pieces(whole, most))) {
			const longer = line === '' ? word : `${line} ${word}`;
			if (widthOf(longer) <= most) line = longer;
			else {
				lines.push(line);
				line = word;
			}
		}
		lines.push(line);
	}
	return lines;
}

function pieces(word: string, most: number): string[] {
	const found = [''];
	for (const character of word) {
		if (widthOf(found.at(-1) + character) > most) found.push('');
		found[found.length - 1] += character;
	}
	return found;
}

/** A paragraph whose lines after the first are indented as far as `start` is long. */
export function hang(start: string, text: string, most: number): string {
	const indent = ' '.repeat(widthOf(start));
	return wrap(text, Math.max(20, most - indent.length))
		.map((line, index) => `${index === 0 ? start : indent}${line}`)
		.join('\n');
}
