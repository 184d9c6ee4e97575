/**
 * n8n's engine as one file for each release, and the packages of the sandbox as another, made for the tests. Loading n8n-core
 * through Jest resolves, reads and wraps some 1,500 modules for every test file; from one file that is compiled once per worker
 * it takes a quarter of the time.
 *
 * A bundle is a folder under node_modules/.cache. `engine.js.txt` holds all modules; each package in `node_modules` next to it is
 * a line that asks the engine for one of them. What n8n imports of n8n-core and n8n-workflow still goes through Jest, so that
 * a test's mock of n8n-workflow is n8n's own, too.
 */
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, readdirSync } = require('node:fs');
const { mkdtempSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { dirname, join, resolve } = require('node:path');

const ROOT = resolve(__dirname, '../../..');
const CACHE = join(ROOT, 'node_modules/.cache/n8n-engine');
const DAY_MS = 86_400_000;

/** What is asked of a bundle by name, and where it comes from. */
const PACKAGES = {
	'2.x': {
		'n8n-core': 'n8n-core',
		'n8n-workflow': 'n8n-workflow',
		'@n8n/di': 'n8n-core',
		luxon: 'n8n-workflow',
	},
	'1.x': {
		'n8n-core': 'n8n-core-1x',
		'n8n-workflow': 'n8n-workflow-1x',
		'@n8n/di': 'n8n-core-1x',
		luxon: 'n8n-workflow-1x',
	},
	// Of the sandbox and its clients, and of random tests
	tools: Object.fromEntries(
		[
			'fastify',
			'libphonenumber-js/max',
			'fast-check',
			'@modelcontextprotocol/sdk/types.js',
			'@modelcontextprotocol/sdk/server/index.js',
			'@modelcontextprotocol/sdk/server/mcp.js',
			'@modelcontextprotocol/sdk/server/streamableHttp.js',
			'@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js',
			'@modelcontextprotocol/sdk/client/index.js',
			'@modelcontextprotocol/sdk/client/streamableHttp.js',
		].map((name) => [name, name]),
	),
};

/** Those that go through Jest wherever they are imported; the others are the bundle's own business. */
const THROUGH_JEST = /^n8n-(core|workflow)$/;

/** The same for as long as the installed packages and this file are: nothing stale is ever loaded. */
function key() {
	const hash = createHash('sha256');
	for (const file of [join(ROOT, 'package-lock.json'), __filename]) hash.update(readFileSync(file));
	return hash.digest('hex').slice(0, 16);
}

/** Where the bundle of a release is, or will be. */
function bundleFolder(release) {
	return join(CACHE, key(), release);
}

/** Makes the bundles that are missing, and removes those that are a day old. */
async function makeBundles() {
	const releases = Object.keys(PACKAGES).filter((release) => !existsSync(bundleFolder(release)));
	if (releases.length === 0) return;
	await Promise.all(releases.map(makeBundle));
	for (const name of readdirSync(CACHE))
		if (isForgotten(join(CACHE, name))) rmSync(join(CACHE, name), { recursive: true, force: true });
}

/** Another Jest may still be running on one that has only just been replaced. */
function isForgotten(folder) {
	return folder !== dirname(bundleFolder('2.x')) && Date.now() - statSync(folder).mtimeMs > DAY_MS;
}

async function makeBundle(release) {
	const folder = bundleFolder(release);
	mkdirSync(dirname(folder), { recursive: true });
	// Moved into place as a whole: another Jest may be making the same
	const draft = mkdtempSync(`${folder}-`);
	await bundle(PACKAGES[release], join(draft, 'engine.js.txt'));
	for (const name of Object.keys(PACKAGES[release])) {
		const home = join(draft, 'node_modules', name);
		mkdirSync(home, { recursive: true });
		const up = '../'.repeat(name.split('/').length + 1);
		writeFileSync(
			join(home, 'index.js'),
			`module.exports = require('${up}engine.js')['${name}']();\n`,
		);
	}
	// A module of Jest's, so that an isolated registry gets an engine of its own
	writeFileSync(
		join(draft, 'engine.js'),
		"globalThis[Symbol.for('n8n-engine')](__dirname)(module, exports, require, __filename, __dirname);\n",
	);
	try {
		renameSync(draft, folder);
	} catch (error) {
		rmSync(draft, { recursive: true, force: true });
		if (!existsSync(folder)) throw error;
	}
}

async function bundle(packages, outfile) {
	const entries = Object.entries(packages).map(([name, home]) => {
		const path = name.startsWith('n8n-') || name === home ? home : pathOf(name, home);
		return `exports[${JSON.stringify(name)}] = () => require(${JSON.stringify(path)});`;
	});
	await require('esbuild').build({
		stdin: { contents: entries.join('\n'), resolveDir: ROOT, sourcefile: ENTRY },
		outfile,
		bundle: true,
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		logLevel: 'silent',
		plugins: [throughJest, outside, rewrite],
	});
}

const ENTRY = 'the-engine.js';

/** The path of a package as another package sees it. */
function pathOf(name, home) {
	return require.resolve(name, { paths: [dirname(require.resolve(home, { paths: [ROOT] }))] });
}

const throughJest = {
	name: 'through Jest',
	setup(build) {
		build.onResolve({ filter: THROUGH_JEST }, ({ path, importer }) =>
			importer.endsWith(ENTRY) ? undefined : { path, external: true },
		);
	},
};

/** What cannot be bundled is required from where it is: native modules, and the package around one. */
const outside = {
	name: 'outside',
	setup(build) {
		build.onResolve({ filter: /\.node$/ }, ({ path, resolveDir }) => ({
			path: resolve(resolveDir, path),
			external: true,
		}));
		// Those that are required by a pattern are found without being asked for
		build.onLoad({ filter: /\.node$/ }, ({ path }) => ({
			contents: `module.exports = require(${JSON.stringify(path)});`,
		}));
		build.onResolve({ filter: /^isolated-vm$/ }, ({ path, resolveDir }) => {
			try {
				return { path: require.resolve(path, { paths: [resolveDir] }), external: true };
			} catch {
				return { path, external: true };
			}
		});
	},
};

/** Changes modules where a bundler would lose something: what they require, or where they are. */
const rewrite = {
	name: 'rewrite',
	setup(build) {
		build.onLoad({ filter: /\.c?js$/ }, ({ path }) => {
			const text = readFileSync(path, 'utf8');
			const contents = withOwnPaths(
				withNamedClasses(withLateRequire(withPlainRequire(text))),
				path,
			);
			return contents === text ? undefined : { contents, loader: 'js' };
		});
	},
};

const UMD_HEAD = /\(function \(factory\) \{[^]*?\}\)\(function \(require, exports\) \{/;

/** n8n-workflow 1.x hands `require` to a function, where no bundler follows it. */
function withPlainRequire(text) {
	if (!UMD_HEAD.test(text)) return text;
	return text.replace(UMD_HEAD, '(function () {').replace(/\}\);(\s*\/\/#.*)?\s*$/, '})();');
}

/** Large packages that few tests use are loaded when they are first used. */
function withLateRequire(text) {
	return text.replace(
		/^const (\w+) = (require\("(?:transliteration|xml2js|@n8n\/tournament|@langchain\/core\/\w+)"\));$/gm,
		'const $1 = new Proxy({}, { get: (_, name) => $2[name] });',
	);
}

/** A class at the top of a module that speaks of itself would be renamed: NodeApiError to _NodeApiError. */
function withNamedClasses(text) {
	const isCommonJs = !/^(import|export)\b/m.test(text);
	return isCommonJs && /^class /m.test(text) ? `(function () {${text}\n}).call(this);` : text;
}

/** Modules that look for files beside themselves still find them. */
function withOwnPaths(text, path) {
	if (!/\b__(dirname|filename)\b/.test(text)) return text;
	const isStrict = /^(\s|\/\/.*\n|\/\*[^]*?\*\/)*['"]use strict['"]/.test(text);
	const paths = `var __filename = ${JSON.stringify(path)}, __dirname = ${JSON.stringify(dirname(path))};`;
	return `${isStrict ? '"use strict";' : ''}${paths}${text}`;
}

/** What is asked of a bundle. */
const bundledNames = (release) => Object.keys(PACKAGES[release]);

module.exports = { bundledNames, bundleFolder, makeBundles };
