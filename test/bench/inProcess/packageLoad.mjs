/**
 * How long n8n's loader takes for this package, in a process where n8n itself is loaded, in milliseconds. Plain
 * JavaScript: what compiles TypeScript here would look at each file of the package, too.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { PackageDirectoryLoader } = require('n8n-core');
require('n8n-workflow');

const loader = new PackageDirectoryLoader(fileURLToPath(new URL('../../..', import.meta.url)));
const startedMs = performance.now();
await loader.loadAll();
const loadMs = performance.now() - startedMs;
process.send?.(loadMs, () => process.exit());
