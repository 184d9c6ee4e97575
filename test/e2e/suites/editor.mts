import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { Page } from 'playwright-core';
import { Editor } from '../editor/browser.mts';
import {
	choose,
	closeNode,
	fitToView,
	nodeOn,
	openNode,
	searchNodes,
	writePicture,
	type Clip,
} from '../editor/canvas.mts';
import { FORM_PICTURES, recordDrawn } from '../../harness/pictures.ts';
import { enrichFirstLead } from '../editor/firstLead.mts';
import { SEARCHES } from '../editor/searches.mts';
import { ROOT } from '../machine/cache.mts';
import { NODE_TYPE } from '../server/package.mts';
import { scaleExample } from '../server/scaleTable.mts';
import {
	chain,
	exampleText,
	recipeFiles,
	type StoredWorkflow,
	type WorkflowJson,
} from '../server/workflows.mts';
import { withFixture, type Fixture, type TestEnvironment } from '../testEnvironment.mts';
import { checkKeyIsNowhere } from './keyLeak.mts';

const DISPLAY_NAME = 'Lookup & Messaging';
const OUR_NODE = 'Look Up';
const { run: RUN, routes: ROUTES, contact: CONTACT, enriched: ENRICHED } = FORM_PICTURES;
const { 'empty-field': EMPTY_FIELD } = FORM_PICTURES;
const VALIDATE = RUN.parameters;

/** The editor in a browser, as a person sees it. */
export async function editorSuite(environment: TestEnvironment): Promise<void> {
	await withFixture(environment, 'editor', async (fixture) => {
		let editor: Editor | undefined;
		const isOpen = await fixture.section.check('the editor opens in a browser', async () => {
			const folder = join(environment.folder, 'browser');
			editor = await Editor.open(fixture.n8n, folder, environment.pictures ? 2 : 1);
		});
		if (!isOpen || !editor) return;
		try {
			await new EditorChecks(fixture, editor, environment).all();
		} finally {
			await editor.close();
		}
		await checkKeyIsNowhere(fixture, RUN.items[0].phone);
	});
}

class EditorChecks {
	constructor(
		private readonly fixture: Fixture,
		private readonly editor: Editor,
		private readonly environment: TestEnvironment,
	) {}

	async all(): Promise<void> {
		await this.check('an action from the node panel opens ready to use', () => this.addsAction());
		await this.check('a run shows its receipt', () => this.receipt());
		await this.check('the credential dialog tests the key', () => this.credentialDialog());
		await this.check('the tool picker lists the tools, and a tool its arguments', () =>
			this.toolPicker(),
		);
		await this.check('Route by Result names the outputs', () => this.routes());
		await this.check('Stored Results names an input and an output, and shows its options', () =>
			this.storedResults(),
		);
		await this.check('icons are drawn in light and dark', () => this.icons());
		if (!this.environment.isBrief) await this.everyForm();
		if (this.environment.pictures && !this.is1x) {
			await this.check('contacts are enriched for a picture', () => this.enriched());
			await this.check('the recipes have their pictures', () => this.recipes());
		}
		await this.fixture.section.check('the browser console has no errors', async () => {
			assert.deepEqual(this.editor.complaints, []);
			const page = await this.editor.visit('/');
			await page.evaluate(() => console.error('heard'));
			assert.equal(this.editor.complaints.length, 1, 'complaints are not heard at all');
		});
	}

	/** What both releases show alike, since they have the same description of the node. */
	private async everyForm(): Promise<void> {
		await this.check('the node is found by what people search for', () => this.searches());
		await this.check('a trigger from the node panel opens ready to use', () => this.addsTrigger());
		await this.check('parameters show and hide', () => this.showsAndHides());
		await this.check(
			'contacts from a spreadsheet are read, and a misspelt expression is warned of',
			() => this.warns(),
		);
		await this.check('the next node sees the output before there is any', () => this.preview());
		await this.check("README's first lead and each lookup need API Key and Base URL alone", () =>
			enrichFirstLead(this.fixture, this.editor),
		);
	}

	/** A check with what the page showed when it failed. */
	private async check(title: string, run: () => Promise<string | void>): Promise<void> {
		await this.fixture.section.check(title, async () => {
			try {
				return await run();
			} catch (error) {
				const pages = await this.editor.screenshots(this.environment.folder);
				if (pages.length > 0) console.error(`What the browser showed: ${pages.join(', ')}`);
				throw error;
			} finally {
				await this.editor.closePages();
			}
		});
	}

