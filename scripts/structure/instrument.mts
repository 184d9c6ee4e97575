/** Compiles the nodes and the credential so that every function reports when it is entered. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { SHIPPED } from './rules.mts';
import { isFunctionWithBody, nameOf, readSources, type FunctionWithBody } from './sources.mts';

/** One entry into a function. */
export interface Entry {
	file: string;
	name: string;
	/** Where the function begins in its file: two functions of a file may have one name. */
	position: number;
}

/** What compiled code calls, if it is there: `globalThis.__entered?.(file, name, position)`. */
const REPORT = '__entered';

/** Receives every entry from now on. */
export function onEntry(report: ((entry: Entry) => void) | undefined): void {
	const call = (file: string, name: string, position: number) => report?.({ file, name, position });
	Object.assign(globalThis, { [REPORT]: report && call });
}

/** @param target an empty folder; what `root` has installed can be imported in it */
export function compileInstrumented(root: string, target: string): void {
	for (const { path, tree } of SHIPPED.flatMap((folder) => readSources(root, folder))) {
		const { outputText } = ts.transpileModule(tree.text, {
			fileName: path,
			compilerOptions: {
				module: ts.ModuleKind.CommonJS,
				target: ts.ScriptTarget.ES2022,
				esModuleInterop: true,
			},
			transformers: { before: [reporting(path)] },
		});
		const file = join(target, path.replace(/\.ts$/, '.js'));
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, outputText);
	}
	symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'), 'junction');
}

/** Puts a report at the beginning of every function's body. */
function reporting(file: string): ts.TransformerFactory<ts.SourceFile> {
	return (context) => {
		const visit = (node: ts.Node): ts.Node => {
			const visited = ts.visitEachChild(node, visit, context);
			const { parent } = node;
			const isBody = parent && isFunctionWithBody(parent) && parent.body === node;
			return isBody ? withReport(visited as ts.ConciseBody, file, parent) : visited;
		};
		return (source) => ts.visitEachChild(source, visit, context);
	};
}

function withReport(body: ts.ConciseBody, file: string, node: FunctionWithBody): ts.Block {
	const { factory } = ts;
	const reporter = factory.createPropertyAccessExpression(
		factory.createIdentifier('globalThis'),
		REPORT,
	);
	const values = [
		factory.createStringLiteral(file),
		factory.createStringLiteral(nameOf(node)),
		factory.createNumericLiteral(node.getStart()),
	];
	const call = factory.createCallChain(
		reporter,
		factory.createToken(ts.SyntaxKind.QuestionDotToken),
		undefined,
		values,
	);
	const statements = ts.isBlock(body) ? body.statements : [factory.createReturnStatement(body)];
	return factory.createBlock([factory.createExpressionStatement(call), ...statements], true);
}
