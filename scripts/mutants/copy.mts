/** A copy of the project with mutants compiled in. Each is off until a test environment switches it on by its ID. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import ts from 'typescript';

export type Mutant = Awaited<ReturnType<Instrumenter['instrument']>>['mutants'][number];

/** The files of the project that git knows or would add, below `paths` or matching them. */
export function filesOf(root: string, paths: string[] = []): string[] {
	const command = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths];
	const output = execFileSync('git', command, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 30 });
	return [...new Set(output.split('\0').filter(Boolean))];
}

/** @returns all mutants of the package, which are in the copy's `dist` as well */
export async function copyWithMutants(root: string, target: string): Promise<Mutant[]> {
	const all = filesOf(root);
	const sources = all.filter((file) => /^(?:nodes|credentials)\/.*\.ts$/.test(file));
	for (const file of [...all, 'dist'])
		cpSync(join(root, file), join(target, file), { recursive: true });
	symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'), 'junction');
	const { files, mutants } = await new Instrumenter(SILENT).instrument(
		sources.map((name) => ({
			name,
			mutate: true,
			content: readFileSync(join(root, name), 'utf8'),
		})),
		{ plugins: null, excludedMutations: [], ignorers: [] },
	);
	for (const { name, content } of files) {
		writeFileSync(join(target, name), content);
		const built = join(target, 'dist', name.replace(/\.ts$/, '.js'));
		mkdirSync(dirname(built), { recursive: true });
		writeFileSync(built, compiled(name, content));
	}
	return [...mutants];
}

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
