import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../machine/cache.mts';
import { run } from '../machine/processes.mts';

export const PACKAGE = 'n8n-nodes-lookup-messaging';
export const NODE_TYPE = `${PACKAGE}.lookupMessaging`;
export const TOOL_TYPE = `${PACKAGE}.lookupMessagingTool`;
export const TRIGGER_TYPE = `${PACKAGE}.lookupMessagingTrigger`;
export const CREDENTIAL_TYPE = 'lookupMessagingApi';

/** What n8n's own installer hands to npm, on both releases. */
const INSTALL = [
	...['install', '--audit=false', '--fund=false', '--bin-links=false'],
	...['--install-strategy=shallow', '--ignore-scripts=true', '--package-lock=false'],
];

/** @returns the path of the packed tarball, as it would be published */
export async function packTarball(folder: string): Promise<string> {
	mkdirSync(folder, { recursive: true });
	const args = ['pack', '--json', '--loglevel=error', '--pack-destination', folder];
	const reports = JSON.parse(await run('npm', args, { cwd: ROOT })) as Record<
		string,
		{ filename: string }
	>;
	const [{ filename }] = Object.values(reports);
	return join(folder, filename);
}

/**
 * Puts the tarball where n8n finds community packages, step by step as n8n's installer does it; the installer itself
 * takes packages from the public registry only.
 */
export async function installPackage(tarball: string, userFolder: string): Promise<void> {
	const nodes = join(userFolder, '.n8n/nodes');
	const folder = join(nodes, 'node_modules', PACKAGE);
	mkdirSync(folder, { recursive: true });
	await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	const file = join(folder, 'package.json');
	const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
	for (const stripped of ['devDependencies', 'peerDependencies', 'optionalDependencies'])
		delete manifest[stripped];
	writeFileSync(file, JSON.stringify(manifest, null, 2));
	await run('npm', INSTALL, { cwd: folder });
	const dependencies = { [PACKAGE]: manifest.version };
	writeFileSync(
		join(nodes, 'package.json'),
		JSON.stringify({ name: 'installed-nodes', private: true, dependencies }, null, 2),
	);
}
