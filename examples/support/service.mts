import { startSandbox } from '../../test/sandbox/index.ts';
import type { Lookup } from './lookups.mts';
import type { OwnService } from './options.mts';

/** What the service itself recorded about one lookup. */
export interface LedgerLine {
	/** Requests that arrived. */
	requests: number;
	/** Requests that got an answer to their question, rather than a refusal or nothing. */
	answered: number;
	/** Requests that cost something in the end (a refund takes the cost back). */
	charged: number;
	/** Credits taken, refunds deducted. */
	credits: number;
}

/** The service that a run talks to: the sandbox, whose ledger can be read, or the user's own. */
export interface Service {
	description: string;
	credentials: { lookupMessagingApi: OwnService };
	/** Absent for the user's own service. */
	ledger?(lookup: Lookup): LedgerLine;
	close(): Promise<void>;
}

/** Long enough to watch the progress, short enough not to wait for it. */
const SANDBOX_LATENCY_MS = 60;

export async function openService(own?: OwnService): Promise<Service> {
	if (own) {
		return {
			description: `your own service at ${new URL(own.baseUrl).host}; its lookups spend your credits`,
			credentials: { lookupMessagingApi: own },
			close: async () => {},
		};
	}
	const sandbox = await startSandbox({ latencyMs: SANDBOX_LATENCY_MS });
	return {
		description: 'the sandbox on this machine; no real credit is spent',
		credentials: { lookupMessagingApi: { apiKey: sandbox.keys.main, ...sandbox.roots } },
		ledger: (lookup) => {
			const calls = sandbox.log.filter((request) => lookup.isCall(request));
			return {
				requests: calls.length,
				answered: calls.filter(({ status }) => status !== undefined && status < 400).length,
				charged: calls.filter(({ charged }) => charged > 0).length,
				credits: sandbox.spent(sandbox.keys.main)[lookup.balance],
			};
		},
		close: async () => await sandbox.close(),
	};
}
