/**
 * The sandbox's public types: what a test or a program needs to start it, steer it and read what it saw.
 */

/** The credit balances of an account; calls debit one of them each (SPEC §1). */
export const PRODUCTS = [
	'whatsapp',
	'email',
	'geoip',
	'phone',
	'callerinfo',
	'scraper',
	'audit',
] as const;
export type Product = (typeof PRODUCTS)[number];

/** One listener per host of the service (SPEC, address placeholders). */
export const HOSTS = ['main', 'lookup', 'geoip', 'tools'] as const;
export type HostName = (typeof HOSTS)[number];

export type ErrorStatus = 'http' | 'ok';

export interface RateLimit {
	calls: number;
	windowSeconds: number;
}

/** How many calls a key may make over all hosts; SPEC §8 leaves it open. */
export interface CallPace {
	callsPerSecond: number;
	/** How many calls may come at once after a pause. */
	burst: number;
	/** Counts in fixed windows of so many seconds instead: `burst` says nothing then. */
	windowSeconds?: number;
	/** What `Retry-After` says beyond it. Default `seconds`. */
	retryAfter?: 'seconds' | 'date' | 'none';
}

/** What the service calls the two row fields that SPEC §2.4 does not name. */
export interface BatchRowNames {
	/** The object with carrier, location, time zone and more. */
	validation: string;
	/** The failure message. */
	error: string;
}

export interface ToolServerOptions {
	/** Issues an `Mcp-Session-Id` and requires it. SPEC §4.3 says stateless, which is the default. */
	sessions?: boolean;
	/** How a reply comes: as an event stream (the SDK's default) or as JSON. */
	responses?: 'json' | 'sse';
}

/** A certificate and its private key, as PEM. */
export interface TlsIdentity {
	key: string;
	cert: string;
}

export interface SandboxOptions {
	/** All hosts speak https as this; plain http without it. */
	tls?: TlsIdentity;
	/** Ports on 127.0.0.1; 0 (the default) takes a free one. */
	ports?: Record<HostName, number>;
	/** Delay before every answer of a service endpoint, in milliseconds. */
	latencyMs?: number;
	/** Whether errors whose HTTP status SPEC §7 leaves empty come with a 4xx code or with 200. */
	errorStatus?: ErrorStatus;
	/** The window of phonevalidation (SPEC §8). */
	rateLimit?: RateLimit;
	/** Beyond it, every endpoint but `/status` and `/healthz` answers 429. Without it, nothing is refused. */
	pace?: CallPace;
	/** How fast each batch is worked off; 0 stands still. Default 500. */
	batchNumbersPerSecond?: number;
	/** Default `validation_data` and `error`. */
	batchRowNames?: BatchRowNames;
	/** How long an audit takes; 0 is finished at once. Default 2. */
	auditSeconds?: number;
	toolServer?: ToolServerOptions;
	/** The key of the first account, where it is to be another one. */
	mainKey?: string;
}

/** One movement of credits: positive when taken, negative when given back. */
export interface CreditMovement {
	product: Product;
	amount: number;
	/** Path of the endpoint that moved the credits. */
	endpoint: string;
	/** What was asked: the number, email address, IP, query, URL or brand as it arrived; the ID of a batch. */
	question: string;
	at: number;
}

/** A file of a multipart body, without its bytes. */
export interface UploadedFile {
	field: string;
	fileName: string;
	mimeType: string;
	/** In bytes. */
	size: number;
	/** In hexadecimal. */
	sha256: string;
}

/** A multipart body as the request log shows it. */
export interface FormBody {
	fields: Record<string, string>;
	files: UploadedFile[];
}

/** A message that was accepted for sending. */
export interface SentMessage {
	messageId: string;
	/** As it arrived. */
	number: string;
	message: string;
	media?: UploadedFile;
	at: number;
}

/** A phone number that arrived in a spelling that the sandbox does not take, whatever was answered. */
export interface LooseNumber {
	/** As it arrived. */
	number: string;
	host: HostName;
	path: string;
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
	/** Parsed JSON, a `FormBody`, or text; undefined without a body. */
	body: unknown;
	/** Absent when no status was ever sent. */
	status?: number;
	/** Net credits this request took. */
	charged: number;
	/** What the endpoint's own answer gives as its error, whatever a fault made of it. */
	error?: string;
	/** The rule that changed it, unless it is latency. */
	fault?: FaultEffect;
	at: number;
}

