import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { resetTime, withoutTimeouts } from '../../harness/time';

/** Sandboxes that are open during the tests of a suite, whose time-outs come at once. */
export function chaosSandboxes(...worlds: SandboxOptions[]): Sandbox[] {
	const sandboxes: Sandbox[] = [];
	let restore = () => {};
	beforeAll(async () => {
		// The sandbox uses the clock of the tests
		resetTime();
		restore = withoutTimeouts();
		for (const world of worlds) sandboxes.push(await startSandbox(world));
	});
	afterAll(async () => {
		restore();
		await Promise.all(sandboxes.map(async (each) => await each.close()));
	});
	return sandboxes;
}
