/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commentsOf, literalsOf, namesOf, titlesOf } from '../harness/codeText';
import { pagesIn } from '../harness/pages';

/** Everything that people read keeps to the lists of words in CONTRIBUTING.md. */

const ROOT = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** A phrase that is not to be written, and what to write. */
interface Ban {
	phrase: string;
	better: string;
}

/** The rows of a table whose columns are named by its first words and "Not". The phrases are its code spans. */
function bansIn(page: string, heading: string): Ban[] {
	const [, rows = ''] = page.split(new RegExp(`^\\| ${heading} +\\| Not +\\|$`, 'm'));
	const [table] = rows.trim().split('\n\n');
	return table.split('\n').flatMap((row) => {
		const [, better, phrases = ''] = row.split('|').map((cell) => cell.trim());
		const plain = better.replaceAll('`', '');
		return [...phrases.matchAll(/`([^`]+)`/g)].map(([, phrase]) => ({ phrase, better: plain }));
	});
}

/** Text alone: code, addresses and HTML comments become spaces, so that lines keep their numbers. */
function textOf(page: string): string {
	const isNotText = /^(```|~~~)[^]*?^\1.*$|`[^`]*`|\]\([^)\s]*\)|<!--[^]*?-->/gm;
	return page.replace(isNotText, (found) => found.replace(/[^\n]/g, ' '));
}

const patternOf = (phrases: string[]) =>
	new RegExp(`(?<![\\w-])(?:${phrases.join('|').replaceAll(' ', '\\s+')})(?![\\w-])`, 'gi');

/** A sentence for each banned phrase. A line break in the phrase does not hide it. */
function complaints(name: string, text: string, bans: Ban[]): string[] {
	if (!patternOf(bans.map(({ phrase }) => phrase)).test(text)) return [];
	return bans.flatMap(({ phrase, better }) => {
		return [...text.matchAll(patternOf([phrase]))].map(({ index }) => {
			const line = text.slice(0, index).split('\n').length;
			return `${name}:${line} says "${phrase}". Write: ${better}`;
		});
	});
}

/** A sentence for each name that begins with a banned one, or has it as its whole. */
function nameComplaints(file: string, names: string[]): string[] {
	return NAMES.flatMap(({ phrase, better }) =>
		names
			.filter((name) => name === phrase || (phrase.endsWith('_') && name.startsWith(phrase)))
			.map(
				(name) =>
					`${file} declares ${name}. Write: ${better.replace('…', name.slice(phrase.length))}`,
			),
	);
}

/** Files of the folders with one of the endings. */
const filesIn = (folders: string[], ending: RegExp) =>
	folders.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => ending.test(name) && !name.includes('node_modules'))
			.map((name) => join(folder, name)),
	);

/** Pages whose text is somebody else's. */
const FOREIGN = ['CODE_OF_CONDUCT.md', 'LICENSE.md'];
const PAGES = pagesIn(ROOT).filter((name) => !FOREIGN.includes(name));
const CODE = filesIn(['credentials', 'nodes'], /\.ts$/);
const TESTS = filesIn(['test'], /\.m?ts$/);
const ALL_CODE = [...CODE, ...TESTS, ...filesIn(['scripts'], /\.m?ts$/)];

/** What people read in each file of code. */
const TEXTS = ALL_CODE.map((name) => {
	const code = read(name);
	const [comments, names, literals] = [commentsOf(code), namesOf(code), literalsOf(code)];
	return { name, comments, names, literals, titles: titlesOf(code) };
});

const CONTRIBUTING = read('CONTRIBUTING.md');
const WORDS = bansIn(CONTRIBUTING, 'Write');
const IDIOMS = bansIn(CONTRIBUTING, 'Idiom');
const NAMES = bansIn(CONTRIBUTING, 'Name');
const HAND_IN: Ban = { phrase: 'hand in', better: 'submit' };

const BANS = [...WORDS, ...IDIOMS];

test('the lists have phrases, each with a better word', () => {
	expect(WORDS.length).toBeGreaterThan(20);
	expect(IDIOMS.length).toBeGreaterThan(10);
	expect(NAMES.length).toBeGreaterThan(5);
	for (const { phrase, better } of [...WORDS, ...IDIOMS, ...NAMES]) expect(better).not.toBe(phrase);
});

test('a banned phrase is found with its line and the better word, in text alone', () => {
	const page = 'One\n`hand in`, [hand in](hand-in.md)\nYou Hand\nin a list.\n\n```\nhand in\n```\n';
	expect(complaints('page.md', textOf(page), [HAND_IN])).toEqual([
		'page.md:2 says "hand in". Write: submit',
		'page.md:3 says "hand in". Write: submit',
	]);
});

describe('a banned phrase in code', () => {
	const code = [
		'// hand in',
		"say('hand in');",
		'say(`${hand} and',
		'hand in ${hand} in`);',
		"describe('hands', () => it('hand in', hand)); // to hand",
		'// in',
	].join('\n');
	const linesOf = (text: string) =>
		complaints('code.ts', text, [HAND_IN]).map((words) => words.replace(/^code.ts:(\d+).*/, '$1'));

	it('is found in texts', () => expect(linesOf(literalsOf(code))).toEqual(['2', '4', '5']));
	it('is found in comments', () => expect(linesOf(commentsOf(code))).toEqual(['1', '5']));
	it('is found in titles, those of stories among them', () => {
		expect(titlesOf(code)).toEqual([{ line: 5, groups: ['hands'], title: 'hand in' }]);
		const [told] = titlesOf("describe('hands', () => on.tell({ 'hand in': {} }))");
		expect(told).toEqual({ line: 1, groups: ['hands'], title: 'hand in' });
	});
	it('is found in names', () => {
		const names = namesOf('const MOST_ROWS = 1; interface Deed { deeds: string }');
		expect(nameComplaints('code.ts', names)).toEqual([
			'code.ts declares deeds. Write: sideEffects',
			'code.ts declares MOST_ROWS. Write: MAX_ROWS',
		]);
	});
});

