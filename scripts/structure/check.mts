/**
 * Holds the rules of `rules.mts`: prints, as JSON, for each folder a list of sentences for each check, empty where nothing is wrong.
 * `test/unit/structure.test.ts` runs it.
 *
 *     tsx scripts/structure/check.mts FOLDER...
 *
 * A folder is laid out as this project and may lack parts of it.
 */
import { basename, resolve } from 'node:path';
import { pathOfRoom } from './importRules.mts';
import { readImports } from './imports.mts';
import { pictureProblems } from './picture.mts';
import * as rules from './rules.mts';
import {
	identifiersOf,
	readSources,
	spreadArgumentsOf,
	unsafeConversionsOf,
	type Source,
} from './sources.mts';

const folders = process.argv.slice(2);
const all = [];
for (const folder of folders) all.push(await checksOf(resolve(folder)));
process.stdout.write(JSON.stringify(all));

async function checksOf(root: string) {
	const nodes = readSources(root, 'nodes');
	const { imports, problems } = await readImports(root);
	return {
		...problems,
		rooms: [...problems.rooms, ...filesWithoutRoom(nodes)],
		words: retiredWords(nodes),
		http: httpProblems(nodes),
		replies: unsafeReaders(nodes),
		picture: pictureProblems(root, imports),
	};
}

function filesWithoutRoom(nodes: Source[]): string[] {
	const rooms = rules.ROOM_ORDER.flat().map(pathOfRoom);
	const isInRoom = (path: string) =>
		rooms.some((room) => (room.endsWith('/') ? path.startsWith(room) : path === room));
	return nodes
		.filter(({ path }) => path.startsWith(`${rules.ENGINE}/`) && !isInRoom(path))
		.map(
			({ path }) => `${path} is in none of the rooms of ROOM_ORDER (scripts/structure/rules.mts)`,
		);
}

function retiredWords(nodes: Source[]): string[] {
	return nodes.flatMap((source) =>
		[fileName(source), ...identifiersOf(source)].flatMap((name) => {
			const retired = rules.FOREIGN_NAMES.includes(name) ? undefined : retiredWordIn(name);
			return retired ? [`${source.path} has the name ${name}: "${retired}" is retired`] : [];
		}),
	);
}

function fileName({ path }: Source): string {
	return basename(path, '.ts');
}

function retiredWordIn(name: string): string | undefined {
	const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_$.-]+/g, ' ');
	const sought = ` ${words.toLowerCase()}`;
	return rules.RETIRED_WORDS.find((word) => sought.includes(` ${word}`));
}

function httpProblems(nodes: Source[]): string[] {
	const users = nodes
		.filter((source) => [...identifiersOf(source)].some((name) => rules.HTTP_HELPER.test(name)))
		.map(({ path }) => path);
	if (users.length <= 1) return [];
	return [`${users.join(' and ')} use n8n's HTTP helpers: only one file does`];
}

function unsafeReaders(nodes: Source[]): string[] {
	const isWithReplies = ({ path }: Source) =>
		rules.WITH_REPLIES.some((folder) => path.startsWith(`${folder}/`)) &&
		!rules.WITHOUT_REPLIES.includes(path);
	return nodes
		.filter(isWithReplies)
		.flatMap((source) => [
			...unsafeConversionsOf(source, rules.THROWING_READERS, rules.SAFE_READER).map(
				(line) =>
					`${source.path}:${line} reads a value with ${rules.THROWING_READERS.join(' or ')}: textOf and numberIn (plan/values.ts) never throw`,
			),
			...spreadArgumentsOf(source).map(
				(line) => `${source.path}:${line} spreads a list into arguments: a long one throws`,
			),
		]);
}
