import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Fixture } from '../testEnvironment.mts';
import type { Editor } from './browser.mts';
import { choose, searchNodes } from './canvas.mts';

const NODE = 'Lookup & Messaging';
const PHONE = '+12025550102';
const EMAIL = 'ada@example.com';

/** Each lookup: its resource, operation, field, value and receipt. No receipt holds the one before it. */
const LOOKUPS = [
	['Phone', 'Validate', 'phoneNumber', PHONE, 'No price given: 1 phone validation call.'],
	['WhatsApp', 'Check Number', 'phoneNumber', PHONE, 'No price given: 1 WhatsApp call.'],
	['Caller ID', 'Look Up', 'phoneNumber', PHONE, 'No price given: 1 Caller ID call.'],
	['Email', 'Verify', 'email', EMAIL, 'Charged: 1 email credit.'],
	['GeoIP', 'Locate', 'ipAddress', '8.8.8.8', 'No price given: 1 GeoIP call.'],
] as const;

/** "Your first lead" of README step by step, then each lookup in the same form: all on a credential with API Key and Base URL alone. */
export async function enrichFirstLead({ n8n, sandbox }: Fixture, editor: Editor): Promise<string> {
	const before = sandbox.log.length;
	const page = await editor.visit('/workflow/new');
	await page.getByTestId('node-creator-plus-button').first().click();
	await page.getByText('Trigger manually').click();
	await page.getByTestId('canvas-handle-plus').click();
	await searchNodes(page, NODE, NODE);
	await page.getByTestId('node-creator-item-name').getByText(NODE).first().click();
	const actions = page.getByText(/^Actions \(\d+\)/);
	const action = page.getByText('Enrich contact', { exact: true });
	await actions.waitFor();
	if (!(await action.isVisible())) await actions.click();
	await action.click();
	await createCredential(page, sandbox, n8n.installation.release === '1.x');
	await fill(page, 'phoneNumber', PHONE);
	await fill(page, 'email', EMAIL);
	const receipt = 'Charged: 1 email credit. No price given: 1 phone validation, 1 WhatsApp call.';
	await execute(page, receipt);
	for (const [resource, operation, field, value, lookupReceipt] of LOOKUPS) {
		await choose(page, 'resource', resource);
		await choose(page, 'operation', operation);
		await fill(page, field, value);
		await execute(page, lookupReceipt);
	}
	const hosts = new Set(sandbox.log.slice(before).map(({ host }) => host));
	assert.deepEqual([...hosts], ['main']);
	return receipt;
}

async function createCredential(
	page: Page,
	{ keys, roots }: Fixture['sandbox'],
	is1x: boolean,
): Promise<void> {
	await page.getByTestId('node-credentials-select').click();
	await page.getByTestId('node-credentials-select-item-new').filter({ visible: true }).click();
	// n8n asks its server for the name, and can't save a credential without one
	const name = page.getByText(/^Lookup & Messaging account/).filter({ visible: true });
	await name.first().waitFor();
	await fill(page, 'apiKey', keys.main);
	await fill(page, 'baseUrl', roots.baseUrl);
	const tested = page.waitForResponse((response) => response.url().endsWith('/credentials/test'));
	const save = page.getByTestId('credential-save-button');
	await save.click();
	assert.match(await (await tested).text(), /"status":"OK"/);
	// 2.x closes the form itself
	if (is1x) await page.keyboard.press('Escape');
	await save.waitFor({ state: 'hidden' });
}

async function fill(page: Page, parameter: string, text: string): Promise<void> {
	await page.getByTestId(`parameter-input-${parameter}`).locator('input').fill(text);
}

async function execute(page: Page, receipt: string): Promise<void> {
	await page.getByTestId('node-execute-button').click();
	const panel = page.getByTestId('output-panel');
	await panel.getByText(receipt).waitFor();
	await panel.getByText('positive').first().waitFor();
}
