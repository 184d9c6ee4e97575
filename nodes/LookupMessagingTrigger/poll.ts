import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Caller } from '../LookupMessaging/engine/client';
import type { Failure } from '../LookupMessaging/engine/results';
import { describePollFailure, toPollError } from '../LookupMessaging/engine/output/errors';
import { describeInsecure } from '../LookupMessaging/engine/output/report';
import { plainCaller } from '../LookupMessaging/engine/network/layers';
import { PASSING } from '../LookupMessaging/operations/shared/polling';
import { fingerprint, readCheckpoint, storedForm, type Checkpoint } from './checkpoint';
import type { EmittedItems } from './emittedItems';
import { MAX_CONCURRENT_CHECKS, openBudget, type Budget } from './jobChecks';
import { runManualTest } from './manualTest';
import { exclusively } from './mutex';
import { openPollNetwork } from './pollNetwork';
import { runPollCycle } from './pollCycle';
import { readTriggerSettings, type TriggerSettings } from './settings';

/**
 * One poll of the trigger.
 * @returns the items of the jobs that are over and were not emitted yet, or null for none
 * @throws NodeApiError if the poll failed; in a manual test NodeOperationError if there is no job to show
 */
export async function pollJobs(context: IPollFunctions): Promise<EmittedItems | null> {
	const budget = openBudget(budgetOf(context));
	if (context.getMode() === 'manual') {
		const settings = settingsOf(context, false);
		return await online(
			context,
			budget,
			async (client) => await runManualTest(context, settings, client, budget),
		);
	}
	const items = await exclusively(
		context,
		async (isFirst) => await pollOnce(context, budget, isFirst),
	);
	return items?.length ? items : null;
}

async function pollOnce(
	context: IPollFunctions,
	budget: Budget,
	isFirst: boolean,
): Promise<EmittedItems> {
	const settings = settingsOf(context, !isFirst);
	const stored = context.getWorkflowStaticData('node');
	const { items, checkpoint, warning, failure } = await online(
		context,
		budget,
		async (client) => await runPollCycle(readCheckpoint(stored), settings, client, budget),
	);
	// Stored together with the items: n8n saves both, or keeps the data in memory if there are no items
	for (const [name, value] of Object.entries(storedForm(checkpoint))) put(stored, name, value);
	if (isNews(warning, stored)) context.logger.warn(warning);
	if (failure && isFirst && startsAnyway(context, checkpoint, settings, failure)) {
		context.logger.warn(`The first poll failed. ${describePollFailure(failure, true)}`);
		return [];
	}
	if (failure) throw toPollError(context.getNode(), failure, !isFirst);
	return items;
}

/** Activations whose log says that requests are not encrypted. Polls have no hints. n8n uses one context for an activation. */
const warned = new WeakSet<object>();

/** Runs `act` on the network of the poll, then closes it. */
async function online<Result>(
	context: IPollFunctions,
	{ maxQueueWaitMs, timeoutMs }: Budget,
	act: (client: Caller) => Promise<Result>,
): Promise<Result> {
	const bounds = { cap: MAX_CONCURRENT_CHECKS, maxQueueWaitMs, timeoutMs };
	const network = await openPollNetwork(context, bounds);
	try {
		return await act(plainCaller(network.send));
	} finally {
		await network.close();
		if (network.insecure.size > 0 && !warned.has(context)) {
			warned.add(context);
			context.logger.warn(`${describeInsecure([...network.insecure])}.`);
		}
	}
}

function settingsOf(context: IPollFunctions, goesOn: boolean): TriggerSettings {
	const settings = readTriggerSettings(context);
	if ('failure' in settings) throw toPollError(context.getNode(), settings.failure, goesOn);
	return settings;
}

/** Sets changed fields only: n8n counts every assignment as a change. */
function put(data: IDataObject, name: string, value: string) {
	if (data[name] !== value) data[name] = value;
}

/** Whether the previous poll has not logged the same warning already. */
function isNews(warning: string | undefined, data: IDataObject): warning is string {
	const before = data.warned;
	put(data, 'warned', warning ? fingerprint(warning) : '');
	return warning !== undefined && before !== data.warned;
}

/**
 * Whether n8n's own start continues although the service is down. An error would leave the workflow inactive, and n8n retries the
 * activation at ever longer intervals. If the failure lasts, the next poll shows it. A listing must have been polled once,
 * because its first poll decides which jobs were finished already.
 */
function startsAnyway(
	context: IPollFunctions,
	{ scope }: Checkpoint,
	{ listing, scope: wanted }: TriggerSettings,
	{ cause }: Failure,
): boolean {
	const isStartOfN8n = ['init', 'leadershipChange'].includes(context.getActivationMode());
	return isStartOfN8n && PASSING.has(cause) && (!listing || scope === wanted);
}

/** Milliseconds that n8n allows for the poll; n8n 1.x does not say. */
function budgetOf(context: Partial<IPollFunctions>): number | undefined {
	return context.getPollBudgetMs?.();
}
