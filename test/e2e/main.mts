import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { atEnd, endWithThisProcess, stopAll } from './machine/processes.mts';
import { serverPart } from './parts/server.mts';
import { LINES, Report, type Line } from './report.mts';
import { installN8n, type Installation } from './server/install.mts';
import { packTarball } from './server/package.mts';
import type { Stage } from './stage.mts';

const HELP = `Usage: npm run e2e -- [options]

Installs n8n 2.x and 1.x (once, into a cache), puts the packed package into them as users have it, and drives the
real servers. The only thing that is simulated is the lookup service.

  --line 2.x      one line only
  --only PARTS    some parts only, with commas: server, trigger, editor, tool, queue
  --keep          keep the folder with logs and databases, and say where it is
  --help          this text
`;

type Part = (stage: Stage) => Promise<void>;

const PARTS: Record<string, Part> = { server: serverPart };

function readArguments() {
	const { values } = parseArgs({
		options: {
			line: { type: 'string' },
			only: { type: 'string' },
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
	parts: string[];
	folder: string;
	tarball: string;
	report: Report;
}

async function playLine(line: Line, { parts, folder, tarball, report }: Play) {
	let installation: Installation | undefined;
	await report.section(line, 'install').check('n8n is installed from its lockfile', async () => {
		installation = await installN8n(line);
		return installation.version;
	});
	if (!installation) return;
	for (const part of parts) {
		const stage: Stage = { line, installation, tarball, report, folder: join(folder, line) };
		try {
			await PARTS[part](stage);
		} catch (error) {
			await report.section(line, part).check('runs to its end', async () => {
				throw error;
			});
		}
	}
}

async function run() {
	const { help, keep, parts, lines } = readArguments();
	if (help) return console.log(HELP);
	endWithThisProcess();
	const folder = mkdtempSync(join(tmpdir(), 'e2e-'));
	if (keep) console.log(`Logs and databases: ${folder}`);
	else atEnd(() => rmSync(folder, { recursive: true, force: true }));
	const report = new Report();
	const tarball = await packTarball(join(folder, 'tarball'));
	for (const line of lines) await playLine(line, { parts, folder, tarball, report });
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
