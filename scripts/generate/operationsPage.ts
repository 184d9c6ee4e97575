import type { INodeProperties } from 'n8n-workflow';
import { columnsOf } from '../../nodes/LookupMessaging/engine/output/resultFields';
import type { AnyOperation } from '../../nodes/LookupMessaging/engine/operation';
import { outputFieldOf } from '../../nodes/LookupMessaging/engine/plan/settings';
import type { OutputField } from '../../nodes/LookupMessaging/engine/results';
import { operations, resources } from '../../nodes/LookupMessaging/operations';
import { triggerProperties } from '../../nodes/LookupMessagingTrigger/properties';
import {
	commonOptionRows,
	FIELD_HEAD,
	fieldRows,
	sharedFieldRows,
	spendingLimitRows,
} from './formFields';
import { code, endSentence, headingOf, linkTo, table } from './markdown';
import { costOf } from './operationCosts';
import { exampleLine } from './operationExamples';

/** docs/OPERATIONS.md, from the catalog. */
export function operationsPage(): string {
	const sections = resources.map(({ value, name, description }) => {
		const own = operations.filter(({ resource }) => resource === value);
		const about = own.length > 1 ? `${endSentence(description)}\n\n` : '';
		return `## ${name}\n\n${about}${own.map(operationSection).join('\n')}`;
	});
	return [INTRODUCTION, overview(), '', ...sections, triggerSection(), commonSections()].join('\n');
}

const INTRODUCTION = `# Operations

<!-- Written by \`npm run generate\` from the catalog. Edit the operations, not this page. -->

What you fill in, what an operation returns, and what it costs you.

- **Fields in bold** are on the form. The others are under **Options**, with the [common options](#common-options) and
  [spending limits](#spending-limits).
- **Output fields with •** are in the Simplified output. Set **Output** to Selected Fields to get the others.
- **Every result** also has the [common output fields](#common-output-fields), such as \`outcome\`.
- **A lookup keeps the fields of its input** and puts its result beside them, into a field such as \`emailResult\`. Without
  **Include Other Input Fields**, and in all other operations, you get the result alone.
- **Duplicates in a run are looked up once,** unless it says "Each item makes its own call". More about [costs](COSTS.md).
- **Phone numbers** can have any format. Set **Country** for numbers without a country code.
  [How numbers are read](GUIDE.md#phone-numbers)
- **Expressions** read the item that comes in: \`{{ $json.phone }}\` is its field \`phone\`. Use the names that your items have.
`;

function overview(): string {
	const rows = operations.map((operation) => [
		linkTo(operation),
		endSentence(operation.description),
	]);
	return table(['Operation', 'What it does'], rows);
}

function operationSection(operation: AnyOperation): string {
	const { description, fields, options } = operation;
	const rows = fieldRows(fields, options);
	return [
		`### ${headingOf(operation)}`,
		'',
		endSentence(description),
		'',
		`**What it costs you:** ${costOf(operation)}`,
		'',
		`**Example:** ${exampleLine(operation)}`,
		'',
		...(rows.length > 0 ? [table(FIELD_HEAD, rows), ''] : []),
		...outputOf(operation),
		'',
		...flatColumns(operation),
	].join('\n');
}

const OUTPUT_TYPES: Record<OutputField['type'], string> = {
	array: 'list',
	boolean: 'true or false',
	number: 'number',
	object: 'object',
	string: 'text',
};

/** The table of an operation's output, or a link to an operation that has the same. */
function outputOf(operation: AnyOperation): string[] {
	const earlier = operations.slice(0, operations.indexOf(operation));
	const same = earlier.find((each) => withoutShapes(each) === withoutShapes(operation));
	return same ? [`**Output:** the fields of ${linkTo(same)}.`] : [outputTable(operation.output)];
}

function withoutShapes({ output }: AnyOperation): string {
	return output.map(outputRow).join('\n');
}

/** What an item is about, in the words of the page. */
const ITEM_WORDS: Record<string, string> = { results: 'search' };

