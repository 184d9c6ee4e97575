import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

/** What the service replies, by status and body. */
export type RawReply = { status?: number; headers?: Record<string, string>; body?: IDataObject };

let keys = 0;

/**
 * n8n as the networks see it: a credential, Stop, a logger, and an HTTP helper that replies as the test says. Each has an API key
 * of its own, and so a fair queue of its own.
 */
export function fakeN8n(
	reply: (path: string, nth: number) => Promise<RawReply> | RawReply,
	{ signal, baseUrl = 'https://api.example/api/v1' }: FakeN8nOptions = {},
) {
	const sent: IHttpRequestOptions[] = [];
	const httpRequestWithAuthentication = async (_: string, options: IHttpRequestOptions) => {
		sent.push(options);
		const path = options.url.slice(baseUrl.length);
		const { status = 200, headers = {}, body = {} } = await reply(path, sent.length - 1);
		return { statusCode: status, headers, body: JSON.stringify(body) };
	};
	const errors: string[] = [];
	const credential = { apiKey: `key-of-fake-n8n-${(keys += 1)}`, baseUrl };
	const anywhere = {
		getCredentials: async () => await Promise.resolve(credential),
		logger: { error: (message: string) => errors.push(message) },
		helpers: { httpRequestWithAuthentication },
	};
	const inRun = { ...anywhere, getInputData: () => [], getExecutionCancelSignal: () => signal };
	return {
		run: inRun as unknown as IExecuteFunctions,
		poll: anywhere as unknown as IPollFunctions,
		editor: anywhere as unknown as ILoadOptionsFunctions,
		sent,
		/** What was logged as an error. */
		errors,
		get timeouts() {
			return sent.map(({ timeout }) => timeout);
		},
	};
}

export interface FakeN8nOptions {
	/** Aborted by Stop. */
	signal?: AbortSignal;
	baseUrl?: string;
}
