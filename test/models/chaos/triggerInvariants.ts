import { spendingOf } from '../../harness/parseReceipt';
import { UNKNOWN_JOB_ID, type ObservedJob, type TriggerRun } from './runTriggerSchedule';

/** The checks on an observed trigger: it emits each job once and whole, at no cost, and never shows the API key. */
export function triggerViolations(observed: TriggerRun): string[] {
	const { jobs, schedule, texts, apiKey } = observed;
	const found = jobs.flatMap((job) => jobViolations(job, observed));
	const unknownJobCount = timesOf(UNKNOWN_JOB_ID, observed);
	const isTold =
		schedule.hasUnknownJob && schedule.jobsToWatch === 'byId' && schedule.includeFailedJobs;
	if (isTold ? unknownJobCount < 1 : unknownJobCount > 0) {
		found.push(`the unknown job came ${unknownJobCount} times`);
	}
	if (texts.includes(apiKey)) found.push('the API key is shown');
	return [...found, ...chargeViolations(observed)];
}

function jobViolations(job: ObservedJob, observed: TriggerRun): string[] {
	const { schedule, emissions, looks } = observed;
	const { id, isFailing, isOutdated, mayRepeat, numbers } = job;
	const times = timesOf(id, observed);
	const isMuted = isFailing && schedule.resource === 'audit' && !schedule.includeFailedJobs;
	const least = isMuted || isOutdated ? 0 : 1;
	const isRight = times === least || (mayRepeat && times > least);
	const found = isRight ? [] : [`${id} came ${times} times, due ${least}`];
	const items = schedule.resource === 'batch' && schedule.splitIntoItems ? numbers : undefined;
	for (const [, count] of emissions.flat().filter(([one]) => one === id)) {
		if (items !== undefined && count !== items) found.push(`${id} has ${count} items of ${items}`);
	}
	// Asking about an audit may cost: the trigger asks once about a listed audit, when it is finished
	const looked = looks.get(id) ?? 0;
	if (schedule.jobsToWatch === 'fromTool' && looked > times && !isMuted) {
		found.push(`${id} was looked at ${looked} times, and came ${times} times`);
	}
	return found;
}

function timesOf(id: string, { emissions }: TriggerRun): number {
	return emissions.flat().filter(([one]) => one === id).length;
}

/** Polls cost nothing. Executions of the action node at the same time cost what their receipts say. */
function chargeViolations({ jobs, schedule, charged, lookups }: TriggerRun): string[] {
	const submitted = jobs.reduce((sum, { numbers }) => sum + numbers, 0);
	const due = schedule.resource === 'batch' ? submitted : jobs.length;
	const found = charged === due ? [] : [`${charged} credits charged for jobs, due ${due}`];
	let [stated, open] = [0, 0];
	for (const text of lookups.receipts) {
		const { credits = {}, mostOpen = 0 } = spendingOf(text) ?? {};
		stated += Number(credits.email ?? 0);
		open += mostOpen;
	}
	if (lookups.spent < stated || lookups.spent > stated + open) {
		found.push(`${lookups.spent} credits spent beside, receipts say ${stated} and ${open} open`);
	}
	return found;
}
