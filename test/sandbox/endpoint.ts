import type { Account, Ledger } from './ledger';
import type { RateWindows } from './rateWindow';
import type { HostName, Product } from './types';

/** What all endpoints share: the accounts and what the service remembers between calls. */
export interface World {
	ledger: Ledger;
	phoneWindows: RateWindows;
	/** Questions that were inconclusive once, by account and address. */
	inconclusiveOnce: Set<string>;
}

/** An endpoint's answer before faults touch it. */
export interface Reply {
	status: number;
	body: unknown;
	headers?: Record<string, string>;
	/** False when SPEC §7 leaves the status empty, so that `errorStatus` decides whether it shows. */
	statusIsStated: boolean;
}

/** One request as an endpoint sees it. */
export interface Call {
	world: World;
	method: string;
	path: string;
	query: Record<string, string>;
	/** The JSON body, when it is an object. */
	json: Record<string, unknown> | undefined;
	/** The key as it arrived by any way that the request's endpoint accepts. */
	key: string | undefined;
	/** Moves credits of the key's account and notes them on the request's record. */
	charge(product: Product, amount: number, question: string): void;
}

/** One endpoint of SPEC §4: where it is found, and what it answers. */
export interface Endpoint {
	host: HostName;
	methods: Array<'GET' | 'POST'>;
	/** The full path with its version prefix. */
	path: string;
	/** Whether `api_key` may also come in a JSON body (SPEC §5.2). */
	keyInBody?: boolean;
	answer(call: Call): Reply | Promise<Reply>;
}

/** A call that was answered, whatever the answer says. */
export const answered = (body: object): Reply => ({ status: 200, body, statusIsStated: true });

/** An error whose HTTP status SPEC §7 leaves empty: `status` shows in the `http` mode only. */
export const refused = (status: number, body: object): Reply => ({
	status,
	body,
	statusIsStated: false,
});

/** An error that carries its HTTP status in either mode. */
export const refusedAlways = (
	status: number,
	body: object,
	headers?: Record<string, string>,
): Reply => ({ status, body, headers, statusIsStated: true });

interface KnownCall extends Call {
	account: Account;
}

interface PaidLookup<Facts> {
	product: Product;
	/** The parameter that carries the question. */
	parameter: string;
	badKey(): Reply;
	/** Called once the key is known to be right, before anything else. */
	throttle?(call: KnownCall): Reply | undefined;
	missing(parameter: string, account: Account): Reply;
	noCredits(account: Account): Reply;
	/** Gathers what the answer needs, without side effects. */
	find(question: string, call: KnownCall): Facts | Promise<Facts>;
	/** Charges and answers. Synchronous, so that no other call can take the credit that was just checked. */
	conclude(facts: Facts, question: string, call: KnownCall): Reply;
}

/**
 * The order that every paid lookup keeps: key, then input present, then credits, then the lookup.
 * The facts are gathered first because the check of the credits and the debit must be one step.
 */
export const paidLookup =
	<Facts>(lookup: PaidLookup<Facts>): Endpoint['answer'] =>
	async (call) => {
		const account = call.world.ledger.find(call.key);
		if (!account) return lookup.badKey();
		const known: KnownCall = { ...call, account };
		const throttled = lookup.throttle?.(known);
		if (throttled) return throttled;
		const question = read(call, lookup.parameter);
		if (question === undefined) return lookup.missing(lookup.parameter, account);
		const facts = await lookup.find(question, known);
		if (account.balances[lookup.product] < 1) return lookup.noCredits(account);
		return lookup.conclude(facts, question, known);
	};

/** A parameter from where the method carries it (SPEC §4): the query of a GET, the JSON body of a POST. */
export function read(call: Call, parameter: string): string | undefined {
	const value = call.method === 'POST' ? call.json?.[parameter] : call.query[parameter];
	return typeof value === 'string' && value !== '' ? value : undefined;
}
