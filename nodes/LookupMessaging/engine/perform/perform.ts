import type { IExecuteFunctions } from 'n8n-workflow';
import { compareBalances, type BalanceEndpoint } from '../billing/balanceCheck';
import { estimateRun, type Estimate } from '../billing/estimate';
import { Ledger } from '../billing/ledger';
import { wereCharged, type Findings } from '../billing/taken';
import type { Failure, LookupResult } from '../results';
import type { RunMemory } from '../memory/answerStore';
import { offlineNetwork, openRunNetwork, type OpenNetwork } from '../network/networks';
import type { RunCredential } from '../network/runCredential';
import { isPricedByLookups, type AnyOperation, type Cached } from '../operation';
import { equalityKey, type Plan, type Task, type UniqueQuestion } from '../plan/plan';
import type { Settings } from '../plan/settings';
import { ended } from '../plan/values';
import { TimeSlices } from '../timeSlices';
import { performTasks } from './performer';
import type { RunLog } from './taskClient';
import { checkUrls, servicesOf } from './urlCheck';

/** A run with its plan, before its calls. */
export interface PreparedRun {
	context: IExecuteFunctions;
	operation: AnyOperation;
	settings: Settings;
	memory: RunMemory;
	plan: Plan;
	earlier: EarlierTries;
	log: RunLog;
	/** Why no try of the run can succeed: a call that is not made again has failed, and the user wants the run to stop. */
	unrecoverable?: Failure;
}

/** The results of a run, and what they cost. */
export interface Spent {
	results: Map<UniqueQuestion, LookupResult>;
	ledger: Ledger;
	/** Why nothing was spent: the run may not spend that much, or the credential cannot be used. */
	refusal?: Failure;
	/** What else the user should know, as a sentence. */
	note?: string;
	/** What the balances before and after the run prove, with Check Balance before and after it. */
	findings?: Findings;
	/** See Transport. */
	insecure?: string[];
}

/** What earlier tries of this run have paid for. */
export interface EarlierTries {
	/** Tasks whose paid calls an earlier try has made. */
	paid: Set<Task>;
	/** The failure of the first of these tasks that failed. */
	known?: Failure;
}

/** What the run may still cost, after what was paid for earlier in this execution. */
export async function estimateOf(run: PreparedRun): Promise<Estimate> {
	const { operation, plan, memory, earlier } = run;
	const isPaid = (task: Task) => earlier.paid.has(task);
	return await estimateRun(operation, plan.tasks, cachedIn(memory), isPaid);
}

function cachedIn({ answers }: RunMemory): Cached {
	return ({ lookup, question }) => answers.find(lookup, equalityKey(lookup, question));
}

/** Whether all that a task may cost was paid for earlier in this execution. */
function isPaidFor(task: Task, { operation, memory, earlier }: PreparedRun): boolean {
	if (earlier.paid.has(task)) return true;
	if (!isPricedByLookups(operation) || !('run' in operation)) return false;
	const { lookups } = operation;
	const isCached = cachedIn(memory);
	return (
		lookups !== undefined &&
		task.questions.every(({ question }) => lookups(question, isCached).every(isCached))
	);
}

/** Makes the calls of a run, as far as its user allows them and the account can pay for them. */
export async function spend(
	run: PreparedRun,
	balances: BalanceEndpoint,
	credential: RunCredential,
): Promise<Spent> {
	const { operation, settings, memory, plan, unrecoverable, log } = run;
	const ledger = new Ledger();
	if (plan.tasks.length === 0)
		return { results: plan.known, ledger, note: unrecoverable && UNRECOVERABLE_NOTE };
	const { network, obstacle } = openNetwork(run, ledger, balances, credential);
	try {
		const { failure, note } = obstacle
			? { failure: obstacle, note: undefined }
			: await checkRun(run, network);
		// With an item for each failure, and where no try can succeed, results that were paid for are shown all the same
		const keepsPaid = settings.onFailure === 'errorItem' || unrecoverable !== undefined;
		const isWanted = (task: Task) => keepsPaid && isPaidFor(task, run);
		const parts = { ...network, ...memory, operation, settings, ledger, log };
		const wanted = failure ? await new TimeSlices().filter(plan.tasks, isWanted) : plan.tasks;
		const results = await performTasks(parts, wanted);
		await addOthers(results, plan, failure);
		const refusal = unrecoverable ? undefined : failure;
		const looksBack = settings.checkBalance === 'beforeAndAfter';
		const findings = looksBack ? await network.account.lookBack() : undefined;
		memory.ledgerRows.closeOpen((balance) => wereCharged(findings, balance));
		const said = unrecoverable ? [UNRECOVERABLE_NOTE, note].filter((part) => part).join(' ') : note;
		const told = { note: notes(said, findings), insecure: [...network.insecure] };
		return { results, refusal, ledger, findings, ...told };
	} finally {
		await network.close();
		memory.budget.close(ledger);
	}
}

