import type { INodeProperties } from 'n8n-workflow';
import type { ServiceRequest } from '../../nodes/LookupMessaging/engine/client';
import {
	isLocalAnswer,
	type AnyOperation,
	type Operation,
	type Params,
} from '../../nodes/LookupMessaging/engine/operation';
import type { DecisionTable, Says } from '../../nodes/LookupMessaging/engine/decision';
import { asSentence } from '../../nodes/LookupMessaging/engine/plan/values';
import type { OutputField } from '../../nodes/LookupMessaging/engine/results';
import { columnsOf } from '../../nodes/LookupMessaging/engine/output/resultFields';
import { outputFieldOf } from '../../nodes/LookupMessaging/engine/plan/settings';
import { operations, resources } from '../../nodes/LookupMessaging/operations';
import { triggerProperties } from '../../nodes/LookupMessagingTrigger/properties';
import { costOf } from './operationCosts';
import { exampleRows } from './operationExamples';

/** docs/OPERATIONS.md, from the catalog. */
export function operationsPage(): string {
	const sections = resources.map(({ value, name, description }) => {
		const own = operations.filter(({ resource }) => resource === value);
		const about = own.length > 1 ? `${endSentence(description)}\n\n` : '';
		return `## ${name}\n\n${about}${own.map(operationSection).join('\n')}`;
	});
	return `${INTRODUCTION}\n${overview()}\n\n${NUMBERS}\n${sections.join('\n')}\n${triggerSection()}`;
}

const INTRODUCTION = `# Operations

<!-- Written by \`npm run generate\` from the catalog. Edit the operations, not this page. -->

What each operation does, what you fill in, what comes out and what it costs you.

- **Fields in bold** are on the form. The others are under **Options**. All operations have more options for waiting and
  failures, and paid ones have **Spending Limits**: see the [guide](GUIDE.md).
- **Output fields with •** are in the Simplified output. Set **Output** to Selected Fields to get the others.
- **Every result** also has \`outcome\` (positive, negative or unknown), \`source\` (where the answer comes from) and
  \`reason\`. A result about one value also has that value, as \`input\`.
- **A lookup keeps the fields of its input** and puts its result beside them, into a field such as \`emailResult\`. Without
  **Include Other Input Fields**, and in all other operations, the result comes out alone.
- **Calls and replies** lists what a reply of the service means. A line fits if all its conditions apply. A field **says
  something** if it holds a text other than \`N/A\`, \`unknown\` and the like. With \`refused\`, the item fails with the reason.
- **Expressions** read the item that comes in: \`{{ $json.phone }}\` is its field \`phone\`. Use the names that your items have.
`;

const NUMBERS = `### How phone numbers are read

Write numbers as you have them. [More about phone numbers](GUIDE.md#phone-numbers).

- A number with \`+\` or \`00\` and its country code needs nothing else.
- Any other number needs **Country**. It is read as people in that country dial it.
- Without Country, digits that can only be an international number are read as one (\`447911123456\`).
- A number that can't be completed comes out as \`unknown\` and costs nothing. Detailed phone validation sends it with its
  country, for the service to decide.
- Spaces, brackets and extensions are left out. \`input\` keeps what you wrote, \`phoneNumber\` is what was looked up in the
  international format (E.164), and \`extension\` is what was left out.
`;

function overview(): string {
	const rows = resources.flatMap(({ value, name: resource }) =>
		operations
			.filter((operation) => operation.resource === value)
			.map((operation) => {
				const heading = headingOf(operation, resource);
				return [`[${heading}](#${anchorOf(heading)})`, endSentence(operation.description)];
			}),
	);
	return table(['Operation', 'What it does'], rows);
}

function headingOf({ name, resource }: AnyOperation, given?: string): string {
	return `${given ?? resources.find(({ value }) => value === resource)?.name}: ${name}`;
}

function anchorOf(heading: string): string {
	return heading.toLowerCase().replaceAll(':', '').replaceAll(' ', '-');
}

function operationSection(operation: AnyOperation): string {
	const { description, fields, options = [], output } = operation;
	const rows = fieldRows(fields, options);
	return [
		`### ${headingOf(operation)}`,
		'',
		endSentence(description),
		'',
		`**What it costs you:** ${costOf(operation)}`,
		'',
		table(['Example', 'Expression', 'Value'], exampleRows(operation)),
		'',
		...(rows.length > 0 ? [table(['Field', 'Takes', 'What it does'], rows), ''] : []),
		table(['Output field', 'Type', 'What it holds'], output.map(outputRow(output))),
		'',
		...flatColumns(operation),
		...repliesOf(operation),
		'',
	].join('\n');
}

function fieldRows(fields: INodeProperties[], options: INodeProperties[]): string[][] {
	const shown = fields.filter(({ type }) => type !== 'notice');
	return [
		...shown.map((field) => [`**${field.displayName}**`, kindOf(field), wordsOf(field)]),
		...options.map((field) => [field.displayName, kindOf(field), wordsOf(field)]),
	];
}

