import { startSandbox } from '../../sandbox/index.ts';
import { startService } from './startService.mts';
import { AREAS, numberAt } from '../numbers.mts';

/** Throws unless the fast service answers as the sandbox does, to one number of every area and every last digit. */
export async function assertSameAnswers() {
	const sandbox = await startSandbox();
	const fast = await startService({ kind: 'fast', latencyMs: 0 });
	try {
		for (let area = 0; area < AREAS.length; area += 1) {
			const number = numberAt(area * 100 + (area % 100));
			const query = new URLSearchParams({ number, api_key: sandbox.keys.main });
			const [wanted, seen] = await Promise.all(
				[sandbox.roots, fast.roots].map(async ({ baseUrl }) => {
					const response = await fetch(`${baseUrl}/checkwanumber?${query}`);
					const type = response.headers.get('content-type');
					return `${response.status} ${type} ${await response.text()}`;
				}),
			);
			if (wanted !== seen) throw new Error(`The sandbox says ${wanted}, the fast service ${seen}`);
		}
	} finally {
		fast.stop();
		await sandbox.close();
	}
}
