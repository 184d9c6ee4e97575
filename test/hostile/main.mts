import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const JEST = createRequire(import.meta.url).resolve('jest/bin/jest');

/** Each file has a process of its own: after texts of megabytes in the same one, bodies of 50 MB break off. */
const EACH_ALONE = '--workerIdleMemoryLimit=1MB';

/** test/integration needs no processes of their own, which take two seconds each. */
const ALL = [
	['--selectProjects', 'n8n-1x', '--', 'test/integration/'],
	[EACH_ALONE, '--', 'test/(hostile|unit)/'],
];

/** Most objects of a test are short-lived: with room for more of them, fewer are moved and looked at. */
const YOUNG = '--max-semi-space-size=64';

/** `npm run test:hostile`: all of test/hostile, and test/integration on n8n 1.x (jest.config.js). Passes its arguments to Jest. */
const given = process.argv.slice(2);
const runs = given.length > 0 ? [[EACH_ALONE, ...given]] : ALL;
const env = { ...process.env, HOSTILE: 'full' };
const statuses = runs.map(
	(options) =>
		spawnSync(process.execPath, [YOUNG, JEST, ...options], { stdio: 'inherit', env }).status ?? 1,
);
process.exitCode = Math.max(...statuses);