test.each(PAGES)('%s keeps to the words of CONTRIBUTING.md', (name) => {
	expect(complaints(name, textOf(read(name)), BANS)).toEqual([]);
});

test('the texts of the nodes and the credential keep to them, too', () => {
	expect(CODE.length).toBeGreaterThan(100);
	const texts = TEXTS.filter(({ name }) => CODE.includes(name));
	const found = texts.flatMap(({ name, literals }) => complaints(name, literals, BANS));
	expect(found).toEqual([]);
});

test('the notes of the example workflows keep to them, too', () => {
	const notes = filesIn(['examples'], /\.json$/).map((name) => {
		const { nodes } = JSON.parse(read(name)) as {
			nodes: Array<{ parameters: { content?: string } }>;
		};
		return [name, nodes.map(({ parameters }) => parameters.content ?? '').join('\n')];
	});
	expect(notes.length).toBeGreaterThan(10);
	expect(notes.flatMap(([name, text]) => complaints(name, textOf(text), BANS))).toEqual([]);
});

test('comments keep to them, too', () => {
	const found = TEXTS.flatMap(({ name, comments }) => complaints(name, textOf(comments), BANS));
	expect(found).toEqual([]);
});

test('the titles of tests keep to them, too', () => {
	const titles = TEXTS.flatMap(({ name, titles: found }) =>
		found.map(({ line, groups, title }) => ({
			place: `${name}:${line}`,
			text: [...groups, title].join(' '),
		})),
	);
	expect(titles.length).toBeGreaterThan(1000);
	expect(titles.flatMap(({ place, text }) => complaints(place, text, BANS))).toEqual([]);
});

test('names keep to them, too', () => {
	expect(TEXTS.flatMap(({ name, names }) => nameComplaints(name, names))).toEqual([]);
});
