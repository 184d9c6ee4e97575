import type { IDataObject } from 'n8n-workflow';
import type { ServiceRequest, ServiceRoot } from '../../../nodes/LookupMessaging/engine/operation';
import type { Sandbox } from '../../sandbox';

const ROOTS: Record<ServiceRoot, keyof Sandbox['roots']> = {
	main: 'baseUrl',
	lookup: 'lookupUrl',
	geoip: 'geoipUrl',
	mcp: 'mcpUrl',
};

/** SPEC §5: these paths take no key, these POSTs take it in their JSON body, the tool server in a header, all others in the query. */
const KEYLESS = ['/status', '/healthz'];
const KEY_IN_BODY = ['/phonevalidation', '/wavalidation/batch'];

/** Sends an operation's request over HTTP as a client written from SPEC alone would. */
export async function send(
	sandbox: Sandbox,
	{ service, method, path, query = {}, headers: given, body, form }: ServiceRequest,
	key: string,
	files: Record<string, Uint8Array> = {},
): Promise<Response> {
	const params = new URLSearchParams(query);
	const headers: Record<string, string> = { ...given };
	let sent = body;
	if (body) headers['content-type'] = 'application/json';
	if (KEYLESS.includes(path)) {
		// No key
	} else if (service === 'mcp') headers.authorization = `Bearer ${key}`;
	else if (method === 'POST' && KEY_IN_BODY.includes(path)) sent = { ...body, api_key: key };
	else params.set('api_key', key);

	return await fetch(`${sandbox.roots[ROOTS[service]]}${path}?${params}`, {
		method,
		headers,
		redirect: 'manual',
		...(sent && { body: JSON.stringify(sent) }),
		...(form && { body: multipart(form, files) }),
	});
}

/** `send`, with the answer parsed as JSON. */
export async function ask(
	sandbox: Sandbox,
	request: ServiceRequest,
	key: string,
): Promise<{ status: number; body: IDataObject }> {
	const response = await send(sandbox, request, key);
	return { status: response.status, body: (await response.json()) as IDataObject };
}

function multipart(
	{ fields, file }: NonNullable<ServiceRequest['form']>,
	files: Record<string, Uint8Array>,
): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	const { property, mimeType, fileName } = file.source;
	form.append(file.field, new Blob([files[property]], { type: mimeType }), fileName);
	return form;
}
