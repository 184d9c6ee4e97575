import {
	answerRowsHints,
	newResults,
	Outbox,
	StoredResults,
	StoredRows,
	type Unused,
} from '../../engine';
import { ask, workflow, yes } from '../fakes/fakeSend';

const operation = workflow(async ([path], client) => [await client.call(ask(path), 'ask')]);
const CHECK = { resource: 'test', value: 'check', output: [] };
const keyOf = (value: string) =>
	JSON.stringify([{ service: 'main', method: 'GET', path: '/check', query: { value } }, []]);
const paid = { answer: yes(), response: {}, source: 'service' as const };
let accounts = 0;

/** One answer that an earlier run of the process has paid for. */
function withAnswer() {
	const outbox = new Outbox(`an account of this test: ${(accounts += 1)}`);
	const open = () =>
		new StoredResults({ maxAgeDays: 30 }).open(new StoredRows(), {
			...{ baseUrls: { main: 'api.example' }, outbox },
		});
	open().keep(CHECK, keyOf('a'), paid, 10);
	const known = open();
	expect(known.find(CHECK, keyOf('a'))?.source).toBe('stored');
	return known;
}

const PLAN = { slots: [], tasks: [], known: new Map(), warnings: [] };

test('the rows of New Results may be changed by a later node: the next try returns the original ones', async () => {
	const known = withAnswer();
	const rowsOut = async () => await newResults(operation, PLAN, known);
	const before = JSON.stringify(await rowsOut());
	for (const { json, pairedItem } of await rowsOut()) {
		json.key = 'changed';
		if (Array.isArray(pairedItem)) pairedItem.push({ item: 9 });
	}
	expect(JSON.stringify(await rowsOut())).toBe(before);
});

describe('the hint about unused rows', () => {
	const hintOf = (...unused: Array<[Unused, number]>) => {
		const known = withAnswer();
		for (const [why, number] of unused) known.unused.set(why, number);
		return answerRowsHints(known, {}).map(({ message }) => message);
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

	test('is missing if all were used', () => {
		expect(hintOf()).toEqual([]);
	});
});
