import { spendingOf } from '../../harness/parseReceipt';
import { STRANGER, type JobSeen, type Life } from './runTriggerSchedule';

/** What a life of the trigger owes: each job once, whole, at no cost. */
export function debtsOf(life: Life): string[] {
	const { jobs, watch, texts, apiKey } = life;
	const found = jobs.flatMap((job) => jobDebts(job, life));
	const strangers = timesOf(STRANGER, life);
	const isTold = watch.hasStranger && watch.jobsFrom === 'ids' && watch.fireOnFailure;
	if (isTold ? strangers < 1 : strangers > 0) {
		found.push(`the job that nobody knows came ${strangers} times`);
	}
	if (texts.includes(apiKey)) found.push('the API key is shown');
	return [...found, ...moneyDebts(life)];
}

function jobDebts(job: JobSeen, life: Life): string[] {
	const { watch, emissions, looks } = life;
	const { id, isFailing, isPassed, mayComeAgain, numbers } = job;
	const times = timesOf(id, life);
	const isMuted = isFailing && watch.resource === 'audit' && !watch.fireOnFailure;
	const least = isMuted || isPassed ? 0 : 1;
	const isRight = times === least || (mayComeAgain && times > least);
	const found = isRight ? [] : [`${id} came ${times} times, due ${least}`];
	const items = watch.resource === 'batch' && watch.emit === 'row' ? numbers : undefined;
	for (const [, count] of emissions.flat().filter(([one]) => one === id)) {
		if (items !== undefined && count !== items) found.push(`${id} has ${count} items of ${items}`);
	}
	// A look at an audit may cost: of a listing it is asked about when it is over, and never again
	const looked = looks.get(id) ?? 0;
	if (watch.jobsFrom === 'listing' && looked > times && !isMuted) {
		found.push(`${id} was looked at ${looked} times, and came ${times} times`);
	}
	return found;
}

function timesOf(id: string, { emissions }: Life): number {
	return emissions.flat().filter(([one]) => one === id).length;
}

/** Polls cost nothing, and executions beside them what their receipts say. */
function moneyDebts({ jobs, watch, charged, lookups }: Life): string[] {
	const submitted = jobs.reduce((sum, { numbers }) => sum + numbers, 0);
	const due = watch.resource === 'batch' ? submitted : jobs.length;
	const found = charged === due ? [] : [`${charged} credits charged for jobs, due ${due}`];
	let [stated, open] = [0, 0];
	for (const text of lookups.receipts) {
		const { credits = {}, mostLostCredits = 0, mostRefusedCredits = 0 } = spendingOf(text) ?? {};
		stated += Number(credits.email ?? 0);
		open += mostLostCredits + mostRefusedCredits;
	}
	if (lookups.spent < stated || lookups.spent > stated + open) {
		found.push(`${lookups.spent} credits spent beside, receipts say ${stated} and ${open} open`);
	}
	return found;
}
