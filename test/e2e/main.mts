import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './machine/cache.mts';
import { atEnd, endWithThisProcess, stopAll } from './machine/processes.mts';
import { editorSuite } from './suites/editor.mts';
import { mcpSuite } from './suites/mcp.mts';
import { oldestSuite } from './suites/oldest.mts';
import { queueSuite } from './suites/queue.mts';
import { scaleSuite } from './suites/scale.mts';
import { serverSuite } from './suites/server.mts';
import { toolSuite } from './suites/tool.mts';
import { triggerSuite } from './suites/trigger.mts';
import { RELEASES, Report, type Release } from './report.mts';
import { installN8n, type Installation } from './server/install.mts';
import { packTarball } from './server/package.mts';
import type { TestEnvironment } from './testEnvironment.mts';

const HELP = `Usage: npm run e2e -- [options]

Installs n8n 2.x and 1.x (once, into a cache), puts the packed package into them as users have it, and drives the
real servers. The only thing that is simulated is the lookup service.

  --release 2.x   one release only
  --only SUITES   some suites only, with commas: server, trigger, editor, tool, mcp, scale, queue, oldest
  --pictures      draw the pictures of docs/images anew (editor, n8n 2.x)
  --keep          keep the folder with logs and databases, and say where it is
  --help          this text
`;

type Suite = (environment: TestEnvironment) => Promise<void>;

const SUITES: Record<string, Suite> = {
	server: serverSuite,
	trigger: triggerSuite,
	editor: editorSuite,
	tool: toolSuite,
	mcp: mcpSuite,
	scale: scaleSuite,
	queue: queueSuite,
	oldest: oldestSuite,
};

function readArguments() {
	const { values } = parseArgs({
		options: {
			release: { type: 'string' },
			only: { type: 'string' },
			pictures: { type: 'boolean', default: false },
			keep: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const known = Object.keys(SUITES);
	const suites = values.only?.split(',') ?? known;
	const releases = values.release ? [values.release] : [...RELEASES];
	const unknown = [
		...suites.filter((suite) => !known.includes(suite)),
		...releases.filter((release) => !RELEASES.some((one) => one === release)),
	];
	if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}.\n\n${HELP}`);
	return { ...values, suites, releases: releases as Release[] };
}

interface RunOptions {
	pictures?: string;
	suites: string[];
	folder: string;
	tarball: string;
	report: Report;
}

async function runRelease(release: Release, options: RunOptions) {
	const { suites, report, folder, ...shared } = options;
	let installation: Installation | undefined;
	await report.section(release, 'install').check('n8n is installed from its lockfile', async () => {
		installation = await installN8n(release);
		return installation.version;
	});
	if (!installation) {
		for (const suite of suites)
			await report.section(release, suite).skip('all of it', NOT_INSTALLED);
		return;
	}
	const environment: TestEnvironment = {
		...shared,
		release,
		installation,
		report,
		folder: join(folder, release),
		isBrief: release === '1.x' && suites.length > 1,
	};
	const lanes = LANES.map((lane) => suites.filter((suite) => lane.includes(suite)));
	await Promise.all(lanes.map((lane) => runSuites(environment, lane)));
}

/** What runs side by side. In each lane something waits most of the time: for n8n's cron, a server that starts, or a worker. */
const LANES = [['trigger'], ['server', 'tool', 'scale'], ['editor', 'mcp', 'queue', 'oldest']];

const NOT_INSTALLED = 'n8n is not installed: see above';

/** Runs the suites one after the other. A suite that throws is one failed check; the next suite runs all the same. */
async function runSuites(environment: TestEnvironment, suites: string[]) {
	for (const suite of suites)
		try {
			await SUITES[suite](environment);
		} catch (error) {
			await environment.report
				.section(environment.release, suite)
				.check('runs to its end', async () => {
					throw error;
				});
		}
}

async function run() {
	const { help, keep, suites, releases, pictures } = readArguments();
	if (help) return console.log(HELP);
	endWithThisProcess();
	const folder = mkdtempSync(join(tmpdir(), 'e2e-'));
	if (keep) console.log(`Logs and databases: ${folder}`);
	else atEnd(() => rmSync(folder, { recursive: true, force: true }));
	const report = new Report();
	const tarball = await packTarball(join(folder, 'tarball'));
	const options: RunOptions = { suites, folder, tarball, report };
	if (pictures) options.pictures = join(ROOT, 'docs/images');
	await Promise.all(releases.map((release) => runRelease(release, options)));
	await stopAll();
	console.log(`\n${report.table()}\n\n${report.summary()}`);
	process.exit(report.failures > 0 || report.isEmpty ? 1 : 0);
}

try {
	await run();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exit(1);
}
