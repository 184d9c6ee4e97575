import type { Endpoint } from '../http/endpoint';
import type { RequestRecord } from '../types';

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The key by the ways that the endpoint accepts; the first one that is there decides, right or wrong (SPEC §5). */
export function keyOf(endpoint: Endpoint, { method, query, headers, body }: RequestRecord) {
	if (endpoint.keyInHeaders) return bearerOf(headers) ?? headerKeyOf(headers) ?? query.api_key;
	const inBody =
		endpoint.keyInBody && method === 'POST' && isObject(body) ? body.api_key : undefined;
	return query.api_key ?? (typeof inBody === 'string' ? inBody : undefined);
}

/** The key wherever a client may have put it, right or wrong, for the fault that repeats it. */
export function anyKeyOf({ query, body, headers }: RequestRecord): string | undefined {
	const inBody = isObject(body) ? body.api_key : undefined;
	return query.api_key ?? inBody?.toString() ?? bearerOf(headers) ?? headerKeyOf(headers);
}

/** Undefined for an authorization of another scheme. */
const bearerOf = ({ authorization }: RequestRecord['headers']) =>
	/^Bearer +(.+)$/i.exec(authorization?.toString() ?? '')?.[1];

const headerKeyOf = (headers: RequestRecord['headers']) =>
	headers['x-api-key']?.toString() || undefined;