function wordsOf({ description = '', hint }: INodeProperties): string {
	return [description, hint]
		.filter((words) => words !== undefined && words !== '')
		.map((words) => endSentence(`${words}`))
		.join(' ');
}

const TYPES: Record<string, string> = {
	boolean: 'on or off',
	json: 'JSON',
	number: 'number',
	resourceLocator: 'choice from a list, or a name',
	resourceMapper: 'one field per argument',
	string: 'text',
};

function kindOf({ type, required, options = [] }: INodeProperties): string {
	const names = options.map(({ name }) => name).join(' / ');
	const kinds: Record<string, string> = { options: names, multiOptions: `any of ${names}` };
	return `${kinds[type] ?? TYPES[type] ?? type}${required ? ', required' : ''}`;
}

const OUTPUT_TYPES: Record<OutputField['type'], string> = {
	array: 'list',
	boolean: 'true or false',
	number: 'number',
	object: 'object',
	string: 'text',
};

function outputRow(output: OutputField[]) {
	const shapes = new Set(output.map(({ shape }) => shape).filter((shape) => shape !== undefined));
	return ({ name, type, description, simplified, shape }: OutputField) => [
		`${code(name)}${simplified ? ' •' : ''}`,
		OUTPUT_TYPES[type],
		endSentence(
			shapes.size > 1 && shape ? `${withoutStop(description)} (per ${shape})` : description,
		),
	];
}

/** The columns of Flat Columns, in their order. */
function flatColumns({ output, resource, sectionsField }: AnyOperation): string[] {
	if (sectionsField === undefined) return [];
	const columns = output.flatMap((field) =>
		field.isLookup
			? columnsOf([field]).filter(({ simplified }) => simplified)
			: field.simplified
				? [field]
				: [],
	);
	const names = ['outcome', ...columns.map(({ name }) => name), 'reason', 'source'];
	return [
		`**Flat Columns** has these columns, in this order: ${names.map(code).join(', ')}. The columns of a lookup are there when it is chosen in **Lookups**. With Stored Results, ${code('ageDays')} comes after ${code('source')}. With **Include Other Input Fields**, every column begins with the name in **Put Output in Field** and ${code('_')}, such as ${code(`${outputFieldOf(resource)}_outcome`)}. Without it, the values of the input are there as ${code('input_…')}. **Selected Fields** has all of these columns, and more.`,
		'',
	];
}

/** The calls of an operation and what their replies mean: folded, since few users need them. */
function repliesOf(operation: AnyOperation): string[] {
	const { decide, rules = {} } = operation;
	const nameOf = (outcome: string) => nameOfOutcome(operation, outcome);
	const tables = decide?.flatMap((table) => decisionTable(table, nameOf));
	const inWords = Object.entries(rules).map(([outcome, rule]) => [nameOf(outcome), rule]);
	return [
		'<details><summary>Calls and replies</summary>',
		'',
		`Calls ${endpointsOf(operation).map(code).join(', ')}.`,
		'',
		...(tables ?? [table(['Outcome', 'Reply'], inWords), '']),
		'</details>',
	];
}

function nameOfOutcome({ outcomes }: AnyOperation, outcome: string): string {
	const name = outcomes?.[outcome as keyof typeof outcomes];
	const isNamed = name !== undefined && name.toLowerCase() !== outcome;
	return isNamed ? `${code(outcome)} (${name})` : code(outcome);
}

/** What a row says, as the output shows it. */
const SHOWN: Partial<Record<Says, string>> = { unclear: 'unknown', running: 'unknown' };

/** A decision table: the first row that holds decides. */
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
	const head = [
		of === undefined
			? 'Reply: the first line that fits decides'
			: `${of} reply: the first line that fits decides`,
		'Outcome',
	];
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

/** The trigger's own parameters; its output is that of Batch, Get and Audit, Get. */
function triggerSection(): string {
	const shown = triggerProperties.filter(
		({ name }) => !['output', 'selectedFields', 'options'].includes(name),
	);
	const { options = [] } = triggerProperties.find(({ name }) => name === 'options') ?? {};
	const inOptions = options.filter((option): option is INodeProperties => 'type' in option);
	const rows = fieldRows(shown, inOptions);
	const distinct = [...new Map(rows.map((row) => [row.join(), row])).values()];
	return [
		'## Trigger',
		'',
		'**Lookup & Messaging Trigger** starts a workflow once for each batch or audit that finishes. Its items are those of',
		'[Batch: Get](#batch-get) and [Audit: Get](#audit-get), with the same **Output**. See',
		'[the trigger](JOBS.md#the-trigger).',
		'',
		'**What it costs you:** Nothing for batches. With _All_, the results of each audit are fetched once, at the price that your provider sets.',
		'',
		table(['Field', 'Takes', 'What it does'], distinct),
		'',
	].join('\n');
}

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const code = (text: string) => `\`${text}\``;

function endSentence(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}

function withoutStop(text: string): string {
	return text.replace(/\.$/, '');
}
