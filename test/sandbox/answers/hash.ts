/** FNV-1a, 32 bits. */
export function hash(text: string): number {
	const { imul } = Math; // a global is slow to read in Jest
	let value = 0x811c9dc5;
	for (let at = 0; at < text.length; at += 1) value = imul(value ^ text.charCodeAt(at), 0x01000193);
	return value >>> 0;
}
