import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import type { TestCounts } from './fullRun.ts';

const JEST = createRequire(import.meta.url).resolve('jest/bin/jest');

/** Each file has a process of its own: after texts of megabytes in the same one, bodies of 50 MB break off. */
const EACH_ALONE = '--workerIdleMemoryLimit=1MB';

/** test/integration needs no processes of their own, which take two seconds each. */
const ALL = [
	['--selectProjects', 'n8n-1x', '--', 'test/integration/'],
	[EACH_ALONE, '--', 'test/(hostile|unit)/'],
];

/**
 * `npm run test:hostile`: runs all of test/hostile, and test/integration on n8n 1.x (jest.config.js), and prints what was
 * tried. Passes its arguments to Jest.
 */
function run(folder: string): number {
	const tallied = join(folder, 'tally');
	const given = process.argv.slice(2);
	const runs = given.length > 0 ? [[EACH_ALONE, ...given]] : ALL;
	const statuses = runs.map(
		(options) =>
			spawnSync(process.execPath, [JEST, ...options], {
				stdio: 'inherit',
				env: { ...process.env, HOSTILE: 'full', HOSTILE_TALLY: tallied },
			}).status ?? 1,
	);
	const lines = existsSync(tallied) ? readFileSync(tallied, 'utf8').trim().split('\n') : [];
	const table = new Table({
		head: ['Part', 'n8n', 'Tried, and found'],
		style: { head: [], border: [] },
	});
	for (const { part, release, counts } of lines
		.map((text) => JSON.parse(text) as TestCounts)
		.sort(byPart))
		table.push([part, release ?? '', listed(counts)]);
	console.log(`\n${table.toString()}`);
	return Math.max(...statuses);
}

const byPart = (one: TestCounts, other: TestCounts) =>
	one.part.localeCompare(other.part) || (other.release ?? '').localeCompare(one.release ?? '');

const listed = (counts: Record<string, number>) =>
	Object.entries(counts)
		.map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
		.join(', ');

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
try {
	process.exitCode = run(folder);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