function outputTable(output: OutputField[]): string {
	const shapes = [...new Set(output.flatMap(({ shape }) => (shape === undefined ? [] : [shape])))];
	if (shapes.length < 2) return table(['Output field', 'Type', 'Contents'], output.map(outputRow));
	const rows = output.map((field) => {
		const [name, type, words] = outputRow(field);
		const items = field.shape === undefined ? shapes : [field.shape];
		return [name, type, items.map((shape) => ITEM_WORDS[shape] ?? shape).join(', '), words];
	});
	return table(['Output field', 'Type', 'In an item per', 'Contents'], rows);
}

function outputRow({ name, type, description, simplified }: OutputField): string[] {
	return [`${code(name)}${simplified ? ' •' : ''}`, OUTPUT_TYPES[type], endSentence(description)];
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
		`**Flat Columns** returns these columns, in this order: ${names.map(code).join(', ')}.`,
		'',
		'- A lookup has columns if it is chosen in **Lookups**.',
		`- With Stored Results, ${code('ageDays')} comes after ${code('source')}.`,
		`- With **Include Other Input Fields**, each column begins with the name in **Put Output in Field**, such as ${code(`${outputFieldOf(resource)}_outcome`)}. Without it, the values of the input are columns such as ${code('input_phoneNumber')}.`,
		'- **Selected Fields** has all of these columns, and more.',
		'',
	];
}

/** The trigger's own parameters; its output is that of Batch, Get and Audit, Get. */
function triggerSection(): string {
	const shown = triggerProperties.filter(
		({ name }) => !['output', 'selectedFields', 'options'].includes(name),
	);
	const { options = [] } = triggerProperties.find(({ name }) => name === 'options') ?? {};
	const inOptions = options.filter((option): option is INodeProperties => 'type' in option);
	return [
		'## Trigger',
		'',
		'**Lookup & Messaging Trigger** starts a workflow once for each batch or audit that finishes. Its items are those of',
		'[Batch: Get](#batch-get) and [Audit: Get](#audit-get), with the same **Output**. See',
		'[the trigger](JOBS.md#the-trigger).',
		'',
		'**What it costs you:** Nothing for batches. With _All_, each audit is fetched when it is finished, and a few more times if its result is late. With _By ID_, it is fetched at each poll. Each time costs what your provider takes for _Get_.',
		'',
		table(FIELD_HEAD, fieldRows(shown, inOptions)),
		'',
	].join('\n');
}

const RESULT_FIELDS = [
	[
		code('outcome'),
		'text',
		'`positive`, `negative` or `unknown`. An operation that answers no yes-or-no question, such as **Submit**, says `positive` when its work is done: it says nothing about the numbers.',
	],
	[
		code('source'),
		'text',
		'Where the result comes from: `service` (a call), `duplicate` (another item of the run), `memory` (earlier in the execution), `stored` (an [earlier execution](STORED_RESULTS.md)), `local` (the node, without a call) or `failed`.',
	],
	[code('reason'), 'text', 'Why the outcome is negative or unknown, or what else to know.'],
	[code('input'), 'text', 'The value as your item has it, in results about one value.'],
	[code('ageDays'), 'number', 'With **Stored Results**: how old the result is.'],
];

/** What the operations have in common. */
function commonSections(): string {
	return [
		'## What operations have in common',
		'',
		'### Common output fields',
		'',
		table(['Output field', 'Type', 'Contents'], RESULT_FIELDS),
		'',
		'### Common fields',
		'',
		table(FIELD_HEAD, sharedFieldRows()),
		'',
		'### Common options',
		'',
		table(['Option', 'Takes', 'What it does'], commonOptionRows()),
		'',
		'### Spending limits',
		'',
		'Operations that cost credits have these under **Spending Limits**. More about [limits](COSTS.md).',
		'',
		table(['Limit', 'Takes', 'What it does'], spendingLimitRows()),
		'',
	].join('\n');
}
