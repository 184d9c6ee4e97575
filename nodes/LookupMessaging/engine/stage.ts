import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { describeResume } from './errors';
import { STOPPED, type Failure } from './failure';
import type { Stage } from './perform';
import type { Settings } from './settings';
import { openTransport } from './transport';

/**
 * The stage of one execution of the node: its network, its clock and its log.
 * @throws what n8n throws when the node has no usable credential
 */
export async function openStage(context: IExecuteFunctions, settings: Settings): Promise<Stage> {
	const transport = await openTransport(context);
	const deadline = Date.now() + settings.maxWaitMs;

	return {
		transport,
		async wait(ms, note): Promise<Failure | undefined> {
			const left = deadline - Date.now();
			if (left <= 0) return unfinished(settings, note);
			const signal = context.getExecutionCancelSignal();
			await Promise.race([sleepQuietly(Math.min(ms, left), signal), whenStopped(signal)]);
			return signal?.aborted ? STOPPED : undefined;
		},
		log(job) {
			context.logger.info(`The ${job.noun} ${job.id} was started; ${describeResume(job)}`);
		},
	};
}

/** n8n 2.x rejects when the execution is stopped, 1.x sleeps on: the signal is what counts. */
async function sleepQuietly(ms: number, signal: AbortSignal | undefined): Promise<void> {
	await sleep(ms, signal).catch(() => undefined);
}

async function whenStopped(signal: AbortSignal | undefined): Promise<void> {
	await new Promise<void>((resolve) => {
		signal?.addEventListener('abort', () => resolve(), { once: true });
	});
}

function unfinished({ maxWaitMs }: Settings, note?: string): Failure {
	const minutes = Math.round(maxWaitMs / 6000) / 10;
	return {
		cause: 'unfinished',
		reason: `the job is not finished after ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}${note ? `; ${note}` : ''}`,
		scope: 'question',
	};
}
