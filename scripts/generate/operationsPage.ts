import type { INodeProperties } from 'n8n-workflow';
import type { Credits, ServiceRequest } from '../../nodes/LookupMessaging/engine/client';
import {
	isLocalAnswer,
	type AnyOperation,
	type Operation,
	type Params,
} from '../../nodes/LookupMessaging/engine/operation';
import { operations, resources } from '../../nodes/LookupMessaging/operations';
import { triggerProperties } from '../../nodes/LookupMessagingTrigger/properties';

/** docs/OPERATIONS.md, from the catalog. */
export function operationsPage(): string {
	const sections = resources.map(({ value, name, description }) => {
		const own = operations.filter(({ resource }) => resource === value);
		const pages = own.sort((a, b) => a.name.localeCompare(b.name)).map(operationSection);
		return `## ${name}\n\n${description}.\n\n${pages.join('\n')}`;
	});
	return `${INTRODUCTION}\n${sections.join('\n')}\n${triggerSection()}`;
}

/** The trigger's own parameters; its output is that of Batch, Get and Audit, Get. */
function triggerSection(): string {
	const shown = triggerProperties.filter(
		({ name }) => !['output', 'selectedFields', 'options'].includes(name),
	);
	const { options = [] } = triggerProperties.find(({ name }) => name === 'options') ?? {};
	const inOptions = options.filter((option): option is INodeProperties => 'type' in option);
	const rows = [
		...shown.map((field) => [`**${field.displayName}**`, kindOf(field), field.description ?? '']),
		...inOptions.map((field) => [
			field.displayName,
			`option, ${kindOf(field)}`,
			field.description ?? '',
		]),
	];
	const distinct = [...new Map(rows.map((row) => [row.join(), row])).values()];
	return [
		'## The trigger',
		'',
		'**Lookup & Messaging Trigger** starts a workflow once for each batch or audit that finishes. Its items are those of',
		'[Batch, Get](#get-1) and [Audit, Get](#get), with the same **Output**. How it works:',
		'[ARCHITECTURE.md](ARCHITECTURE.md#the-trigger).',
		'',
		table(['Field', '', ''], distinct),
		'',
	].join('\n');
}

const INTRODUCTION = `# Operations

Made from the catalog by \`npm run generate\`; a test fails when it is stale.

What every operation has beside its own fields: **Output** (Simplified, Raw, Selected Fields) and **Options**. What every
output has beside its own fields: \`outcome\`, \`source\`, \`reason\` and, where something is asked about, \`input\`. Fields
marked • are part of the Simplified output; the others can be had with Selected Fields. See the
[guide](GUIDE.md#output).

How phone numbers are read, in every operation ([more](GUIDE.md#phone-numbers)):

- They are asked about in E.164, \`+\` and digits, and equal ones once. Formatting, a bracketed \`(0)\` and an extension are left out.
- With \`+\` or \`00\` a number needs nothing else. Any other is read as people in **Country** dial it, at home and for calls abroad.
- Without a Country it is read as international if its digits can be nothing else (\`447911123456\`).
- What cannot be completed is \`unknown\` and costs nothing. Detailed phone validation alone is asked about a number that Country does
  not have, as its digits and the country.
- \`input\` keeps what was written. \`phoneNumber\` is what was asked about, \`extension\` what was left out.
`;

function operationSection(operation: AnyOperation): string {
	const { name, description, fields, options = [], output, rules } = operation;
	const shapes = new Set(output.map(({ shape }) => shape).filter((shape) => shape !== undefined));
	return [
		`### ${name}`,
		'',
		`${endSentence(description)}`,
		'',
		table(
			['', ''],
			[
				['Endpoint', endpointsOf(operation).map(code).join('<br>')],
				['Credits', describeCredits(operation)],
				['Equal items', describeSharing(operation)],
				...Object.entries(rules).map(([outcome, rule]) => [code(outcome), rule]),
			],
		),
		'',
		...(fields.length + options.length > 0
			? [
					table(
						['Field', '', ''],
						[
							...fields.map((field) => [
								`**${field.displayName}**`,
								kindOf(field),
								field.description ?? '',
							]),
							...options.map((field) => [
								field.displayName,
								`option, ${kindOf(field)}`,
								field.description ?? '',
							]),
						],
					),
					'',
				]
			: []),
		table(
			['Output field', '', ''],
			output.map(({ name: field, type, description: text, simplified, shape }) => [
				`${code(field)}${simplified ? ' •' : ''}`,
				type,
				shapes.size > 1 && shape ? `${text} (per ${shape})` : text,
			]),
		),
		'',
	].join('\n');
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

function describeCredits(operation: AnyOperation): string {
	const { free, credits, prepare, fields } = operation;
	if (answersByLookups(operation)) return 'those of the lookups that are made';
	if (free || !credits) return 'free';
	const given = Object.fromEntries(
		fields.map(({ name, placeholder, default: value }) => [name, placeholder?.slice(5) ?? value]),
	);
	const price = (responseDetail: string) => {
		const prepared = prepare({ ...given, responseDetail });
		return wordsFor(credits(prepared));
	};
	const [detailed, basic] = [price('detailed'), price('basic')];
	return detailed === basic ? detailed : `Detailed: ${detailed}. Basic: ${basic}`;
}

function wordsFor(credits: Credits | undefined): string {
	if (!credits) return 'free';
	return 'charged' in credits
		? `at most ${credits.atMost} of the balance ${code(credits.balance)}`
		: `balance ${code(credits.balance)}, cost not stated by the service`;
}

function describeSharing(operation: AnyOperation): string {
	if (answersByLookups(operation)) return 'share each lookup that is equal';
	const shares = operation.repeatable || ('run' in operation && operation.asksOnce === true);
	return shares ? 'share one call' : 'are asked each for itself';
}

function kindOf({ type, required, options }: INodeProperties): string {
	const names = type === 'options' ? options?.map(({ name }) => name).join(' / ') : undefined;
	return `${names ?? type}${required ? ', required' : ''}`;
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

/** Whether its answers, and their price, are those of its lookups. */
export function answersByLookups({ credits, free }: AnyOperation): boolean {
	return !credits && !free;
}
