import type { INodeProperties } from 'n8n-workflow';
import { sharedProperties } from '../../nodes/LookupMessaging/editor/properties';
import { SPENDING_LIMITS } from '../../nodes/LookupMessaging/editor/spendingLimits';
import type { AnyOperation } from '../../nodes/LookupMessaging/engine/operation';
import { operations } from '../../nodes/LookupMessaging/operations';
import { endSentence, linkTo } from './markdown';

/** The fields of forms as rows of docs/OPERATIONS.md. */

/** The head of their tables. */
export const FIELD_HEAD = ['Field', 'Takes', 'What it does'];

/** A field on the form is bold, an option is not. */
export function fieldRow(field: INodeProperties, isOnForm: boolean): string[] {
	const name = isOnForm ? `**${field.displayName}**` : field.displayName;
	return [name, kindOf(field), wordsOf(field)];
}

/** The rows of an operation: its own fields and options. What many operations have is explained once, in `sharedFieldRows`. */
export function fieldRows(fields: INodeProperties[], options: INodeProperties[] = []): string[][] {
	const shown = fields.filter(({ type }) => type !== 'notice');
	const rows = [
		...shown.map((field) => rowOfOperation(field, true)),
		...options.map((field) => rowOfOperation(field, false)),
	];
	return [...new Map(rows.map((row) => [row.join(), row])).values()];
}

function rowOfOperation(field: INodeProperties, isOnForm: boolean): string[] {
	const [name, kind, words] = fieldRow(field, isOnForm);
	return [name, kind, isShared(field) ? `See [common fields](${SHARED_ANCHOR}).` : words];
}

const SHARED_ANCHOR = '#common-fields';
/** Longer texts than this are worth a look elsewhere when several operations have them. */
const SHORT_CHARACTERS = 100;
const SEVERAL = 3;

function isShared(field: INodeProperties): boolean {
	const words = wordsOf(field);
	if (words.length <= SHORT_CHARACTERS) return false;
	const users = operations.filter(({ fields }) => fields.some((each) => wordsOf(each) === words));
	return users.length >= SEVERAL;
}

/** Fields that several operations have, with their whole texts. */
export function sharedFieldRows(): string[][] {
	const shared = operations.flatMap(({ fields }) => fields.filter(isShared));
	const rows = shared.map((field) => fieldRow(field, true));
	return [...new Map(rows.map((row) => [row.join(), row])).values()];
}

/** The options that the engine adds to operations, with those who have them: one row for each text. */
export function commonOptionRows(): string[][] {
	const found = new Map<string, { row: string[]; users: AnyOperation[] }>();
	for (const operation of operations) {
		const own = new Set(operation.options?.map(({ name }) => name));
		const added = sharedProperties(operation).flatMap((field) =>
			field.name === 'options' ? collected(field).filter(({ name }) => !own.has(name)) : [],
		);
		for (const option of added) {
			const row = fieldRow(option, false);
			const [name, , words] = row;
			const { users = [], row: known = row } = found.get(`${name} ${words}`) ?? {};
			// The row with the most choices
			const longest = known.join().length > row.join().length ? known : row;
			found.set(`${name} ${words}`, { row: longest, users: [...users, operation] });
		}
	}
	return [...found.values()]
		.sort((a, b) => (a.row[0] < b.row[0] ? -1 : 1))
		.map(({ row: [name, kind, words], users }) => [name, kind, `${words}${limitedTo(users)}`]);
}

/** The limits of every paid operation. */
export function spendingLimitRows(): string[][] {
	return collected(SPENDING_LIMITS.whatsapp!).map((field) => fieldRow(field, false));
}

function collected({ options = [] }: INodeProperties): INodeProperties[] {
	return options.filter((option): option is INodeProperties => 'type' in option);
}

/** Sets of operations that have a name of their own. */
const GROUPS: Array<[sentence: string, has: (operation: AnyOperation) => boolean]> = [
	['', () => true],
	[' Only in operations that cost credits.', ({ free }) => !free],
	[' Not in operations that run once for all items.', ({ executesOnce }) => !executesOnce],
	[' Only in operations that add `input`.', ({ subject }) => subject !== undefined],
	[
		' Only in lookups of contacts, numbers, emails and IP addresses.',
		({ outcomes, oneItemPerTask }) => Boolean(outcomes ?? oneItemPerTask),
	],
];
/** The most names in a sentence. */
const MAX_NAMES = 5;

/** A sentence on the operations that have an option; empty if all have it. */
function limitedTo(users: AnyOperation[]): string {
	const group = GROUPS.find(([, has]) =>
		operations.every((each) => has(each) === users.includes(each)),
	);
	if (group) return group[0];
	const others = operations.filter((each) => !users.includes(each));
	if (users.length <= MAX_NAMES) return ` Only in ${users.map(linkTo).join(', ')}.`;
	return others.length <= MAX_NAMES
		? ` Not in ${others.map(linkTo).join(', ')}.`
		: ' Not in all operations.';
}

function wordsOf({ description = '', hint }: INodeProperties): string {
	return [description, hint]
		.filter((words) => words !== undefined && words !== '')
		.map((words) => endSentence(`${words}`))
		.join(' ');
}

const TYPES: Record<string, string> = {
	boolean: 'on or off',
	fixedCollection: 'pairs',
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
