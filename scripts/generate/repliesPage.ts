import type { ServiceRequest } from '../../nodes/LookupMessaging/engine/client';
import {
	type AnyOperation,
	type DecisionTable,
	isLocalAnswer,
	type Operation,
	type Params,
	type Says,
} from '../../nodes/LookupMessaging/engine/operation';
import { asSentence } from '../../nodes/LookupMessaging/engine/plan/values';
import { operations } from '../../nodes/LookupMessaging/operations';
import { code, headingOf, table } from './markdown';

const INTRODUCTION = `# Calls and replies

<!-- Written by \`npm run generate\` from the catalog. Edit the operations, not this page. -->

Which calls each operation makes, and what a reply means. For contributors: users find fields and outputs on
[the page of operations](../../../docs/OPERATIONS.md).

- The first line that applies decides. A line applies if all its conditions do.
- A field **says something** if it has a text other than \`N/A\`, \`unknown\` and the like.
- After \`refused\`, the item fails with the reason that the service gave.
`;

/** nodes/LookupMessaging/operations/README.md, from the decision tables of the catalog. */
export function repliesPage(): string {
	return [INTRODUCTION, ...operations.map(section)].join('\n');
}

function section(operation: AnyOperation): string {
	const { decide, rules = {} } = operation;
	const nameOf = (outcome: string) => nameOfOutcome(operation, outcome);
	const tables = decide?.flatMap((each) => decisionTable(each, nameOf));
	const inWords = Object.entries(rules).map(([outcome, rule]) => [nameOf(outcome), rule]);
	return [
		`## ${headingOf(operation)}`,
		'',
		`Calls ${endpointsOf(operation).map(code).join(', ')}.`,
		'',
		...(tables ?? [table(['Outcome', 'Reply'], inWords), '']),
	].join('\n');
}

function nameOfOutcome({ outcomes }: AnyOperation, outcome: string): string {
	const name = outcomes?.[outcome as keyof typeof outcomes];
	const isNamed = name !== undefined && name.toLowerCase() !== outcome;
	return isNamed ? `${code(outcome)} (${name})` : code(outcome);
}

/** What a row says, as the output shows it. */
const SHOWN: Partial<Record<Says, string>> = { unclear: 'unknown', running: 'unknown' };

function decisionTable(
	{ of, names = {}, rows }: DecisionTable,
	nameOf: (outcome: string) => string,
): string[] {
	const shownAs = (says: Says) =>
		names[says] ?? `${nameOf(SHOWN[says] ?? says)}${says === 'running' ? ', still running' : ''}`;
	const lines = rows.map(({ when, says }) => [
		asSentence(when.map(({ words }) => words).join('; ')),
		shownAs(says),
	]);
	const head = [of === undefined ? 'Reply' : `${of} reply`, 'Outcome'];
	return [table(head, [...lines, ['Anything else', nameOf('unknown')]]), ''];
}

function endpointsOf(operation: AnyOperation): string[] {
	if ('run' in operation) return operation.endpoints;
	const detail = operation.fields.find(({ name }) => name === 'responseDetail');
	const details = detail ? ['detailed', 'basic'] : [undefined];
	return details.map((responseDetail) => {
		const { method, service, path } = sampleRequest(operation, { responseDetail });
		const note = responseDetail ? ` (${responseDetail})` : '';
		return `${method} ${service} ${path}${note}`;
	});
}

/** The request that the placeholders of the fields would make. */
function sampleRequest(operation: Operation<unknown>, given: Params): ServiceRequest {
	const sample: Params = Object.fromEntries(
		operation.fields.map(({ name, placeholder, default: value }) => [
			name,
			placeholder?.replace(/^e\.g\. /, '') ?? value,
		]),
	);
	const question = operation.prepare({ ...sample, ...given });
	if (isLocalAnswer(question)) {
		throw new Error(`${operation.name}: its own placeholder is refused: ${question.reason}`);
	}
	return operation.request(question);
}
