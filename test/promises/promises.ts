/**
 * What the package promises, and for each promise a change of the package that breaks it. `npm run promises` makes the change in a
 * copy and runs the tests that hold the promise: they have to fail.
 */

export interface HeldPromise {
	promise: string;
	/** The file of the package, below nodes/, and the change that breaks the promise: one text of it becomes another. */
	file: string;
	from: string;
	to: string;
	/** The test files that hold it, below test/. */
	heldBy: string[];
}

const ENGINE = 'LookupMessaging/engine';
const FEATURES = 'LookupMessaging/features';
const OPERATIONS = 'LookupMessaging/operations';
const TRIGGER = 'LookupMessagingTrigger';

export const PROMISES: HeldPromise[] = [
	{
		promise: 'Duplicates in a run are one paid call.',
		file: `${ENGINE}/plan/plan.ts`,
		from: 'this.unique.set(identity, asked);',
		to: '',
		heldBy: ['unit/engine/plan.test.ts', 'integration/memory.test.ts'],
	},
	{
		promise: 'Retry On Fail and loops never pay again for an answer.',
		file: `${ENGINE}/memory/answerStore.ts`,
		from: 'this.shared.answers.set(storedAs, { result, exceptRun }, result.size ?? 0);',
		to: '',
		heldBy: ['integration/memory.test.ts'],
	},
	{
		promise: 'Runs that look up the same at the same time pay for it once.',
		file: `${ENGINE}/gate.ts`,
		from: 'for (const name of names) this.byName.set(name, flight);',
		to: '',
		heldBy: ['unit/engine/askedAtOnce.test.ts', 'integration/memory.test.ts'],
	},
	{
		promise: 'Retry On Fail never repeats a paid step, such as a message that was sent.',
		file: `${ENGINE}/memory/journal.ts`,
		from: 'shared.results.set(name, result, charactersOf(result));',
		to: '',
		heldBy: ['unit/engine/journal.test.ts', 'integration/sendMessage.test.ts'],
	},
	{
		promise:
			'A message, a batch or an audit that may have happened is not sent again, in a loop either.',
		file: `${ENGINE}/memory/journal.ts`,
		from: 'shared.open.set(this.contentOf(key, request), open);',
		to: '',
		heldBy: ['unit/engine/journal.test.ts', 'integration/sendMessage.test.ts'],
	},
	{
		promise: 'A paid call without an answer is not sent again.',
		file: `${ENGINE}/network/layers.ts`,
		from: "(cause !== 'lost' || endpoint.credits !== undefined)",
		to: "cause !== 'lost'",
		heldBy: ['unit/engine/layers.test.ts'],
	},
	{
		promise: 'A call that was turned away because of the rate is sent again, at no cost.',
		file: `${ENGINE}/network/layers.ts`,
		from: 'throttled: 8,',
		to: 'throttled: 1,',
		heldBy: ['unit/engine/layers.test.ts'],
	},
	{
		promise: 'After a wrong key or an empty balance no further paid call starts.',
		file: `${ENGINE}/network/circuitBreakers.ts`,
		from: 'if (reason) return { failure: notSent(reason) };',
		to: '',
		heldBy: ['unit/engine/layers.test.ts'],
	},
	{
		promise: 'After ten lost replies in a row no further paid call of the operation starts.',
		file: `${ENGINE}/network/circuitBreakers.ts`,
		from: 'const MAX_LOST = 10;',
		to: 'const MAX_LOST = 1000;',
		heldBy: ['unit/engine/layers.test.ts'],
	},
	{
		promise: 'Ten first calls that all fail alike end the run.',
		file: `${ENGINE}/network/circuitBreakers.ts`,
		from: 'export const FAILURES_ALIKE = 10;',
		to: 'export const FAILURES_ALIKE = 1000;',
		heldBy: [
			'unit/engine/layers.test.ts',
			'unit/engine/refusals.test.ts',
			'integration/refusals.test.ts',
		],
	},
	{
		promise: 'A refusal that may have been charged is booked as such.',
		file: `${ENGINE}/network/reply.ts`,
		from: "return refusal?.mayHaveCost ?? scope === 'question';",
		to: 'return false;',
		heldBy: ['unit/engine/reply.test.ts'],
	},
	{
		promise: 'The receipt counts every paid call.',
		file: `${ENGINE}/network/layers.ts`,
		from: 'ledger.book(credits, charge);',
		to: '',
		heldBy: ['integration/receipts.test.ts', 'integration/ledger.test.ts'],
	},
	{
		promise: 'Cost Log has a row for every paid call.',
		file: `${FEATURES}/costLog.ts`,
		from: 'called: (call) => rows?.book(call),',
		to: '',
		heldBy: ['integration/ledger.test.ts'],
	},
	{
		promise: 'A run that would exceed Max Paid Lookups spends nothing.',
		file: `${ENGINE}/billing/ledger.ts`,
		from: 'if (taken + lookups <= maxPaidLookups) return undefined;',
		to: 'if (maxPaidLookups > 0) return undefined;',
		heldBy: ['integration/spending.test.ts'],
	},
	{
		promise: 'A run that would exceed Max Paid Lookups per Day spends nothing.',
		file: `${FEATURES}/paidLookupsPerDay.ts`,
		from: 'failureOf(share?.reserve(lookups, most), lookups, most),',
		to: 'failureOf(undefined, lookups, most),',
		heldBy: ['unit/engine/paidLookupsPerDay.test.ts', 'integration/spending.test.ts'],
	},
	{
		promise: 'Minimum Balance keeps its credits in the account.',
		file: `${FEATURES}/accountBalance/sharedAccount.ts`,
		from: 'return noRoom({ balance, floor, left, pending, credits, shown: last.shown[balance] });',
		to: "return noRoom.length < 0 ? 'wait' : 'start';",
		heldBy: ['unit/engine/sharedAccount.test.ts', 'integration/spending.test.ts'],
	},
	{
		promise: 'A switch that is on is on, however an expression writes it.',
		file: `${ENGINE}/plan/settings.ts`,
		from: "const ON = ['true', 'yes', 'on', 'y', '1'];",
		to: 'const ON: string[] = [];',
		heldBy: ['hostile/bothReleases/declaredParameters.test.ts'],
	},
	{
		promise: 'A Dry Run sends nothing that costs.',
		file: `${ENGINE}/plan/settings.ts`,
		from: 'isDryRun: !operation.free && options.dryRun === true,',
		to: 'isDryRun: false,',
		heldBy: ['integration/spending.test.ts'],
	},
	{
		promise: 'After Stop no paid call starts.',
		file: `${ENGINE}/network/transport.ts`,
		from: 'if (this.isStopped()) return STOPPED;',
		to: '',
		heldBy: ['unit/engine/transport.test.ts', 'integration/stop.test.ts'],
	},
	{
		promise: 'No minute has more calls than Max Requests per Minute.',
		file: `${ENGINE}/pacing/requestRate.ts`,
		from: 'this.tokens -= 1;',
		to: 'this.tokens -= 1 / 2;',
		heldBy: ['unit/engine/requestRate.test.ts'],
	},
	{
		promise: 'A long list does not delay a form: executions take turns.',
		file: `${ENGINE}/pacing/fairQueue.ts`,
		from: 'if (flow.queued.length > 0) waiting.push(flow);',
		to: 'if (flow.queued.length > 0) waiting.unshift(flow);',
		heldBy: ['unit/engine/fairQueue.test.ts'],
	},
	{
		promise: 'A failed item keeps the paid answers of the others.',
		file: `${ENGINE}/plan/settings.ts`,
		from: ': !keepsByDefault(operation);',
		to: ': true;',
		heldBy: ['integration/failures.test.ts'],
	},
	{
		promise: 'Each output item is linked to the input item that it comes from.',
		file: `${ENGINE}/output/items.ts`,
		from: '?? { item: slot.item };\n\t\t// A model',
		to: '?? { item: 0 };\n\t\t// A model',
		heldBy: ['integration/items.test.ts'],
	},
	{
		promise: 'The API key is removed from replies.',
		file: `${ENGINE}/redaction/redactor.ts`,
		from: 'const text = yield* removeKey(value);',
		to: 'const text = value;',
		heldBy: ['unit/engine/redactor.test.ts'],
	},
	{
		promise: 'Trouble of the service beside a no is no no.',
		file: `${OPERATIONS}/shared/replyWords.ts`,
		from: 'return WENT_WRONG.some((each) => each.test(words));',
		to: 'return words.length < 0;',
		heldBy: ['unit/catalog/replyMeanings.test.ts', 'hostile/withoutN8n/decisions.test.ts'],
	},
	{
		promise: 'Rows of a batch that come after its end are waited for.',
		file: `${OPERATIONS}/batch/lateRows.ts`,
		from: 'export const MAX_LATE_POLLS = 5;',
		to: 'export const MAX_LATE_POLLS = 0;',
		heldBy: ['unit/operations/jobs.test.ts'],
	},
	{
		promise: 'A file of more than 2 MB is refused before anything is sent.',
		file: `${OPERATIONS}/whatsApp/messageFields.ts`,
		from: 'return bytes <= MAX_BYTES',
		to: 'return bytes <= 2 * MAX_BYTES',
		heldBy: ['unit/catalog/sendMessage.test.ts'],
	},
	{
		promise: 'A stored result of an earlier execution is not paid for again.',
		file: `${FEATURES}/storedResults/storedResults.ts`,
		from: 'return inTable && this.answerOf(inTable);',
		to: 'return undefined;',
		heldBy: ['integration/storedResults.test.ts'],
	},
	{
		promise: 'One mailbox of a catch-all domain answers for the others.',
		file: `${FEATURES}/skipCatchAll.ts`,
		from: 'if (answer && group.infer(answer, question)) this.told.set(name, answer);',
		to: '',
		heldBy: ['unit/engine/groups.test.ts', 'integration/skipCatchAll.test.ts'],
	},
	{
		promise: 'Work on long lists gives way to the rest of n8n.',
		file: `${ENGINE}/clock.ts`,
		from: 'return Math.abs(now - this.began) >= SLICE_MS;',
		to: 'return now < 0;',
		heldBy: ['unit/engine/timeSlices.test.ts'],
	},
	{
		promise: 'The trigger emits each finished job once.',
		file: `${TRIGGER}/checkpoint.ts`,
		from: 'return among(generations.flat().filter((entry) => !isOpen(entry)));',
		to: 'return among(generations.flat().filter((entry) => isOpen(entry)));',
		heldBy: ['unit/trigger/checkpoint.test.ts', 'integration/trigger.test.ts'],
	},
];
