/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pagesIn } from '../harness/pages';
import { hashesDrawn, hashesToday, REDRAW } from '../harness/pictures';
import { recipesIn } from '../harness/recipesPage';

const ROOT = join(__dirname, '../..');
const FOLDER = join(ROOT, 'docs/images');
const IMAGES = readdirSync(FOLDER).filter((name) => !name.endsWith('.json'));
const MAX_BYTES = 500_000;

const filesIn = (folder: string, ending: string) =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith(ending))
		.map((name) => readFileSync(join(ROOT, folder, name), 'utf8'));

describe('the pictures of the documentation', () => {
	const pages = pagesIn(ROOT)
		.map((page) => readFileSync(join(ROOT, page), 'utf8'))
		.join('\n');
	const suites = filesIn('test/e2e/suites', '.mts').join('\n');
	const recipes = recipesIn(readFileSync(join(ROOT, 'docs/RECIPES.md'), 'utf8')).flatMap(
		({ workflows }) => workflows.map((file) => `recipe-${file.replace('.json', '')}`),
	);

	it.each(IMAGES)('%s is on a page', (image) => {
		expect(pages).toContain(`images/${image})`);
	});

	const screenshots = IMAGES.filter((image) => image.endsWith('.png'));
	it.each(screenshots)('%s is drawn by the editor, and is small enough', (image) => {
		const name = image.replace('.png', '');
		const drawn = recipes.includes(name) || name === 'recipe-enrich-table';
		expect(drawn || suites.includes(`picture(page, '${name}'`)).toBe(true);
		expect(statSync(join(FOLDER, image)).size).toBeLessThan(MAX_BYTES);
	});
});

describe('the record of what the pictures show', () => {
	const today = hashesToday(ROOT);
	const drawn = hashesDrawn(ROOT);

	it('names every screenshot', () => {
		const screenshots = IMAGES.filter((image) => image.endsWith('.png'));
		expect(Object.keys(today).sort()).toEqual(screenshots.map((name) => name.slice(0, -4)).sort());
	});

	it('is up to date: a form or text that changes makes a picture stale', () => {
		const stale = Object.keys(today).filter((name) => today[name] !== drawn[name]);
		const complaints = stale.map((name) => `${name}.png is stale. Draw it again: ${REDRAW}`);
		expect(complaints).toEqual([]);
	});
});
