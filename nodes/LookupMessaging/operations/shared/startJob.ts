import type { Client, Endpoint } from '../../engine/client';
import { CallFailed, type Refusal } from '../../engine/results';

/** Starts a job. An ID that the service names although it refuses is reported too: what may have been paid for can be fetched by it. */
export async function startJob<Result>(
	client: Client,
	endpoint: Endpoint<Result>,
	step: string,
	report: (id: string, isRefused?: true) => void,
): Promise<Exclude<Result, Refusal>> {
	const start = client.call(endpoint, step);
	// Beside the call, which fails all the same
	await start.then(undefined, (error: unknown) => {
		const jobId = error instanceof CallFailed ? error.failure.refusal?.jobId : undefined;
		if (jobId !== undefined) report(jobId, true);
	});
	return await start;
}
