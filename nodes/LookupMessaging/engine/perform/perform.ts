import type { IExecuteFunctions } from 'n8n-workflow';
import { type Estimate, estimateRun } from '../billing/estimate';
import { Ledger } from '../billing/ledger';
import type { ServiceName } from '../client';
import { SLICES } from '../clock';
import type { Feature, Proof } from '../feature';
import { Flight } from '../gate';
import type { RunMemory } from '../memory/answerStore';
import type { TaskEnd } from '../memory/journal';
import { BASE_URL_FIELDS, type RunCredential, brokenUrls } from '../network/credential';
import { offlineNetwork, type OpenNetwork, openRunNetwork } from '../network/networks';
import { type AnyOperation, type Cached, isPricedByLookups } from '../operation';
import { equalityKey, type Plan, type Task, type UniqueQuestion } from '../plan/plan';
import type { Settings } from '../plan/settings';
import type { Failure, LookupResult } from '../results';
import { performTasks, type RunLog } from './tasks';

/** A run with its plan, before its calls. */
export interface PreparedRun {
	context: IExecuteFunctions;
	operation: AnyOperation;
	settings: Settings;
	features: Feature[];
	memory: RunMemory;
	plan: Plan;
	/** What is known of its tasks from earlier tries. */
	ends: Map<Task, TaskEnd>;
	log: RunLog;
	/** Why no try of the run can succeed: a call that must not be repeated has failed, and the user wants the run to stop. */
	unrecoverable?: Failure;
}

export interface Spent {
	results: Map<UniqueQuestion, LookupResult>;
	ledger: Ledger;
	/** Why the run was refused: it may not spend that much, or the credential cannot be used. */
	refusal?: Failure;
	/** A further note, as a sentence. */
	note?: string;
	/** What features found out about the calls that may have been charged. */
	proof?: Proof;
	/** See Transport. */
	insecure?: string[];
}

/** What the run may still cost, after what was paid for earlier in this execution. */
export async function estimateOf(run: PreparedRun): Promise<Estimate> {
	const { operation, plan, memory } = run;
	const isDone = (task: Task, question: UniqueQuestion) => isAnswered(task, question, run);
	return await estimateRun(operation, plan.tasks, cachedIn(memory), isDone);
}

function cachedIn({ answers }: RunMemory): Cached {
	return ({ lookup, question }) => answers.find(lookup, equalityKey(lookup, question));
}

/** Whether an earlier try has paid for a task, or one of its questions has a result by now. */
function isAnswered(task: Task, { key }: UniqueQuestion, run: PreparedRun): boolean {
	return (
		run.ends.get(task)?.isPaid === true || run.memory.answers.find(run.operation, key) !== undefined
	);
}

/** Whether all that a task may cost was paid for earlier in this execution. */
function isPaidFor(task: Task, run: PreparedRun): boolean {
	const { operation, memory } = run;
	if (task.questions.every((question) => isAnswered(task, question, run))) return true;
	if (!isPricedByLookups(operation) || !('run' in operation)) return false;
	const isCached = cachedIn(memory);
	const areCached = (question: unknown) => operation.lookups?.(question, isCached).every(isCached);
	return task.questions.every(({ question }) => areCached(question));
}

/** Makes the calls of a run, within the limits of the user and the account. */
export async function spend(run: PreparedRun, credential: RunCredential): Promise<Spent> {
	const { operation, settings, features, memory, plan, unrecoverable, log } = run;
	const ledger = new Ledger();
	if (plan.tasks.length === 0)
		return { results: plan.known, ledger, note: unrecoverable && UNRECOVERABLE_NOTE };
	const { network, obstacle } = openNetwork(run, ledger, credential);
	try {
		const { failure, note } = obstacle
			? { failure: obstacle, note: undefined }
			: await checkRun(run, network, credential);
		// Paid results are shown if each failure has an item, or if no try can succeed
		const keepsPaid = settings.onFailure === 'errorItem' || unrecoverable !== undefined;
		const isWanted = (task: Task) => keepsPaid && isPaidFor(task, run);
		const parts = { ...network, ...memory, operation, settings, features, ledger, log };
		const wanted = failure ? plan.tasks.filter(isWanted) : plan.tasks;
		const results = await performTasks(parts, wanted);
		await addOthers(results, plan, failure);
		const refusal = unrecoverable ? undefined : failure;
		const proof = obstacle ? undefined : await findProof(features);
		const insecure = [...network.insecure];
		const notes = [unrecoverable && UNRECOVERABLE_NOTE, note].filter((part) => part).join(' ');
		return { results, refusal, ledger, proof, note: notes || undefined, insecure };
	} finally {
		try {
			await network.close();
		} finally {
			memory.budget.close(ledger);
			memory.reserved.get(memory.budget)?.flight.end.come();
			memory.reserved.delete(memory.budget);
		}
	}
}

/** The note of a run that returns its results although its user wants it to stop. */
const UNRECOVERABLE_NOTE =
	"This call can't be repeated. The node returned what you already paid for, so it didn't stop.";

/**
 * Opens the network, or one that sends nothing if the credential cannot be used. It does not throw: the error would not say what
 * the execution has spent, and with Continue On Fail n8n would pass on the input as if it were a result. If no try can succeed,
 * the failure of a question does not stop the others, or they would never be sent.
 */
