/** The rooms of the engine and the imports between them, drawn from the code into `docs/images/rooms.svg`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathOfRoom } from './importRules.mts';
import { readImports, type Import } from './imports.mts';
import {
	EDITOR,
	ENGINE,
	FEATURES,
	OPERATIONS,
	ROOM_ORDER,
	ROOM_PURPOSES,
	TRIGGER,
} from './rules.mts';
import { arrow, box, drawing, frame, text, type Look, type Place } from './svg.mts';

export const PICTURE = 'docs/images/rooms.svg';

interface Around {
	name: string;
	purpose: string;
	/** How the paths of its files begin. */
	paths: string[];
}

/** What lies around the engine, top to bottom. */
const AROUND: Around[] = [
	{
		name: 'node',
		purpose: 'what n8n runs',
		paths: ['nodes/LookupMessaging/LookupMessaging.node.ts', 'nodes/LookupMessaging/properties.ts'],
	},
	{ name: 'editor/', purpose: 'what the editor shows', paths: [`${EDITOR}/`] },
	{ name: 'trigger', purpose: 'reports finished jobs', paths: [`${TRIGGER}/`] },
	{ name: 'features/', purpose: 'what a run may switch on', paths: [`${FEATURES}/`] },
	{ name: 'operations/', purpose: 'one file for each', paths: [`${OPERATIONS}/`] },
	{ name: 'credential', purpose: 'key and base URLs', paths: ['credentials/'] },
];

/** For the files of the engine that are in no room. */
const NO_ROOM = 'other files';
const ROOMS = [...ROOM_ORDER.flat(), NO_ROOM];

const TITLE = 'The rooms of the engine, and what imports what';
const LEGEND =
	'An arrow points to what is imported; four widths for 1, 2 to 4, 5 to 9, and 10 imports or more.';

const TOP = 60;
const ROW = { height: 62, box: 42 };
const COLUMNS = { around: { x: 60, width: 150 }, rooms: { x: 296, width: 204 } };
/** How far the shortest and the longest arrow beside a column are drawn away from it. */
const PULL = { rooms: [30, 280], around: [20, 75] };

/** All imports from one box to another. */
interface Link {
	from: string;
	to: string;
	count: number;
}

/** Where an arrow runs: to the right of the rooms, to the left of what is around, or between the two columns. */
type Course = 'rooms' | 'around' | 'between';

/** Writes the picture. `npm run generate` can call it too. */
export async function writePicture(root: string): Promise<void> {
	const { imports } = await readImports(root);
	mkdirSync(dirname(join(root, PICTURE)), { recursive: true });
	writeFileSync(join(root, PICTURE), drawRooms(imports));
}

/** A sentence where the picture is not what the imports say. */
export function pictureProblems(root: string, imports: Import[]): string[] {
	const file = join(root, PICTURE);
	if (existsSync(file) && readFileSync(file, 'utf8') === drawRooms(imports)) return [];
	return [`${PICTURE} is not what the imports say: run npm run structure -- --picture`];
}

function drawRooms(imports: Import[]): string {
	const links = linksOf(imports);
	const isThere = (name: string) => links.some(({ from, to }) => from === name || to === name);
	const rooms = ROOMS.filter(isThere);
	const around = AROUND.filter(({ name }) => isThere(name));
	const places = placesOf(
		rooms,
		around.map(({ name }) => name),
	);
	const bottom = Math.max(...[...places.values()].map(({ y, height }) => y + height));
	const label = `${ENGINE.slice(ENGINE.lastIndexOf('/') + 1)}/`;
	return drawing(bottom + 36, TITLE, [
		text(COLUMNS.rooms.x, TOP - 14, label, 'class="faint"'),
		...frames(places),
		...inFront(links).map((link) => draw(link, places)),
		...around.map(({ name, purpose }) => box(places.get(name)!, name, purpose, 'around')),
		...rooms.map((room) =>
			box(places.get(room)!, titleOf(room), ROOM_PURPOSES[room] ?? '', 'room'),
		),
		text(0, bottom + 28, LEGEND, 'class="faint"'),
	]);
}

const titleOf = (room: string) => (room.endsWith('.ts') || room === NO_ROOM ? room : `${room}/`);

