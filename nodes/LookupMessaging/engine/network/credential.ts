import type { IExecuteFunctions } from 'n8n-workflow';
import type { ServiceName, ServiceRequest } from '../client';
import { type BaseUrlsSet, parameterFailure, STOPPED } from '../operation';
import { CREDENTIAL_TYPE } from '../plan/settings';
import { isWhole, textOf } from '../plan/values';
import type { Failure } from '../results';
import { SLICES } from '../clock';

/** The credential: checks its base URLs and API key. */

/** The decrypted fields of the credential, by name. */
export type CredentialData = Record<string, unknown>;

/** The field of each base URL, and the form of its version prefix, if it has one (SPEC §9). */
export const BASE_URL_FIELDS: Record<
	ServiceName,
	{ field: string; displayName: string; prefix?: string }
> = {
	main: { field: 'baseUrl', displayName: 'Base URL', prefix: '/api/v1' },
	lookup: { field: 'lookupUrl', displayName: 'Lookup URL', prefix: '/api/v1' },
	geoip: { field: 'geoipUrl', displayName: 'GeoIP URL' },
	mcp: { field: 'mcpUrl', displayName: 'Tool Server URL' },
};

/** A normalized base URL: host in lower-case ASCII, no default port, no trailing slashes. */
export interface BaseUrl {
	url: string;
	origin: string;
	host: string;
	prefix: string;
	/** Whether requests go to another machine without encryption, so that others can read the key. */
	isInsecure: boolean;
	/** The possible locations of a path of the service, the likeliest first. */
	addresses?: Record<string, string[]>;
}

/** Maximum number of characters of a base URL, and of a key; hardly any server accepts as many. */
const MAX_IN_BASE_URL = 2_000;
const MAX_IN_KEY = 8_000;

