/**
 * Checks what a release would publish: `npm run check:pack`.
 *
 * Nothing but the built nodes, their icons, codex files and output previews may be in the tarball, and its code
 * may require nothing but n8n-workflow: n8n installs community nodes without their development packages, so an
 * import of one of those passes every other check and breaks for users.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { ROOT, fail, isMain, npm } from './prepare.mjs';

const PUBLISHED = [
	/^(package\.json|index\.js|README\.md|CHANGELOG\.md|LICENSE\.md)$/,
	/^dist\/(nodes|credentials)\/.+\.js$/,
	/^dist\/nodes\/.+\.node\.json$/,
	/^dist\/nodes\/.+\/__schema__\/.+\.json$/,
	/^dist\/icons\/lookupMessaging(\.dark)?\.svg$/,
];
const TESTS = /\.(test|spec)\.|\/(__tests__|test)\//;
const ALWAYS_PUBLISHED = [
	'package.json',
	'index.js',
	'README.md',
	'CHANGELOG.md',
	'LICENSE.md',
	'dist/icons/lookupMessaging.svg',
	'dist/icons/lookupMessaging.dark.svg',
];
// npm runs these on the machine of every user who installs the package, or on a clone of it.
const INSTALL_SCRIPTS = ['install', 'prepare'].flatMap((name) => [
	`pre${name}`,
	name,
	`post${name}`,
]);

/**
 * Packs the project.
 *
 * @param {string[]} options for npm: `--dry-run`, or where to put the tarball
 * @returns npm's report: `filename`, `files`, `size` and `unpackedSize` in bytes
 */
export function pack(...options) {
	const { status, stdout, stderr } = npm(['pack', '--json', '--loglevel=error', ...options]);
	if (status !== 0) throw new Error(`npm pack failed.\n${stdout}${stderr}`);
	return Object.values(JSON.parse(stdout))[0]; // a list or, in newer versions of npm, an object by package name
}

function checkPack() {
	const report = pack('--dry-run');
	const files = report.files.map(({ path }) => path).sort();
	const manifest = readJson('package.json');
	const problems = [
		...checkFiles(files, manifest),
		...files.filter((file) => /\.(js|d\.ts)$/.test(file)).flatMap((file) => checkCode(file, files)),
		...checkManifest(manifest),
		...checkLockfile(readJson('package-lock.json')),
	];
	if (problems.length > 0) {
		fail(
			`The package is not fit to publish:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
		);
	}
	console.log(
		`${report.filename}: ${kilobytes(report.size)} packed, ${kilobytes(report.unpackedSize)} unpacked, ${files.length} files`,
	);
}

function checkFiles(files, { n8n }) {
	const codex = n8n.nodes.map((node) => node.replace(/\.js$/, '.json'));
	const required = [...ALWAYS_PUBLISHED, ...n8n.nodes, ...n8n.credentials, ...codex];
	return [
		...files
			.filter((file) => TESTS.test(file) || !PUBLISHED.some((pattern) => pattern.test(file)))
			.map((file) => `${file} does not belong in the tarball`),
		...required
			.filter((file) => !files.includes(file))
			.map((file) => `${file} is missing from the tarball`),
	];
}

/** Reads a file's syntax, not its text: a comment or a message may well mention require(). */
function checkCode(file, files) {
	const source = ts.createSourceFile(
		file,
		readFileSync(join(ROOT, file), 'utf8'),
		ts.ScriptTarget.Latest,
		true,
	);
	const problems = [];
	const report = (node, problem) => {
		const { line } = source.getLineAndCharacterOfPosition(node.getStart());
		problems.push(`${file}:${line + 1} ${problem}`);
	};
	const visit = (node) => {
		const module = importedModule(node);
		if (module && !ts.isStringLiteralLike(module)) {
			report(node, 'loads a module whose name is only known at run time');
		} else if (module && !isAllowedModule(file, module.text, files)) {
			report(node, `loads "${module.text}", which users do not have`);
		} else if (!module && ts.isIdentifier(node) && node.text === 'require' && !isCallee(node)) {
			report(node, 'uses require other than by calling it'); // such as module.require or createRequire's result
		} else if (ts.isStringLiteralLike(node) && node.text.startsWith('file:')) {
			const icon = posix.join(posix.dirname(file), node.text.slice('file:'.length));
			if (!files.includes(icon)) report(node, `refers to ${icon}, which is not in the tarball`);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return problems;
}

/** The expression that names the module which a piece of syntax loads, if it loads one. */
function importedModule(node) {
	if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
	if (ts.isExternalModuleReference(node)) return node.expression;
	if (ts.isImportTypeNode(node)) return node.argument.literal;
	const loads =
		ts.isCallExpression(node) &&
		(node.expression.kind === ts.SyntaxKind.ImportKeyword ||
			(ts.isIdentifier(node.expression) && node.expression.text === 'require'));
	return loads ? (node.arguments[0] ?? node) : undefined;
}

function isCallee(node) {
	return ts.isCallExpression(node.parent) && node.parent.expression === node;
}

function isAllowedModule(file, name, files) {
	if (name === 'n8n-workflow') return true;
	if (!/^\.{1,2}\//.test(name)) return false;
	const target = posix.join(posix.dirname(file), name);
	const endings = file.endsWith('.d.ts')
		? ['.d.ts', '/index.d.ts']
		: ['', '.js', '.json', '/index.js'];
	return endings.some((ending) => files.includes(target + ending));
}

/** What n8n's own check of submitted packages insists on. */
function checkManifest(manifest) {
	const problems = [
		'dependencies',
		'optionalDependencies',
		'bundleDependencies',
		'bundledDependencies',
	]
		.filter((field) => Object.keys(manifest[field] ?? {}).length > 0)
		.map((field) => `package.json has ${field}; a verified node may have none`);
	if (manifest.overrides) problems.push('package.json has overrides');
	if (JSON.stringify(manifest.peerDependencies) !== '{"n8n-workflow":"*"}') {
		problems.push('package.json must have exactly one peer dependency, "n8n-workflow": "*"');
	}
	for (const script of INSTALL_SCRIPTS) {
		if (manifest.scripts?.[script])
			problems.push(`package.json has the install script "${script}"`);
	}
	return problems;
}

/** Without addresses in it, the lock installs from whatever registry its user has set up. */
function checkLockfile({ packages }) {
	const withAddress = Object.keys(packages).filter((path) => packages[path].resolved);
	if (withAddress.length === 0) return [];
	return [
		`package-lock.json has a "resolved" address for ${withAddress.length} packages, such as ${withAddress[0]}`,
	];
}

function readJson(path) {
	return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

function kilobytes(bytes) {
	return `${(bytes / 1000).toFixed(1)} kB`;
}

if (isMain(import.meta.url)) {
	if (!existsSync(join(ROOT, 'dist')))
		fail('There is no dist folder yet: run `npm run build` first.');
	checkPack();
}
