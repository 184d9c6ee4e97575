/** The import rules, as dependency-cruiser wants them, derived from `rules.mts`. */
import type { IRegularForbiddenRuleType } from 'dependency-cruiser';
import * as rules from './rules.mts';

/** The check that reports a broken rule; `check.mts` has more of them. */
export type ImportCheck = 'circles' | 'rooms' | 'folders';

export interface ImportRule extends IRegularForbiddenRuleType {
	name: string;
	/** The rule as the end of a sentence that begins with "a.ts imports b.ts: ". */
	comment: string;
	check: ImportCheck;
}

const { ENGINE, OPERATIONS, FEATURES, EDITOR, TRIGGER } = rules;

export function importRules(): ImportRule[] {
	return [withoutCircles(), ...roomRules(rules.ROOM_ORDER), ...folderRules()];
}

function withoutCircles(): ImportRule {
	return {
		name: 'circles',
		check: 'circles',
		severity: 'error',
		comment: 'imports may not form a circle, and an import of a type counts',
		from: { path: startingWith(rules.WITHOUT_CIRCLES.map((folder) => `${folder}/`)) },
		to: { circular: true },
	};
}

/** One rule per room: it may not import what is above it or beside it. */
function roomRules(order: string[][]): ImportRule[] {
	return order.flatMap((level, depth) =>
		level.flatMap((room) => {
			const others = [...order.slice(0, depth).flat(), ...level.filter((one) => one !== room)];
			const comment = `${room} may import rooms below it only, not ${others.join(', ')}`;
			const paths = { from: [pathOfRoom(room)], to: others.map(pathOfRoom) };
			return others.length > 0 ? [forbid('rooms', `room ${room}`, comment, paths)] : [];
		}),
	);
}

function folderRules(): ImportRule[] {
	const allowed = rules.ENGINE_FOR_OPERATIONS;
	const [engine, operations, features, editor, trigger] = [
		...[ENGINE, OPERATIONS, FEATURES, EDITOR, TRIGGER],
	].map((folder) => `${folder}/`);
	const shipped = rules.SHIPPED.map((folder) => `${folder}/`);
	const onEngine =
		'the engine imports no operation and no feature, and nothing of the editor and the trigger';
	const onOperations = `operations import only ${allowed.join(', ')} from the engine`;
	return [
		forbid('folders', 'engine', onEngine, {
			from: [engine],
			to: [operations, features, editor, trigger],
		}),
		forbid('folders', 'operations', onOperations, {
			from: [operations],
			to: [engine],
			butTo: allowed.map(pathOfRoom),
		}),
		forbid('folders', 'features', 'only the node and the editor import features', {
			from: [operations, trigger],
			to: [features],
		}),
		forbid('folders', 'trigger', "only the trigger, tests and scripts import the trigger's files", {
			from: shipped,
			butFrom: [trigger],
			to: [trigger],
		}),
		forbid('folders', 'shipped', 'what is published imports nothing that is not', {
			from: shipped,
			to: ['test/', 'scripts/', 'examples/'],
		}),
	];
}

/** Files, and folders with a slash at their ends. */
interface Paths {
	from: string[];
	butFrom?: string[];
	to: string[];
	butTo?: string[];
}

function forbid(
	check: ImportCheck,
	name: string,
	comment: string,
	{ from, butFrom, to, butTo }: Paths,
): ImportRule {
	const side = (paths: string[], but?: string[]) => ({
		path: startingWith(paths),
		...(but && { pathNot: startingWith(but) }),
	});
	return {
		...{ check, name, comment, severity: 'error' },
		from: side(from, butFrom),
		to: side(to, butTo),
	};
}

/** A room's file, or its folder with a slash at its end. */
export const pathOfRoom = (room: string) => `${ENGINE}/${room}${room.endsWith('.ts') ? '' : '/'}`;

/** Regular expressions as text, which is what dependency-cruiser takes. */
const startingWith = (paths: string[]) =>
	paths.map((path) => `^${path.replaceAll('.', '\\.')}${path.endsWith('/') ? '' : '$'}`);
