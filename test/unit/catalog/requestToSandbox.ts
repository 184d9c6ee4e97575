import type { IDataObject } from 'n8n-workflow';
import type { ServiceName, ServiceRequest } from '../../engine';
import type { Sandbox } from '../../sandbox';

const BASE_URLS: Record<ServiceName, keyof Sandbox['roots']> = {
	main: 'baseUrl',
	lookup: 'lookupUrl',
	geoip: 'geoipUrl',
	mcp: 'mcpUrl',
};

/** SPEC §5: these paths take no key, these POSTs take it in their JSON body, the tool server in a header, all others in the query. */
const KEYLESS = ['/status', '/healthz'];
const KEY_IN_BODY = ['/phonevalidation', '/wavalidation/batch'];

/** A request without its API key. */
interface KeylessRequest {
	method: string;
	url: string;
	query?: Record<string, string>;
	headers?: Record<string, string>;
	body?: FormData | IDataObject;
	signal?: AbortSignal;
}

/** Sends a request with its API key over HTTP, as a client written from SPEC alone would. */
export async function requestToSandbox(
	{ roots }: Pick<Sandbox, 'roots'>,
	{ method, url, query, headers: given, body, signal }: KeylessRequest,
	key: string,
): Promise<Response> {
	const params = new URLSearchParams(query);
	const headers: Record<string, string> = { ...given };
	const isForm = body instanceof FormData;
	let json = isForm ? undefined : body;
	if (KEYLESS.some((path) => url.endsWith(path))) {
		// No key
	} else if (url.startsWith(roots.mcpUrl)) headers.authorization = `Bearer ${key}`;
	else if (method === 'POST' && KEY_IN_BODY.some((path) => url.endsWith(path)))
		json = { ...json, api_key: key };
	else params.set('api_key', key);

	if (json) headers['content-type'] = 'application/json';
	return await fetch(params.size > 0 ? `${url}?${params}` : url, {
		method,
		headers,
		redirect: 'manual',
		signal,
		...(isForm && { body }),
		...(json && { body: JSON.stringify(json) }),
	});
}

/** Sends an operation's request, and parses the answer as JSON. */
export async function ask(
	sandbox: Sandbox,
	{ service, path, ...request }: ServiceRequest,
	key: string,
): Promise<{ status: number; body: IDataObject }> {
	const url = `${sandbox.roots[BASE_URLS[service]]}${path}`;
	const response = await requestToSandbox(sandbox, { ...request, url }, key);
	return { status: response.status, body: (await response.json()) as IDataObject };
}