	private async searches(): Promise<void> {
		const page = await this.editor.visit('/workflow/new');
		await openNodePanel(page);
		for (const text of SEARCHES) {
			const names = await searchNodes(page, text, DISPLAY_NAME);
			assert.ok(names.includes(DISPLAY_NAME), `"${text}" finds ${names.join(', ')}`);
		}
	}

	private async addsAction(): Promise<void> {
		const page = await this.openDetails();
		const action = page.getByText('Verify email address').first();
		// Folded away where the package has a trigger, too
		if (!(await action.isVisible())) await page.getByText(/^Actions \(\d+\)/).click();
		await action.click();
		await page.getByTestId('node-parameters').waitFor();
		assert.equal(await inputValue(page, 'resource'), 'Email');
		assert.equal(await inputValue(page, 'operation'), 'Verify');
	}

	private async addsTrigger(): Promise<void> {
		const page = await this.openDetails();
		await page.getByText('On batch finished').click();
		await page.getByTestId('node-parameters').waitFor();
		assert.equal(await inputValue(page, 'resource'), 'Batch Finished');
		assert.equal(await inputValue(page, 'jobsToWatch'), 'All');
		await page.getByText("You don't need its ID").waitFor();
		await expectShown(page, 'jobIds', false);
		await this.picture(page, 'trigger');
		await choose(page, 'jobsToWatch', 'By ID');
		await expectShown(page, 'jobIds', true);
	}

	/** What the node panel shows of our node, with its triggers and actions. */
	private async openDetails(): Promise<Page> {
		const page = await this.editor.visit('/workflow/new');
		await openNodePanel(page);
		await searchNodes(page, 'verify email', DISPLAY_NAME);
		await page.getByTestId('node-creator-item-name').getByText(DISPLAY_NAME).click();
		await page.getByText(/^Actions \(\d+\)/).waitFor();
		return page;
	}

	private async showsAndHides(): Promise<void> {
		const phone = await this.open(
			await this.workflow({ resource: 'phone', operation: 'validate' }),
		);
		await expectShown(phone, 'country', true);
		await choose(phone, 'responseDetail', 'Basic');
		await expectShown(phone, 'country', true);
		await expectShown(phone, 'selectedFields', false);
		await choose(phone, 'output', 'Selected Fields');
		await expectShown(phone, 'selectedFields', true);
		const send = await this.open(
			await this.workflow({ resource: 'whatsApp', operation: 'sendMessage' }),
		);
		await expectShown(send, 'binaryPropertyName', false);
		await choose(send, 'media', 'Binary Field');
		await expectShown(send, 'binaryPropertyName', true);
	}

	private async receipt(): Promise<string> {
		const page = await this.open(await this.workflow(VALIDATE));
		await page.getByTestId('node-execute-button').click();
		const hint = page.getByTestId('output-panel').getByText('4 items: ');
		await hint.waitFor();
		const text = (await hint.innerText()).trim();
		assert.match(text, /2 phone .*\s*4 items: 2 done, 1 duplicate, 1 skipped\./);
		if (this.environment.pictures) await this.toastIsGone(page);
		await this.picture(page, 'run');
		await closeNode(page);
		return text;
	}

	private async preview(): Promise<void> {
		const page = await this.open(await this.workflow(VALIDATE), 'Next');
		const input = page.getByTestId('ndv-input-panel');
		for (const field of ['outcome', 'lineType', 'carrier'])
			await input.getByText(field, { exact: true }).waitFor();
		const contact = await this.open(
			await this.workflow(ENRICHED.parameters, ENRICHED.items),
			'Next',
		);
		// Only what is in sight is drawn
		for (const field of ['phone', 'lineType', 'timezone'])
			await contact
				.getByTestId('ndv-input-panel')
				.getByText(field, { exact: true })
				.first()
				.waitFor();
	}

	private async credentialDialog(): Promise<string> {
		const { sandbox } = this.fixture;
		const page = await this.open(await this.workflow(VALIDATE));
		await page.getByTestId('credential-edit-button').click();
		const passed = page.getByTestId('credentials-config-container-test-success');
		await passed.waitFor();
		const key = page.getByTestId('parameter-input-apiKey').locator('input');
		const save = page.getByTestId('credential-save-button');
		await key.fill('sandbox-key-wrong');
		await save.click();
		await page.getByText('More details').click();
		const refused = page.getByText(
			this.is1x ? 'Authorization failed' : 'it refused the API key. Check the API Key',
		);
		await refused.waitFor();
		await key.fill(sandbox.keys.main);
		await save.click();
		await passed.waitFor();
		return (await passed.innerText()).split('\n')[0];
	}

