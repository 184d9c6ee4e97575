/** The TypeScript files of a folder, and the functions and names in them, from the compiler's syntax tree. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface Source {
	/** From the project's root, with slashes. */
	path: string;
	lines: number;
	tree: ts.SourceFile;
}

interface FunctionInSource {
	name: string;
	/** Counted from 1. */
	line: number;
	/** From its first to its last, with both. */
	lines: number;
}

/** @param endings of the files that count */
export function readSources(root: string, folder: string, endings = ['.ts']): Source[] {
	if (!existsSync(join(root, folder))) return [];
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => endings.some((ending) => name.endsWith(ending)))
		.filter((name) => !name.includes('node_modules'))
		.map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
		.sort()
		.map((path) => {
			const text = readFileSync(join(root, path), 'utf8');
			const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
			return { path, lines: text.split('\n').length - 1, tree };
		});
}

export function functionsOf({ tree }: Source): FunctionInSource[] {
	const lineAt = (position: number) => tree.getLineAndCharacterOfPosition(position).line + 1;
	return nodesOf(tree)
		.filter(isFunctionWithBody)
		.map((node) => {
			const line = lineAt(node.getStart());
			return { name: nameOf(node), line, lines: lineAt(node.end) - line + 1 };
		});
}

/** Every identifier in the file, each once. */
export function identifiersOf({ tree }: Source): Set<string> {
	return new Set(
		nodesOf(tree)
			.filter((node) => ts.isIdentifier(node) || ts.isPrivateIdentifier(node))
			.map(({ text }) => text),
	);
}

export type FunctionWithBody = ts.FunctionLikeDeclaration & { body: ts.ConciseBody };

export function isFunctionWithBody(node: ts.Node): node is FunctionWithBody {
	return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

/** What a function without a name is called. */
export const UNNAMED = '(unnamed)';

/** The function's own name, or that of what it is assigned to. */
export function nameOf(node: FunctionWithBody): string {
	if (ts.isConstructorDeclaration(node)) return 'constructor';
	if (node.name) return node.name.getText();
	const { parent } = node;
	const isNamed = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
	return isNamed || ts.isPropertyDeclaration(parent) ? parent.name.getText() : UNNAMED;
}

/**
 * The lines on which a function such as `String` is called or handed on, counted from 1.
 * @param safe the name of the function around whose call they do no harm
 */
export function unsafeConversionsOf({ tree }: Source, names: string[], safe: string): number[] {
	const isSafeCall = (node: ts.Node) =>
		ts.isCallExpression(node) && node.expression.getText() === safe;
	const isHarmless = (node: ts.Identifier) => {
		const { parent } = node;
		if (ts.isPropertyAccessExpression(parent) || ts.isTypeNode(parent)) return true;
		if (ts.isPropertyAssignment(parent) && parent.name === node) return true;
		return (
			ts.isCallExpression(parent) &&
			parent.expression === node &&
			parent.arguments.every(isSafeCall)
		);
	};
	return nodesOf(tree)
		.filter((node) => ts.isIdentifier(node) && names.includes(node.text) && !isHarmless(node))
		.map((node) => lineOf(tree, node));
}

/** The lines on which a list is spread into the arguments of a call, counted from 1. */
export function spreadArgumentsOf({ tree }: Source): number[] {
	return nodesOf(tree)
		.filter((node) => ts.isCallExpression(node) && node.arguments.some(ts.isSpreadElement))
		.map((node) => lineOf(tree, node));
}

function lineOf(tree: ts.SourceFile, node: ts.Node): number {
	return tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

export function nodesOf(tree: ts.SourceFile): ts.Node[] {
	const nodes: ts.Node[] = [];
	const add = (node: ts.Node) => {
		nodes.push(node);
		ts.forEachChild(node, add);
	};
	add(tree);
	return nodes;
}
