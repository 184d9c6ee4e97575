/** Figures about the engine, as rows of a table. */
import { basename, dirname } from 'node:path';
import { circlesIn, type Import } from './imports.mts';
import { pathOfRoom } from './importRules.mts';
import { ENGINE, ROOM_ORDER } from './rules.mts';
import { functionsOf, readSources, type Source } from './sources.mts';
import type { PathFigures } from './trace.mts';

export type Row = [name: string, value: string | number, detail?: string];

export function sizeRows(root: string): Row[] {
	const sources = readSources(root, ENGINE);
	const folders = countBy(sources, ({ path }) => dirname(path));
	const [folder, most] = largest([...folders], ([, count]) => count);
	const longest = largest(sources, ({ lines }) => lines);
	const functions = sources.flatMap((source) =>
		functionsOf(source).map((found) => ({ ...found, path: source.path })),
	);
	const { name, path, line, lines } = largest(functions, (found) => found.lines);
	return [
		['Lines', linesOf(sources)],
		['Files', sources.length],
		['Most files in one folder', most, folder.replace(dirname(ENGINE), '').slice(1)],
		['Longest file, lines', longest.lines, inEngine(longest.path)],
		['Longest function, lines', lines, `${name} (${inEngine(path)}:${line})`],
	];
}

/** Lines and files of each room; without the rooms that do not exist. */
export function roomRows(root: string): Row[] {
	const sources = readSources(root, ENGINE);
	const rooms = ROOM_ORDER.flat().map(pathOfRoom);
	const roomOf = ({ path }: Source) => rooms.find((room) => path.startsWith(room));
	return [...rooms, undefined].flatMap((room): Row[] => {
		const files = sources.filter((source) => roomOf(source) === room);
		const name = room ? inEngine(room) : 'in no room';
		return files.length > 0 ? [[name, linesOf(files), plural(files.length, 'file')]] : [];
	});
}

export function circleRows(imports: Import[]): Row[] {
	const inside = ({ from, to }: Import) =>
		[from, to].every((path) => path.startsWith(`${ENGINE}/`));
	const circles = circlesIn(imports.filter(inside));
	const names = circles.map((files) => files.map((file) => basename(file, '.ts')).join(', '));
	return [
		['Import circles (types count)', circles.length],
		...names.map((detail): Row => ['', '', detail]),
	];
}

/** @param withUnnamed the same path with the functions that have no name */
export function pathRows(path: PathFigures, withUnnamed: PathFigures, root: string): Row[] {
	const inside = path.files.filter((file) => file.startsWith(`${ENGINE}/`)).length;
	const all = readSources(root, ENGINE).length;
	return [
		['Function entries', path.entries, `${withUnnamed.entries} with unnamed functions`],
		['Functions', path.functions, `${withUnnamed.functions} with unnamed functions`],
		['Files', path.files.length, `${inside} of the ${all} engine files`],
		['Moves between files', path.moves, `${path.movesBack} back to a file entered before`],
	];
}

/** Columns aligned, numbers to the right. */
export function table(title: string, rows: Row[]): string {
	const texts = rows.map(([name, value, detail = '']) => [
		`  ${name}`,
		typeof value === 'number' ? value.toLocaleString('en') : value,
		detail,
	]);
	const width = (column: number) => Math.max(...texts.map((row) => row[column].length));
	const lines = texts.map(([name, value, detail]) =>
		`${name.padEnd(Math.max(34, width(0)))} ${value.padStart(Math.max(6, width(1)))}  ${detail}`.trimEnd(),
	);
	return [title, ...lines, ''].join('\n');
}

const inEngine = (path: string) => path.slice(ENGINE.length + 1);

const linesOf = (sources: Source[]) => sources.reduce((sum, { lines }) => sum + lines, 0);

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

function countBy<T>(all: T[], keyOf: (one: T) => string): Map<string, number> {
	const counts = new Map<string, number>();
	for (const one of all) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
	return counts;
}

function largest<T>(all: T[], sizeOf: (one: T) => number): T {
	return all.reduce((most, one) => (sizeOf(one) > sizeOf(most) ? one : most));
}
