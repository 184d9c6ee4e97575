import type { Client, Endpoint } from '../../engine/client';
import { CallFailed, type Refusal } from '../../engine/results';

/** Starts a job. An ID in a refusal is reported too, so that a job that may have been paid for can be fetched. */
export async function startJob<Result>(
	client: Client,
	endpoint: Endpoint<Result>,
	step: string,
	report: (id: string, isRefused?: true) => void,
): Promise<Exclude<Result, Refusal>> {
	const start = client.call(endpoint, step);
	// The call fails anyway
	await start.then(undefined, (error: unknown) => {
		const jobId = error instanceof CallFailed ? error.failure.refusal?.jobId : undefined;
		if (jobId !== undefined) report(jobId, true);
	});
	return await start;
}
