/**
 * The files that are made from the catalog, from what is expected of it when calls go wrong, from the names of columns, from the
 * promises that tests hold, and from IANA's registries.
 * `npm run generate` writes them; a test fails when one is stale.
 */
import type { AnyOperation } from '../../nodes/LookupMessaging/engine/operation';
import { operations } from '../../nodes/LookupMessaging/operations';
import { JOB_KINDS } from '../../nodes/LookupMessagingTrigger/jobKinds';
import { addressBlocksModule } from './addressBlocks';
import { faultsPage } from './faultsPage';
import { LEADS_RECIPE, leadsRecipe } from './leadsRecipe';
import { NUMBERING_TABLE_FILE, numberingTable } from './numberingTable';
import { answersByLookups } from './operationCosts';
import { defaultFieldOf } from './operationExamples';
import { operationsPage } from './operationsPage';
import { promisesPage } from './promisesPage';
import { repliesPage } from './repliesPage';

/** Fields that the engine puts before every record. */
const VERDICT = ['outcome', 'source', 'reason'];

/** Folder of the output previews that the editor shows (n8n: `__schema__/v<version>/<resource>/<operation>.json`). */
const SCHEMA_FOLDER = 'nodes/LookupMessaging/__schema__';
/** Those of the trigger, which has no operation: n8n serves `__schema__/v<version>/<resource>.json`. */
const TRIGGER_SCHEMA_FOLDER = 'nodes/LookupMessagingTrigger/__schema__';
export const SCHEMA_FOLDERS = [SCHEMA_FOLDER, TRIGGER_SCHEMA_FOLDER];
/** The table of the reader of IP addresses. */
const ADDRESS_BLOCKS = 'nodes/LookupMessaging/operations/shared/ip/addressBlocks.ts';

/** Every generated file: its path from the project's root, and its content. */
export function generatedFiles(): Map<string, string> {
	return new Map([
		...operations.map((operation): [string, string] => [
			`${SCHEMA_FOLDER}/v1.0.0/${operation.resource}/${operation.value}.json`,
			schemaText(besideInput(operation, outputSchema(operation))),
		]),
		...Object.entries(JOB_KINDS).map(([resource, { operation }]): [string, string] => [
			`${TRIGGER_SCHEMA_FOLDER}/v1.0.0/${resource}.json`,
			schemaText(outputSchema(operation)),
		]),
		['docs/OPERATIONS.md', operationsPage()],
		['nodes/LookupMessaging/operations/README.md', repliesPage()],
		['test/models/faults/README.md', faultsPage()],
		['test/promises/README.md', promisesPage()],
		[LEADS_RECIPE, leadsRecipe()],
		[NUMBERING_TABLE_FILE, numberingTable()],
		[ADDRESS_BLOCKS, addressBlocksModule()],
	]);
}

function schemaText(schema: object): string {
	return `${JSON.stringify({ ...schema, version: 1 }, undefined, '\t')}\n`;
}

/** The schema of a result in its field, where the fields of the input stand beside it by default. Nobody knows those. */
function besideInput(operation: AnyOperation, schema: object): object {
	const field = defaultFieldOf(operation);
	return field === undefined ? schema : { type: 'object', properties: { [field]: schema } };
}

/** JSON Schema of the Simplified output. */
function outputSchema(operation: AnyOperation) {
	const { subject, output } = operation;
	// What asks other operations is about several values
	const inputType = answersByLookups(operation) ? 'object' : 'string';
	const texts = [
		...(subject ? [{ name: 'input', type: inputType }] : []),
		...VERDICT.map((name) => ({ name, type: 'string' })),
	];
	// Where answers come in several shapes, the first is that of the default
	const first = output.find(({ shape }) => shape !== undefined)?.shape;
	const shown = output.filter(({ simplified, shape }) => simplified && (shape ?? first) === first);
	const fields = shown.some(({ isLookup }) => isLookup)
		? lastly(texts, shown)
		: [...texts, ...shown];
	const properties = Object.fromEntries(
		fields.map((field) => [
			field.name,
			answersByLookups(operation) ? schemaOf(field) : { type: field.type },
		]),
	);
	return { type: 'object', properties };
}

/** Beside sections, the outcome comes first, and what tells where the result came from comes last. */
function lastly<Field extends { name: string }, Shown>(texts: Field[], shown: Shown[]) {
	const named = (...names: string[]) => texts.filter(({ name }) => names.includes(name));
	return [...named('outcome'), ...shown, ...named('reason'), ...named('source'), ...named('input')];
}

/**
 * The section of another operation is shown with its fields, so that they can be dragged into the next node. Other objects
 * hold what the service puts there; their examples promise nothing.
 */
function schemaOf({ type, example }: { type: string; example?: unknown }): object {
	return type === 'object' && isRecord(example) ? schemaLike(example) : { type };
}

function schemaLike(example: unknown): object {
	if (Array.isArray(example)) {
		return { type: 'array', items: schemaLike(example[0]) };
	}
	if (!isRecord(example)) return { type: example === null ? 'string' : typeof example };
	const entries = Object.entries(example).map(([name, value]) => [name, schemaLike(value)]);
	return { type: 'object', properties: Object.fromEntries(entries) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
