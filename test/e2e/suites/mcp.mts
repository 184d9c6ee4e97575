import assert from 'node:assert/strict';
import { join } from 'node:path';
import { installToolServers, type Programs } from '../server/install.mts';
import { withFixture, type Fixture, type TestEnvironment } from '../testEnvironment.mts';
import { clientScenarios, conformanceOf, type ConformanceCheck } from '../mcp/conformance.mts';
import { callWithNode, listWithNode } from '../mcp/nodeRuns.mts';
import { askOfficially, type Content, type ToolCall } from '../mcp/officialClient.mts';
import {
	SERVER_NAMES,
	SERVERS,
	startToolServers,
	type ServerName,
	type ToolServers,
} from '../mcp/servers.mts';
import { throughWire } from '../mcp/wire.mts';
import { checkKeyIsNowhere } from './keyLeak.mts';

const ON_REQUEST = 'only on 2.x, unless asked for: --release 1.x --only mcp';
const KNOWN_TEXT = 'Said to a tool server';

const call = (tool: string, args: ToolCall['args'] = {}): ToolCall => ({ tool, args });

/** A tool that is not there, and values that a tool does not take, beside what each kind of answer needs. */
const CALLS: ToolCall[] = [
	call('echo', { text: KNOWN_TEXT }),
	call('echo', { text: '{"order":1,"lines":["a","b"]}' }),
	call('weather', { city: 'Oslo' }),
	...['picture', 'report', 'broken', 'slow', 'none'].map((tool) => call(tool)),
	call('echo', { text: 5 }),
];

const CALLS_OF_EVERYTHING: ToolCall[] = [
	call('echo', { message: KNOWN_TEXT }),
	call('get-sum', { a: 1, b: 2 }),
	call('get-structured-content', { location: 'Chicago' }),
	call('get-tiny-image'),
	call('get-annotated-message', { messageType: 'error', includeImage: true }),
	call('get-resource-links', { count: 3 }),
	call('none'),
	call('get-sum', { a: 'one', b: 2 }),
];

/** The node's client against servers that none of us wrote, beside the official client, and the conformance suite. */
export async function mcpSuite(environment: TestEnvironment): Promise<void> {
	const { isBrief, release, report } = environment;
	if (isBrief) return await report.section(release, 'mcp').skip('all of it', ON_REQUEST);
	await withFixture(environment, 'mcp', async (fixture) => {
		// Beside the folder of n8n, which is searched for the key
		const folder = join(environment.folder, 'tool-servers');
		let programs: Programs | undefined;
		let servers: ToolServers | undefined;
		await fixture.section.check('tool servers of others start', async () => {
			programs = await installToolServers();
			servers = await startToolServers(programs, folder);
		});
		if (!programs || !servers) return;
		const { urls, scripts } = servers;
		try {
			await Promise.all(SERVER_NAMES.map((name) => checkServer(fixture, name, urls[name])));
			await checkManyItems(fixture, urls.stateful);
			await checkProgress(fixture, urls.everything);
			await checkConformance(fixture, { ...programs, scripts, results: join(folder, 'results') });
			await checkKeyIsNowhere(fixture, KNOWN_TEXT);
		} finally {
			await servers.stop();
		}
	});
}

/** What it lists and answers is what the official client has of it. */
async function checkServer(fixture: Fixture, name: ServerName, url: string): Promise<void> {
	const { section } = fixture;
	const calls = name === 'everything' ? CALLS_OF_EVERYTHING : CALLS;
	await section.check(`${SERVERS[name]}: the same tools and contents`, async () => {
		// One after the other: Hono's example shares a transport, which knows requests of all clients by their IDs
		const official = await askOfficially(url, calls);
		return await throughWire(url, async (wire) => {
			const listed = await listWithNode(fixture, wire.url);
			assert.deepEqual(listed, official.tools);
			const called = await callWithNode(fixture, wire.url, calls);
			assert.equal(called.length, calls.length);
			for (const [index, content] of called.entries())
				assertSame(content, official.contents[index], calls[index]);
			assert.equal(wire.counts()['tools/call'], calls.length, 'each tool is called once');
			return `${listed.length} tools, ${called.length} answers`;
		});
	});
}

/** The same content; of an error, the same words, with others around them. */
function assertSame(actual: Content, expected: Content, { tool, args }: ToolCall): void {
	const about = `${tool} ${JSON.stringify(args)}`;
	if (!('error' in expected)) return assert.deepEqual(actual, expected, about);
	assert.ok('error' in actual, `${about} succeeded: ${JSON.stringify(actual)}`);
	const words = inOneLine(expected.error);
	assert.ok(inOneLine(actual.error).includes(words), `${about}: "${actual.error}", not "${words}"`);
}

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

const ITEMS = 100;
/** Beside one for each item: initialize, the notification that it is done, the end of the session. */
const CALLS_OF_A_SESSION = 3;

