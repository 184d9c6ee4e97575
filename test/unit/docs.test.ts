/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { pagesIn } from '../harness/pages';

const ROOT = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const namesIn = (folder: string) =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
		join(folder, name),
	);
const PAGES = pagesIn(ROOT);

describe('a message that docs/TROUBLESHOOTING.md quotes', () => {
	/** All that the package says, with whatever a template puts in as one mark. */
	const sources = ['credentials', 'nodes']
		.flatMap(namesIn)
		.filter((name) => name.endsWith('.ts'))
		.map(read)
		.join('\n')
		.toLowerCase();
	const rows = read('docs/TROUBLESHOOTING.md').match(/^\| .*`.*$/gm) ?? [];
	/** The quotations of a row's first cell, cut where they leave something out. */
	const quoted = rows.map((row) => {
		const spans = row.split(' | ')[0].match(/`[^`]+`/g) ?? [];
		return spans.flatMap((span) => span.slice(1, -1).split('…'));
	});
	/** Of n8n and the network, not of this package. */
	const isForeign = (part: string) => /^[A-Z_]{5,}$/.test(part);
	const parts = quoted.flat().map((part) => part.trim());

	it.each(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ETIMEDOUT', 'ECONNRESET'])(
		'may be %s, which n8n shows instead of a message of the credential test',
		(code) => {
			expect(parts).toContain(code);
		},
	);

	it('is one of many', () => {
		expect(rows.length).toBeGreaterThan(15);
	});

	it.each(parts.filter((part) => part !== '' && !isForeign(part)))(
		'is in the code: "%s"',
		(part) => {
			expect(sources).toContain(part.toLowerCase());
		},
	);
});

describe.each(PAGES)('the links of %s', (page) => {
	const links = [...read(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link]) => link);

	it('lead to existing files and headings', () => {
		const lost = links.filter((link) => {
			const [path, anchor] = link.split('#');
			const target = path === '' ? page : normalize(join(dirname(page), path));
			if (!existsSync(join(ROOT, target))) return true;
			return anchor !== undefined && !anchorsOf(read(target)).has(anchor);
		});
		expect(lost).toEqual([]);
	});
});

test.each(['README.md', 'examples/scale/README.md'])('%s has at most 120 lines', (page) => {
	expect(read(page).trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

/** What docs/ holds for readers. */
const BOOK = [
	...['GUIDE', 'OPERATIONS', 'COSTS', 'RECIPES', 'JOBS', 'STORED_RESULTS', 'TROUBLESHOOTING'],
	...['PRIVACY', 'AI_AGENTS', 'ARCHITECTURE', 'ASSUMPTIONS', 'PERFORMANCE'],
].map((name) => `docs/${name}.md`);

test('links lead from README.md to each of the twelve pages', () => {
	const found = new Set(['README.md']);
	for (const page of found) {
		for (const [, link] of read(page).matchAll(/\]\((?!https?:)([^)\s#]+\.md)/g)) {
			const target = normalize(join(dirname(page), link));
			if (existsSync(join(ROOT, target))) found.add(target);
		}
	}
	expect(BOOK.filter((page) => !found.has(page))).toEqual([]);
});

test('docs/ has these pages and no other, with at most 2,300 lines', () => {
	const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
	expect(pages.map((name) => `docs/${name}`).sort()).toEqual([...BOOK].sort());
	const lines = BOOK.map((page) => read(page).trimEnd().split('\n').length);
	expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2_300);
});

test('the help links of the nodes and the credential lead to existing pages and headings', () => {
	const { homepage } = JSON.parse(read('package.json')) as { homepage: string };
	const files = ['credentials', 'nodes']
		.flatMap(namesIn)
		.filter((name) => /\.(ts|json)$/.test(name));
	const links = files.flatMap(
		(name) => read(name).match(new RegExp(`${homepage}[^'"]*`, 'g')) ?? [],
	);
	const lost = links.filter((link) => {
		const [path, anchor] = link.slice(homepage.length).replace('/blob/main/', '').split('#');
		const page = path === '' ? 'README.md' : path;
		if (!existsSync(join(ROOT, page))) return true;
		return anchor !== undefined && anchor !== 'readme' && !anchorsOf(read(page)).has(anchor);
	});
	expect(links.length).toBeGreaterThan(3);
	expect(lost).toEqual([]);
});

/** The anchors that GitHub gives a page's headings; a repeated one gets a number. */
function anchorsOf(page: string): Set<string> {
	const anchors = new Set<string>();
	for (const [, heading] of page.matchAll(/^#+ (.*)$/gm)) {
		const plain = heading.toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, '');
		const anchor = plain.replaceAll(' ', '-');
		let name = anchor;
		for (let again = 1; anchors.has(name); again += 1) name = `${anchor}-${again}`;
		anchors.add(name);
	}
	return anchors;
}
