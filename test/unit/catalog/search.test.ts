/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { readFileSync } from 'node:fs';
import type { INodeTypeDescription } from 'n8n-workflow';
import codex from '../../../nodes/LookupMessaging/LookupMessaging.node.json';
import { LookupMessaging } from '../../../nodes/LookupMessaging/LookupMessaging.node';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { LookupMessagingTrigger } from '../../../nodes/LookupMessagingTrigger/LookupMessagingTrigger.node';
import { SEARCHES } from '../../e2e/editor/searches.mts';

/** How well n8n's search finds an entry (n8n's `sublimeSearch`). */
type Search = (
	text: string,
	entries: Entry[],
	keys?: Array<{ key: string; weight: number }>,
) => Array<{ item: Entry }>;
interface Entry {
	properties: { displayName: string; codex?: { alias?: string[] } };
}
const { sublimeSearch } = jest.requireActual<{ sublimeSearch: Search }>(
	'@n8n/utils/search/sublime-search',
);

const { description: own } = new LookupMessaging();
const { description: trigger } = new LookupMessagingTrigger();
const OURS: Entry = { properties: { displayName: own.displayName, codex } };

/** n8n's own nodes, as its node panel lists them when a step is added. */
const others = (
	JSON.parse(
		readFileSync(require.resolve('n8n-nodes-base/dist/types/nodes.json'), 'utf8'),
	) as INodeTypeDescription[]
)
	.filter(({ group, hidden }) => !hidden && !group.includes('trigger'))
	.map(({ displayName, codex: theirs }): Entry => ({ properties: { displayName, codex: theirs } }));

describe("n8n's search", () => {
	/** The panel shows about so many results without scrolling. */
	const IN_SIGHT = 8;

	const find = (text: string) =>
		sublimeSearch(text, [...others, OURS]).findIndex(({ item }) => item === OURS);

	test.each(SEARCHES)('shows the node at once for "%s"', (text) => {
		expect(find(text)).toBeGreaterThanOrEqual(0);
		expect(find(text)).toBeLessThan(IN_SIGHT);
	});

	test.each(operations.map(({ action }) => action))(
		'shows the node at once for its action "%s"',
		(action) => {
			expect(find(action)).toBeGreaterThanOrEqual(0);
			expect(find(action.toLowerCase())).toBeLessThan(IN_SIGHT);
			// Words as people leave them out
			expect(find(action.toLowerCase().replace(/ of /, ' '))).toBeGreaterThanOrEqual(0);
		},
	);

	test('has no alias twice', () => {
		const doubled = codex.alias.filter((one, index) => codex.alias.indexOf(one) !== index);
		expect(doubled).toEqual([]);
	});
});

// n8n shows one entry for both nodes, with the trigger's description
test('the description of the trigger says what both nodes do', () => {
	expect(trigger.name).toBe(`${own.name}Trigger`);
	expect(trigger.description).toMatch(/phone numbers, emails, WhatsApp, .* IP addresses/);
	expect(trigger.description).toMatch(/Triggers when a batch or audit finishes/);
});
