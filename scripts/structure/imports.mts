/** The imports of the project and the import rules they break, found by dependency-cruiser. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cruise, type ICruiseResult, type IViolation } from 'dependency-cruiser';
import { importRules, type ImportCheck, type ImportRule } from './importRules.mts';
import { WITHOUT_CIRCLES } from './rules.mts';

export interface Import {
	from: string;
	to: string;
	/** Whether following it leads back to `from`. */
	isCircular: boolean;
}

export interface Imports {
	imports: Import[];
	/** One sentence for each import that breaks a rule, with both files and the rule. */
	problems: Record<ImportCheck, string[]>;
}

const OWN_FOLDERS = ['nodes', 'credentials', 'scripts', 'examples', 'test'];

/** @param root a folder laid out as this project, which may lack parts of it */
export async function readImports(root: string): Promise<Imports> {
	const rules = importRules();
	const folders = [...new Set([...WITHOUT_CIRCLES, 'examples'])];
	const { output } = await cruise(
		folders.filter((folder) => existsSync(join(root, folder))),
		{
			baseDir: root,
			ruleSet: { forbidden: rules.map(({ check: _, ...rule }) => rule) },
			validate: true,
			tsPreCompilationDeps: true, // imports of types count
			includeOnly: { path: OWN_FOLDERS.map((folder) => `^${folder}/`) },
		},
	);
	const { modules, summary } = output as ICruiseResult;
	return {
		imports: modules.flatMap(({ source, dependencies }) =>
			dependencies.map(({ resolved, circular }) => ({
				from: source,
				to: resolved,
				isCircular: circular,
			})),
		),
		problems: sentences(summary.violations, rules),
	};
}

function sentences(violations: IViolation[], rules: ImportRule[]): Imports['problems'] {
	const problems: Imports['problems'] = { circles: [], rooms: [], folders: [] };
	for (const violation of violations) {
		const rule = rules.find(({ name }) => name === violation.rule.name);
		if (!rule)
			throw new Error(`dependency-cruiser reports an unknown rule: ${violation.rule.name}`);
		problems[rule.check].push(sentence(violation, rule));
	}
	return problems;
}

function sentence({ from, to, cycle = [] }: IViolation, { comment }: ImportRule): string {
	const circle = [from, ...cycle.map(({ name }) => name)].map((file) => basename(file));
	return `${from} imports ${to}: ${comment}${cycle.length > 0 ? ` (${circle.join(' → ')})` : ''}`;
}

/** Groups of files that import each other in circles. Two circles with a file in common are one group. */
export function circlesIn(imports: Import[]): string[][] {
	const open = new Map<string, string[]>();
	for (const { from, to, isCircular } of imports)
		if (isCircular) open.set(from, [...(open.get(from) ?? []), to]);
	const groups: string[][] = [];
	for (const start of open.keys()) {
		if (groups.some((group) => group.includes(start))) continue;
		const group = [start];
		for (const file of group)
			for (const next of open.get(file) ?? []) if (!group.includes(next)) group.push(next);
		groups.push(group.sort());
	}
	return groups;
}
