import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IDataObject,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import type { ServiceName } from '../nodes/LookupMessaging/engine/client';
import {
	BASE_URL_FIELDS,
	apiKeyOf,
	baseUrlsIn,
	keyProblem,
	parseUrl,
	type BaseUrl,
	type CredentialData,
} from '../nodes/LookupMessaging/engine/network/credential';
import { asSentence, textOf } from '../nodes/LookupMessaging/engine/plan/values';

/** Paths that need no key and get none (SPEC §4.1, §4.3). */
const WITHOUT_KEY = ['/status', '/healthz'];
/** POST paths with the key in their JSON body (SPEC §4.2, §5.2). */
const KEY_IN_BODY = ['/phonevalidation', '/wavalidation/batch'];

/** The options of n8n: the HTTP Request node has `uri`, `form` and `follow…`, everything else has the other names. */
type RequestOptions = IHttpRequestOptions & {
	uri?: string;
	form?: IDataObject;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
};

/**
 * The key and the four base URLs of the service. The key is sent as SPEC §5 says, to these base URLs only, and never along a
 * redirect.
 */
export class LookupMessagingApi implements ICredentialType {
	name = 'lookupMessagingApi';

	displayName = 'Lookup & Messaging API';

	icon: Icon = {
		light: 'file:../icons/lookupMessaging.svg',
		dark: 'file:../icons/lookupMessaging.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-lookup-messaging/n8n-nodes-lookup-messaging#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'The key from the dashboard of your account with the service. Paid calls use the credits of that account.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com/api/v1',
			description:
				"Address of the main API with its version prefix, from your provider's documentation. Contact, Phone, Caller ID, Email, GeoIP, WhatsApp, Audit, Scraper and Account need no other URL. Save tests this URL and the API Key at no cost. ENOTFOUND then means that there's no such host, and ECONNREFUSED that it takes no connections.",
		},
		{
			displayName: 'Lookup URL',
			name: 'lookupUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://lookup.example.com/api/v1',
			description:
				"Address of the lookup API with its version prefix, from your provider's documentation. It adds batches of numbers, and more fields to phone and caller ID lookups: location, time zones, formats and whether the number is valid. Save doesn't test it.",
		},
		{
			displayName: 'GeoIP URL',
			name: 'geoipUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://geoip.example.com',
			description:
				"Address of the GeoIP host, from your provider's documentation. It adds more fields to GeoIP lookups: country code, postal code, region code and network. Save doesn't test it.",
		},
		{
			displayName: 'Tool Server URL',
			name: 'mcpUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://mcp.example.com',
			description:
				"Address of the remote tool server (MCP), or its endpoint such as https://mcp.example.com/mcp, from your provider's documentation. It adds the resource Tool Server, and all jobs of the account to the trigger. Save doesn't test it.",
		},
	];

	/**
	 * Adds the key to a request, in place and idempotently (n8n may call it twice for one request).
	 * @throws Error for an address outside the four base URLs, or with its own proxy, before anything is sent
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const options: RequestOptions = requestOptions;
		const { service, path, target } = locate(options, credentials);

		options.disableFollowRedirect = true;
		if (
			options.uri !== undefined ||
			'followRedirect' in options ||
			'followAllRedirects' in options
		) {
			options.followRedirect = false;
			options.followAllRedirects = false;
		}
		const apiKey = apiKeyOf(credentials);
		// An empty key would be a wrong one
		if (!WITHOUT_KEY.includes(path) && apiKey !== '') {
			const problem = keyProblem(credentials, service);
			if (problem !== undefined) throw new Error(asSentence(problem));
			if (options.proxy) throw new Error(NO_PROXY);
			if (namesAnotherHost(options, target)) throw new Error(NO_HOST);
			placeKey(options, service, path, apiKey);
		}
		return options;
	};

	/**
	 * Free (SPEC §4.1, /checkbalance). The rules are checked in order; for a refused or failed connection n8n shows its own code.
	 */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
			url: '/checkbalance',
		},
		// n8n reads a mixed list, but its type allows one kind per list
		rules: [
			...[301, 302, 303, 307, 308].map((value) =>
				onStatus(
					value,
					'The Base URL redirects to another address. Enter the final address, including https://',
				),
			),
			onStatus(401, WRONG_KEY),
			onStatus(403, WRONG_KEY),
			...[404, 405].map((value) => onStatus(value, WRONG_URL)),
			onBody('status', false, WRONG_KEY),
			onBody('success', false, WRONG_KEY),
			...KEY_SENTENCES.flatMap((words) =>
				['error', 'message'].map((name) => onBody(name, words, WRONG_KEY)),
			),
			onBody('wa_balance', undefined, NO_BALANCE),
		] as ICredentialTestRequest['rules'],
	};
}

/**
 * A proxy for http addresses reads the whole request. The proxy of n8n's environment belongs to the operator, and is not in the
 * options.
 */
const NO_PROXY =
	"The API key isn't sent through the Proxy that is set in this node, because that proxy could read it. Remove the Proxy, or set it in n8n's environment";
/** Many sites can share one address, and this header selects the one that reads the request. */
const NO_HOST =
	"The API key isn't sent with a Host header that names another host than the URL, because another site could then read it. Remove the Host header";
