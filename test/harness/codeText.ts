import ts from 'typescript';

/** The texts of code that people read. Everything else becomes spaces, so that lines keep their numbers. */

type Range = [from: number, to: number];

/** The literals that have several words. */
export function literalsOf(code: string): string {
	const ranges: Range[] = [];
	walk(code, (node) => {
		const isPart = ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
		if ((isPart || ts.isStringLiteralLike(node)) && node.text.includes(' '))
			ranges.push([node.getStart(), node.getEnd()]);
	});
	return only(code, ranges);
}

/** Comments without their marks, and without those for tools. */
export function commentsOf(code: string): string {
	const ranges: Range[] = [];
	const isForTools = /^.{2,3}\s*(?:eslint-|@ts-|prettier-)/;
	const add = (from: number, to: number) => {
		if (!isForTools.test(code.slice(from, to))) ranges.push([from, to]);
	};
	const seen = new Set<number>();
	walk(code, (node) => {
		const full = node.getFullStart();
		if (seen.has(full)) return;
		seen.add(full);
		for (const { pos, end } of ts.getLeadingCommentRanges(code, full) ?? []) add(pos, end);
		for (const { pos, end } of ts.getTrailingCommentRanges(code, node.getEnd()) ?? [])
			add(pos, end);
	});
	const distinct = new Map(ranges.map((range) => [range[0], range]));
	const sorted = [...distinct.values()].sort(([a], [b]) => a - b);
	// A phrase may go on in the next line; the name of a parameter is code
	const isNoText = /^\s*(?:\/\/|\/?\*+\/?)|@param \w+/gm;
	return only(code, sorted).replace(isNoText, (found) => found.replace(/[^\n]/g, ' '));
}

const DECLARATIONS = new Set([
	...[ts.SyntaxKind.VariableDeclaration, ts.SyntaxKind.Parameter],
	...[ts.SyntaxKind.FunctionDeclaration, ts.SyntaxKind.ClassDeclaration],
	...[ts.SyntaxKind.InterfaceDeclaration, ts.SyntaxKind.TypeAliasDeclaration],
	...[ts.SyntaxKind.PropertySignature, ts.SyntaxKind.PropertyDeclaration],
	...[ts.SyntaxKind.MethodSignature, ts.SyntaxKind.MethodDeclaration],
]);

/** The names that code declares: of functions, variables, parameters, types and their members. */
export function namesOf(code: string): string[] {
	const names: string[] = [];
	walk(code, (node) => {
		const { name } = node as { name?: ts.Node };
		if (name && ts.isIdentifier(name) && DECLARATIONS.has(node.kind)) names.push(name.text);
	});
	return names;
}

/** The titles of tests, each with the titles of the groups around it. */
export interface Title {
	line: number;
	/** Of the groups, from the outermost. */
	groups: string[];
	title: string;
}

/** Titles that are written as text, those of stories among them. Those of rows in a table come from the table. */
export function titlesOf(code: string): Title[] {
	const titles: Title[] = [];
	const source = parsed(code);
	const visit = (node: ts.Node, groups: string[]): void => {
		const found = ts.isCallExpression(node) ? titleIn(node) : undefined;
		const add = (at: ts.Node, title: string) => {
			const { line } = source.getLineAndCharacterOfPosition(at.getStart());
			titles.push({ line: line + 1, groups, title });
		};
		if (found?.kind === 'test') add(node, found.title);
		if (ts.isCallExpression(node))
			for (const name of storiesIn(node)) if (ts.isStringLiteral(name)) add(name, name.text);
		const inside = found?.kind === 'group' ? [...groups, found.title] : groups;
		ts.forEachChild(node, (child) => visit(child, inside));
	};
	visit(source, []);
	return titles;
}

const KINDS: Record<string, 'group' | 'test'> = { describe: 'group', it: 'test', test: 'test' };

function titleIn({ expression, arguments: given }: ts.CallExpression) {
	const [title] = given;
	if (!title || !ts.isStringLiteralLike(title)) return undefined;
	let callee: ts.Node = expression;
	while (
		ts.isCallExpression(callee) ||
		ts.isPropertyAccessExpression(callee) ||
		ts.isTaggedTemplateExpression(callee)
	) {
		callee = ts.isTaggedTemplateExpression(callee) ? callee.tag : callee.expression;
	}
	const kind = ts.isIdentifier(callee) ? KINDS[callee.text] : undefined;
	return kind && { kind, title: title.text };
}

/** The titles that `tell` of test/harness/stories.ts gets. */
function storiesIn({ expression, arguments: [stories] }: ts.CallExpression): ts.PropertyName[] {
	const callee = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
	const isTold = ts.isIdentifier(callee) && callee.text === 'tell';
	if (!isTold || !stories || !ts.isObjectLiteralExpression(stories)) return [];
	return stories.properties.flatMap(({ name }) => name ?? []);
}

let last: ts.SourceFile | undefined;

/** One file is asked for its comments, names, titles and literals in turn. */
function parsed(code: string): ts.SourceFile {
	if (last?.text !== code)
		last = ts.createSourceFile('code.ts', code, ts.ScriptTarget.Latest, true);
	return last;
}

function walk(code: string, visit: (node: ts.Node) => void): void {
	const each = (node: ts.Node): void => {
		visit(node);
		ts.forEachChild(node, each);
	};
	each(parsed(code));
}

function only(code: string, ranges: Range[]): string {
	const blank = (from: number, to?: number) => code.slice(from, to).replace(/[^\n]/g, ' ');
	let text = '';
	for (const [from, to] of ranges) {
		if (from < text.length) continue;
		text += blank(text.length, from) + code.slice(from, to);
	}
	return text + blank(text.length);
}
