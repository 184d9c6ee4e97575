import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './machine/cache.mts';
import { atEnd, endWithThisProcess, stopAll } from './machine/processes.mts';
import { editorPart } from './parts/editor.mts';
import { queuePart } from './parts/queue.mts';
import { serverPart } from './parts/server.mts';
import { toolPart } from './parts/tool.mts';
import { triggerPart } from './parts/trigger.mts';
import { LINES, Report, type Line } from './report.mts';
import { installN8n, type Installation } from './server/install.mts';
import { packTarball } from './server/package.mts';
import type { Stage } from './stage.mts';

const HELP = `Usage: npm run e2e -- [options]

Installs n8n 2.x and 1.x (once, into a cache), puts the packed package into them as users have it, and drives the
real servers. The only thing that is simulated is the lookup service.

  --line 2.x      one line only
  --only PARTS    some parts only, with commas: server, trigger, editor, tool, queue
  --pictures      write the pictures of docs/images anew
  --keep          keep the folder with logs and databases, and say where it is
  --help          this text
`;

type Part = (stage: Stage) => Promise<void>;

const PARTS: Record<string, Part> = {
	server: serverPart,
	trigger: triggerPart,
	editor: editorPart,
	tool: toolPart,
	queue: queuePart,
};

function readArguments() {
	const { values } = parseArgs({
		options: {
			line: { type: 'string' },
			only: { type: 'string' },
			pictures: { type: 'boolean', default: false },
			keep: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const known = Object.keys(PARTS);
	const parts = values.only?.split(',') ?? known;
	const lines = values.line ? [values.line] : [...LINES];
	const unknown = [
		...parts.filter((part) => !known.includes(part)),
		...lines.filter((line) => !LINES.some((one) => one === line)),
	];
	if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}.\n\n${HELP}`);
	return { ...values, parts, lines: lines as Line[] };
}

interface Play {
	pictures?: string;
	parts: string[];
	folder: string;
	tarball: string;
	report: Report;
}

async function playLine(line: Line, play: Play) {
	const { parts, report, folder, ...shared } = play;
	let installation: Installation | undefined;
	await report.section(line, 'install').check('n8n is installed from its lockfile', async () => {
		installation = await installN8n(line);
		return installation.version;
	});
	if (!installation) {
		for (const part of parts) await report.section(line, part).skip('all of it', NOT_INSTALLED);
		return;
	}
	const stage: Stage = { ...shared, line, installation, report, folder: join(folder, line) };
	// The trigger waits for n8n's cron most of the time
	const busy = parts.filter((part) => part !== 'trigger');
	const waiting = parts.filter((part) => part === 'trigger');
	await Promise.all([playParts(stage, waiting), playParts(stage, busy)]);
}

const NOT_INSTALLED = 'n8n is not installed: see above';

const QUEUE_ON_1X = 'only on 2.x, unless asked for: --line 1.x --only queue';

/** One after the other; a part that breaks down is a failure of its own and keeps no other from running. */
async function playParts(stage: Stage, parts: string[]) {
	for (const part of parts)
		try {
			if (part === 'queue' && stage.line === '1.x' && parts.length > 1)
				await stage.report.section('1.x', part).skip('queue mode', QUEUE_ON_1X);
			else await PARTS[part](stage);
		} catch (error) {
			await stage.report.section(stage.line, part).check('runs to its end', async () => {
				throw error;
			});
		}
}

async function run() {
	const { help, keep, parts, lines, pictures } = readArguments();
	if (help) return console.log(HELP);
	endWithThisProcess();
	const folder = mkdtempSync(join(tmpdir(), 'e2e-'));
	if (keep) console.log(`Logs and databases: ${folder}`);
	else atEnd(() => rmSync(folder, { recursive: true, force: true }));
	const report = new Report();
	const tarball = await packTarball(join(folder, 'tarball'));
	const play: Play = { parts, folder, tarball, report };
	if (pictures) play.pictures = join(ROOT, 'docs/images');
	await Promise.all(lines.map((line) => playLine(line, play)));
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
