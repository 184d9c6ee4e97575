/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pages keep to the list of words in CONTRIBUTING.md. */

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

/** A sentence for each banned phrase of a page. A line break in the phrase does not hide it. */
function complaints(name: string, page: string, bans: Ban[]): string[] {
	const text = textOf(page);
	return bans.flatMap(({ phrase, better }) => {
		const pattern = new RegExp(`(?<![\\w-])${phrase.split(' ').join('\\s+')}(?![\\w-])`, 'gi');
		return [...text.matchAll(pattern)].map(({ index }) => {
			const line = text.slice(0, index).split('\n').length;
			return `${name}:${line} says "${phrase}". Write: ${better}`;
		});
	});
}

/** Written by others than the pages' authors, or full of measured figures. */
const LATER = ['RECIPES', 'OPERATIONS', 'FAULTS', 'PERFORMANCE', 'MEASUREMENTS', 'ARCHITECTURE'];
const PAGES = [
	...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
	...readdirSync(join(ROOT, 'docs'))
		.filter((name) => name.endsWith('.md') && !LATER.includes(name.replace('.md', '')))
		.map((name) => `docs/${name}`),
];
const BANS = bansIn(read('CONTRIBUTING.md'));

test('the list has phrases, each with a better word', () => {
	expect(BANS.length).toBeGreaterThan(20);
	for (const { phrase, better } of BANS) expect(better).not.toBe(phrase);
});

test('a banned phrase is found with its line and the better word, in text alone', () => {
	const page = 'One\n`hand in`, [hand in](hand-in.md)\nYou Hand\nin a list.\n\n```\nhand in\n```\n';
	expect(complaints('page.md', page, [{ phrase: 'hand in', better: 'submit' }])).toEqual([
		'page.md:2 says "hand in". Write: submit',
		'page.md:3 says "hand in". Write: submit',
	]);
});

test.each(PAGES)('%s keeps to the words of CONTRIBUTING.md', (name) => {
	expect(complaints(name, read(name), BANS)).toEqual([]);
});