function linksOf(imports: Import[]): Link[] {
	const counts = new Map<string, Link>();
	for (const { from: source, to: target } of imports) {
		const [from, to] = [source, target].map(boxOf);
		if (!from || !to || from === to) continue;
		const key = `${from} → ${to}`;
		counts.set(key, { from, to, count: (counts.get(key)?.count ?? 0) + 1 });
	}
	return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, link]) => link);
}

function boxOf(path: string): string | undefined {
	const isIn = (start: string) => path.startsWith(start);
	if (isIn(`${ENGINE}/`))
		return ROOM_ORDER.flat().find((room) => isIn(pathOfRoom(room))) ?? NO_ROOM;
	return AROUND.find(({ paths }) => paths.some(isIn))?.name;
}

/** Two columns: the rooms one below the other, and what is around spread over the same height. */
function placesOf(rooms: string[], around: string[]): Map<string, Place> {
	const rows = Math.max(rooms.length, around.length);
	const column = (names: string[], at: typeof COLUMNS.rooms, gap: number) =>
		names.map((name, row): [string, Place] => [
			name,
			{ ...at, y: TOP + row * gap, height: ROW.box },
		]);
	const spread = (ROW.height * (rows - 1)) / Math.max(1, around.length - 1);
	return new Map([
		...column(rooms, COLUMNS.rooms, ROW.height),
		...column(around, COLUMNS.around, spread),
	]);
}

/** A frame around the rooms of each level that has several. */
function frames(places: Map<string, Place>): string[] {
	const margin = 7;
	return ROOM_ORDER.flatMap((level) => {
		const boxes = level.flatMap((room) => places.get(room) ?? []);
		if (boxes.length < 2) return [];
		const [first, last] = [boxes[0], boxes[boxes.length - 1]];
		const width = first.width + 2 * margin;
		const height = last.y + last.height - first.y + 2 * margin;
		return [frame({ x: first.x - margin, y: first.y - margin, width, height })];
	});
}

/** Forbidden imports last, so that they are drawn over the others. */
function inFront(links: Link[]): Link[] {
	const isWrong = (link: Link) => lookOf(link, courseOf(link)) === 'wrong';
	return [...links.filter((link) => !isWrong(link)), ...links.filter(isWrong)];
}

function draw(link: Link, places: Map<string, Place>): string {
	const course = courseOf(link);
	const [start, end] = [link.from, link.to].map((name) => portOf(name, link, places.get(name)!));
	const look = lookOf(link, course);
	if (course === 'between') {
		const half = (end.x - start.x) / 2;
		return arrow(start, end, [half, -half], look, widthOf(link));
	}
	const [least, most] = PULL[course];
	const share = Math.abs(end.y - start.y) / (ROW.height * ROOMS.length);
	const pull = (least + share * (most - least)) * (course === 'rooms' ? 1 : -1);
	return arrow(start, end, [pull, pull], look, widthOf(link));
}

const isRoom = (name: string) => ROOMS.includes(name);

function courseOf({ from, to }: Link): Course {
	if (isRoom(from) !== isRoom(to)) return 'between';
	return isRoom(from) ? 'rooms' : 'around';
}

function lookOf({ from, to }: Link, course: Course): Look {
	if (course !== 'rooms') return isRoom(from) ? 'wrong' : 'around';
	const levelOf = (name: string) => ROOM_ORDER.findIndex((level) => level.includes(name));
	const isDownwards = levelOf(from) < levelOf(to);
	return isDownwards || from === NO_ROOM || to === NO_ROOM ? 'room' : 'wrong';
}

function widthOf({ count }: Link): number {
	if (count >= 10) return 5;
	if (count >= 5) return 3.5;
	return count >= 2 ? 2 : 1;
}

/** Where an arrow touches a box. Beside a column, arrows arrive in the upper half of a box and leave in the lower. */
function portOf(name: string, link: Link, { x, y, width, height }: Place) {
	const course = courseOf(link);
	const isOnRight = course === 'rooms' || (course === 'between' && !isRoom(name));
	const share = course === 'between' ? 0.5 : name === link.to ? 0.3 : 0.7;
	return { x: isOnRight ? x + width : x, y: y + share * height };
}
