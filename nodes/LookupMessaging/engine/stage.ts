import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { hireCourier } from './courier';
import { describeResume } from './errors';
import { inMinutes, STOPPED, type Failure } from './failure';
import { CLOCK, Lanes } from './lanes';
import type { Stage } from './perform';
import type { Settings } from './settings';
import { openTransport } from './transport';

/** The stage of one execution, to be closed when all is over. */
export interface OpenStage extends Stage {
	close(): void;
	/** See OpenTransport. */
	openToAll(): string[];
}

/**
 * The stage of one execution of the node: its network, its clock and its log.
 * @throws what n8n throws when the node has no usable credential
 */
export async function openStage(
	context: IExecuteFunctions,
	settings: Settings,
): Promise<OpenStage> {
	const transport = await openTransport(context);
	const deadline = CLOCK.now() + settings.maxWaitMs;
	const signal = context.getExecutionCancelSignal();
	const lanes = new Lanes(transport.crossingTo, settings.maxConcurrentRequests);
	const close = () => {
		signal?.removeEventListener('abort', close);
		lanes.close();
	};
	signal?.addEventListener('abort', close);
	if (signal?.aborted) close();

	/** Resolves when the time is over, or at Stop. */
	const pause = async (ms: number) => {
		if (signal?.aborted) return;
		// A signal of its own: n8n adds a listener to the one it is given, and takes none away
		const own = new AbortController();
		let stop = () => {};
		const stopped = new Promise<void>((resolve) => {
			stop = () => {
				own.abort();
				resolve();
			};
		});
		signal?.addEventListener('abort', stop);
		// n8n 2.x rejects when it is stopped, 1.x sleeps on
		await Promise.race([sleep(ms, own.signal).catch(() => undefined), stopped]);
		signal?.removeEventListener('abort', stop);
	};

	return {
		...hireCourier({ transport, clock: CLOCK, lanes, pause }),
		close,
		openToAll: transport.openToAll,
		backOff: async (mostMs) => await pause(CLOCK.random() * mostMs),
		async wait(ms, note): Promise<Failure | undefined> {
			const left = deadline - CLOCK.now();
			if (left <= 0) return unfinished(settings, note);
			await pause(Math.min(ms, left));
			return signal?.aborted ? STOPPED : undefined;
		},
		log(job) {
			context.logger.info(`The ${job.noun} ${job.id} was started; ${describeResume(job)}`);
		},
	};
}

/** A stage on which nothing can be sent, and no time passes: only what is remembered comes out. */
export function deadStage(failure: Failure): OpenStage {
	return {
		deliver: async () => ({
			reply: { kind: 'misconfigured', reason: failure.reason },
			retries: 0,
		}),
		wait: async () => failure,
		backOff: async () => undefined,
		log: () => undefined,
		close: () => undefined,
		openToAll: () => [],
	};
}

function unfinished({ maxWaitMs }: Settings, note?: string): Failure {
	return {
		cause: 'unfinished',
		reason: `the job is not finished after ${inMinutes(maxWaitMs)}${note ? `; ${note}` : ''}`,
		scope: 'question',
	};
}
