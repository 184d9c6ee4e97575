/* eslint-disable @n8n/community-nodes/no-dangerous-functions */
import { LookupMessaging } from '../../../nodes/LookupMessaging/LookupMessaging.node';
import { operations, resources } from '../../../nodes/LookupMessaging/operations';

const { subtitle = '' } = new LookupMessaging().description;

/** What the canvas shows below the name of a node. */
function shownFor(parameters: object): unknown {
	const code = subtitle.slice('={{'.length, -'}}'.length);
	// As n8n evaluates it
	const show = new Function('$parameter', `return ${code}`) as (given: object) => unknown;
	return show(parameters);
}

test('the subtitle names each operation as the pages do', () => {
	expect(shownFor({ resource: 'contact', operation: 'enrich' })).toBe('Contact → Enrich');
	for (const { resource, value, name } of operations) {
		const of = resources.find((each) => each.value === resource)?.name;
		expect(shownFor({ resource, operation: value })).toBe(`${of} → ${name}`);
	}
});

test('the subtitle is an expression that n8n can find the end of', () => {
	expect(subtitle.indexOf('}}')).toBe(subtitle.length - 2);
});