async function checkManyItems(fixture: Fixture, url: string): Promise<void> {
	await fixture.section.check(`${ITEMS} items share one session`, async () => {
		const calls = Array.from({ length: ITEMS }, (_, item) => call('count', { name: `${item}` }));
		return await throughWire(url, async (wire) => {
			const contents = await callWithNode(fixture, wire.url, calls);
			for (const [index, { args }] of calls.entries())
				assert.deepEqual(contents[index], {
					...{ result: { name: args.name, times: 1 }, text: null, links: null, files: [] },
				});
			const counts = wire.counts();
			const { initialize, DELETE: ends, 'tools/call': run } = counts;
			assert.deepEqual({ initialize, ends, run }, { initialize: 1, ends: 1, run: ITEMS });
			const figures = `${wire.calls.length} HTTP calls: ${JSON.stringify(counts)}`;
			assert.ok(wire.calls.length <= ITEMS + CALLS_OF_A_SESSION, figures);
			return figures;
		});
	});
}

async function checkProgress(fixture: Fixture, url: string): Promise<void> {
	const { n8n, section } = fixture;
	await section.check("a long-running tool shows its progress in n8n's log", async () => {
		const before = n8n.log().length;
		const tool = 'trigger-long-running-operation';
		const contents = await callWithNode(fixture, url, [call(tool, { duration: 2, steps: 4 })]);
		const text = 'Long running operation completed. Duration: 2 seconds, Steps: 4.';
		assert.deepEqual(contents, [{ result: null, text, links: null, files: [] }]);
		const written = n8n.log().slice(before);
		const lines = written.split('\n').filter((line) => /progress/i.test(line));
		assert.ok(lines.length > 0, `nothing of it in:\n${written}`);
		return lines[0].trim();
	});
}

/** The scenarios for what the node's client declares, and what each asks of a client. */
const SCENARIOS: Record<string, (fixture: Fixture, url: string) => Promise<void>> = {
	initialize: async (fixture, url) => {
		assert.deepEqual(await listWithNode(fixture, url), []);
	},
	tools_call: async (fixture, url) => {
		const [tool] = await listWithNode(fixture, url);
		assert.equal(tool.name, 'add_numbers');
		const [content] = await callWithNode(fixture, url, [call('add_numbers', { a: 2, b: 3 })]);
		assert.match(JSON.stringify(content), /\b5\b/);
	},
	'sse-retry': async (fixture, url) => {
		const [content] = await callWithNode(fixture, url, [call('test_reconnection')]);
		assert.match(JSON.stringify(content), /Reconnection test completed successfully/);
	},
};

/** Beginnings of the names of scenarios for what the client does not declare; test/e2e/README.md says why. */
const NOT_DECLARED = ['auth/', 'elicitation-'];

async function checkConformance(
	fixture: Fixture,
	programs: Parameters<typeof conformanceOf>[2],
): Promise<void> {
	await fixture.section.check('conformance suite: what is left out has a reason', async () => {
		const isKnown = (name: string) =>
			name in SCENARIOS || NOT_DECLARED.some((start) => name.startsWith(start));
		const names = await clientScenarios(programs);
		assert.deepEqual(
			names.filter((name) => !isKnown(name)),
			[],
		);
		assert.ok(Object.keys(SCENARIOS).every((name) => names.includes(name)));
		return `${Object.keys(SCENARIOS).length} of ${names.length} scenarios`;
	});
	for (const [scenario, act] of Object.entries(SCENARIOS))
		await fixture.section.check(`conformance suite: ${scenario}`, async () => {
			const judged = await judgedInTime(async () => {
				const client = async (url: string) =>
					await throughWire(url, async (wire) => await act(fixture, wire.url));
				return await conformanceOf(scenario, client, programs);
			});
			assert.deepEqual(judged.filter(isFailure), []);
			const passed = judged.filter(({ status }) => status === 'SUCCESS');
			assert.ok(passed.length > 0, 'nothing was checked');
			return `${passed.length} of ${judged.length}: ${passed.map(({ id }) => id).join(', ')}`;
		});
}

/** Holds the pause before a stream is resumed against the clock. */
const TIMING = 'client-sse-retry-timing';
const MAX_TRIES = 3;

const isFailure = ({ status }: ConformanceCheck) => status === 'FAILURE';

/** Runs a scenario, and once more where all that failed is its clock: a busy machine is late. */
async function judgedInTime(
	run: () => Promise<ConformanceCheck[]>,
	tries = MAX_TRIES,
): Promise<ConformanceCheck[]> {
	const judged = (await run()).filter(({ status }) => status !== 'INFO');
	const failed = judged.filter(isFailure);
	const isLate = failed.length > 0 && failed.every(({ id }) => id === TIMING);
	return isLate && tries > 1 ? await judgedInTime(run, tries - 1) : judged;
}
