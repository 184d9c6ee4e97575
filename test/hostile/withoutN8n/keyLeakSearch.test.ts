/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, IRun } from 'n8n-workflow';
import { BUILT } from '../../builtEngine';
import { KEYS } from '../../sandbox/answers/magicInputs';
import { keyLeakSearch, leftBehindBy } from '../../harness/keyLeakSearch';
import type { CapturedLogs } from '../../harness/capturedLogs';
import { KEY_SPELLINGS } from '../../models/keySpellings';

const ODD = 'odd k:e y/+=$,(x)\'~*!%41&@"<\\>';
/** What an empty execution leaves behind. */
const emptyRun = () => ({
	raw: {
		data: {
			resultData: {
				runData: {
					Node: [
						{
							hints: [] as object[],
							data: { main: [[{ json: {} as object, binary: {} as object }]] },
						},
					],
				},
				error: undefined as Error | undefined,
			},
			executionData: {} as object,
		},
	},
	staticData: {} as IDataObject,
	logs: { console: [] as unknown[], log: [] as unknown[] },
	strays: [] as unknown[],
});
type Run = ReturnType<typeof emptyRun>;
const taskOf = ({ raw }: Run) => raw.data.resultData.runData.Node[0];
const itemOf = (run: Run) => taskOf(run).data.main[0][0];
const hidden = (text: string, error: Error) =>
	Object.defineProperty(error, 'config', { value: { url: text }, enumerable: false });

/** Ways to plant a text, by the name of the value in which the search has to find it. */
const PLANTS: Array<[place: string, plant: (run: Run, text: string) => void]> = [
	['items', (run, text) => (itemOf(run).json = { a: [{ b: text }] })],
	['items', (run, text) => (itemOf(run).json = { [text]: 1 })],
	['binary data', (run, text) => (itemOf(run).binary = { data: { fileName: text } })],
	['errors', (run, text) => (run.raw.data.resultData.error = new Error(text))],
	[
		'errors',
		(run, text) =>
			(run.raw.data.resultData.error = new Error('x', { cause: { cause: new Error(text) } })),
	],
	['errors', (run, text) => (run.raw.data.resultData.error = hidden(text, new Error('x')))],
	[
		'errors',
		(run, text) =>
			(run.raw.data.resultData.error = Object.assign(new Error('x'), {
				[Symbol('request')]: new Map([['body', Buffer.from(text)]]),
			})),
	],
	['hints', (run, text) => taskOf(run).hints.push({ message: text })],
	['run data', (run, text) => taskOf(run).hints.push({ message: text })],
	['execution data', (run, text) => (run.raw.data.executionData = { stack: [text] })],
	['stored execution', (run, text) => (itemOf(run).json = { text })],
	['static data', (run, text) => (run.staticData['node:Node'] = { last: text })],
	['console', (run, text) => run.logs.console.push(['said', { text }])],
	["n8n's log", (run, text) => run.logs.log.push(['Job issued', { url: text }])],
	['other origins', (run, text) => run.strays.push({ url: '/', headers: { referer: text } })],
];

const search = (key: string, run: Run) =>
	keyLeakSearch(key).search(
		leftBehindBy(run as unknown as Run & { raw: IRun }, run.logs as CapturedLogs, run.strays),
	);

describe('the search for leaked keys', () => {
	const foundIn = (key: string, plant: (run: Run, text: string) => void, text: string) => {
		const run = emptyRun();
		plant(run, text);
		return search(key, run).map((found) => found.split(':')[0]);
	};

	it('finds a key in every place, and in every spelling', () => {
		for (const key of [KEYS.main, ODD]) {
			for (const [place, plant] of PLANTS) expect(foundIn(key, plant, key)).toContain(place);
			const [[items, plant]] = PLANTS;
			for (const [spelling, spell] of Object.entries(KEY_SPELLINGS))
				expect([spelling, ...foundIn(key, plant, spell(key))]).toContain(items);
		}
	});

	it('finds nothing when there is no key', () => {
		for (const key of [KEYS.main, ODD]) {
			const run = emptyRun();
			for (const [, plant] of PLANTS) plant(run, 'sandbox-key and c2FuZGJveA==');
			expect(search(key, run)).toEqual([]);
		}
	});
});

describe('the tarball', () => {
	const root = join(__dirname, '../../..');
	const packed = () => {
		const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
			cwd: root,
			encoding: 'utf8',
		});
		const [{ files }] = Object.values(
			JSON.parse(stdout) as Array<{ files: Array<{ path: string }> }>,
		);
		return files.map(({ path }): [string, string] => [
			path,
			readFileSync(join(root, path), 'latin1'),
		]);
	};

	it('has no key of the sandbox, in any spelling', () => {
		const files = packed();
		expect(files.map(([path]) => path)).toContain(BUILT.transport);
		const searches = Object.values(KEYS).map(keyLeakSearch);
		const places = Object.fromEntries(files);
		expect(searches.flatMap((keySearch) => keySearch.search(places))).toEqual([]);
		const mutant = { ...places, 'index.js': `${places['index.js']}// ${KEYS.main}` };
		expect(keyLeakSearch(KEYS.main).search(mutant)).toHaveLength(1);
	});
});
