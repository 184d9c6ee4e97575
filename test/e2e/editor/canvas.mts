import type { Locator, Page } from 'playwright-core';

/** A node on the canvas. */
export function nodeOn(page: Page, name: string): Locator {
	return page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
}

/** Opens a node's details. */
export async function openNode(page: Page, name: string): Promise<void> {
	await nodeOn(page, name).dblclick();
	await page.getByTestId('node-parameters').waitFor();
}

export async function closeNode(page: Page): Promise<void> {
	const close = page.getByTestId('ndv-close-button');
	await close.or(page.getByTestId('back-to-canvas')).click();
	await page.getByTestId('node-parameters').waitFor({ state: 'hidden' });
}

/** A part of the page, in its pixels. */
export interface Clip {
	x: number;
	y: number;
	width: number;
	height: number;
}

const MARGIN = 24;

/** What n8n lays over the canvas: a picture shows the workflow only. */
const OVERLAYS = [
	...['[data-test-id="canvas-controls"]', '[data-test-id="canvas-minimap"]'],
	...['[data-test-id="canvas-handle-plus-wrapper"]', '[class*="executionButtons"]'],
	...['[class*="nodeButtonsWrapper"]', '[class*="canvasNodeToolbar"]'],
];

/** Shows the whole workflow, as large as it fits. @returns where its nodes and their names are, with a margin */
export async function fitToView(page: Page): Promise<Clip> {
	await page.getByTestId('zoom-to-fit').click();
	await page.addStyleTag({ content: `${OVERLAYS.join()} { visibility: hidden !important; }` });
	const nodes = page.locator('[data-test-id="canvas-node"], [data-test-id="canvas-node"] *');
	const boxes = async () =>
		await nodes.evaluateAll((elements) =>
			elements
				.filter((element) => {
					const isText = [...element.childNodes].some(
						({ nodeType, textContent }) => nodeType === 3 && textContent?.trim(),
					);
					const isDrawn = /^(?:img|svg)$/i.test(element.tagName) || isText;
					const isNode = element.getAttribute('data-test-id') === 'canvas-node';
					const sight = { opacityProperty: true, visibilityProperty: true };
					return isNode || (isDrawn && element.checkVisibility(sight));
				})
				.map((element) => element.getBoundingClientRect().toJSON() as Clip)
				.filter(({ width, height }) => width > 0 && height > 0),
		);
	let before = '';
	let now = await boxes();
	// The view glides there
	while (JSON.stringify(now) !== before) {
		before = JSON.stringify(now);
		await page.waitForTimeout(200);
		now = await boxes();
	}
	const left = Math.min(...now.map(({ x }) => x)) - MARGIN;
	const top = Math.min(...now.map(({ y }) => y)) - MARGIN;
	const right = Math.max(...now.map(({ x, width }) => x + width)) + MARGIN;
	const bottom = Math.max(...now.map(({ y, height }) => y + height)) + MARGIN;
	return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Writes what the page shows, or a part of it, for the documentation. */
export async function writePicture(page: Page, path: string, clip?: Clip): Promise<void> {
	await page.waitForLoadState('networkidle');
	await page.waitForFunction('[...document.images].every(({ complete }) => complete)');
	await page.screenshot({ path, clip });
}

const FINDS_NOTHING = 'qzqzqz';

/** Types into the search of the node panel. @returns the names that it offers */
export async function searchNodes(page: Page, text: string, expected: string): Promise<string[]> {
	const search = page.getByTestId('node-creator-search-bar');
	const names = page.getByTestId('node-creator-item-name');
	const wanted = names.filter({ hasText: expected }).first();
	// What an earlier search has found stays until n8n has searched again
	await search.fill(FINDS_NOTHING);
	await wanted.waitFor({ state: 'hidden' });
	await search.fill(text);
	await wanted.waitFor();
	return await names.allInnerTexts();
}

/** Picks a value of a drop-down parameter by its display name. */
export async function choose(page: Page, parameter: string, option: string): Promise<void> {
	await page.getByTestId(`parameter-input-${parameter}`).click();
	await optionOf(page, option).click();
	await page.getByTestId('parameter-input-item').filter({ visible: true }).first().waitFor({
		state: 'hidden',
	});
}

function optionOf(page: Page, name: string): Locator {
	return page
		.getByTestId('parameter-input-item')
		.filter({ visible: true })
		.filter({ has: page.locator('.option-headline').getByText(name, { exact: true }) });
}