function openNetwork(
	{ context, operation, settings, features, memory, unrecoverable }: PreparedRun,
	ledger: Ledger,
	{ fields, error }: RunCredential,
): { network: OpenNetwork; obstacle?: Failure } {
	const { journal } = memory;
	const { lostInARow } = memory.budget;
	const offline = (obstacle: Failure) => {
		return { network: offlineNetwork(operation, obstacle, journal), obstacle };
	};
	if (!fields) {
		const reason = `the credential can't be used: ${error?.message}`;
		return offline({ cause: 'noCredential', reason, scope: 'account' });
	}
	const onFailure = unrecoverable ? 'unknown' : settings.onFailure;
	const own = { journal, ledger, lostInARow, features };
	const parts = { ...own, settings: { ...settings, onFailure } as const };
	return { network: openRunNetwork(context, operation, fields, parts) };
}

/** Whether the run may begin: first its cost, then the base URLs that the credential needs. */
async function checkRun(run: PreparedRun, network: OpenNetwork, credential: RunCredential) {
	const checked = await checkCost(run, network);
	if (checked.failure) return checked;
	const { isOne, problems } = await urlProblems(run, credential);
	// With one base URL the first call shows it, and nothing is spent either way
	const reason = isOne ? undefined : problems[0];
	if (reason === undefined) return checked;
	return { failure: { cause: 'misconfigured', reason, scope: 'account' } satisfies Failure };
}

/** What is wrong with the base URLs that a run still needs, as clauses, and whether it needs one. Most credentials are fine. */
export async function urlProblems(run: PreparedRun, { fields }: RunCredential) {
	const broken = fields ? brokenUrls(fields) : new Map<ServiceName, string>();
	if (broken.size === 0) return { isOne: false, problems: [] };
	const tasks = run.plan.tasks.filter((task) => !isPaidFor(task, run));
	const services = await servicesOf(run.operation, tasks, cachedIn(run.memory));
	const problems = [...services].flatMap((service) => broken.get(service) ?? []);
	return { isOne: services.size === 1, problems };
}

/** What the features found out after the last call and passed to each other. */
async function findProof(features: Feature[]): Promise<Proof | undefined> {
	let proof: Proof | undefined;
	for (const { afterRun } of features) proof = (await afterRun?.()) ?? proof;
	if (proof) for (const { proved } of features) proved?.(proof);
	return proof;
}

/** Compares the possible cost of the run with Max Paid Lookups and the limits of features. */
async function checkCost(
	run: PreparedRun,
	{ unlessStopped }: OpenNetwork,
): Promise<{ failure?: Failure; note?: string }> {
	const checks = run.features.flatMap(({ beforeRun }) => beforeRun ?? []);
	const limits = run.features.flatMap(({ reserve }) => reserve ?? []);
	run.memory.budget.limits = limits;
	if (checks.length + limits.length === 0 && run.settings.maxPaidLookups === undefined) return {};
	const { estimate, failure } = await reserve(run, unlessStopped);
	if (failure) return { failure };
	const notes: string[] = [];
	for (const check of checks) {
		const checked = await check(estimate);
		if (checked.failure) return checked;
		if (checked.note) notes.push(checked.note);
	}
	return { note: notes.join(' ') || undefined };
}

/**
 * Reserves the paid lookups of a run at once, since another run may reserve while the balances are read. If they are too many, it
 * first waits for runs with the same lookups: their results are free here.
 */
async function reserve(run: PreparedRun, unlessStopped: OpenNetwork['unlessStopped']) {
	const { budget, reserved } = run.memory;
	for (;;) {
		const estimate = await estimateOf(run);
		const isShared = (name: string) => estimate.asked.has(name);
		const failure = budget.reserve(estimate.lookups, run.settings.maxPaidLookups);
		const other = failure && [...reserved.values()].find(({ asked }) => [...asked].some(isShared));
		if (!failure) reserved.set(budget, { asked: estimate.asked, flight: new Flight() });
		const stopped = other && (await unlessStopped(other.flight.end.reached));
		if (!other || stopped) return { estimate, failure: stopped ?? failure };
	}
}

/** Adds the known results, and those of the tasks that were not performed because of a failure. */
async function addOthers(results: Spent['results'], { tasks, known }: Plan, failure?: Failure) {
	for (const [question, result] of known) if (!results.has(question)) results.set(question, result);
	if (!failure) return;
	await SLICES.forEach(tasks, ({ questions }) => {
		for (const question of questions) {
			if (!results.has(question)) results.set(question, { failure });
		}
	});
}

/** The base URLs of the paid calls of the tasks; none for a free operation. */
export async function servicesOf(
	operation: AnyOperation,
	tasks: Task[],
	cached: Cached,
): Promise<Set<ServiceName>> {
	const services = new Set<ServiceName>();
	if (operation.free) return services;
	if ('run' in operation && !isPricedByLookups(operation)) {
		const named = operation.endpoints.map((name) => name.split(' ')[1]);
		const isService = (name: string): name is ServiceName => Object.hasOwn(BASE_URL_FIELDS, name);
		for (const service of named.filter(isService)) services.add(service);
	}
	const add = (question: unknown) => {
		if (!('run' in operation)) return void services.add(operation.request(question).service);
		for (const call of operation.lookups?.(question, cached) ?? []) {
			if (cached(call)) continue;
			services.add(call.lookup.request(call.question).service);
		}
	};
	await SLICES.forEach(tasks, ({ questions }) => {
		for (const { question } of questions) add(question);
	});
	return services;
}
