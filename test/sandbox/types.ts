/**
 * The sandbox's public types: what a test or a program needs to start it, steer it and read what it saw.
 */

/** The credit balances of an account; calls debit one of them each (SPEC §1). */
export const PRODUCTS = ['whatsapp', 'email', 'geoip', 'phone', 'callerinfo'] as const;
export type Product = (typeof PRODUCTS)[number];

/** One listener per host of the service (SPEC, address placeholders). */
export const HOSTS = ['main', 'lookup', 'geoip', 'tools'] as const;
export type HostName = (typeof HOSTS)[number];

export type ErrorStatus = 'http' | 'ok';

export interface RateLimit {
	calls: number;
	windowSeconds: number;
}

export interface SandboxOptions {
	/** Ports on 127.0.0.1; 0 (the default) takes a free one. */
	ports?: Record<HostName, number>;
	/** Delay before every answer of a service endpoint, in milliseconds. */
	latencyMs?: number;
	/** Whether errors whose HTTP status SPEC §7 leaves empty come with a 4xx code or with 200. */
	errorStatus?: ErrorStatus;
	/** The window of phonevalidation (SPEC §8). */
	rateLimit?: RateLimit;
}

/** One movement of credits: positive when taken, negative when given back. */
export interface LedgerEntry {
	product: Product;
	amount: number;
	/** Path of the endpoint that moved the credits. */
	endpoint: string;
	/** What was asked: the number, email address or IP as it arrived. */
	question: string;
	at: number;
}

/** One request that reached a host, whatever became of it. */
export interface RequestRecord {
	host: HostName;
	method: string;
	path: string;
	/** The raw request target with its query, undecoded. */
	url: string;
	query: Record<string, string>;
	headers: Record<string, string | string[] | undefined>;
	/** Parsed JSON, or text; undefined without a body. */
	body: unknown;
	/** Absent when no status was ever sent. */
	status?: number;
	/** Net credits this request took. */
	charged: number;
	at: number;
}

interface FaultMatch {
	host?: HostName;
	method?: string;
	/** The exact path with its prefix, or its last segment, such as `checkemail`. */
	path?: string;
	/** A substring of a decoded query value or of the body. */
	contains?: string;
	/** How many requests the rule spoils; without it, all. */
	times?: number;
	/** How many matching requests pass before the rule starts. */
	skip?: number;
}

/**
 * How a fault shows. `resetAfterCharge`, `hangAfterCharge`, `html`, `truncatedJson`, `emptyBody` and `body` let the
 * endpoint answer (and charge) first and then spoil the reply; the others happen before the endpoint is reached.
 */
export type FaultEffect =
	| { kind: 'latency'; ms: number }
	| { kind: 'status'; status: number; headers?: Record<string, string>; body?: object | string }
	| { kind: 'resetBeforeCharge' }
	| { kind: 'resetAfterCharge' }
	| { kind: 'hangBeforeCharge' }
	| { kind: 'hangAfterCharge' }
	/** With the status of the reply it replaces, unless another is given. */
	| { kind: 'html'; status?: number }
	| { kind: 'truncatedJson' }
	| { kind: 'emptyBody' }
	/** With the status of the reply it replaces, unless another is given. Text is sent as it is. */
	| { kind: 'body'; body: unknown; status?: number }
	| { kind: 'echoKey' }
	| { kind: 'redirect'; to: string; status?: number };

export type FaultRule = FaultMatch & FaultEffect;

export interface SandboxRoots {
	baseUrl: string;
	lookupUrl: string;
	geoipUrl: string;
	mcpUrl: string;
}

export interface SandboxKeys {
	main: string;
	other: string;
	empty: string;
}

export interface Sandbox {
	roots: SandboxRoots;
	keys: SandboxKeys;
	/** Every request that reached any host, in order of arrival. */
	log: RequestRecord[];
	clearLog(): void;
	balances(key: string): Record<Product, number>;
	/** Movements of credits, in order. */
	debits(key: string): LedgerEntry[];
	/** Net debits by product. */
	spent(key: string): Record<Product, number>;
	setBalance(key: string, product: Product, credits: number): void;
	fault(rule: FaultRule): void;
	clearFaults(): void;
	/** TCP sockets over all hosts. */
	connections(): { open: number; peak: number; total: number };
	/** Requests that have arrived and are not answered yet. */
	inFlight(): { now: number; peak: number };
	/** Log, ledgers, faults, rate windows and counters as new. Open sockets stay. */
	reset(): void;
	/** Destroys all sockets; resolves when every listener is closed. */
	close(): Promise<void>;
}
