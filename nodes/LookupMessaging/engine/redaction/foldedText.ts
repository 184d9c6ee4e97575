/**
 * Undoes what a service, a framework or a mail program does to a text, so that all spellings of a key are one. The listed spellings
 * are in test/models/keySpellings.ts.
 */

/**
 * Pieces that stand for one character or for none: line breaks with the indentation behind them, zero bytes, backslashes with what
 * they escape (in JSON that is text in JSON they are repeated), percent-encoding and HTML entities (which may be encoded themselves).
 * Each piece is taken whole, so a text is gone through once.
 */
const PIECE =
	/[\r\n]\s*|\0|\u0130|\\+(?:u[\da-f]{4}|x[\da-f]{2}|[rn"'/])?|%(?:25)*[\da-f]{2}|&(?:amp;)*(?:#x0*[\da-f]{1,6}|#0*\d{1,7}|amp|apos|gt|lt|quot);?/gi;
/** The end of a piece: a character, its number in hexadecimal or decimal, or its name. */
const OF_PIECE =
	/(?:\\(["'/])|(?:\\u|\\x|%(?:25)*|#x0*)([\da-f]{2,6}|[\da-f])|#0*(\d{1,7})|(amp|apos|gt|lt|quot));?$/i;

const ENTITIES: Record<string, string> = {
	...{ amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' },
};
/** What a wrapped or escaped text has more or fewer of. */
const DROPPED = /[\\\0\r\n]/g;
/** The one letter whose small form is longer. */
const LONG_SMALL = '\u0130';
const LAST_CODE_POINT = 0x10ffff;

/** The meanings of short pieces, which repeat; a text may be made of them. */
const known = new Map<string, string>();
const MOST_KNOWN = 5_000;
const SHORT = 8;

function meaning(piece: string): string {
	const found = known.get(piece) ?? readPiece(piece);
	if (piece.length <= SHORT && known.size < MOST_KNOWN) known.set(piece, found);
	return found;
}

/** What a piece stands for. */
function readPiece(piece: string): string {
	if (piece === LONG_SMALL) return 'i';
	const [, character, hex, decimal, name = ''] = OF_PIECE.exec(piece) ?? [];
	if (character !== undefined) return character;
	const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
	if (Number.isNaN(code) || code > LAST_CODE_POINT) return ENTITIES[name.toLowerCase()] ?? '';
	return String.fromCodePoint(code).replace(DROPPED, '');
}

/** Where in a text each character of what it says begins and ends. */
export interface Places {
	beginOf: (index: number) => number;
	endOf: (index: number) => number;
}

/** A way to read a text. */
export interface Way {
	read: (text: string) => string;
	placesIn: (text: string) => Places;
}

/** The text with each piece as what it stands for, in small letters. */
export function folded(text: string): string {
	return text.replace(PIECE, meaning).toLowerCase();
}

/** The text in small letters, of the same length. */
const inSmall = (text: string) => text.replaceAll(LONG_SMALL, 'i').toLowerCase();

/** The text in small letters, where nothing in it stands for anything else. */
export function plainlyFolded(text: string): string {
	return inSmall(text.replace(DROPPED, ''));
}

/** The places of a folded text, which never is the longer one. */
function placesOfFolded(text: string): Places {
	const begins = new Uint32Array(text.length);
	const ends = new Uint32Array(text.length);
	let count = 0;
	const add = (begin: number, end: number) => {
		begins[count] = begin;
		ends[count] = end;
		count += 1;
	};
	let at = 0;
	for (const { 0: piece, index } of text.matchAll(PIECE)) {
		for (; at < index; at += 1) add(at, at + 1);
		at = index + piece.length;
		for (let left = meaning(piece).length; left > 0; left -= 1) add(index, at);
	}
	for (; at < text.length; at += 1) add(at, at + 1);
	return { beginOf: (index) => begins[index], endOf: (index) => ends[index] };
}

export const FOLDED: Way = { read: folded, placesIn: placesOfFolded };
/** What stands before the key may make a piece of it, as a percent sign does. */
export const AS_IT_IS: Way = {
	read: inSmall,
	placesIn: () => ({ beginOf: (index) => index, endOf: (index) => index + 1 }),
};
