import { normalized } from '../../../engine/plan/values';

/** The spelling in which names of countries are compared: "Türkiye", "turkiye" and "TURKIYE" are one. */
export function comparableName(name: string): string {
	return normalized(name, 'NFKD')
		.toLowerCase()
		.replace(/\bst\b\.?/g, 'saint')
		.replace(/&/g, 'and')
		.replace(/^\s*the\b/, '')
		.replace(/[^\p{L}]/gu, '');
}

/** The characters of a country's name: letters, and signs between them. */
const NAME = /^[\p{L}\p{M}\s.,'’&()-]{0,100}$/u;

/**
 * The ways to read a name: unchanged, and as lists reorder it ("Palestine, State of", "Virgin Islands (British)"). Nothing of it
 * is dropped: "China, Hong Kong SAR" is not China.
 */
export function spellingsOfName(text: string): string[] {
	if (!NAME.test(text)) return [];
	const [, head, addition] = /^([^,(]+)(?:,|\()\s*([^)]*)\)?\s*$/.exec(text) ?? [];
	return head === undefined ? [text] : [text, `${addition} ${head}`];
}
