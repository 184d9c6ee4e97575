import type { IExecuteFunctions } from 'n8n-workflow';
import type { Failure } from '../results';
import { parameterFailure, STOPPED } from '../operation';
import { CREDENTIAL_TYPE } from '../plan/settings';
import { textOf } from '../plan/values';
import { TimeSlices } from '../timeSlices';
import { BASE_URL_FIELDS, type CredentialData } from './credential';

/** The credential of a run. It is fetched and decrypted once, for its first item. */
export interface RunCredential {
	/** Undefined where the node has none that can be used. */
	fields?: CredentialData;
	/** What n8n throws then. */
	error?: Error;
	/** Tells apart what was paid for with another key, or answered at another address. */
	account?: string;
	/** Why it cannot be used for all items. */
	problem?: Failure;
}

export async function readRunCredential(
	context: IExecuteFunctions,
	itemCount: number,
): Promise<RunCredential> {
	try {
		const fields: CredentialData = await context.getCredentials(CREDENTIAL_TYPE);
		const account = accountOf(fields);
		return { fields, account, problem: await problemOf(context, itemCount, account) };
	} catch (error) {
		return { error: error as Error };
	}
}

/**
 * Expressions in the credential may give each item another key or address, and a run has one of each. The node does not see
 * whether there are any, so the last item is looked at, and one after it: an expression about the item finds nothing there.
 */
async function problemOf(
	context: IExecuteFunctions,
	itemCount: number,
	account: string,
): Promise<Failure | undefined> {
	const isSame = async (item: number) => (await accountAt(context, item)) === account;
	if (itemCount < 2 || ((await isSame(itemCount - 1)) && (await isSame(itemCount))))
		return undefined;
	const slices = new TimeSlices();
	for (let item = 1; item < itemCount; item += 1) {
		await slices.pauseIfOver();
		if (context.getExecutionCancelSignal()?.aborted) return STOPPED;
		if (!(await isSame(item))) return manyAccounts(item);
	}
	return undefined;
}

async function accountAt(context: IExecuteFunctions, item: number): Promise<string | undefined> {
	try {
		return accountOf(await context.getCredentials(CREDENTIAL_TYPE, item));
	} catch {
		return undefined;
	}
}

const FIELDS = ['apiKey', ...Object.values(BASE_URL_FIELDS).map(({ field }) => field)];

function accountOf(fields: CredentialData): string {
	return JSON.stringify(FIELDS.map((name) => textOf(fields[name]).trim()));
}

function manyAccounts(item: number): Failure {
	return parameterFailure(
		`the expressions in the credential give item ${item} another API Key or URL than item 0, and a run uses one for all of its items. Put a Loop Over Items node with a Batch Size of 1 before this node, or use a credential without such expressions`,
	);
}
