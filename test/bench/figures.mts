/** What the package weighs: how long n8n takes to load it, and how large its tarball is. */
import { tmpdir } from 'node:os';
import { nextMessage, startChild } from './child.mts';
import type { Release } from './options.mts';
import { pack } from './pack.mts';

/** @returns milliseconds of each start, and bytes */
export async function packageFigures(
	release: Release,
	runs: number,
): Promise<Record<string, number[]>> {
	const loadMs: number[] = [];
	const preload = new URL('./inProcess/useN8n1x.cjs', import.meta.url).pathname;
	const env = { N8N_ENCRYPTION_KEY: 'bench', N8N_LOG_LEVEL: 'silent', N8N_USER_FOLDER: tmpdir() };
	for (let run = 0; run < runs; run += 1) {
		const child = startChild(
			import.meta.resolve('./inProcess/packageLoad.mjs'),
			{},
			{ node: release === '1.x' ? ['--require', preload] : [], isPlain: true, env },
		);
		loadMs.push(await nextMessage<number>(child));
	}
	const { size, unpackedSize } = await pack('--dry-run');
	return { loadMs, tarballBytes: [size], unpackedBytes: [unpackedSize] };
}
