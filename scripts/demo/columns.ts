import { UserError } from './userError';
import { listed, quoted } from './wording';

/** The columns that the workflow reads, by the names that it knows. */
export const COLUMNS = ['name', 'phone', 'email', 'ip', 'country'] as const;
export type Column = (typeof COLUMNS)[number];

/** One of these at least has to be in a file. */
export const LOOKED_UP: readonly Column[] = ['phone', 'email', 'ip'];

/** What else a column may be called. Case, spaces, dashes, underscores and dots do not matter. */
const OTHER_NAMES: Record<string, Column> = {
	fullname: 'name',
	phonenumber: 'phone',
	emailaddress: 'email',
	ipaddress: 'ip',
	countrycode: 'country',
};

/** Which of the workflow's columns a header cell means, if any: `E-Mail`, `IP Address`, `phone_number`. */
export function columnOf(header: string): Column | undefined {
	const plain = header
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[\s\-_.‐-―]/g, '');
	return COLUMNS.find((column) => column === plain) ?? OTHER_NAMES[plain];
}

/** Where each of the workflow's columns stands. Throws a UserError when that is not clear, or none is there. */
export function columnIndexes(header: string[], file: string): Partial<Record<Column, number>> {
	refuseTwins(header, file);
	const indexes: Partial<Record<Column, number>> = {};
	header.forEach((cell, index) => {
		const column = columnOf(cell);
		if (!column) return;
		const earlier = indexes[column];
		if (earlier !== undefined)
			throw new UserError(
				`${file} has two columns for the ${column}, ${quoted([header[earlier]])} and ${quoted([cell])}. Rename the one that is not meant.`,
			);
		indexes[column] = index;
	});
	if (LOOKED_UP.some((column) => indexes[column] !== undefined)) return indexes;
	throw new UserError(
		`${file} has no column for ${listed(LOOKED_UP, 'or')}; one of them is needed. Its first row, which has to name the columns, is ${quoted(header)}.`,
	);
}

function refuseTwins(header: string[], file: string): void {
	const twin = header.find((cell, index) => cell !== '' && header.indexOf(cell) !== index);
	if (twin !== undefined)
		throw new UserError(`${file} has two columns called ${quoted([twin])}. Rename one of them.`);
}
