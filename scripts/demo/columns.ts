import {
	COLUMNS,
	LANGUAGES,
	LOOKED_UP,
	NAME_PARTS,
	namesOf,
	OTHER_NAMES,
	plain,
	type Column,
} from './columnNames';
import { UserError } from './userError';
import { listed, quoted } from './wording';

/** Which of the file's columns holds what, as `--columns` says. An empty name means none. */
export type Mapping = Partial<Record<Column, string>>;

/** What each column is for, in a sentence. */
const MEANINGS: Record<Column, string> = {
	name: 'name',
	phone: 'phone number',
	email: 'email address',
	ip: 'IP address',
	country: 'country',
};

const KNOWN = new Map(
	COLUMNS.flatMap((column) => namesOf(column).map((name) => [name, column] as const)),
);

/** Which of the workflow's columns a header cell means, if any: `E-Mail`, `Last IP`, `phone_number`. */
export function columnOf(header: string): Column | undefined {
	return KNOWN.get(plain(header));
}

/** Whether two header cells differ only in case, accents and punctuation. */
export function isSameHeader(one: string, other: string): boolean {
	return plain(one) === plain(other);
}

/** Where each of the workflow's columns stands, none where the file has no such column. */
export type ColumnIndexes = Record<Column, number[]>;

/** Finds the workflow's columns. Throws a UserError when one isn't clear, or when there is nothing to look up. */
export function columnIndexes(header: string[], file: string, mapping: Mapping): ColumnIndexes {
	refuseTwins(header, file);
	const chosen = Object.entries(mapping).map(
		([column, name]) => [column, chosenIndex(header, column as Column, name, file)] as const,
	);
	const isTaken = (index: number) => chosen.some(([, indexes]) => indexes.includes(index));
	const found = COLUMNS.map((column) => [column, foundIndex(header, column, isTaken, mapping)]);
	const indexes = Object.fromEntries([...found, ...chosen]) as ColumnIndexes;
	if (LOOKED_UP.some((column) => indexes[column].length > 0)) return indexes;
	throw new UserError(nothingToLookUp(header, file));
}

/** The column that `--columns` names. */
function chosenIndex(header: string[], column: Column, name: string, file: string): number[] {
	if (name === '') return [];
	const exact = header.indexOf(name);
	const index = exact >= 0 ? exact : header.findIndex((cell) => isSameHeader(cell, name));
	if (index >= 0) return [index];
	throw new UserError(
		`${file} has no column ${quoted([name])} for the ${MEANINGS[column]}. Its columns are ${quoted(header)}. Correct --columns.`,
	);
}

/** The columns that resemble one of the workflow's, in the order of the file. */
function foundIndex(
	header: string[],
	column: Column,
	isTaken: (index: number) => boolean,
	mapping: Mapping,
): number[] {
	if (column in mapping) return [];
	const free = header.flatMap((_, index) => (isTaken(index) ? [] : [index]));
	const among = (names: string[]) => free.filter((index) => names.includes(plain(header[index])));
	const alike = among(namesOf(column));
	if (column !== 'name') return alike;
	if (alike.length > 0) return [alike[0]];
	return NAME_PARTS.flatMap((part) => among(part).slice(0, 1));
}

function nothingToLookUp(header: string[], file: string): string {
	const accepted = LOOKED_UP.map(
		(column) => `- ${MEANINGS[column]}: ${[column, ...OTHER_NAMES[column]].join(', ')}`,
	);
	const choices = LOOKED_UP.map((column) => `${column}="…"`);
	return [
		`${file} has no column for a ${listed(
			LOOKED_UP.map((column) => MEANINGS[column]),
			'or an',
		)}. One of them is needed. The first row, which names the columns, is ${quoted(header)}.`,
		"These names are found (case, accents and punctuation don't matter):",
		...accepted,
		`The usual names in ${listed(LANGUAGES)} are found too.`,
		`If yours are called otherwise, name them with --columns ${choices.join(',')}. Nothing was sent. You weren't charged.`,
	].join('\n');
}

function refuseTwins(header: string[], file: string): void {
	const twin = header.find((cell, index) => cell !== '' && header.indexOf(cell) !== index);
	if (twin !== undefined)
		throw new UserError(`${file} has two columns called ${quoted([twin])}. Rename one of them.`);
}

/** `phone=Mobile,email=Work Email`: what follows `--columns`. Throws a UserError when it isn't that. */
export function readMapping(texts: string[]): Mapping {
	const mapping: Mapping = {};
	// A comma may be part of a name: only one before another assignment ends it
	for (const part of texts.flatMap((text) => text.split(/,(?=\s*\w+\s*=)/))) {
		const [, key = '', name = ''] = /^\s*(\w*)\s*=(.*)$/s.exec(part) ?? [];
		const column = COLUMNS.find((one) => one === key.toLowerCase());
		if (!column)
			throw new UserError(
				`--columns takes ${listed(COLUMNS)}, as in --columns phone="Mobile",email="Work Email", and ${quoted([part.trim()])} isn't one of them.`,
			);
		if (column in mapping) throw new UserError(`--columns names the ${MEANINGS[column]} twice.`);
		mapping[column] = name.trim().replace(/^(["'])(.*)\1$/s, '$2');
	}
	return mapping;
}
