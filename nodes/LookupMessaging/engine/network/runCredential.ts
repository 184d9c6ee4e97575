import type { IExecuteFunctions } from 'n8n-workflow';
import type { Failure } from '../results';
import { parameterFailure, STOPPED, type BaseUrlsSet } from '../operation';
import { CREDENTIAL_TYPE } from '../plan/settings';
import { textOf } from '../plan/values';
import { TimeSlices } from '../timeSlices';
import { BASE_URL_FIELDS, urlsIn, type CredentialData } from './credential';

/** The credential of a run. It is fetched and decrypted once, for its first item. */
export interface RunCredential {
	/** Undefined where the node has none that can be used. */
	fields?: CredentialData;
	/** Which base URLs it has. */
	urls?: BaseUrlsSet;
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
		const problem = await problemOf(context, itemCount, account);
		return { fields, urls: urlsIn(fields), account, problem };
	} catch (error) {
		return { error: error as Error };
	}
}

/** Items whose credential is looked at, since n8n reads it from its database each time. */
const MOST_LOOKS = 100;

/**
 * Expressions in the credential may give each item another key or address, and a run has one of each. The node does not see
 * whether there are any, so some of the items are looked at, all of a short run; and one after the last, where an expression about
 * the item finds nothing. If that one differs, all are looked at.
 */
async function problemOf(
	context: IExecuteFunctions,
	itemCount: number,
	account: string,
): Promise<Failure | undefined> {
	if (itemCount < 2) return undefined;
	const slices = new TimeSlices();
	const accountAt = async (item: number) =>
		await context.getCredentials(CREDENTIAL_TYPE, item).then(accountOf, () => undefined);
	// Odd, or it might meet none of every second item
	let step = Math.floor(itemCount / MOST_LOOKS) | 1;
	for (let item = itemCount; item > 0; item -= step) {
		await slices.pauseIfOver();
		if (context.getExecutionCancelSignal()?.aborted) return STOPPED;
		if ((await accountAt(item)) === account) continue;
		if (item < itemCount) return manyAccounts(item);
		step = 1;
	}
	return undefined;
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
