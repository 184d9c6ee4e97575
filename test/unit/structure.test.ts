/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

type Check = (typeof CHECKS)[number][0];

/** What `scripts/structure/check.mts` reports, by the rules in `scripts/structure/rules.mts`. */
const CHECKS = [
	['circles', 'imports form no circle, and imports of types count'],
	['rooms', 'every file of the engine is in a room, and rooms import only rooms below them'],
	['folders', 'engine, operations, trigger and what is not published keep apart'],
	['words', 'no file and no identifier of the nodes has a retired word in its name'],
	['http', "one file uses n8n's HTTP helpers"],
	['replies', 'no value of a reply is read by what may throw'],
	['picture', 'the picture of the rooms is what the imports say'],
] as const;

const ROOT = join(__dirname, '../..');
const ENGINE = 'nodes/LookupMessaging/engine';

/** The sentences on each check for folders laid out as this project. */
function problemsIn(...folders: string[]): Array<Record<Check, string[]>> {
	const command = ['--import', 'tsx', 'scripts/structure/check.mts', ...folders];
	const output = execFileSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
	return JSON.parse(output) as Array<Record<Check, string[]>>;
}

/** The test files that import a file of the engine or of a feature past `test/engine.ts`, so that moving that file changes them. */
function testsPastTheSeam(folder: string): string[] {
	return readdirSync(join(folder, 'test'), { recursive: true, encoding: 'utf8' }).filter(
		(name) =>
			/\.m?ts$/.test(name) && name !== 'engine.ts' && OF_ENGINE.test(read(folder, 'test', name)),
	);
}
const OF_ENGINE = /['"](?:\.\.\/)+nodes\/LookupMessaging\/(?:engine|features)\//;
const read = (...path: string[]) => readFileSync(join(...path), 'utf8');

/** A project that breaks every rule. */
const operation = 'nodes/LookupMessaging/operations/phone/validate.ts';
const trigger = 'nodes/LookupMessagingTrigger/poll.ts';
const reading =
	'const a = (v: any) => [String(v), [v].map(Number), Math.max(...v), Number(textOf(v)), Number.isInteger(v)];\n';
const calls = 'export const call = (helpers: any) => helpers.httpRequest();\n';
const files = {
	[`${ENGINE}/run.ts`]: "import './network/send';\n",
	[`${ENGINE}/network/send.ts`]: `import type {} from '../output/items';\n${calls}`,
	[`${ENGINE}/output/items.ts`]: "import '../../operations/phone/validate';\n",
	[`${ENGINE}/plan/a.ts`]: "import type { B } from './b';\nexport type A = B;\n",
	[`${ENGINE}/plan/b.ts`]: "import './a';\nexport type B = 1;\n",
	[`${ENGINE}/loose.ts`]: calls,
	[operation]: "import '../../engine/memory/answers';\nimport '../../../../test/double';\n",
	'nodes/LookupMessaging/operations/phone/record.ts': reading,
	[`${ENGINE}/memory/answers.ts`]: 'export {};\n',
	'test/double.ts': "import '../nodes/LookupMessagingTrigger/poll';\n",
	'test/engine.ts': `import '../${ENGINE}/loose';\n`,
	'test/unit/loose.test.ts': `import type {} from '../../${ENGINE}/loose';\n`,
	'scripts/page.ts': "import '../nodes/LookupMessagingTrigger/poll';\n",
	[trigger]: 'export {};\n',
	'nodes/LookupMessaging/frontDesk.ts':
		"import '../LookupMessagingTrigger/poll';\nexport const settled = Promise.allSettled([]);\n",
};
const broken = mkdtempSync(join(tmpdir(), 'structure-'));
for (const [path, content] of Object.entries(files)) {
	mkdirSync(join(broken, dirname(path)), { recursive: true });
	writeFileSync(join(broken, path), content);
}
afterAll(() => rmSync(broken, { recursive: true, force: true }));
const [own, ofBroken] = problemsIn(ROOT, broken);

describe('this project', () => {
	test('has one file of tests that knows in which file of the engine a thing is', () => {
		expect(testsPastTheSeam(ROOT)).toEqual([]);
	});

	test('was checked completely', () => {
		expect(Object.keys(own).sort()).toEqual(CHECKS.map(([check]) => check).sort());
	});

	describe.each(CHECKS)('%s', (check, title) => {
		test(title, () => {
			expect(own[check]).toEqual([]);
		});
	});
});

describe('a project that breaks every rule', () => {
	const sentenceOn = (check: Check, ...parts: string[]) =>
		expect(ofBroken[check]).toContainEqual(
			expect.stringMatching(parts.map((part) => part.replaceAll('.', '\\.')).join('.*')),
		);

	test('gets a complaint about each import with both files and the rule', () => {
		sentenceOn('circles', `${ENGINE}/plan/a.ts imports ${ENGINE}/plan/b.ts: `, 'circle');
		sentenceOn(
			'rooms',
			`${ENGINE}/network/send.ts imports ${ENGINE}/output/items.ts: network may import `,
		);
		sentenceOn('folders', `${ENGINE}/output/items.ts imports ${operation}: the engine imports no`);
		sentenceOn('folders', `${operation} imports ${ENGINE}/memory/answers.ts: operations import`);
		sentenceOn('folders', `${operation} imports test/double.ts: what is published imports`);
		sentenceOn('folders', `frontDesk.ts imports ${trigger}: only the trigger, tests and scripts`);
	});

	test('gets a complaint about each test that imports a file of the engine', () => {
		expect(testsPastTheSeam(broken)).toEqual([join('unit', 'loose.test.ts')]);
	});

	test('gets no complaint about what the rules allow', () => {
		const imports = [...ofBroken.rooms, ...ofBroken.folders].join('\n');
		for (const allowed of [`${ENGINE}/run.ts`, 'test/double.ts', 'scripts/page.ts']) {
			expect(imports).not.toContain(`${allowed} imports`);
		}
		expect(ofBroken.words.join('\n')).not.toContain('allSettled');
	});

	test('gets a complaint about each file and name', () => {
		sentenceOn('rooms', `${ENGINE}/loose.ts is in none of the rooms`);
		expect(ofBroken.words).toEqual([
			'nodes/LookupMessaging/frontDesk.ts has the name frontDesk: "desk" is retired',
			'nodes/LookupMessaging/frontDesk.ts has the name settled: "settle" is retired',
		]);
		sentenceOn('http', `${ENGINE}/loose.ts`, `${ENGINE}/network/send.ts`);
		const record = 'nodes/LookupMessaging/operations/phone/record.ts:1';
		expect(ofBroken.replies.map((sentence) => sentence.replace(/:.*/, ''))).toEqual(
			Array(3).fill(record.replace(/:.*/, '')),
		);
		sentenceOn('replies', `${record} reads a value with Number or String`);
		sentenceOn('replies', `${record} spreads a list into arguments`);
		sentenceOn('picture', 'docs/images/rooms.svg');
	});
});
