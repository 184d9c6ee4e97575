import type { IDataObject } from 'n8n-workflow';

/** What is sent to the service. */

/** The base URLs of the service, each a field of the credential (SPEC, placeholders). */
export type ServiceName = 'geoip' | 'lookup' | 'main' | 'mcp';

/** A request without the API key, which the credential adds. */
export interface ServiceRequest {
	service: ServiceName;
	method: 'DELETE' | 'GET' | 'POST';
	/** Path below the base URL, with a leading slash; empty for the base URL itself. */
	path: string;
	/** At which of the addresses that the path may have (`addresses` of BaseUrl, network/credential.ts); below the base URL unless set. */
	address?: number;
	/** Where the path holds an ID: what stands for all such paths. The rate limits of the service are kept by it. */
	family?: string;
	query?: Record<string, string>;
	headers?: Record<string, string>;
	/** JSON body; `form` is a multipart body in its place. */
	body?: IDataObject;
	form?: { fields: Record<string, string>; file: { field: string; source: BinaryFile } };
	/** The request carries no API key. */
	withoutKey?: true;
	/** Any body is fine: one that is not a JSON object is read as `{ text }`, an empty one as `{}`. */
	takesAnyBody?: true;
}

/** A file in a binary property of an input item, known by its index. The bytes are read while they are sent. */
export interface BinaryFile {
	item: number;
	property: string;
	fileName: string;
	mimeType: string;
	bytes: number;
}
