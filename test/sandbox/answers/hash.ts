/** FNV-1a, 32 bits. */
export function hash(text: string): number {
	let value = 0x811c9dc5;
	for (const character of text) {
		value = Math.imul(value ^ character.charCodeAt(0), 0x01000193) >>> 0;
	}
	return value;
}
