import fc from 'fast-check';
import { receiptOf } from '../../harness/parseReceipt';
import type { WorkflowRun } from '../../harness/n8n';
import { callingTool, type Reply } from '../../harness/toolCalls';
import { resetTime } from '../../harness/time';
import type { Sandbox } from '../../sandbox';
import { canonicalOf, operationOf, type OperationName } from './operations';
import { paidRequestsOf, type Verdict } from './paidRequests';
import { faults, ruleOf, type Fault } from './randomFaults';
import type { ObservedExecution, ObservedRun } from './runSchedule';

/** Random side effects of a model whose tool calls have no ID, with Retry On Fail and random faults. */

interface ToolSchedule {
	operation: OperationName;
	/** The subjects of the calls, in turn; the calls of one turn are made at once. */
	turns: number[][];
	tries: number;
	faults: Fault[];
}

/** Few subjects, so that many calls are equal. */
const subjects = fc.nat({ max: 2 });

export const toolSchedules: fc.Arbitrary<ToolSchedule> = fc.record({
	operation: fc.constantFrom<OperationName>(
		...(['sendMessage', 'runAudit', 'runAuditAndWait', 'callTool'] as const),
	),
	turns: fc.array(fc.array(subjects, { minLength: 1, maxLength: 3 }), {
		minLength: 1,
		maxLength: 4,
	}),
	tries: fc.integer({ min: 1, max: 5 }),
	faults: fc.array(faults, { maxLength: 3 }),
});

/** Verdicts on requests that were charged, or may have been. */
const MAY_COST: Verdict[] = ['answered', 'incomplete', 'lost', 'refused'];

interface ToolCall extends Reply {
	about: number;
}

/** Makes the calls. Returns what must not be: a side effect done again without a success between, one that no reply reports, or one on no receipt. */
export async function toolViolations(schedule: ToolSchedule, sandbox: Sandbox): Promise<string[]> {
	sandbox.reset();
	resetTime();
	for (const fault of schedule.faults) sandbox.fault(ruleOf(fault, schedule.operation));
	const { calls, run } = await makeCalls(schedule, sandbox);
	const execution = { plan: { operation: schedule.operation }, index: 0 } as ObservedExecution;
	const paid = paidRequestsOf({ log: sandbox.log } as ObservedRun, execution);
	const { endpoints } = operationOf(schedule.operation);
	const found = [...new Set(calls.map(({ about }) => about))].flatMap((about) => {
		const name = canonicalOf(subjectOf(schedule.operation, about), endpoints[0]);
		const own = paid.filter(({ about: asked }) => asked.includes(name));
		const done = own.filter(({ verdict }) => MAY_COST.includes(verdict)).length;
		const equal = calls.filter((call) => call.about === about);
		const delivered = equal.filter(isSuccess).length;
		const found: string[] = [];
		if (done > delivered + 1) found.push(`${name}: done ${done} times, delivered ${delivered}`);
		// An answer without its fields may be one all the same
		const answered = own.filter(({ verdict }) => ['answered', 'incomplete'].includes(verdict));
		if (delivered > answered.length)
			found.push(`${name}: ${delivered} successes of fewer side effects`);
		const told = equal.at(-1)?.error ?? JSON.stringify(equal.at(-1)?.items);
		if (done > delivered && !/charged|paid for|didn't say|no audit ID/.test(told))
			found.push(`${name}: no word of what was done: ${told}`);
		return found;
	});
	const done = paid.filter(({ verdict }) => MAY_COST.includes(verdict)).length;
	const said = callsOnReceipts(run);
	return said === done ? found : [...found, `${done} side effects, and ${said} on the receipts`];
}

/** The calls that the receipts of all tries of all calls have. */
function callsOnReceipts({ runData }: WorkflowRun): number {
	return (runData.Tool ?? []).reduce((sum, { hints = [], error }) => {
		const { description } = (error ?? {}) as { description?: string };
		const receipt = receiptOf([...hints.map(({ message }) => message), description ?? '']);
		return sum + (receipt ? receipt.calls : 0);
	}, 0);
}

function isSuccess({ items = [] }: Reply): boolean {
	return items.length > 0 && items.every(({ outcome }) => outcome !== 'unknown');
}

function subjectOf(operation: OperationName, about: number) {
	return operationOf(operation).subjects(0)[about];
}

async function makeCalls({ operation, turns, tries }: ToolSchedule, sandbox: Sandbox) {
	const calls: ToolCall[] = [];
	const given = JSON.stringify({ ...operationOf(operation).parameters, options: { maxWait: 2 } })
		.replaceAll('$json.value', "$fromAI('value', '', 'string')")
		.replaceAll('={{ $json.text }}', 'Welcome');
	const parameters = { ...(JSON.parse(given) as object), maxPaidLookups: 0 };
	const credentials = { lookupMessagingApi: { apiKey: sandbox.keys.main, ...sandbox.roots } };
	const run = await callingTool({ credentials, parameters, maxTries: tries }, async (call) => {
		for (const turn of turns) {
			await Promise.all(
				turn.map(async (about) => {
					const [value] = subjectOf(operation, about).spellings;
					calls.push({ about, ...(await call({ value })) });
				}),
			);
		}
	});
	return { calls, run };
}
