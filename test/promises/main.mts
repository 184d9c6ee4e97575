/**
 * `npm run promises`: breaks each promise in a copy of the package, and runs the tests that hold it. Writes the tests that failed to
 * `killedBy.json`, from which `npm run generate` makes the page. Ends with an error where no test noticed. With words, it does so
 * for the promises that contain all of them.
 */
import { spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { type HeldPromise, PROMISES } from './promises.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const KILLED_BY = fileURLToPath(new URL('killedBy.json', import.meta.url));
const JEST = createRequire(import.meta.url).resolve('jest/bin/jest');
/** This many titles of failing tests are noted. */
const TITLES = 3;

type Killed = Record<string, Array<{ test: string; titles: string[] }>>;
interface JestResult {
	testResults: Array<{
		name: string;
		message: string;
		assertionResults: Array<{ status: string; fullName: string }>;
	}>;
}

const words = process.argv.slice(2);
const wanted = PROMISES.filter(({ promise }) => words.every((word) => promise.includes(word)));
const copy = mkdtempSync(join(tmpdir(), 'promises-'));
try {
	copyTree();
	const killed = JSON.parse(
		existsSync(KILLED_BY) ? readFileSync(KILLED_BY, 'utf8') : '{}',
	) as Killed;
	const now: Killed = {};
	for (const held of PROMISES) {
		const { promise } = held;
		const found = wanted.includes(held) ? breakIt(held) : killed[promise];
		if (found) now[promise] = found;
		if (!wanted.includes(held)) continue;
		console.log(`${found?.length ? 'noticed' : 'MISSED '}  ${promise}`);
		if (!found?.length) process.exitCode = 1;
	}
	writeFileSync(KILLED_BY, `${JSON.stringify(now, undefined, '\t')}\n`);
} finally {
	rmSync(copy, { recursive: true, force: true });
}

/** The files that tests read. The packages are shared. */
function copyTree() {
	const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], {
		cwd: root,
		encoding: 'utf8',
	});
	for (const file of listed.stdout
		.split('\n')
		.filter((name) => name !== '' && existsSync(join(root, name))))
		cpSync(join(root, file), join(copy, file));
	cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
	symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

/** Breaks a promise, and says which tests fail of it. */
function breakIt({ file, from, to, heldBy }: HeldPromise) {
	const path = join('nodes', file);
	const text = readFileSync(join(root, path), 'utf8');
	write(
		path,
		text.replace(from, () => to),
	);
	try {
		return failing(heldBy);
	} finally {
		write(path, text);
	}
}

/** Writes a file of the package, and what is built of it. */
function write(path: string, text: string) {
	const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (name) =>
		ts.sys.readFile(name),
	);
	const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
	writeFileSync(join(copy, path), text);
	const built = ts.transpileModule(text, {
		compilerOptions: { ...options, module: ts.ModuleKind.CommonJS },
	});
	writeFileSync(join(copy, 'dist', path.replace(/\.ts$/, '.js')), built.outputText);
}

function failing(tests: string[]) {
	const output = join(copy, 'result.json');
	rmSync(output, { force: true });
	const projects = ['--selectProjects', 'unit', 'n8n-2x', '--silent', '--forceExit', '-w', '2'];
	const files = tests.map((test) => join(copy, 'test', test));
	const args = [
		JEST,
		...projects,
		'--json',
		`--outputFile=${output}`,
		'--runTestsByPath',
		...files,
	];
	spawnSync(process.execPath, args, { cwd: copy, stdio: 'ignore' });
	const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as JestResult;
	const broken = testResults.find(({ assertionResults }) => assertionResults.length === 0);
	if (broken) throw new Error(`${broken.name} cannot run: ${broken.message}`);
	return testResults
		.map(({ name, assertionResults }) => ({
			test: relative(join(copy, 'test'), name),
			titles: assertionResults
				.filter(({ status }) => status === 'failed')
				.map(({ fullName }) => fullName)
				.slice(0, TITLES),
		}))
		.filter(({ titles }) => titles.length > 0);
}
