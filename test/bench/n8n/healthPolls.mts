/**
 * What everybody else feels of a server while a load runs: it is asked every 50 ms, whether or not the last answer is there. Each
 * answer is timed from when its question was to be sent, so that a server that stands still shows in all questions of that time,
 * not in one.
 */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, percentile, type Felt } from '../results.mts';

const EVERY_MS = 50;
/** How long the last answers are waited for; what is still missing then counts as long as it has taken. */
const PATIENCE_MS = 15_000;

interface Question {
	dueMs: number;
	answeredMs?: number;
}

export class HealthPolls {
	private readonly questions: Question[] = [];
	private readonly underway = new Set<Promise<void>>();
	private readonly startedMs = performance.now();
	private next?: NodeJS.Timeout;

	/** Begins at once. */
	constructor(private readonly ask: () => Promise<void>) {
		this.askWhatIsDue();
	}

	/**
	 * Ends it, and waits a while for the answers that are missing.
	 * @param untilMs what was to be asked later does not count
	 */
	async end(untilMs: number): Promise<Felt> {
		clearTimeout(this.next);
		const patience = new AbortController();
		const late = sleep(PATIENCE_MS, undefined, { signal: patience.signal });
		late.catch(() => undefined);
		await Promise.race([Promise.all(this.underway), late]);
		patience.abort();
		const nowMs = performance.now();
		const waits = this.questions
			.filter(({ dueMs }) => dueMs <= untilMs)
			.map(({ dueMs, answeredMs = nowMs }) => answeredMs - dueMs);
		return {
			healthMedianMs: median(waits),
			healthP99Ms: percentile(waits, 0.99),
			healthMostMs: Math.max(...waits),
		};
	}

	/** Questions that this process was late with, too. */
	private askWhatIsDue() {
		const { questions, startedMs } = this;
		const next = () => startedMs + questions.length * EVERY_MS;
		while (next() <= performance.now()) this.send({ dueMs: next() });
		this.next = setTimeout(() => this.askWhatIsDue(), next() - performance.now());
	}

	private send(question: Question) {
		this.questions.push(question);
		const answer = this.ask()
			.then(
				() => void (question.answeredMs = performance.now()),
				// Never answered
				() => undefined,
			)
			.finally(() => this.underway.delete(answer));
		this.underway.add(answer);
	}
}

/** As many as a browser keeps open to one server. */
const CONNECTIONS = 6;

/**
 * Asks n8n's health check as the editor and a reverse proxy ask n8n: over connections that stay open. n8n takes one new connection in
 * each turn of its event loop; visitors that come faster than that would measure their own queue.
 */
export function askHealth(url: string): () => Promise<void> {
	// In turn, so that n8n closes none of them for lack of use
	const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'fifo' });
	const ask = async (): Promise<void> =>
		await new Promise((done, refuse) => {
			const request = get(`${url}/healthz`, { agent }, (response) => {
				response.resume();
				response.once('error', refuse);
				response.once('end', done);
			});
			// A connection that n8n has just closed says nothing of n8n
			request.once('error', (error) => (request.reusedSocket ? done(ask()) : refuse(error)));
		});
	return ask;
}
