/**
 * How long n8n's loader takes for a package in the folder that is the argument's, in milliseconds, in a process where n8n itself
 * is loaded, and a small package with its loader: what n8n does once for all packages is not this one's. Plain JavaScript: what
 * compiles TypeScript here would look at each file of the package, too.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { PackageDirectoryLoader } = require('n8n-core');
require('n8n-workflow');

const { folder } = JSON.parse(process.argv[2]);
await new PackageDirectoryLoader(fileURLToPath(new URL('../peers', import.meta.url))).loadAll();
const loader = new PackageDirectoryLoader(folder);
const startedMs = performance.now();
await loader.loadAll();
const loadMs = performance.now() - startedMs;
process.send?.(loadMs, () => process.exit());
