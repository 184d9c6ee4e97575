/** The paths of calls through the code, from the node's `execute()` to HTTP and back, with every option at its default. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { startSandbox } from '../../test/sandbox/index.ts';
import { runNode } from '../../test/harness/n8n.ts';
import { compileInstrumented, onEntry, type Entry } from './instrument.mts';
import { UNNAMED } from './sources.mts';

/** The node under a name of its own, so that the harness does not load the package's build. */
const TRACED_TYPE = 'traced.lookupMessaging';

const NUMBER = { phoneNumber: '+12025550102' };
/** The calls that are traced, by operation: each is one request. */
const TRACED = {
	'email.verify': { email: 'name@example.com' },
	'phone.validate': NUMBER,
	'whatsApp.sendMessage': { ...NUMBER, message: 'Hello' },
};
type TracedOperation = keyof typeof TRACED;

const SLICE_ENDS_MS = 10;

/** The redaction of a key enters functions for each of its characters, so its length is fixed here. */
const KEY = 'traced-key';

/**
 * Runs each traced operation for one item on n8n's engine and the sandbox.
 * @returns every function entry of each, in order; loading the modules does not count
 */
export async function tracePaths(root: string): Promise<Record<TracedOperation, Entry[]>> {
	const folder = mkdtempSync(join(tmpdir(), 'structure-'));
	const paths = {} as Record<TracedOperation, Entry[]>;
	try {
		compileInstrumented(root, folder);
		const { node, credential } = load(folder);
		for (const operation of Object.keys(TRACED) as TracedOperation[]) {
			paths[operation] = await trace(operation, node, credential);
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	return paths;
}

async function trace(
	operation: TracedOperation,
	node: INodeType,
	credential: ICredentialType,
): Promise<Entry[]> {
	const [resource, value] = operation.split('.');
	const sandbox = await startSandbox({ mainKey: KEY });
	const entries: Entry[] = [];
	// The slice of the run before ends with its round of the event loop
	await setTimeout(SLICE_ENDS_MS);
	try {
		const run = await runNode({
			type: TRACED_TYPE,
			types: { nodes: { [TRACED_TYPE]: recorded(node, entries) }, credentials: [credential] },
			parameters: { resource, operation: value, ...TRACED[operation] },
			credentials: { lookupMessagingApi: { apiKey: KEY, ...sandbox.roots } },
		});
		if (run.error) throw run.error;
		if (sandbox.log.length !== 1) throw new Error(`${operation} was not one call`);
	} finally {
		await sandbox.close();
	}
	return entries;
}

function load(folder: string): { node: INodeType; credential: ICredentialType } {
	const require = createRequire(join(folder, 'index.js'));
	const { LookupMessaging } = require('./nodes/LookupMessaging/LookupMessaging.node.js');
	const { LookupMessagingApi } = require('./credentials/LookupMessagingApi.credentials.js');
	return { node: new LookupMessaging(), credential: new LookupMessagingApi() };
}

/**
 * The node with an `execute` that records from its entry until it resolves. No time passes meanwhile: on a busy machine the path
 * would have pauses, and the functions that end them.
 */
function recorded(node: INodeType, entries: Entry[]): INodeType {
	const execute: INodeType['execute'] = async function (...args) {
		onEntry((entry) => entries.push(entry));
		const { now } = Date;
		const began = now();
		Date.now = () => began;
		try {
			return await node.execute!.apply(this, args);
		} finally {
			onEntry(undefined);
			Date.now = now;
		}
	};
	return Object.assign(Object.create(node) as INodeType, { execute });
}

export interface PathFigures {
	entries: number;
	functions: number;
	/** In the order of their first entries. */
	files: string[];
	/** Successive entries in different files. */
	moves: number;
	/** Moves to a file that was entered before. */
	movesBack: number;
}

/** Without functions that have no name, such as what is given to `map`: they are read with the function around them. */
export const named = (entries: Entry[]) => entries.filter(({ name }) => name !== UNNAMED);

export function pathFigures(entries: Entry[]): PathFigures {
	const files = new Set<string>();
	let moves = 0;
	let movesBack = 0;
	entries.forEach(({ file }, index) => {
		if (index > 0 && file !== entries[index - 1].file) {
			moves += 1;
			if (files.has(file)) movesBack += 1;
		}
		files.add(file);
	});
	const functions = new Set(entries.map(({ file, position }) => `${file}:${position}`));
	return {
		...{ entries: entries.length, functions: functions.size },
		...{ files: [...files], moves, movesBack },
	};
}
