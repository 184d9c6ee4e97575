/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COLUMNS, namesOf, PLACEHOLDER, type Column } from '../demo/columnNames';

/** The recipe for a file of leads, whose expressions know the columns by the same names as `npm start`. */

export const LEADS_RECIPE = 'examples/workflows/enrich-leads-from-a-csv-file.json';

interface Recipe {
	nodes: Array<{ name: string; parameters: Parameters }>;
}
interface Parameters {
	assignments?: { assignments: Array<{ name: string; value: string }> };
	options?: Record<string, unknown>;
}

/** The recipe as it stands, with the expressions made again. */
export function leadsRecipe(): string {
	const file = join(__dirname, '../..', LEADS_RECIPE);
	const recipe = JSON.parse(readFileSync(file, 'utf8')) as Recipe;
	const find = (name: string) => recipe.nodes.find((node) => node.name === name)!.parameters;
	for (const assigned of find('Lead').assignments!.assignments) {
		assigned.value = firstValue(assigned.name.replace('asked.', '') as Column);
	}
	Object.assign(find('Rows').options!, { delimiter: SEPARATOR, fromLine: FIRST_LINE });
	return `${JSON.stringify(recipe, undefined, '\t')}\n`;
}

/** As `plain` in columnNames.ts. */
const PLAIN = String.raw`normalize('NFKD').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')`;
const listOf = (names: string[]) => `[${names.map((name) => `'${name}'`).join(', ')}]`;

/** Of the columns with these names, in the file's order, the first value that isn't missing; an empty one where all are; undefined without a column. */
function firstValue(column: Column): string {
	return `={{ Object.keys($json).filter((column) => ${listOf(namesOf(column))}.includes(column.${PLAIN})).map((column) => $json[column]).reduce((first, value) => ${String(PLACEHOLDER)}.test(String(first ?? '').trim()) ? value : first, undefined) }}`;
}

/** What Excel writes, and hides, to name the separator. */
const NAMED = String.raw`/^\ufeff?"?sep=(.)"? *(?=[\r\n])/i`;
const FIRST_LINE = `={{ ${NAMED}.test($json.text) ? 2 : 1 }}`;

/** As in scripts/demo/csv.ts: the one under which the header has most known names; else the one that makes most columns. */
const SEPARATOR = [
	`={{ (${NAMED}.exec($json.text) ?? [])[1] ??`,
	String.raw`[',', ';', '\t', '|'].map((mark) => [mark, ($json.text.split(/[\r\n]+/).find((line) => line.trim()) ?? '')`,
	`.replace(/"[^"]*"/g, (cell) => cell.replaceAll(mark, ' ')).split(mark)])`,
	`.map(([mark, cells]) => [mark, cells.filter((cell) => ${listOf(COLUMNS.flatMap(namesOf))}.includes(cell.${PLAIN})).length, cells.length])`,
	`.sort((one, other) => other[1] - one[1] || other[2] - one[2])[0][0] }}`,
].join(' ');
