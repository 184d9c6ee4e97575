/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox';
import { requestToSandbox } from '../catalog/requestToSandbox';
import { Transport } from '../../engine';

/**
 * The transport of this package in a fake n8n whose HTTP helper is `fetch`. Base URLs, redaction and the classification of replies
 * are those of production; n8n's own helper is tested on n8n.
 * @param files bytes of the input item's files, by binary property
 * @param logged takes the lines for n8n's log
 */
export function fetchTransport(
	sandbox: Pick<Sandbox, 'roots'>,
	key: string,
	files: Record<string, Uint8Array> = {},
	logged: string[] = [],
): Transport {
	const httpRequestWithAuthentication = async (_type: string, options: IHttpRequestOptions) => {
		const { method = 'GET', url, qs, headers, body } = options;
		const request = {
			method,
			url,
			query: qs as Record<string, string>,
			headers: headers as Record<string, string>,
			body: body as FormData | IDataObject,
			signal: options.abortSignal as AbortSignal | undefined,
		};
		const response = await requestToSandbox(sandbox, request, key);
		return {
			statusCode: response.status,
			headers: Object.fromEntries(response.headers),
			body: options.encoding === 'stream' ? streamOf(response) : await response.text(),
		};
	};
	const context = {
		getInputData: () => [],
		getExecutionCancelSignal: () => undefined,
		logger: {
			info: (line: string) => void logged.push(line),
			error: (line: string) => void logged.push(line),
		},
		helpers: {
			httpRequestWithAuthentication,
			assertBinaryData: () => ({ data: '', mimeType: 'application/octet-stream' }),
			getBinaryDataBuffer: async (_item: number, property: string) => Buffer.from(files[property]),
		},
	};
	return new Transport(context as unknown as IExecuteFunctions, { apiKey: key, ...sandbox.roots });
}

function streamOf({ body }: Response): Readable {
	return body ? Readable.fromWeb(body as ReadableStream) : Readable.from([]);
}
