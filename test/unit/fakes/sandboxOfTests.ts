import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';

/** A sandbox for the tests of a group, which is as new for each of them. */
export function sandboxOfTests(options: SandboxOptions = {}): Sandbox {
	const sandbox = {} as Sandbox;
	beforeAll(async () => void Object.assign(sandbox, await startSandbox(options)));
	beforeEach(() => sandbox.reset());
	afterAll(async () => await sandbox.close());
	return sandbox;
}
