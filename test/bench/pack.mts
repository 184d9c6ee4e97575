interface Packed {
	filename: string;
	/** In bytes. */
	size: number;
	unpackedSize: number;
}

/** Packs this package as a release does, with npm's `options`. */
export async function pack(...options: string[]): Promise<Packed> {
	const module = new URL('../../scripts/check-pack.mjs', import.meta.url).href;
	const packing = (await import(module)) as { pack(...options: string[]): Packed };
	return packing.pack(...options);
}
