import { nextMessage, startChild } from '../child.mts';
import type { SandboxRoots, TlsIdentity } from '../../sandbox/index.ts';
import type { ServiceCounts } from './serviceCounts.mts';
import type { ServiceKind, WantedService } from './main.mts';

/** A service in another process. */
export interface Service {
	roots: SandboxRoots;
	pid: number;
	reset(): Promise<void>;
	counts(): Promise<ServiceCounts>;
	stop(): void;
}

/** @param identity plain http without it */
export async function startService(kind: ServiceKind, identity?: TlsIdentity): Promise<Service> {
	const tls = identity && { key: identity.key, cert: identity.cert };
	const wanted: WantedService = { ...kind, tls };
	const child = startChild(import.meta.resolve('./main.mts'), wanted);
	const roots = await nextMessage<SandboxRoots>(child);
	const ask = async (message: 'counts' | 'reset') => {
		const answer = nextMessage<ServiceCounts>(child);
		child.send(message);
		return await answer;
	};
	return {
		roots,
		pid: child.pid!,
		reset: async () => void (await ask('reset')),
		counts: async () => await ask('counts'),
		stop: () => child.disconnect(),
	};
}
