/** Copies of this package to measure what loading it costs: as it is, and with all of its code in one file. */
import { buildSync } from 'esbuild';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Manifest {
	n8n: { nodes: string[]; credentials: string[] };
}

/** Both lie in folders beside each other; gone with this process. */
export function packageCopies(): { asItIs: string; inOneFile: string } {
	const folder = mkdtempSync(join(tmpdir(), 'bench-load-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
	const [asItIs, inOneFile] = [join(folder, 'asItIs'), join(folder, 'inOneFile')];
	copy(asItIs, () => true);
	copy(inOneFile, (file) => !file.endsWith('.js'));
	bundle(inOneFile);
	return { asItIs, inOneFile };
}

function copy(to: string, filter: (file: string) => boolean) {
	cpSync(join(ROOT, 'dist'), join(to, 'dist'), { recursive: true, filter });
	cpSync(join(ROOT, 'package.json'), join(to, 'package.json'));
}

/** n8n loads the files that the manifest names; here each only passes on what the one file has. */
function bundle(to: string) {
	const { n8n } = createRequire(import.meta.url)('../../package.json') as Manifest;
	const named = [...n8n.nodes, ...n8n.credentials];
	const one = join(to, 'dist/package.js');
	buildSync({
		stdin: {
			contents: named.map((file) => `export * from './${file}';`).join('\n'),
			resolveDir: ROOT,
		},
		...({ bundle: true, platform: 'node', format: 'cjs', target: 'node20' } as const),
		external: ['n8n-workflow'],
		outfile: one,
	});
	for (const file of named) {
		const path = join(to, file);
		const from = relative(dirname(path), one);
		const name = basename(file).split('.')[0];
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, `exports.${name} = require('${from}').${name};\n`);
	}
}
