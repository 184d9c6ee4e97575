/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { pagesIn } from '../harness/pages';

/** The pages and the texts that users see keep to the list of words in CONTRIBUTING.md. */

const ROOT = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** A phrase that is not to be written, and what to write. */
interface Ban {
	phrase: string;
	better: string;
}

/** The rows of the table "Write | Not". The phrases are its code spans. */
function bansIn(page: string): Ban[] {
	const [, rows = ''] = page.split(/^\| Write +\| Not +\|$/m);
	const [table] = rows.trim().split('\n\n');
	return table.split('\n').flatMap((row) => {
		const [, better, phrases = ''] = row.split('|').map((cell) => cell.trim());
		return [...phrases.matchAll(/`([^`]+)`/g)].map(([, phrase]) => ({ phrase, better }));
	});
}

/** Text alone: code, addresses and HTML comments become spaces, so that lines keep their numbers. */
function textOf(page: string): string {
	const isNotText = /^(```|~~~)[^]*?^\1.*$|`[^`]*`|\]\([^)\s]*\)|<!--[^]*?-->/gm;
	return page.replace(isNotText, (found) => found.replace(/[^\n]/g, ' '));
}

/** The literals of code that have several words; everything else becomes spaces. */
function literalsOf(code: string): string {
	const literals: Array<[from: number, to: number]> = [];
	const visit = (node: ts.Node): void => {
		const isPart = ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
		if ((isPart || ts.isStringLiteralLike(node)) && node.text.includes(' '))
			literals.push([node.getStart(), node.getEnd()]);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('code.ts', code, ts.ScriptTarget.Latest, true));
	const blank = (from: number, to?: number) => code.slice(from, to).replace(/[^\n]/g, ' ');
	let text = '';
	for (const [from, to] of literals) text += blank(text.length, from) + code.slice(from, to);
	return text + blank(text.length);
}

/** A sentence for each banned phrase. A line break in the phrase does not hide it. */
function complaints(name: string, text: string, bans: Ban[]): string[] {
	return bans.flatMap(({ phrase, better }) => {
		const pattern = new RegExp(`(?<![\\w-])${phrase.split(' ').join('\\s+')}(?![\\w-])`, 'gi');
		return [...text.matchAll(pattern)].map(({ index }) => {
			const line = text.slice(0, index).split('\n').length;
			return `${name}:${line} says "${phrase}". Write: ${better}`;
		});
	});
}

/** Pages whose text is somebody else's. */
const FOREIGN = ['CODE_OF_CONDUCT.md', 'LICENSE.md'];
const PAGES = pagesIn(ROOT).filter((name) => !FOREIGN.includes(name));
const BANS = bansIn(read('CONTRIBUTING.md'));
const HAND_IN: Ban = { phrase: 'hand in', better: 'submit' };

test('the list has phrases, each with a better word', () => {
	expect(BANS.length).toBeGreaterThan(20);
	for (const { phrase, better } of BANS) expect(better).not.toBe(phrase);
});

test('a banned phrase is found with its line and the better word, in text alone', () => {
	const page = 'One\n`hand in`, [hand in](hand-in.md)\nYou Hand\nin a list.\n\n```\nhand in\n```\n';
	expect(complaints('page.md', textOf(page), [HAND_IN])).toEqual([
		'page.md:2 says "hand in". Write: submit',
		'page.md:3 says "hand in". Write: submit',
	]);
});

test('a banned phrase is found in the texts of code alone', () => {
	const code = "// hand in\nsay('hand in');\nsay(`${hand} and\nhand in ${hand} in`);\n";
	expect(complaints('code.ts', literalsOf(code), [HAND_IN])).toEqual([
		'code.ts:2 says "hand in". Write: submit',
		'code.ts:4 says "hand in". Write: submit',
	]);
});

test.each(PAGES)('%s keeps to the words of CONTRIBUTING.md', (name) => {
	expect(complaints(name, textOf(read(name)), BANS)).toEqual([]);
});

test('the texts of the nodes and the credential keep to them, too', () => {
	const files = ['credentials', 'nodes'].flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.map((name) => join(folder, name)),
	);
	expect(files.length).toBeGreaterThan(100);
	expect(files.flatMap((name) => complaints(name, literalsOf(read(name)), BANS))).toEqual([]);
});
