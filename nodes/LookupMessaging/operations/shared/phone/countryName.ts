/** The spelling in which names and codes of countries are compared: "Türkiye", "turkiye" and "TURKIYE" are one. */
export function comparableName(name: string): string {
	return name
		.normalize('NFKD')
		.toLowerCase()
		.replace(/\bst\b\.?/g, 'saint')
		.replace(/&/g, 'and')
		.replace(/^\s*the\b/, '')
		.replace(/[^\p{L}]/gu, '');
}
