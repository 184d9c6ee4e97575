/** `npm run bench:n8n`: this package and its peers, each in a real n8n server of its own for each load. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installN8n } from '../e2e/server/install.mts';
import { SERVER } from './loads.mts';
import { openServer } from './n8n/sample.mts';
import { complain, readOptions, type Release, type Options } from './options.mts';
import { pack } from './pack.mts';
import { runLoad, type RunLoadOptions } from './runLoad.mts';
import { thisMachine, writeResults, type Results } from './results.mts';
import { makeIdentity } from './service/identity.mts';
import { assertSameAnswers } from './service/sameAnswers.mts';
import { printTable } from './table.mts';

async function benchRelease(release: Release, tarball: string, options: Options & RunLoadOptions) {
	const installation = await installN8n(release);
	const { profile, identity } = options;
	const node = execFileSync(installation.node, ['--version'], { encoding: 'utf8' }).trim();
	const machine = thisMachine(`Node ${node.slice(1)}`, `n8n ${installation.version}`);
	const results: Results = { machine, loads: {}, figures: {} };
	for (const load of options.loads) {
		results.loads[load.id] = await runLoad(load, options, async (...sampler) =>
			openServer({ installation, tarball, profile, caFile: identity?.caFile }, ...sampler),
		);
		if (options.isKept) writeResults(`n8n-${identity ? '' : 'http-'}${release}`, results);
	}
	printTable(`n8n ${installation.version}, ${identity ? 'over TLS' : 'plain http'}`, results);
}

async function main() {
	const read = readOptions('bench:n8n', SERVER, ['2.x'], false);
	if (!read) return;
	const options = { ...read, identity: read.http ? undefined : makeIdentity() };
	await assertSameAnswers(options.identity);
	const folder = mkdtempSync(join(tmpdir(), 'bench-package-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	const { filename } = await pack('--pack-destination', folder);
	execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder]);
	for (const release of options.releases)
		await benchRelease(release, join(folder, 'package'), options);
}

await main().catch(complain);