const WRONG_KEY = 'The service answered, but it refused the API key. Check the API Key';
const WRONG_URL =
	"Something answers at this address, but it isn't the service. Check the Base URL, including its version prefix such as /api/v1";

/** If a refusal has its own words, n8n's rules can only see that there is no balance. */
const NO_BALANCE =
	"Something answers at this address, but it isn't the service, or it refused the API key in other words than usual. Check the Base URL, including its version prefix such as /api/v1, and the API Key";
/** SPEC §7. A rule compares whole texts. */
const KEY_SENTENCES = [
	'Invalid API key',
	'Invalid Api Key',
	'Invalid api key',
	'Invalid API Key',
].flatMap((words) => [words, `${words}.`]);

/** Which base URL a request goes to, and its path below it. */
function locate(
	options: RequestOptions,
	credentials: CredentialData,
): { service: ServiceName; path: string; target: URL } {
	const target = parseUrl(addressOf(options));
	if (!target) {
		throw new Error(
			"The address isn't a complete URL. Check the URLs in the credential. They start with https:// and name a host",
		);
	}
	const baseUrls = baseUrlsIn(credentials);
	const match = baseUrls
		.flatMap(({ service, baseUrl }) => ('problem' in baseUrl ? [] : [{ service, baseUrl }]))
		.filter(({ baseUrl }) => baseUrl.origin === target.origin)
		.map((known) => ({ ...known, closeness: closenessOf(known.baseUrl, target, options) }))
		.sort((a, b) => b.closeness - a.closeness)[0];
	if (!match) {
		const flaws = baseUrls.flatMap(({ service, baseUrl }) =>
			'problem' in baseUrl && !baseUrl.isEmpty
				? [`. The ${BASE_URL_FIELDS[service].displayName} ${baseUrl.problem}`]
				: [],
		);
		throw new Error(
			`The API key is only sent to the URLs in the credential, and ${target.origin} isn't one of them. Check the address, or the URLs in the credential${flaws[0] ?? ''}`,
		);
	}
	const { prefix } = match.baseUrl;
	const isBelow =
		target.pathname.startsWith(prefix) && overlap(match.baseUrl, target.pathname) >= 0;
	return {
		target,
		service: match.service,
		path: isBelow ? target.pathname.slice(prefix.length) : target.pathname,
	};
}

/** Whether a header names another host than the address does, in any spelling. */
function namesAnotherHost({ headers = {} }: RequestOptions, target: URL): boolean {
	const { host, hostname, port, protocol } = target;
	const whole = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
	return Object.entries(headers).some(([name, value]) => {
		const isHost = /^[\s:]*(?:authority|host)\s*$/i.test(name);
		return isHost && ![host, whole].includes(textOf(value).trim().toLowerCase());
	});
}

/** The address as n8n's HTTP library joins it. With another join, a key could be sent to an unchecked address. */
function addressOf({ url, uri, baseURL }: RequestOptions): string {
	const address = url ?? uri ?? '';
	const isAbsolute = /^(?:[a-z][a-z\d+.-]*:)?\/\//i.test(address);
	if (isAbsolute || !baseURL) return address;
	return address ? `${baseURL.replace(/\/?\/$/, '')}/${address.replace(/^\/+/, '')}` : baseURL;
}

/**
 * Whether a request goes to an address of the tool server, even if other services have the same one: only the tool server accepts
 * events.
 */
function isToolServer({ addresses }: BaseUrl, target: URL, { headers }: RequestOptions): boolean {
	const takesEvents = textOf(headers?.Accept).includes('text/event-stream');
	const paths = Object.values(addresses ?? {}).flat();
	return takesEvents && paths.some((path) => (path || '/') === target.pathname);
}

/** How well a base URL matches a request. The tool server's own requests must not match another service. */
function closenessOf(baseUrl: BaseUrl, target: URL, options: RequestOptions): number {
	return isToolServer(baseUrl, target, options) ? Infinity : overlap(baseUrl, target.pathname);
}

/** The length of the prefix of a base URL at the beginning of a path; -1 if the path is not below it. */
function overlap({ prefix, addresses = {} }: BaseUrl, path: string): number {
	const shared = [prefix, ...Object.values(addresses).flat()].map((start) =>
		path === start || path.startsWith(`${start}/`) ? start.length : -1,
	);
	return Math.max(...shared);
}

function placeKey(options: RequestOptions, service: ServiceName, path: string, apiKey: string) {
	if (service === 'mcp') {
		options.headers = { ...options.headers, Authorization: `Bearer ${apiKey}` };
		return;
	}
	const body = options.form ?? options.body;
	if (options.method === 'POST' && KEY_IN_BODY.includes(path) && isPlainObject(body)) {
		body.api_key = apiKey;
		return;
	}
	// A copy of the same class: see AsNamed in network/transport.ts
	const { qs = {} } = options;
	options.qs = Object.assign(Object.create(Object.getPrototypeOf(qs)), qs, { api_key: apiKey });
}

function isPlainObject(value: unknown): value is IDataObject {
	return Object.prototype.toString.call(value) === '[object Object]';
}

function onStatus(value: number, message: string) {
	return { type: 'responseCode', properties: { value, message } };
}

function onBody(key: string, value: unknown, message: string) {
	return { type: 'responseSuccessBody', properties: { key, value, message } };
}
