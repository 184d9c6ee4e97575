import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { describeFailure, toPollError } from '../LookupMessaging/engine/errors';
import type { Failure } from '../LookupMessaging/engine/failure';
import { govern, type GovernedNetwork } from '../LookupMessaging/engine/governed';
import { openTransport } from '../LookupMessaging/engine/transport';
import type { Emission } from './emission';
import { oneAtATime } from './gate';
import { MOST_AT_ONCE, openBudget, type Budget } from './looks';
import { testTrigger } from './manual';
import { goRound } from './round';
import { fingerprint, readSeen, storedForm, type Seen } from './seen';
import { readTriggerSettings, type TriggerSettings } from './settings';

/**
 * One poll of the trigger.
 * @returns the items of the jobs that are over and were not emitted yet, or null for none
 * @throws NodeApiError when the poll learned nothing; in a test NodeOperationError when there is no job to show
 */
export async function pollJobs(context: IPollFunctions): Promise<Emission | null> {
	const budget = openBudget(budgetOf(context));
	if (context.getMode() === 'manual') {
		const settings = settingsOf(context, false);
		return await online(
			context,
			budget,
			async (network) => await testTrigger(context, settings, network, budget),
		);
	}
	const items = await oneAtATime(context, async (isFirst) => await watch(context, budget, isFirst));
	return items?.length ? items : null;
}

async function watch(context: IPollFunctions, budget: Budget, isFirst: boolean): Promise<Emission> {
	const settings = settingsOf(context, !isFirst);
	const stored = context.getWorkflowStaticData('node');
	const { items, seen, warning, failure } = await online(
		context,
		budget,
		async (network) => await goRound(readSeen(stored), settings, network, budget),
	);
	// Stored in one go with what is emitted: n8n saves it with the emission, and of a poll without one keeps it in memory
	store(seen, stored);
	if (isNews(warning, stored)) context.logger.warn(warning);
	if (failure && isFirst && startsAnyway(context, seen, settings, failure)) {
		context.logger.warn(`The first poll failed. ${describeFailure(failure)}`);
		return [];
	}
	if (failure) throw toPollError(context.getNode(), failure, !isFirst);
	return items;
}

/** Does something with the network of the poll, which is closed afterwards. */
async function online<Result>(
	context: IPollFunctions,
	budget: Budget,
	act: (network: GovernedNetwork) => Promise<Result>,
): Promise<Result> {
	const network = govern(await openTransport(context), MOST_AT_ONCE, budget.patienceMs);
	try {
		return await act(network);
	} finally {
		network.close();
	}
}

function settingsOf(context: IPollFunctions, goesOn: boolean): TriggerSettings {
	const settings = readTriggerSettings(context);
	if ('failure' in settings) throw toPollError(context.getNode(), settings.failure, goesOn);
	return settings;
}

function store(seen: Seen, data: IDataObject) {
	for (const [name, value] of Object.entries(storedForm(seen))) put(data, name, value);
}

/** n8n takes every field that is set for a change. */
function put(data: IDataObject, name: string, value: string) {
	if (data[name] !== value) data[name] = value;
}

/** Whether to say it: not what the poll before has said already. */
function isNews(warning: string | undefined, data: IDataObject): warning is string {
	const before = data.warned;
	put(data, 'warned', warning ? fingerprint(warning) : '');
	return warning !== undefined && before !== data.warned;
}

/** Failures that pass by themselves. */
const PASSING = new Set<Failure['cause']>(['lost', 'throttled', 'unreachable']);

/**
 * Whether n8n's own start goes on although the service is out. A throw would leave the workflow inactive, to be tried again
 * at ever longer intervals; the next poll will fail in public. A listing that was never looked at has to be, first.
 */
function startsAnyway(
	context: IPollFunctions,
	{ scope }: Seen,
	{ listing, scope: wanted }: TriggerSettings,
	{ cause }: Failure,
): boolean {
	const isStartOfN8n = ['init', 'leadershipChange'].includes(context.getActivationMode());
	return isStartOfN8n && PASSING.has(cause) && (!listing || scope === wanted);
}

/** Milliseconds that n8n gives the poll; n8n 1.x does not say. */
function budgetOf(context: Partial<IPollFunctions>): number | undefined {
	return context.getPollBudgetMs?.();
}
