/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { BUILT } from '../builtEngine';
import { packageRoot } from './n8nNodeTypes';

/**
 * An option that only tests have: how many calls of a node may be under way at once. The node's own number is that of its limiter.
 * Tests of what happens call by call need few.
 */
export const AT_ONCE = 'harness.atOnce';

const wanted = new AsyncLocalStorage<number>();
type RequestRate = Pick<typeof import('../engine'), 'concurrencyOf'>;
let isInstalled = false;

/** Takes the option out of the nodes, which don't have it, and runs with it. */
export async function withAtOnce<Value>(
	nodes: Array<{ parameters?: object }>,
	run: () => Promise<Value>,
): Promise<Value> {
	let atOnce: number | undefined;
	for (const { parameters } of nodes) {
		const options = ((parameters ?? {}) as IDataObject).options as IDataObject | undefined;
		if (typeof options !== 'object' || options === null || !(AT_ONCE in options)) continue;
		atOnce = Number(options[AT_ONCE] ?? 0) || atOnce;
		delete options[AT_ONCE];
	}
	if (atOnce === undefined) return await run();
	if (!isInstalled) await install();
	return await wanted.run(atOnce, run);
}

/** Puts the tests' number in place of the built node's, for each execution its own. */
async function install() {
	isInstalled = true;
	const imported = (await import(join(packageRoot, BUILT.requestRate))) as { default?: unknown };
	// A plain Node process wraps the module
	const built = (imported.default ?? imported) as {
		-readonly [Name in keyof RequestRate]: RequestRate[Name];
	};
	const own = built.concurrencyOf;
	built.concurrencyOf = (perMinute) => wanted.getStore() ?? own(perMinute);
}
