/** What the package weighs: how long n8n takes to load it, and how large its tarball is. */
import { tmpdir } from 'node:os';
import { nextMessage, startChild } from './child.mts';
import { packageCopies } from './onePackage.mts';
import type { Release } from './options.mts';
import { pack } from './pack.mts';

/** Loading takes milliseconds, which vary more than seconds do. */
const LOADS_PER_RUN = 3;

/** @returns milliseconds of each start, and bytes */
export async function packageFigures(
	release: Release,
	runs: number,
): Promise<Record<string, number[]>> {
	const { asItIs, inOneFile } = packageCopies();
	const loadMs: number[] = [];
	const loadOneFileMs: number[] = [];
	for (let run = 0; run < runs * LOADS_PER_RUN; run += 1) {
		loadMs.push(await loadTime(release, asItIs));
		loadOneFileMs.push(await loadTime(release, inOneFile));
	}
	const { size, unpackedSize } = await pack('--dry-run');
	return { loadMs, loadOneFileMs, tarballBytes: [size], unpackedBytes: [unpackedSize] };
}

/** In a process of its own. */
async function loadTime(release: Release, folder: string): Promise<number> {
	const preload = new URL('./inProcess/useN8n1x.cjs', import.meta.url).pathname;
	const env = { N8N_ENCRYPTION_KEY: 'bench', N8N_LOG_LEVEL: 'silent', N8N_USER_FOLDER: tmpdir() };
	const child = startChild(
		import.meta.resolve('./inProcess/packageLoad.mjs'),
		{ folder },
		{ node: release === '1.x' ? ['--require', preload] : [], isPlain: true, env },
	);
	return await nextMessage<number>(child);
}
