/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { pagesIn } from '../harness/pages';
import { hashesDrawn, hashesToday, REDRAW } from '../harness/pictures';
import { recipesIn } from '../harness/recipesPage';
import { withPalette } from '../e2e/editor/palettePng.mts';

const ROOT = join(__dirname, '../..');
const FOLDER = join(ROOT, 'docs/images');
const IMAGES = readdirSync(FOLDER).filter((name) => !name.endsWith('.json'));
const MAX_BYTES = 300_000;

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
	it.each(screenshots)(
		'%s is drawn by the editor, at twice the size, and is small enough',
		(image) => {
			const name = image.replace('.png', '');
			const drawn = recipes.includes(name) || name === 'recipe-enrich-table';
			expect(drawn || suites.includes(`picture(page, '${name}'`)).toBe(true);
			expect(statSync(join(FOLDER, image)).size).toBeLessThan(MAX_BYTES);
			const [depth, kind] = readFileSync(join(FOLDER, image)).subarray(24);
			expect([depth, kind]).toEqual([8, 3]);
		},
	);
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

describe('a picture with a palette', () => {
	const chunk = (type: string, data: Buffer) => {
		const length = Buffer.alloc(4);
		length.writeUInt32BE(data.length);
		return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
	};
	const pngOf = (width: number, rows: number[][]) => {
		const header = Buffer.alloc(13);
		header.writeUInt32BE(width, 0);
		header.writeUInt32BE(rows.length, 4);
		header.set([8, 2], 8);
		return Buffer.concat([
			Buffer.alloc(8),
			chunk('IHDR', header),
			chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
			chunk('IEND', Buffer.alloc(0)),
		]);
	};
	const paletteOf = (png: Buffer) => {
		const at = png.indexOf('PLTE');
		return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
	};

	it('has the colours of the original if these are few, with any filter of its rows', () => {
		const plain = [0, 10, 20, 30, 40, 50, 60];
		const filters = [
			[1, 10, 20, 30, 30, 30, 30],
			[2, 0, 0, 0, 0, 0, 0],
			[3, 5, 10, 15, 15, 15, 15],
			[4, 0, 0, 0, 0, 0, 0],
		];
		const palette = paletteOf(withPalette(pngOf(2, [plain, ...filters])));
		expect([...palette]).toEqual([10, 20, 30, 40, 50, 60]);
	});

	it('has at most 256 colours', () => {
		const rows = Array.from({ length: 20 }, (_, y) => [
			0,
			...Array.from({ length: 20 }, (__, x) => [x * 12, y * 12, 100]).flat(),
		]);
		const palette = paletteOf(withPalette(pngOf(20, rows)));
		expect(palette.length).toBeLessThanOrEqual(3 * 256);
		expect([...palette.subarray(0, 3)]).toEqual([0, 0, 100]);
	});
});
