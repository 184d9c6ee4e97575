/**
 * The ratchet: figures of the structure that a change may lower and not raise. The limits are in `limits.json`. A rise is a
 * decision: it edits the limit in the same commit, with its reason in docs/ARCHITECTURE.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import ts from 'typescript';
import { properties } from '../../nodes/LookupMessaging/editor/properties.ts';
import { operations } from '../../nodes/LookupMessaging/operations/index.ts';
import { pack } from '../../test/bench/pack.mts';
import { circlesIn, readImports, type Import } from './imports.mts';
import { ENGINE, FEATURES, SANDBOX, SHIPPED, TESTS } from './rules.mts';
import { nodesOf, readSources, type Source } from './sources.mts';
import { pathFigures, tracePaths } from './trace.mts';

export type Figures = Record<string, number>;

const LIMITS = 'scripts/structure/limits.json';
/** The path of an engine file in an import of a test. */
const ENGINE_PATH = /(?<=LookupMessaging\/)engine\/[\w/]+/g;

/** Reads the figures of today's code; the tarball is what the last build packs. */
export async function figuresOf(root: string): Promise<Figures> {
	const engine = readSources(root, ENGINE);
	const features = readSources(root, FEATURES);
	const { imports } = await readImports(root);
	const isShipped = ({ from }: Import) => SHIPPED.some((folder) => from.startsWith(`${folder}/`));
	// With the functions that have no name, such as the layers
	const paths = Object.entries(await tracePaths(root)).flatMap(([operation, entries]) => {
		const { files, moves } = pathFigures(entries);
		return [
			[`path of ${operation}: files`, files.length],
			[`path of ${operation}: moves`, moves],
		];
	});
	return {
		'engine: lines': linesOf(engine),
		'engine and features: lines': linesOf([...engine, ...features]),
		'engine: most files in one folder': mostIn(engine.map(({ path }) => dirname(path))),
		'import circles': circlesIn(imports.filter(isShipped)).length,
		'hand-made waits': promisesMade(root),
		'concepts in ARCHITECTURE': conceptsIn(root),
		...Object.fromEntries(paths),
		...optionFigures(),
		...testFigures(root),
		'tarball: unpacked kB': Math.ceil((await pack('--dry-run')).unpackedSize / 1_000),
	};
}

/** Limits that the figures exceed, and those that they are below. A figure without a limit exceeds it. */
export function compare(root: string, figures: Figures): { risen: string[]; fallen: string[] } {
	const limits = JSON.parse(readFileSync(join(root, LIMITS), 'utf8')) as Figures;
	const gone = Object.keys(limits).filter((name) => !(name in figures));
	const told = (names: string[]) =>
		names.map((name) => `${name}: ${limits[name] ?? 'no limit'} → ${figures[name] ?? 'gone'}`);
	return {
		risen: told(Object.keys(figures).filter((name) => !(figures[name] <= limits[name]))),
		fallen: told([...Object.keys(figures).filter((name) => figures[name] < limits[name]), ...gone]),
	};
}

export function writeLimits(root: string, figures: Figures): void {
	writeFileSync(join(root, LIMITS), `${JSON.stringify(figures, undefined, '\t')}\n`);
}

function linesOf(sources: Source[]): number {
	return sources.reduce((sum, { lines }) => sum + lines, 0);
}

/** Lines of test code without the sandbox, and how many files of the engine how many test files import by their paths. */
function testFigures(root: string): Figures {
	const tests = readSources(root, TESTS, ['.ts', '.mts', '.js', '.mjs', '.cjs']);
	const own = tests.filter(({ path }) => !path.startsWith(`${SANDBOX}/`));
	const paths = own.flatMap(({ tree }) => [...new Set(tree.text.match(ENGINE_PATH))]);
	return {
		'tests: lines without the sandbox': linesOf(own),
		'tests: paths of engine files': paths.length,
	};
}

/** Each `new Promise` is a wait made by hand. */
function promisesMade(root: string): number {
	return readSources(root, 'nodes')
		.flatMap(({ tree }) => nodesOf(tree))
		.filter((node) => ts.isNewExpression(node) && node.expression.getText() === 'Promise').length;
}

/** The words in bold in the list of words. */
function conceptsIn(root: string): number {
	const page = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8');
	const list = page.split(/^## /m).find((part) => part.startsWith('Words')) ?? '';
	return list.match(/\*\*[^*]+\*\*/g)?.length ?? 0;
}

/**
 * How many options operations show, the one with most of them and all together: to a user in the collection Options and in both
 * collections, and where a model calls in both.
 */
function optionFigures(): Figures {
	const figures = (name: string, isTool: boolean, collection?: string) => {
		const counts = operations.map((operation) => optionsOf(operation, isTool, collection).length);
		return {
			[`${name}: of one operation`]: Math.max(...counts),
			[`${name}: of all operations`]: counts.reduce((sum, count) => sum + count, 0),
		};
	};
	return {
		...figures('options', false),
		...figures('options in Options', false, 'options'),
		...figures('options as a tool', true),
	};
}

/** The options that an operation shows in its collections, or in one of them. */
function optionsOf(
	{ resource, value: operation }: (typeof operations)[number],
	isTool: boolean,
	collection?: string,
): INodeProperties[] {
	const isShown = shownTo({ resource: [resource], operation: [operation], '@tool': [isTool] });
	return properties
		.filter((property) => property.type === 'collection' && isShown(property))
		.filter((property) => collection === undefined || property.name === collection)
		.flatMap(({ options = [] }) => options as INodeProperties[])
		.filter(isShown);
}

/** Whether a parameter can be shown, whatever the values of other parameters. */
function shownTo(known: Record<string, unknown[]>) {
	return ({ displayOptions: { show = {}, hide = {} } = {} }: INodeProperties) => {
		const meets = ([name, values = []]: [string, unknown[] | undefined]) =>
			values.some((value) => known[name].includes(value));
		const isKnown = ([name]: [string, unknown]) => name in known;
		return (
			Object.entries(show).filter(isKnown).every(meets) &&
			!Object.entries(hide).filter(isKnown).some(meets)
		);
	};
}

function mostIn(names: string[]): number {
	const counts = new Map<string, number>();
	for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
	return Math.max(...counts.values());
}
