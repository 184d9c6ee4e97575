import type { Audits } from '../jobs/audits';
import type { Batches } from '../jobs/batches';
import type { Account, Accounts } from '../accounts/accounts';
import type { SentMessages } from '../accounts/sentMessages';
import type { RateWindows } from './rateWindow';
import type { BatchRowNames, FormBody, HostName, Product } from '../types';

/** What all endpoints share: the accounts and what the service remembers between calls. */
export interface ServiceState {
	accounts: Accounts;
	phoneWindows: RateWindows;
	/** Questions that were inconclusive once, by account and address. */
	inconclusiveOnce: Set<string>;
	batches: Batches;
	batchRowNames: BatchRowNames;
	audits: Audits;
	sentMessages: SentMessages;
	toolServer: ToolServer;
}

/** How the tool server speaks, and with whom. */
export interface ToolServer {
	responses: 'json' | 'sse';
	/** IDs of the open sessions; undefined where it is stateless. */
	sessions: Set<string> | undefined;
}

/** An endpoint's answer before faults touch it. */
export interface Reply {
	status: number;
	body: unknown;
	/** What is sent instead of `body` as JSON, with no header but `headers`. */
	payload?: string;
	headers?: Record<string, string>;
	/** False when SPEC §7 leaves the status empty, so that `errorStatus` decides whether it shows. */
	statusIsStated: boolean;
}

/** One request as an endpoint sees it. */
export interface Call {
	state: ServiceState;
	method: string;
	path: string;
	query: Record<string, string>;
	/** What stands for the parameters in the endpoint's path. */
	params: Record<string, string>;
	headers: Record<string, string | string[] | undefined>;
	/** The body as the log shows it. */
	body: unknown;
	/** The JSON body, when it is an object. */
	json: Record<string, unknown> | undefined;
	/** The multipart body, when it is one. */
	form: FormBody | undefined;
	/** The key as it arrived by any way that the request's endpoint accepts. */
	key: string | undefined;
	/** Moves credits of the key's account and notes them on the request's record. */
	charge(product: Product, amount: number, question: string): void;
}

/** One endpoint of SPEC §4: where it is found, and what it answers. */
export interface Endpoint {
	host: HostName;
	methods: Array<'GET' | 'POST' | 'DELETE'>;
	/** The full path with its version prefix; `:name` stands for a parameter. */
	path: string;
	/** Whether `api_key` may also come in a JSON body (SPEC §5.2). */
	keyInBody?: boolean;
	/** Whether the key is looked for in the headers before the query (SPEC §5.4). */
	keyInHeaders?: boolean;
	/** Whether the pace of calls leaves it alone. */
	unpaced?: boolean;
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

/** A call whose key is right. */
export interface KnownCall extends Call {
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
	/** What else is wrong with the input, before credits are looked at. */
	malformed?(question: string, call: KnownCall): Reply | undefined;
	noCredits(account: Account): Reply;
	/** Gathers what the answer needs, without side effects. */
	find(question: string, call: KnownCall): Facts | Promise<Facts>;
	/** Charges and answers. Synchronous, so that no other call can take the credit that was just checked. */
	conclude(facts: Facts, question: string, call: KnownCall): Reply;
}

/**
 * The order that every paid lookup keeps: key, then input present and well-formed, then credits, then the lookup.
 * The facts are gathered first because the check of the credits and the debit must be one step.
 */
export const paidLookup =
	<Facts>(lookup: PaidLookup<Facts>): Endpoint['answer'] =>
	async (call) => {
		const account = call.state.accounts.find(call.key);
		if (!account) return lookup.badKey();
		const known: KnownCall = { ...call, account };
		const throttled = lookup.throttle?.(known);
		if (throttled) return throttled;
		const question = read(call, lookup.parameter);
		if (question === undefined) return lookup.missing(lookup.parameter, account);
		const malformed = lookup.malformed?.(question, known);
		if (malformed) return malformed;
		const facts = await lookup.find(question, known);
		if (account.balances[lookup.product] < 1) return lookup.noCredits(account);
		return lookup.conclude(facts, question, known);
	};

/**
 * A parameter from where the method carries it (SPEC §4): the query of a GET, the JSON body of a POST.
 * A form's parameters may come in its fields or in the query, since SPEC does not show where media goes.
 */
export function read({ method, query, json, form }: Call, parameter: string): string | undefined {
	const ofForm = form?.fields[parameter] ?? query[parameter];
	const ofPost = form ? ofForm : json?.[parameter];
	const value = method === 'POST' ? ofPost : query[parameter];
	return typeof value === 'string' && value !== '' ? value : undefined;
}
