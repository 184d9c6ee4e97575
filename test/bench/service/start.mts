import { heard, startChild } from '../child.mts';
import type { SandboxRoots } from '../../sandbox/index.ts';
import type { Counted } from './counted.mts';
import type { ServiceKind } from './main.mts';

/** A service in another process. */
export interface Service {
	roots: SandboxRoots;
	pid: number;
	reset(): Promise<void>;
	counted(): Promise<Counted>;
	stop(): void;
}

export async function startService(wanted: ServiceKind): Promise<Service> {
	const child = startChild(import.meta.resolve('./main.mts'), wanted);
	const roots = await heard<SandboxRoots>(child);
	const ask = async (message: 'counted' | 'reset') => {
		const answer = heard<Counted>(child);
		child.send(message);
		return await answer;
	};
	return {
		roots,
		pid: child.pid!,
		reset: async () => void (await ask('reset')),
		counted: async () => await ask('counted'),
		stop: () => child.disconnect(),
	};
}
