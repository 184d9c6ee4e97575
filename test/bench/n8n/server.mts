/** A real n8n with this package and the peers in it. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Installation } from '../../e2e/server/install.mts';
import { N8n, type N8nOptions } from '../../e2e/server/n8n.mts';
import type { Rest } from '../../e2e/server/rest.mts';
import { OWN_PACKAGE, PEERS_PACKAGE } from '../nodes.mts';

export interface Server {
	url: string;
	pid: number;
	rest: Rest;
	stop(): Promise<void>;
}

/**
 * Starts n8n on a database of its own; resolves when it is ready.
 * @param tarball this package's tarball, unpacked
 */
export async function startServer(
	installation: Installation,
	tarball: string,
	options: Pick<N8nOptions, 'nodeFlags' | 'env'>,
): Promise<Server> {
	const folder = mkdtempSync(join(tmpdir(), 'bench-n8n-'));
	installPackages(folder, tarball);
	const n8n = await N8n.prepare(installation, { ...options, folder });
	await n8n.start();
	const stop = async () => {
		await n8n.stop();
		rmSync(folder, { recursive: true, force: true });
	};
	const { url, pid, rest } = n8n;
	return { url, pid, rest, stop };
}

/** As users have them, except that npm is not asked: neither package depends on another. */
function installPackages(folder: string, tarball: string) {
	const modules = join(folder, '.n8n/nodes/node_modules');
	mkdirSync(modules, { recursive: true });
	cpSync(tarball, join(modules, OWN_PACKAGE), { recursive: true });
	const peers = fileURLToPath(new URL('../peers', import.meta.url));
	cpSync(peers, join(modules, PEERS_PACKAGE), { recursive: true });
}
