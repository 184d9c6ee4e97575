/** A copy of the project with mutants compiled in. Each is off until a test environment switches it on by its ID. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import ts from 'typescript';

export type Mutant = Awaited<ReturnType<Instrumenter['instrument']>>['mutants'][number];

/** The files of the project that git knows or would add, below `paths` or matching them. */
export function filesOf(root: string, paths: string[] = []): string[] {
	const command = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths];
	const output = execFileSync('git', command, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 30 });
	return [...new Set(output.split('\0').filter(Boolean))];
}

/** A function that becomes text for n8n's editor can't hold switches: nothing that they name is there. */
const INSERTS_FUNCTIONS = /\$\{\w+\.toString\(\)\}/;

interface Code {
	mutants: Mutant[];
	/** With all mutants in it: by name, as TypeScript and as the build makes it. */
	files: Array<{ name: string; text: string; built: string }>;
}

/** @returns all mutants of the package, which are in the copy's `dist` as well */
export async function copyWithMutants(
	root: string,
	target: string,
	cache: string,
): Promise<Mutant[]> {
	const all = filesOf(root);
	for (const file of [...all, 'dist'])
		cpSync(join(root, file), join(target, file), { recursive: true });
	symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'), 'junction');
	const sources = all
		.filter((file) => /^(?:nodes|credentials)\/.*\.ts$/.test(file))
		.map((name) => {
			const content = readFileSync(join(root, name), 'utf8');
			return { name, mutate: !INSERTS_FUNCTIONS.test(content), content };
		});
	const kept = join(cache, `code-${hash(sources)}.json`);
	if (!existsSync(kept)) writeFileSync(kept, JSON.stringify(await withMutants(sources)));
	const { files, mutants } = JSON.parse(readFileSync(kept, 'utf8')) as Code;
	for (const { name, text, built } of files) {
		writeFileSync(join(target, name), text);
		writeFileSync(join(target, 'dist', name.replace(/\.ts$/, '.js')), built);
	}
	return mutants;
}

async function withMutants(sources: Parameters<Instrumenter['instrument']>[0]): Promise<Code> {
	const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: true };
	const { files, mutants } = await new Instrumenter(SILENT).instrument(sources, options);
	return {
		mutants: [...mutants],
		files: files.map(({ name, content }) => {
			const calls = /(?<=stry(?:Cov|MutAct)_9fa48\()[^)]*/g;
			const text = SWITCHES + content.replace(calls, (ids) => ids.replaceAll('"', ''));
			return { name, text, built: compiled(name, text) };
		}),
	};
}

export function hash(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 24);
}

/**
 * In place of the instrumenter's own header, which counts each hit by text: the tests call this in their inner loops.
 * Outside the environment of `environment.js`, all mutants are off.
 */
const SWITCHES = `// @ts-nocheck
const stryker = globalThis.__stryker__ ?? { mutant: -1, reach() {} };
const stryMutAct_9fa48 = (id) => id === stryker.mutant && stryker.hit();
const stryCov_9fa48 = stryker.reach;
`;

/** As the build does it */
function compiled(fileName: string, text: string): string {
	const compilerOptions = {
		module: ts.ModuleKind.CommonJS,
		target: ts.ScriptTarget.ES2022,
		esModuleInterop: true,
	};
	return ts.transpileModule(text, { fileName, compilerOptions }).outputText;
}

const no = () => false;
const nothing = () => {};
const SILENT: ConstructorParameters<typeof Instrumenter>[0] = {
	isTraceEnabled: no,
	isDebugEnabled: no,
	isInfoEnabled: no,
	isWarnEnabled: no,
	isErrorEnabled: no,
	isFatalEnabled: no,
	trace: nothing,
	debug: nothing,
	info: nothing,
	warn: nothing,
	error: nothing,
	fatal: nothing,
};
