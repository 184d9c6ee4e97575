import { startSandbox } from '../../test/sandbox/index.ts';
import type { LookupUsage } from './usage.ts';
import type { Lookup } from './lookups.ts';
import type { OwnService } from './options.mts';

/** The service that a run talks to: the sandbox, whose ledger can be read, or the user's own. */
export interface Service {
	description: string;
	/** What to know about its answers. */
	about?: string;
	credentials: { lookupMessagingApi: Record<string, string> };
	/** Absent for the user's own service. */
	usage?(lookup: Lookup): LookupUsage;
	close(): Promise<void>;
}

/** Long enough to watch the progress, short enough not to wait for it. */
const SANDBOX_LATENCY_MS = 60;

const ABOUT_THE_SANDBOX =
	'The sandbox makes up who is on WhatsApp, which mailboxes exist and where IP addresses are. Countries, line types and carriers come from public numbering plans.';

export async function openService(own?: OwnService): Promise<Service> {
	if (own) {
		const { apiKey, roots } = own;
		return {
			description: `your own service at ${new URL(roots['base-url']).host}, and spend your credits`,
			credentials: {
				lookupMessagingApi: {
					apiKey,
					baseUrl: roots['base-url'],
					lookupUrl: roots['lookup-url'],
					geoipUrl: roots['geoip-url'],
					mcpUrl: roots['mcp-url'],
				},
			},
			close: async () => {},
		};
	}
	const sandbox = await startSandbox({ latencyMs: SANDBOX_LATENCY_MS });
	return {
		description: 'the sandbox on this machine, and no real credit is spent',
		about: ABOUT_THE_SANDBOX,
		credentials: { lookupMessagingApi: { apiKey: sandbox.keys.main, ...sandbox.roots } },
		usage: (lookup) => {
			// The node asks each host without a key whether it answers, before it pays for anything
			const calls = sandbox.log.filter((request) => lookup.isCall(request));
			return {
				requests: calls.length,
				answered: calls.filter(({ status }) => status !== undefined && status < 400).length,
				refused: calls.filter(({ status }) => status !== undefined && status >= 400).length,
				charged: calls.filter(({ charged }) => charged > 0).length,
				credits: sandbox.spent(sandbox.keys.main)[lookup.balance],
			};
		},
		close: async () => await sandbox.close(),
	};
}