interface FaultMatch {
	host?: HostName;
	method?: string;
	/**
	 * The exact path with its prefix, its last segment, such as `checkemail`, or the endpoint's own path, such as
	 * `/api/v1/wavalidation/batch/:batch_id`.
	 */
	path?: string;
	/** A substring of a decoded query value or of the body. */
	contains?: string;
	/** The rule is for the handshake with the tool server (`initialize`, notifications, DELETE), and for nothing else. */
	handshake?: true;
	/** How many requests the rule spoils; without it, all. */
	times?: number;
	/** How many matching requests pass before the rule starts. */
	skip?: number;
}

/**
 * How a fault shows. `resetAfterCharge`, `hangAfterCharge`, `html`, `truncatedJson`, `emptyBody`, `body` and all
 * from `gzip` on let the endpoint answer (and charge) first and then spoil the reply; the others happen before the
 * endpoint is reached.
 */
export type FaultEffect =
	| { kind: 'latency'; ms: number }
	| { kind: 'status'; status: number; headers?: Record<string, string>; body?: object | string }
	| { kind: 'resetBeforeCharge' }
	| { kind: 'resetAfterCharge' }
	/** `isAnnounced`: by an interim HTTP 102, so that a test need not wait for its time-out to come. */
	| { kind: 'hangBeforeCharge'; isAnnounced?: true }
	| { kind: 'hangAfterCharge'; isAnnounced?: true }
	/** With the status of the reply it replaces, unless another is given. */
	| { kind: 'html'; status?: number }
	| { kind: 'truncatedJson' }
	| { kind: 'emptyBody' }
	/** With the status of the reply it replaces, unless another is given. Text is sent as it is. */
	| { kind: 'body'; body: unknown; status?: number }
	| { kind: 'echoKey' }
	/** `isDone`: after the work was done, and charged. */
	| { kind: 'redirect'; to: string; status?: number; isDone?: true }
	/** Packed, as the header says; `broken` is not packed at all. */
	| { kind: 'gzip'; broken?: boolean }
	/** `bom`: UTF-8 with its mark; the others are not what the header says. */
	| { kind: 'charset'; charset: 'bom' | 'latin1' | 'utf-16' }
	/** A field that makes it so many bytes larger. */
	| { kind: 'padding'; bytes: number }
	| { kind: 'headerFlood'; bytes: number }
	/** One character after the other. */
	| { kind: 'drip'; everyMs: number }
	| { kind: 'cutShort' }
	/** More fields, null in every field, or a value of another type in every field. */
	| { kind: 'reshaped'; as: 'extra' | 'nulls' | 'retyped' }
	/** The whole answer with the key in fields and headers, in many spellings. */
	| { kind: 'echo' };

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
	/** Phone numbers that arrived in a spelling that the sandbox does not take, in order. `clearLog` keeps them; `reset` does not. */
	looseNumbers(): LooseNumber[];
	/** Opens one more account, with many credits. A reset closes it. */
	openAccount(key: string): void;
	balances(key: string): Record<Product, number>;
	/** Movements of credits, in order. */
	debits(key: string): CreditMovement[];
	/** Net debits by product. */
	spent(key: string): Record<Product, number>;
	setBalance(key: string, product: Product, credits: number): void;
	/** Messages that were accepted, in order. */
	messages(key: string): SentMessage[];
	/** Every batch submitted so far is completed from now on. */
	finishBatches(): void;
	/** Numbers per second that each batch goes on with; 0 stands still. A reset brings back the option's speed. */
	setBatchSpeed(numbersPerSecond: number): void;
	/** The pace from now on, with full buckets; undefined refuses nothing. A reset brings back the option's pace. */
	setPace(pace: CallPace | undefined): void;
	/** Every audit started so far is finished from now on. */
	finishAudits(): void;
	fault(rule: FaultRule): void;
	clearFaults(): void;
	/** TCP sockets over all hosts. */
	connections(): { open: number; peak: number; total: number };
	/** Requests that have arrived and are not answered yet. */
	inFlight(): { now: number; peak: number };
	/** Log, loose numbers, ledgers, faults, rate windows, batches, audits, messages, sessions and counters as new. Open sockets stay. */
	reset(): void;
	/** Destroys all sockets; resolves when every listener is closed. */
	close(): Promise<void>;
}
