/** The spelling in which names of countries are compared: "Türkiye", "turkiye" and "TURKIYE" are one. */
export function comparableName(name: string): string {
	return name
		.normalize('NFKD')
		.toLowerCase()
		.replace(/\bst\b\.?/g, 'saint')
		.replace(/&/g, 'and')
		.replace(/^\s*the\b/, '')
		.replace(/[^\p{L}]/gu, '');
}

/** What a name of a country is made of: letters, and what stands between them. */
const NAME = /^[\p{L}\p{M}\s.,'’&()-]{0,100}$/u;

/** The ways to read a name: as it is, as ISO 3166 turns it round ("Palestine, State of"), and without what it adds in brackets. */
export function spellingsOfName(text: string): string[] {
	if (!NAME.test(text)) return [];
	const [, head, addition] = /^([^,(]+)(?:,|\()\s*([^)]*)\)?\s*$/.exec(text) ?? [];
	if (head === undefined) return [text];
	// "Korea (the Democratic People's Republic of)" is not the Korea that is meant by the name alone
	const alone = /democratic/i.test(addition) ? [] : [head];
	return [text, `${addition} ${head}`, ...alone];
}
