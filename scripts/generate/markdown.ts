import type { AnyOperation } from '../../nodes/LookupMessaging/engine/operation';
import { resources } from '../../nodes/LookupMessaging/operations';

/** What the generated pages have in common. */

export function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export const code = (text: string) => `\`${text}\``;

export function endSentence(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The heading of an operation, such as "Phone: Validate". */
export function headingOf({ name, resource }: AnyOperation): string {
	return `${resources.find(({ value }) => value === resource)?.name}: ${name}`;
}

/** A link to the section of an operation on the same page. */
export function linkTo(operation: AnyOperation): string {
	const heading = headingOf(operation);
	return `[${heading}](#${heading.toLowerCase().replaceAll(':', '').replaceAll(' ', '-')})`;
}
