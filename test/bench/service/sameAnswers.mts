import { Agent, fetch } from 'undici';
import { startSandbox } from '../../sandbox/index.ts';
import type { Identity } from './identity.mts';
import { startService } from './startService.mts';
import { AREAS, numberAt } from '../numbers.mts';

/** Of a hundred numbers one is compared. */
const HUNDREDS = AREAS.length + 30;

/** Throws unless the fast service answers as the sandbox does, to one number of every area, some others, and every last digit. */
export async function assertSameAnswers(identity?: Identity) {
	const tls = identity && { key: identity.key, cert: identity.cert };
	const dispatcher = new Agent({ connect: { ca: identity?.ca } });
	const sandbox = await startSandbox({ tls });
	const fast = await startService({ kind: 'fast', latencyMs: 0 }, tls);
	try {
		for (let hundred = 0; hundred < HUNDREDS; hundred += 1) {
			const number = numberAt(hundred * 100 + (hundred % 100));
			const query = new URLSearchParams({ number, api_key: sandbox.keys.main });
			const [wanted, seen] = await Promise.all(
				[sandbox.roots, fast.roots].map(async ({ baseUrl }) => {
					const response = await fetch(`${baseUrl}/checkwanumber?${query}`, { dispatcher });
					const type = response.headers.get('content-type');
					return `${response.status} ${type} ${await response.text()}`;
				}),
			);
			if (wanted !== seen) throw new Error(`The sandbox says ${wanted}, the fast service ${seen}`);
		}
	} finally {
		await dispatcher.close();
		fast.stop();
		await sandbox.close();
	}
}
