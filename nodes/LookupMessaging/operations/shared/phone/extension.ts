/** The extension at the end of a number's text. */

/** An extension, and what is doubtful about it. */
export interface Extension {
	/** Its digits. */
	extension: string;
	/** Whether it follows a comma or semicolon, so that it may also be another number. */
	isListed: boolean;
	/** Whether a space follows that, as in a list. */
	isSpaced: boolean;
	/** Whether only a sign says that it is one, so that its digits may be those of the number. */
	isBySign: boolean;
}

/** libphonenumber's ways to write an extension, in its order; each ends the text. */
const BEFORE_EXTENSION = '[:.]?[ \\u00a0\\t,-]{0,20}';
const EXTENSION =
	'(?:e?xt(?:ensi(?:o\\u0301?|\\u00f3))?n?|доб|вн|anexo|interno|ramal|poste|durchwahl|dw|toestel|dahili|wew|klapka|mellék|內線|内線|分机|分機|转|轉|내선)';
const EXTENSIONS = [
	';ext=(\\d{1,20})',
	`[ \\u00a0\\t,]{0,20}${EXTENSION}${BEFORE_EXTENSION}(\\d{1,20})#?`,
	`[ \\u00a0\\t,]{0,20}(?:[x#~]|int)${BEFORE_EXTENSION}(\\d{1,9})#?`,
	'[- ]+(\\d{1,6})#',
	`[ \\u00a0\\t]{0,20}(?:,{2}|;)${BEFORE_EXTENSION}(\\d{1,15})#?`,
	`[ \\u00a0\\t]{0,20},{1,9}${BEFORE_EXTENSION}(\\d{1,9})#?`,
].map((source) => new RegExp(`${source}$`, 'iu'));
/** How many of them have a word or ;ext. */
const NAMED_EXTENSIONS = 2;
const EXTENSION_ALONE = new RegExp(`^(?:${EXTENSION}|x|int)${BEFORE_EXTENSION}\\d{1,9}#?$`, 'iu');

export function isExtensionAlone(text: string): boolean {
	return EXTENSION_ALONE.test(text);
}

/** The text of a number without its extension, which is read if there is one. */
export function splitExtension(text: string): { number: string } & Partial<Extension> {
	for (const [index, pattern] of EXTENSIONS.entries()) {
		const found = pattern.exec(text);
		if (!found) continue;
		const number = text.slice(0, found.index);
		if (!isLongEnough(number)) continue;
		const isListed = /^[\s,;]/.test(found[0].trimStart()) && !/^;ext/i.test(found[0]);
		return {
			number,
			extension: found[1],
			isListed,
			isSpaced: /[,;]\s/.test(found[0]),
			isBySign: index >= NAMED_EXTENSIONS,
		};
	}
	return { number: text };
}

/** An extension belongs to a number, which has three digits at least. */
function isLongEnough(number: string): boolean {
	return number.replace(/\D/g, '').length >= 3;
}
