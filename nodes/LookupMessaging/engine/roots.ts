import type { ServiceRoot } from './operation';
import { isWhole, textOf } from './text';

/** What the credential says, and what is wrong with it: it is typed by hand, or pasted. */

/** The decrypted fields of the credential, by name. */
export type CredentialData = Record<string, unknown>;

/** Which field of the credential holds which root, and what the editor calls it. */
export const ROOT_FIELDS: Record<ServiceRoot, { field: string; displayName: string }> = {
	main: { field: 'baseUrl', displayName: 'Base URL' },
	lookup: { field: 'lookupUrl', displayName: 'Lookup URL' },
	geoip: { field: 'geoipUrl', displayName: 'GeoIP URL' },
	mcp: { field: 'mcpUrl', displayName: 'Tool Server URL' },
};

/**
 * A root of the service in the one spelling that requests go to: scheme, host in ASCII and lower case, port unless it is
 * the usual one, path without its last slashes.
 */
export interface Root {
	url: string;
	origin: string;
	/** Its path; empty for a host alone. */
	prefix: string;
}

/** Why there is none, as a predicate of the field; `isEmpty` where the user left it out. */
export interface NoRoot {
	problem: string;
	isEmpty?: true;
}

/** Reads a root as the user entered it. */
export function readRoot(credentials: CredentialData, service: ServiceRoot): NoRoot | Root {
	const text = textOf(credentials[ROOT_FIELDS[service].field])
		.trim()
		.replace(/[\s/]+$/, '');
	if (text === '') return { problem: 'is empty', isEmpty: true };
	if (/[\s\p{Cc}]/u.test(text)) return { problem: 'has a space or line break in it' };
	if (!/^https?:\/\//i.test(text)) return { problem: 'does not begin with https://' };
	const url = parseUrl(text);
	if (!url) return { problem: 'is not a complete http or https address' };
	if (url.username !== '' || url.password !== '') {
		return { problem: 'has a user name or password in it, which belongs into no URL' };
	}
	if (/[?#]/.test(text)) return { problem: 'has a ? or # in it; it ends with the path' };
	const prefix = url.pathname.replace(/\/+$/, '');
	return { url: `${url.origin}${prefix}`, origin: url.origin, prefix };
}

/** A root that requests may go to; or what is wrong with it, or with the credential's leave to use it, as a clause. */
export function usableRoot(
	credentials: CredentialData,
	service: ServiceRoot,
): Root | { problem: string } {
	const { displayName } = ROOT_FIELDS[service];
	const root = readRoot(credentials, service);
	if (!('problem' in root)) {
		const problem = domainProblem(credentials, root, displayName);
		return problem === undefined ? root : { problem };
	}
	const problem = root.isEmpty
		? `the credential has no ${displayName}, which this operation needs; fill it in, with https:// and the version prefix`
		: `the ${displayName} of the credential ${root.problem}`;
	return { problem };
}

/** Whether a root is at another machine and without encryption: who is in between can read the key. */
export function isOpenToAll({ url }: Root): boolean {
	const { protocol, hostname } = new URL(url);
	return protocol === 'http:' && !LOOPBACK.test(hostname);
}

const LOOPBACK =
	/^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;

/** The API key as it goes on the wire: pasted keys often carry a line break, or marks that nobody sees. */
export function apiKeyOf(credentials: CredentialData): string {
	return textOf(credentials.apiKey).replace(AROUND, '');
}

const AROUND = /^[\s\u200b-\u200f\u2060]+|[\s\u200b-\u200f\u2060]+$/g;

/**
 * What is wrong with the key, as a clause; undefined when nothing is. The tool server takes it in a header (SPEC §5.4),
 * which carries ASCII only.
 */
export function keyProblem(credentials: CredentialData, service: ServiceRoot): string | undefined {
	const key = apiKeyOf(credentials);
	const again = 'copy it again from the dashboard';
	if (/\p{Cc}/u.test(key) || !isWhole(key)) {
		return `the API Key of the credential has a line break or a broken character in it; ${again}`;
	}
	return service === 'mcp' && /[^\x20-\x7e]/.test(key)
		? `the API Key of the credential has a character that no header can carry, and the tool server takes it in a header; ${again}`
		: undefined;
}

/**
 * What n8n's 'Allowed HTTP Request Domains' has against a root, as a clause. 'None' is about the HTTP Request node alone; a
 * list is one of hosts, or of `*.` and the domain whose subdomains are meant, as n8n reads it.
 */
function domainProblem(
	{ allowedHttpRequestDomains, allowedDomains }: CredentialData,
	{ url }: Root,
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
		: `the Allowed Domains of the credential do not have ${host}, the host of its ${displayName}; add it there`;
}

/** A parsed http or https address, or undefined. Never throws: n8n would show the bare error code instead of words. */
export function parseUrl(text: string): URL | undefined {
	// Roots that are left empty are looked at with every call, and an exception costs as much as all else that is done for it
	if (text === '') return undefined;
	try {
		const url = new URL(text);
		return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
	} catch {
		return undefined;
	}
}