/** Reads a base URL as the user entered it. A problem is a predicate of the field; `isEmpty` if the user left it empty. */
export function readBaseUrl(
	credentials: CredentialData,
	service: ServiceName,
): BaseUrl | { problem: string; isEmpty?: true } {
	const entered = asText(credentials[BASE_URL_FIELDS[service].field]).trim();
	if (entered.length > MAX_IN_BASE_URL) return { problem: 'is longer than any base URL' };
	const text = entered.replace(/[\s/]+$/, '');
	if (text === '') return { problem: 'is empty', isEmpty: true };
	if (/[\s\p{Cc}]/u.test(text)) return { problem: 'contains a space or line break' };
	if (!/^https?:\/\//i.test(text)) return { problem: "doesn't start with https://" };
	const url = parseUrl(text);
	if (!url) return { problem: "isn't a complete http or https address" };
	if (url.username !== '' || url.password !== '') {
		return { problem: 'contains a user name or password. Remove it' };
	}
	if (/[?#]/.test(text)) return { problem: 'contains a ? or #. Remove it and everything after it' };
	const { origin, host, hostname, protocol } = url;
	const prefix = url.pathname.replace(/\/+$/, '');
	const isInsecure = protocol === 'http:' && !LOOPBACK.test(hostname);
	const baseUrl = { url: `${origin}${prefix}`, origin, host, prefix, isInsecure };
	if (service !== 'mcp') return baseUrl;
	const [slashes] = /\/*$/.exec(entered) ?? [''];
	return { ...baseUrl, addresses: addressesBelow(prefix, slashes) };
}

const SERVICES = Object.keys(BASE_URL_FIELDS) as ServiceName[];

export function baseUrlsIn(credentials: CredentialData) {
	return SERVICES.map((service) => ({ service, baseUrl: readBaseUrl(credentials, service) }));
}

/** The services whose base URL the user has entered, right or wrong. */
export function urlsIn(credentials: CredentialData): ReadonlySet<ServiceName> {
	const entered = baseUrlsIn(credentials).filter(({ baseUrl }) => !('isEmpty' in baseUrl));
	return new Set(entered.map(({ service }) => service));
}

/** SPEC §4.3: the endpoint of the tool server and its health check, below its root. */
const ENDPOINT = '/mcp';
const HEALTH = '/healthz';

/**
 * The possible locations of the tool server. A path that the user has entered is the endpoint, with its slashes or without;
 * otherwise it is at /mcp or at the root. The health check is below the URL; if the URL is the endpoint, it may be beside it.
 */
function addressesBelow(prefix: string, slashes: string): Record<string, string[]> {
	const isEndpoint = prefix.endsWith(ENDPOINT);
	const other = isEndpoint && slashes !== '' ? prefix : `${prefix}${ENDPOINT}`;
	const endpoints = prefix === '' ? [ENDPOINT, ''] : [`${prefix}${slashes}`, other];
	const beside = isEndpoint ? [`${prefix.slice(0, -ENDPOINT.length)}${HEALTH}`] : [];
	return { [ENDPOINT]: endpoints, [HEALTH]: [`${prefix}${HEALTH}`, ...beside] };
}

/** The whole address of a request. */
export function addressOf(
	{ url, origin, addresses = {} }: BaseUrl,
	{ path, address }: ServiceRequest,
): string {
	return address === undefined ? `${url}${path}` : `${origin}${addresses[path][address]}`;
}

/** A valid base URL that the credential allows and has a key for, or the problem as a clause. */
export function usableBaseUrl(
	credentials: CredentialData,
	service: ServiceName,
): BaseUrl | { problem: string } {
	const { displayName, prefix } = BASE_URL_FIELDS[service];
	const baseUrl = readBaseUrl(credentials, service);
	if ('problem' in baseUrl) {
		const problem = baseUrl.isEmpty
			? `the credential has no ${displayName}, and this operation needs it. Enter it with https:// (http:// for a local server)${prefix ? ' and the version prefix' : ''}`
			: `the ${displayName} in the credential ${baseUrl.problem}`;
		return { problem };
	}
	const problem =
		domainProblem(credentials, baseUrl, displayName) ?? keyProblem(credentials, service);
	return problem === undefined ? baseUrl : { problem };
}

/** The services that can't be called, and what is wrong with their base URLs, as clauses. */
export function brokenUrls(credentials: CredentialData): Map<ServiceName, string> {
	const broken = new Map<ServiceName, string>();
	for (const service of SERVICES) {
		const url = usableBaseUrl(credentials, service);
		if ('problem' in url) broken.set(service, url.problem);
	}
	return broken;
}

const LOOPBACK =
	/^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;

/** The API key as it is sent. Pasted keys often have a line break or invisible marks around them. */
export function apiKeyOf(credentials: CredentialData): string {
	return asText(credentials.apiKey).replace(AROUND, '');
}

/** A fast path of textOf, since fields are read with every call. */
function asText(field: unknown): string {
	return typeof field === 'string' ? field : textOf(field);
}

/** A sequence of marks is matched only from its beginning, or a long one within the text would be searched again and again. */
const AROUND = /^[\s\u200b-\u200f\u2060]+|(?<![\s\u200b-\u200f\u2060])[\s\u200b-\u200f\u2060]+$/g;

/** What is wrong with the key, as a clause. The tool server receives it in a header (SPEC §5.4), which is ASCII only. */
export function keyProblem(credentials: CredentialData, service: ServiceName): string | undefined {
	const key = apiKeyOf(credentials);
	const again = 'Copy it again from the dashboard';
	if (key.length > MAX_IN_KEY)
		return `the API Key in the credential is longer than any key. ${again}`;
	if (/[\p{Cc}\p{Cs}]/u.test(key)) {
		return `the API Key in the credential contains a line break or a broken character. ${again}`;
	}
	return service === 'mcp' && /[^\x20-\x7e]/.test(key)
		? `the API Key in the credential contains a character that a header can't carry, and the tool server takes the key in a header. ${again}`
		: undefined;
}

/**
 * Whether n8n's 'Allowed HTTP Request Domains' forbid a base URL, as a clause. 'None' concerns only the HTTP Request node. As in
 * n8n, an entry of the list is a host, or `*.` and a domain for all its subdomains.
 */
function domainProblem(
	{ allowedHttpRequestDomains, allowedDomains }: CredentialData,
	{ url }: BaseUrl,
	displayName: string,
): string | undefined {
	if (allowedHttpRequestDomains !== 'domains') return undefined;
	const host = new URL(url).hostname.replace(/\.$/, '');
	const list = textOf(allowedDomains)
		.split(',')
		.map((domain) => domain.trim().toLowerCase().replace(/\.$/, ''))
		.filter((domain) => domain !== '');
	const isAllowed = list.some((domain) =>
		domain.startsWith('*.') ? domain.length > 2 && host.endsWith(domain.slice(1)) : host === domain,
	);
	return isAllowed
		? undefined
		: `the Allowed Domains in the credential don't include ${host}, the host of the ${displayName}. Add it there`;
}

/** Parses an http or https address. Never throws, since n8n would show the bare error code. */
export function parseUrl(text: string): URL | undefined {
	try {
		const url = new URL(text);
		return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
	} catch {
		return undefined;
	}
}

/** Most characters of the values in a URL: servers take 8 to 16 kB of one, and the largest of the usual proxies 32. */
const MAX_IN_URL = 32_000;

/** Why values can't be sent in a URL, as a predicate; undefined if they can. */
export function tooLongForUrl(values: Record<string, string>): string | undefined {
	const length = new URLSearchParams(values).toString().length;
	if (length <= MAX_IN_URL) return undefined;
	const [has, most] = [length, MAX_IN_URL].map((each) => each.toLocaleString('en-US'));
	return `is too long for a URL: it takes ${has} characters there, and ${most} get through. Shorten it`;
}

/** Why a request cannot be sent unchanged, as a clause: a value would change its path, or has characters that cannot be sent. */
export function requestProblem(
	baseUrl: BaseUrl,
	{ path, address, query = {}, form }: ServiceRequest,
): string | undefined {
	if (address !== undefined) {
		const isKnown = baseUrl.addresses?.[path][address] !== undefined;
		return isKnown ? undefined : 'the URL in the credential leads to no other address';
	}
	const tooLong = tooLongForUrl(query);
	if (tooLong) return `what it sends ${tooLong}`;
	const target = parseUrl(`${baseUrl.url}${path}`);
	// ".." leads to another path and cannot be encoded (WHATWG URL, double-dot URL path segment)
	if (target?.pathname !== (`${baseUrl.prefix}${path}` || '/')) {
		return 'a value in the path would send the call to another path';
	}
	const named = [...Object.entries(query), ...Object.entries(form?.fields ?? {})];
	const broken = named.find((pair) => !pair.every(isWhole));
	if (broken) {
		const name = isWhole(broken[0]) ? ` "${broken[0]}"` : '';
		return `the parameter${name} contains an unreadable character. Copy it again`;
	}
	return undefined;
}

/** The credential of a run. It is fetched and decrypted once, for its first item. */
export interface RunCredential {
	/** Undefined if the node has no usable credential. */
	fields?: CredentialData;
	urls?: BaseUrlsSet;
	/** The exception of n8n in that case. */
	error?: Error;
	/** Distinguishes results that were paid for with another key, or answered at another address. */
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

/** Number of items whose credential is read, since n8n reads it from its database each time. */
const MAX_LOOKS = 100;

/**
 * Expressions in the credential may give each item another key or address, but a run has one of each. The node cannot see whether
 * there are expressions. So it reads the credential of some items, or of all in a short run, and of one index after the last,
 * where an expression about the item finds nothing. If that one differs, it reads all of them.
 */
async function problemOf(
	context: IExecuteFunctions,
	itemCount: number,
	account: string,
): Promise<Failure | undefined> {
	if (itemCount < 2) return undefined;
	const accountAt = async (item: number) =>
		await context.getCredentials(CREDENTIAL_TYPE, item).then(accountOf, () => undefined);
	// Odd, so that it does not skip every second item
	let step = Math.floor(itemCount / MAX_LOOKS) | 1;
	for (let item = itemCount; item > 0; item -= step) {
		await SLICES.pauseIfOver();
		if (context.getExecutionCancelSignal()?.aborted) return STOPPED;
		if ((await accountAt(item)) === account) continue;
		if (item < itemCount) return manyAccounts(item);
		step = 1;
	}
	return undefined;
}

const FIELDS = ['apiKey', ...Object.values(BASE_URL_FIELDS).map(({ field }) => field)];

function accountOf(fields: CredentialData): string {
	return JSON.stringify(FIELDS.map((name) => asText(fields[name]).trim()));
}

function manyAccounts(item: number): Failure {
	return parameterFailure(
		`the expressions in the credential give item ${item} another API Key or URL than item 0, and a run uses one for all of its items. Put a Loop Over Items node with a Batch Size of 1 before this node, or use a credential without such expressions`,
	);
}