	private async toolPicker(): Promise<void> {
		const workflow = await this.workflow({ resource: 'toolServer', operation: 'callTool' });
		const page = await this.open(workflow);
		await page.getByTestId('rlc-input').click();
		const tools = page.getByTestId('rlc-item');
		await tools.filter({ hasText: 'check_whatsapp_number' }).waitFor();
		await page.getByTestId('rlc-search').fill('validate');
		await tools.filter({ hasText: 'validate_phone' }).first().click();
		await page.getByTestId('node-parameters').getByText('phone_number').waitFor();
		const add = 'Add argument to send';
		await page.getByText(add).or(page.getByPlaceholder(add)).click();
		for (const optional of ['country_code', 'detail'])
			await page.getByText(optional).filter({ visible: true }).first().waitFor();
	}

	private async routes(): Promise<string> {
		const workflow = await this.workflow(ROUTES.parameters);
		const page = await this.visit(workflow);
		const node = nodeOn(page, OUR_NODE);
		const labels = node.getByTestId('canvas-node-output-handle');
		await labels.nth(2).waitFor();
		const texts = (await labels.allInnerTexts()).map((text) => text.trim());
		assert.deepEqual(texts, ['Valid', 'Invalid', 'Unknown']);
		await node.locator('img').waitFor();
		await this.picture(page, 'routes');
		return texts.join(', ');
	}

	private async storedResults(): Promise<string> {
		const page = await this.visit(await this.workflow(CONTACT.parameters, CONTACT.items));
		const node = nodeOn(page, OUR_NODE);
		const inputs = node.getByTestId('canvas-node-input-handle');
		const outputs = node.getByTestId('canvas-node-output-handle');
		await Promise.all([inputs.nth(1).waitFor(), outputs.nth(4).waitFor()]);
		const texts = [...(await inputs.allInnerTexts()), ...(await outputs.allInnerTexts())];
		const names = texts.map((text) => text.trim()).filter(Boolean);
		assert.deepEqual(names, [
			...['Stored Results', 'Contactable', 'Not Contactable', 'Unknown'],
			...['New Results', 'Cost Log'],
		]);
		await openNode(page, OUR_NODE);
		await page.getByTestId('parameter-input-storedResults').scrollIntoViewIfNeeded();
		await expectShown(page, 'storedResults', true);
		await this.picture(page, 'contact');
		await page.getByTestId('parameter-input-maxAgeDays').waitFor();
		return names.join(', ');
	}

	private async icons(): Promise<void> {
		const workflow = await this.workflow(VALIDATE);
		const sources: string[] = [];
		for (const colorScheme of ['light', 'dark'] as const) {
			const page = await this.visit(workflow, colorScheme);
			const icon = nodeOn(page, OUR_NODE).locator('img');
			await icon.waitFor();
			const isDrawn = await icon.evaluate(async (element) => {
				const image = element as unknown as { decode(): Promise<void>; naturalWidth: number };
				await image.decode();
				return image.naturalWidth > 0;
			});
			assert.ok(isDrawn, `no icon in ${colorScheme}`);
			sources.push((await icon.getAttribute('src')) ?? '');
		}
		const [light, dark] = sources.map((source) => source.split('/').pop());
		assert.deepEqual([light, dark], ['lookupMessaging.svg', 'lookupMessaging.dark.svg']);
	}

	/** What the README shows first: contacts, enriched, with the receipt above them. */
	private async enriched(): Promise<void> {
		const page = await this.open(await this.workflow(ENRICHED.parameters, ENRICHED.items));
		await page.getByTestId('node-execute-button').click();
		await page.getByTestId('output-panel').getByText('for 3 contacts').waitFor();
		await this.toastIsGone(page);
		await page.getByTestId('output-panel').getByText('Schema', { exact: true }).click();
		await this.picture(page, 'enriched');
	}

