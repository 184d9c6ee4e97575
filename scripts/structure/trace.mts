/** The path of one paid lookup through the code, from the node's `execute()` to HTTP and back. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { startSandbox } from '../../test/sandbox/index.ts';
import { runNode } from '../../test/harness/n8n.ts';
import { compileInstrumented, onEntry, type Entry } from './instrument.mts';
import { UNNAMED } from './sources.mts';

/** The node under a name of its own, so that the harness does not load the package's build. */
const TRACED_TYPE = 'traced.lookupMessaging';

const LOOKUP = {
	resource: 'phone',
	operation: 'validate',
	phoneNumber: '+442079460958',
	responseDetail: 'detailed',
};
/** The redaction of a key enters functions for each of its characters, so its length is fixed here. */
const KEY = 'traced-key';

/**
 * Runs Phone > Validate, Detailed, for one item on n8n's engine and the sandbox.
 * @returns every function entry, in order; loading the modules does not count
 */
export async function tracePaidLookup(root: string): Promise<Entry[]> {
	const folder = mkdtempSync(join(tmpdir(), 'structure-'));
	const sandbox = await startSandbox({ mainKey: KEY });
	const entries: Entry[] = [];
	try {
		compileInstrumented(root, folder);
		const { node, credential } = load(folder);
		const run = await runNode({
			type: TRACED_TYPE,
			types: { nodes: { [TRACED_TYPE]: recorded(node, entries) }, credentials: [credential] },
			parameters: LOOKUP,
			credentials: { lookupMessagingApi: { apiKey: KEY, ...sandbox.roots } },
		});
		if (run.error) throw run.error;
		if (sandbox.log.length !== 1 || sandbox.spent(KEY).phone !== 1)
			throw new Error('The lookup was not one paid call');
	} finally {
		await sandbox.close();
		rmSync(folder, { recursive: true, force: true });
	}
	return entries;
}

function load(folder: string): { node: INodeType; credential: ICredentialType } {
	const require = createRequire(join(folder, 'index.js'));
	const { LookupMessaging } = require('./nodes/LookupMessaging/LookupMessaging.node.js');
	const { LookupMessagingApi } = require('./credentials/LookupMessagingApi.credentials.js');
	return { node: new LookupMessaging(), credential: new LookupMessagingApi() };
}

/** Records from the entry of `execute` until it resolves. */
function recorded(node: INodeType, entries: Entry[]): INodeType {
	const { execute } = node;
	node.execute = async function (...args) {
		onEntry((entry) => entries.push(entry));
		try {
			return await execute!.apply(this, args);
		} finally {
			onEntry(undefined);
		}
	};
	return node;
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
