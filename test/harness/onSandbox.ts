import type { Sandbox } from '../sandbox';
import { runNode, type NodeOptions } from './n8n';

/** The credential of a sandbox's main account, with the changes of a test. */
export function credentialsOf({ keys, roots }: Sandbox, credential: object = {}) {
	return { lookupMessagingApi: { apiKey: keys.main, ...roots, ...credential } };
}

/** Fails each test of a suite that sends a phone number otherwise than in E.164, or as digits beside a country. */
export function expectOnlyE164(sandboxes: () => Sandbox | Sandbox[]): void {
	afterEach(() => {
		for (const sandbox of [sandboxes()].flat()) expect(sandbox.looseNumbers()).toEqual([]);
	});
}

/** Runs the node with the credential of a sandbox, which may be started later. */
export const runnerOn =
	(sandbox: () => Sandbox) =>
	async (
		parameters: object,
		{ credential, ...options }: Partial<NodeOptions> & { credential?: object } = {},
	) =>
		await runNode({ credentials: credentialsOf(sandbox(), credential), parameters, ...options });