function notes(note: string | undefined, findings: Findings | undefined): string | undefined {
	const { unread } = findings ?? {};
	if (unread === undefined) return note;
	const after = `Balance check: The balances couldn't be read after the run: ${ended(unread)}`;
	return note === undefined ? after : `${note} ${after}`;
}

/** For a run that puts out what it has although its user wants it to stop. */
const UNRECOVERABLE_NOTE =
	"That call isn't made again, so no retry can succeed. The node sends what wasn't sent yet and returns what it has, although If Some Items Fail is set to Stop the Node.";

/**
 * Opens the network, or one that sends nothing where the credential cannot be used. It does not throw: the error would not say what
 * the execution has spent, and with Continue On Fail n8n would pass the input on as if it were good. Where no try can succeed, no
 * failure of a question stops the others, or they would never be sent.
 */
function openNetwork(
	{ context, operation, settings, memory, unrecoverable }: PreparedRun,
	ledger: Ledger,
	balances: BalanceEndpoint,
	{ fields, error }: RunCredential,
): { network: OpenNetwork; obstacle?: Failure } {
	const { journal, budget } = memory;
	const { lostInARow } = budget;
	const ledgerRows = settings.hasLedgerOutput ? memory.ledgerRows : undefined;
	const offline = (obstacle: Failure) => {
		return { network: offlineNetwork(operation, obstacle, journal), obstacle };
	};
	if (!fields) {
		const reason = `the credential can't be used: ${error?.message}`;
		return offline({ cause: 'noCredential', reason, scope: 'account' });
	}
	const onFailure = unrecoverable ? 'unknown' : settings.onFailure;
	const own = { journal, ledger, lostInARow, ledgerRows, balances };
	const parts = { ...own, settings: { ...settings, onFailure } as const };
	return { network: openRunNetwork(context, operation, fields, parts) };
}

/** Whether the run may begin: what it may cost, then whether all its base URLs answer. */
async function checkRun(run: PreparedRun, network: OpenNetwork) {
	const { operation, plan, memory } = run;
	const checked = await checkCost(run, network);
	if (checked.failure) return checked;
	const slices = new TimeSlices();
	const tasks = await slices.filter(plan.tasks, (task) => !isPaidFor(task, run));
	const services = await servicesOf(operation, tasks, cachedIn(memory), slices);
	return { ...checked, failure: await checkUrls(services, network) };
}

/** Compares what the run may cost with the balances and Max Paid Lookups, where the user wants that. */
async function checkCost(
	run: PreparedRun,
	{ account }: OpenNetwork,
): Promise<{ failure?: Failure; note?: string }> {
	const { checkBalance, floors, maxPaidLookups } = run.settings;
	const tells = checkBalance !== 'off';
	const readsBalances = tells || floors.size > 0;
	if (!readsBalances && maxPaidLookups === undefined) return {};
	const estimate = await estimateOf(run);
	const { lookups } = estimate;
	// Reserved at once, since another run may reserve while the balances are read
	const failure = run.memory.budget.reserveRun(lookups, maxPaidLookups);
	if (failure || !readsBalances || lookups === 0) return { failure };
	return await compareBalances(estimate, async () => await account.look(), floors, tells);
}

/** Adds the results that are known, and those of the tasks that were not performed because of a failure. */
async function addOthers(results: Spent['results'], { tasks, known }: Plan, failure?: Failure) {
	for (const [question, result] of known) if (!results.has(question)) results.set(question, result);
	if (!failure) return;
	await new TimeSlices().forEach(tasks, ({ questions }) => {
		for (const question of questions) {
			if (!results.has(question)) results.set(question, { failure });
		}
	});
}
