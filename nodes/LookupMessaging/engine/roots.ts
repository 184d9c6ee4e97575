import type { ServiceRoot } from './operation';

/** The decrypted fields of the credential, by name. */
export type CredentialData = Record<string, unknown>;

/** Which field of the credential holds which root, and what the editor calls it. */
export const ROOT_FIELDS: Record<ServiceRoot, { field: string; displayName: string }> = {
	main: { field: 'baseUrl', displayName: 'Base URL' },
	lookup: { field: 'lookupUrl', displayName: 'Lookup URL' },
	geoip: { field: 'geoipUrl', displayName: 'GeoIP URL' },
	mcp: { field: 'mcpUrl', displayName: 'Tool Server URL' },
};

/** A root as the user entered it, without surrounding space and trailing slashes; empty when there is none. */
export function rootOf(credentials: CredentialData, service: ServiceRoot): string {
	return String(credentials[ROOT_FIELDS[service].field] ?? '')
		.trim()
		.replace(/\/+$/, '');
}

/** The API key as it goes on the wire: pasted keys often carry a line break. */
export function apiKeyOf(credentials: CredentialData): string {
	return String(credentials.apiKey ?? '').trim();
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
