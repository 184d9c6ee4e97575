import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

/** With room for short-lived objects: fewer are looked at, and moved. */
const JEST = ['--max-semi-space-size=64', createRequire(import.meta.url).resolve('jest/bin/jest')];

/** Each file has a process of its own: after texts of megabytes in the same one, bodies of 50 MB break off. */
const EACH_ALONE = '--workerIdleMemoryLimit=1MB';

/** test/integration needs no processes of their own, which take two seconds each. */
const ALL = [
	['--selectProjects', 'n8n-1x', '--', 'test/integration/'],
	[EACH_ALONE, '--', 'test/(hostile|unit)/'],
];

/** `npm run test:hostile`: all of test/hostile, and test/integration on n8n 1.x (jest.config.js). Passes its arguments to Jest. */
const given = process.argv.slice(2);
const runs = given.length > 0 ? [[EACH_ALONE, ...given]] : ALL;
const env = { ...process.env, HOSTILE: 'full' };
const run = (options: string[]) =>
	spawnSync(process.execPath, [...JEST, ...options], { stdio: 'inherit', env }).status ?? 1;
process.exitCode = Math.max(...runs.map(run));
