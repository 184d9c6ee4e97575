import { LedgerRows } from '../../../nodes/LookupMessaging/engine/billing/ledgerRows';
import type { Unused } from '../../../nodes/LookupMessaging/engine/memory/answerRows';
import {
	StoredResults,
	StoredRows,
} from '../../../nodes/LookupMessaging/engine/memory/storedResults';
import { Outbox } from '../../../nodes/LookupMessaging/engine/memory/outbox';
import {
	answerRowsHints,
	sideOutputs,
} from '../../../nodes/LookupMessaging/engine/output/sideOutputs';
import { ask, FakeExecution, workflow, yes } from '../fakes/fakeSend';

const operation = workflow(async ([path], client) => [await client.call(ask(path), 'ask')]);
const CHECK = { resource: 'test', value: 'check', output: [] };
const keyOf = (value: string) =>
	JSON.stringify([{ service: 'main', method: 'GET', path: '/check', query: { value } }, []]);
const paid = { answer: yes(), response: {}, source: 'service' as const };
let accounts = 0;

/** A run with both side outputs, one paid call and one answer that an earlier run of the process has paid for. */
function runWithBoth() {
	const outbox = new Outbox(`an account of this test: ${(accounts += 1)}`);
	const open = () =>
		new StoredResults(
			new StoredRows(),
			{ maxAgeDays: 30 },
			{ baseUrls: { main: 'api.example' }, outbox },
		);
	open().keep(CHECK, keyOf('a'), paid, 10);
	const known = open();
	expect(known.find(CHECK, keyOf('a'))?.source).toBe('stored');
	const rows = new LedgerRows(0.5).of('0', '7');
	const payer = { operation: 'test.check', items: [0], tag: 'Acme' };
	rows.book('email', { charged: 'yes', credits: 1 }, 0, payer);
	const memory = { ...new FakeExecution().memoryOf(operation), known, ledgerRows: rows };
	return {
		...{ operation, memory, settings: { hasCostLog: true } as never },
		plan: { slots: [], tasks: [], known: new Map(), warnings: [] },
	};
}

describe('the side outputs', () => {
	test('are empty of a dry run, although the outbox has an answer', async () => {
		const run = runWithBoth();
		expect(await sideOutputs(run, true)).toEqual([[], []]);
		expect((await sideOutputs(run)).map((output) => output.length)).toEqual([1, 1]);
	});

	test('have rows that a later node may change: the next try puts them out as they were', async () => {
		const run = runWithBoth();
		const before = JSON.stringify(await sideOutputs(run));
		for (const { json, pairedItem } of (await sideOutputs(run)).flat()) {
			json.tag = 'changed';
			json.key = 'changed';
			if (Array.isArray(pairedItem)) pairedItem.push({ item: 9 });
		}
		expect(JSON.stringify(await sideOutputs(run))).toBe(before);
	});
});

describe('the hint on rows that were not used', () => {
	const hintOf = (...unused: Array<[Unused, number]>) => {
		const { memory } = runWithBoth();
		for (const [why, number] of unused) memory.known.unused.set(why, number);
		return answerRowsHints(memory, {}).map(({ message }) => message);
	};

	test.each<[counts: Array<[Unused, number]>, hint: string]>([
		[[['malformed', 1]], "1 row of Stored Results wasn't used: it is invalid."],
		[[['expired', 3]], "3 rows of Stored Results weren't used: they are older than Max Age."],
		[
			[
				['malformed', 1],
				['future', 2],
			],
			"3 rows of Stored Results weren't used: 1 is invalid, 2 have a future date (times without a zone count as UTC).",
		],
	])('says why, and a number once: %j', (counts, hint) => {
		expect(hintOf(...counts)).toEqual([hint]);
	});

	test('is none where all were used', () => {
		expect(hintOf()).toEqual([]);
	});
});
