import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { ledgerInDataTable, LEDGER_EXAMPLE } from '../server/answerTables.mts';
import { costsSaid, type Execution, type StoredWorkflow } from '../server/workflows.mts';
import type { Fixture } from '../testEnvironment.mts';

const BILL = 'Bill';

/** The example that bills calls: what its table adds up to is what the service has charged. */
export async function checkLedger({ n8n, sandbox, workflows, credential, section }: Fixture) {
	let workflow: StoredWorkflow | undefined;
	let first: Execution | undefined;
	const spent = () => sandbox.spent(sandbox.keys.main).phone;
	const before = spent();
	const month = new Date().toISOString().slice(0, 7);
	const line = (tag: string, charged: string, credits: number, calls: number): IDataObject => ({
		...{ tag, month, balance: 'phone', charged, sum_credits: credits, count_callId: calls },
	});

	await section.check(`${LEDGER_EXAMPLE}: the bill is what docs/RECIPES.md says`, async () => {
		const example = await ledgerInDataTable(n8n);
		workflow = await workflows.add(example, credential);
		first = await workflows.ended(await workflows.run(workflow));
		assert.equal(first.status, 'success', first.error);
		assert.equal(spent() - before, costsSaid(LEDGER_EXAMPLE).phone);
		assert.deepEqual(sorted(first.items(BILL)), [
			...[line('Acme', 'yes', 2, 2), line('Globex', 'no', 0, 1), line('Globex', 'yes', 1, 1)],
		]);
	});
	if (!workflow || !first) return;
	await section.check(`${LEDGER_EXAMPLE}: rows that are stored twice count once`, async () => {
		const run = await workflows.executeStep(workflow!, BILL, withoutRunsOf(first!));
		assert.deepEqual((await workflows.ended(run)).items(BILL), first!.items(BILL));
	});
	await section.check(`${LEDGER_EXAMPLE}: a second execution is added`, async () => {
		const second = await workflows.ended(await workflows.run(workflow!));
		const billed = second.items(BILL).reduce((sum, one) => sum + Number(one.sum_credits), 0);
		assert.equal(billed, spent() - before);
	});
}

/** What the editor has of an execution whose table and bill are to be made again. */
function withoutRunsOf({ runData }: Execution) {
	const made = ['Keep Calls', 'All Calls', BILL];
	return Object.fromEntries(Object.entries(runData).filter(([name]) => !made.includes(name)));
}

function sorted(lines: IDataObject[]): IDataObject[] {
	const rank = ({ tag, charged }: IDataObject) => [tag, charged].join();
	return [...lines].sort((a, b) => rank(a).localeCompare(rank(b)));
}