	/** Numbers as in spreadsheets, a country by name, an empty phone, and an email field that no item has. */
	private async warns(): Promise<void> {
		const before = this.fixture.sandbox.log.length;
		const page = await this.open(await this.workflow(EMPTY_FIELD.parameters, EMPTY_FIELD.items));
		await page.getByTestId('node-execute-button').click();
		const panel = page.getByTestId('output-panel');
		await panel
			.getByText('Email is empty in all 6 items. Check the field name in its expression.')
			.waitFor();
		if (this.environment.pictures) await this.toastIsGone(page);
		await panel.getByText('JSON', { exact: true }).click();
		await this.picture(page, 'empty-field');
		const numbers = this.fixture.sandbox.log.slice(before).map(({ body }) => numberIn(body));
		assert.deepEqual(numbers.filter((number) => number !== undefined).sort(), [
			'+12025550102',
			'+442079460121',
			'+447911123456',
			'+491713920012',
		]);
	}

	/** The canvas of each recipe, without its note. */
	private async recipes(): Promise<string> {
		const recipes: Array<[picture: string, WorkflowJson]> = recipeFiles().map((file) => [
			`recipe-${file.replace('.json', '')}`,
			JSON.parse(exampleText(file)) as WorkflowJson,
		]);
		recipes.push(['recipe-enrich-table', scaleExample()]);
		for (const [picture, example] of recipes) {
			example.nodes = example.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
			const { id } = await this.fixture.workflows.add(example, this.fixture.credential);
			const page = await this.editor.visit(`/workflow/${id}`);
			for (const { name } of example.nodes) await nodeOn(page, name).waitFor();
			const clip = await fitToView(page);
			await this.picture(page, picture, clip);
			await page.close();
		}
		return `${recipes.length} pictures`;
	}

	private get is1x(): boolean {
		return this.environment.release === '1.x';
	}

	/** A list, our node with these parameters, and one after it. */
	private async workflow(
		parameters: INode['parameters'],
		items: object[] = RUN.items,
	): Promise<StoredWorkflow> {
		const { workflows, credential } = this.fixture;
		const json = JSON.stringify(items);
		const nodes: INode[] = [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('Leads', 'n8n-nodes-base.code', 2, {
				jsCode: `return ${json}.map((lead) => ({ json: lead }));`,
			}),
			node(OUR_NODE, NODE_TYPE, 1, parameters),
			node('Next', 'n8n-nodes-base.noOp', 1, {}),
		];
		for (const [index, one] of nodes.entries()) one.position = [index * 220, 0];
		return await workflows.add(chain('Leads', nodes), credential);
	}

	private async visit({ id }: StoredWorkflow, colorScheme: 'light' | 'dark' = 'light') {
		const page = await this.editor.visit(`/workflow/${id}`, colorScheme);
		await nodeOn(page, OUR_NODE).waitFor();
		return page;
	}

	private async open(workflow: StoredWorkflow, name = OUR_NODE): Promise<Page> {
		const page = await this.visit(workflow);
		await openNode(page, name);
		return page;
	}

	private async toastIsGone(page: Page): Promise<void> {
		const toast = page.getByText('Node executed successfully');
		await toast.waitFor();
		await toast.waitFor({ state: 'hidden' });
	}

	/** A picture for the documentation, of the release that most people use. */
	private async picture(page: Page, name: string, clip?: Clip): Promise<void> {
		if (!this.environment.pictures || this.is1x) return;
		mkdirSync(this.environment.pictures, { recursive: true });
		// Only the picture of a wrong expression shows a value that is missing
		const missing = page.getByTestId('node-parameters').getByText('undefined', { exact: true });
		assert.equal(await missing.count(), name === 'empty-field' ? 1 : 0, `${name} shows undefined`);
		await writePicture(page, join(this.environment.pictures, `${name}.png`), clip);
		recordDrawn(ROOT, name);
	}
}

function node(name: string, type: string, version: number, parameters: INode['parameters']): INode {
	return { id: name, name, type, typeVersion: version, position: [0, 0], parameters };
}

/** The number in a request of Phone Validation. */
function numberIn(body: unknown): string | undefined {
	return typeof body === 'object' && body !== null && 'phone_number' in body
		? String(body.phone_number)
		: undefined;
}

async function openNodePanel(page: Page): Promise<void> {
	await page.getByTestId('node-creator-plus-button').first().click();
	await page.getByTestId('node-creator-search-bar').waitFor();
}

async function inputValue(page: Page, parameter: string): Promise<string> {
	return await page.getByTestId(`parameter-input-${parameter}`).locator('input').inputValue();
}

async function expectShown(page: Page, parameter: string, isShown: boolean): Promise<void> {
	const state = isShown ? 'visible' : 'hidden';
	await page.getByTestId(`parameter-input-${parameter}`).waitFor({ state });
}
