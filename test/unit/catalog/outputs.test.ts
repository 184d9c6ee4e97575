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

test.each<[title: string, spendingLimits: unknown, names: unknown[]]>([
	['is drawn as soon as the option is added', { costLog: '' }, ['Results', 'Cost Log']],
	['is drawn for an expression', { costLog: '={{ $json.customer }}' }, ['Results', 'Cost Log']],
	['is not drawn without the option', {}, [undefined]],
	['is not drawn for an expression in place of all limits', '={{ {} }}', [undefined]],
])('the output Cost Log %s', (_, spendingLimits, names) => {
	expect(namesFor({ spendingLimits })).toEqual(names);
});
