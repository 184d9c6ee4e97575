/* eslint-disable @n8n/community-nodes/no-dangerous-functions */
import { outputsOf } from '../../../nodes/LookupMessaging/editor/outputs';
import { operations } from '../../../nodes/LookupMessaging/operations';

/** The names of the outputs that the editor draws. */
function namesFor(parameters: object) {
	const code = outputsOf(operations).slice('={{'.length, -'}}'.length);
	// As n8n evaluates it
	const draw = new Function('$parameter', `return ${code}`) as (
		given: object,
	) => Array<{ displayName?: string }>;
	return draw({ resource: 'email', operation: 'verify', ...parameters }).map(
		({ displayName }) => displayName,
	);
}

test.each<[title: string, ledgerOutput: unknown, names: unknown[]]>([
	['is drawn where it is on', true, ['Results', 'Ledger']],
	['is not drawn where it is off', false, [undefined]],
	['is not drawn for an expression, with which no run starts', '={{ true }}', [undefined]],
])('the Ledger output %s', (_, ledgerOutput, names) => {
	expect(namesFor({ options: { ledgerOutput } })).toEqual(names);
});
