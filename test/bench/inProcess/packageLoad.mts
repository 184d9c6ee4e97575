/** How long n8n's loader takes for this package, in a process where n8n itself is loaded, in milliseconds. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as Core from 'n8n-core';

await import('../../support/n8nEnvironment.ts');
const require = createRequire(import.meta.url);
const { PackageDirectoryLoader } = require('n8n-core') as typeof Core;
require('n8n-workflow');

const loader = new PackageDirectoryLoader(fileURLToPath(new URL('../../..', import.meta.url)));
const startedMs = performance.now();
await loader.loadAll();
process.send?.(performance.now() - startedMs);
process.disconnect?.();
process.exit();
