/** The service of a load, in a process of its own; started by startService.mts, which talks to it over Node's channel. */
import {
	startSandbox,
	type SandboxOptions,
	type SandboxRoots,
	type TlsIdentity,
} from '../../sandbox/index.ts';
import type { ServiceCounts } from './serviceCounts.mts';
import { startFastService } from './fast.mts';

export type ServiceKind =
	| { kind: 'fast'; latencyMs: number }
	| { kind: 'sandbox'; options: SandboxOptions };

export type WantedService = ServiceKind & {
	/** Plain http without it. */
	tls?: TlsIdentity;
};

interface Running {
	roots: SandboxRoots;
	reset(): void;
	counts(): ServiceCounts;
}

async function startFast(latencyMs: number, tls?: TlsIdentity): Promise<Running> {
	const { baseUrl, ...rest } = await startFastService(latencyMs, tls);
	return { roots: { baseUrl, lookupUrl: '', geoipUrl: '', mcpUrl: '' }, ...rest };
}

async function startFull(options: SandboxOptions): Promise<Running> {
	const sandbox = await startSandbox(options);
	return {
		roots: sandbox.roots,
		reset: () => sandbox.reset(),
		counts: () => ({
			requests: sandbox.log.length,
			paid: sandbox.debits(sandbox.keys.main).reduce((sum, { amount }) => sum + amount, 0),
			refused: sandbox.log.filter(({ status }) => status === 429).length,
			peakSockets: sandbox.connections().peak,
		}),
	};
}

const wanted = JSON.parse(process.argv[2]) as WantedService;
const { tls } = wanted;
const service =
	wanted.kind === 'fast'
		? await startFast(wanted.latencyMs, tls)
		: await startFull({ ...wanted.options, tls });
process.on('message', (message) => {
	if (message === 'reset') service.reset();
	process.send?.(service.counts());
});
process.once('disconnect', () => process.exit());
process.send?.(service.roots);
