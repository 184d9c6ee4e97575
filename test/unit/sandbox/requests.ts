/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { Sandbox } from '../../sandbox';

/** One reply as a client sees it. */
interface Seen {
	status: number;
	headers: Headers;
	text: string;
	/** The parsed body; undefined when it is no JSON. */
	body: unknown;
}

type Root = keyof Sandbox['roots'];

/** The endpoints by a short name: root and path. */
const at = {
	status: ['baseUrl', '/status'],
	balance: ['baseUrl', '/checkbalance'],
	whatsApp: ['baseUrl', '/checkwanumber'],
	phoneBasic: ['baseUrl', '/checkapi'],
	callerBasic: ['baseUrl', '/check'],
	email: ['baseUrl', '/checkemail'],
	geoBasic: ['baseUrl', '/checkgeoip'],
	phone: ['lookupUrl', '/phonevalidation'],
	caller: ['lookupUrl', '/calleridvalidation'],
	geo: ['geoipUrl', '/'],
	batch: ['lookupUrl', '/wavalidation/batch'],
	send: ['baseUrl', '/sendwasms'],
	forumSearch: ['baseUrl', '/scrapersearch'],
	forumPost: ['baseUrl', '/scraperpost'],
	microblogSearch: ['baseUrl', '/scraperxsearch'],
	microblogPost: ['baseUrl', '/scraperxpost'],
	microblogComments: ['baseUrl', '/scraperxcomment'],
	auditRun: ['baseUrl', '/audit_run'],
	audit: ['baseUrl', '/audit'],
	auditSummary: ['baseUrl', '/audit_summary'],
	mcp: ['mcpUrl', '/mcp'],
	mcpRoot: ['mcpUrl', '/'],
	health: ['mcpUrl', '/healthz'],
} satisfies Record<string, [Root, string]>;

export type Place = keyof typeof at;

export const urlOf = (sandbox: Sandbox, place: Place, query: Record<string, string> = {}) =>
	`${sandbox.roots[at[place][0]]}${at[place][1]}?${new URLSearchParams(query)}`;

/** Sends one request; throws when no reply comes back. Redirects are shown, not followed. */
export async function send(url: string, init: RequestInit = {}): Promise<Seen> {
	const response = await fetch(url, { redirect: 'manual', ...init });
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

/** GET with the main account's key. */
export const ask = async (sandbox: Sandbox, place: Place, query: Record<string, string> = {}) =>
	await send(urlOf(sandbox, place, { api_key: sandbox.keys.main, ...query }));

/** POST of a JSON body, without a key of its own. */
export const post = async (url: string, body: object) =>
	await send(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Gives the event loop turns until the claim is true. */
export async function until(claim: () => boolean) {
	while (!claim()) await new Promise((resolve) => setImmediate(resolve));
}
