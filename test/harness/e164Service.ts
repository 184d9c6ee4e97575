/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/**
 * A second double of the phone endpoints (SPEC §2, §4), which shares no code with the sandbox: it takes E.164 and nothing
 * else, knows a few calling codes, and says yes to every number that it can read. One listener stands for all hosts.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export const E164 = /^\+\d{6,15}$/;

/** A phone number as it arrived. */
interface ReceivedNumber {
	/** Last segment of the path. */
	endpoint: string;
	number: string;
}

export interface E164Service {
	/** The fields of the credential. */
	credential: Record<string, string>;
	/** In order of arrival. */
	received: ReceivedNumber[];
	close(): Promise<void>;
}

const BATCH = 'wavalidation/batch';
const BATCH_ID = '6f1c2f0e-0f3a-4c55-9d5e-3f1f0c7a9b21';

/** What every readable number is. */
const CARRIER = { carrier: 'Example Mobile', location: 'Example City' };

/** With spaces, as SPEC §2.2 has `formatted_number`: it may not be sent on as it is. */
const spaced = (number: string) => number.replace(/(\d{3})(?=\d)/g, '$1 ');

/** Countries by calling code. None of the codes begins another. */
const COUNTRIES = { 1: 'US', 7: 'RU', 39: 'IT', 44: 'GB', 49: 'DE', 86: 'CN' };

function countryOf(number: string) {
	const [code, country] =
		Object.entries(COUNTRIES).find(([each]) => number.startsWith(`+${each}`)) ?? [];
	return { countrycode: country, countrycodenum: Number(code) };
}

const detailsOf = (number: string) => ({
	...CARRIER,
	...countryOf(number),
	formatnational: spaced(number.slice(1)),
	formatinternational: spaced(number),
	timezone: ['America/New_York'],
});

/** The answer to a readable number, and the one to all others. */
interface Answers {
	yes(number: string): object;
	no(number: string): object;
}

/** The endpoints for one number, by the last segment of their path. */
const ENDPOINTS: Record<string, Answers> = {
	checkwanumber: {
		yes: (number) => ({ status: true, number, whatsapp: true }),
		no: (number) => ({ status: true, number, whatsapp: false }),
	},
	checkapi: {
		yes: (number) => ({
			...{ status: true, number, valid: true },
			...{ country: countryOf(number).countrycode, carrier: CARRIER.carrier, line_type: 'mobile' },
		}),
		no: (number) => ({ status: true, number, valid: false }),
	},
	check: {
		yes: (number) => ({ status: true, number, name: 'Ada', line_type: 'mobile', ...CARRIER }),
		no: () => ({ status: false, error: 'Invalid phone number' }),
	},
	sendwasms: {
		yes: () => ({ status: true, message: 'Message sent' }),
		no: () => ({ status: false, error: 'Invalid phone number' }),
	},
	phonevalidation: {
		yes: (number) => ({
			...{ status: 'VALID_CONFIRMED', formatted_number: spaced(number), linetype: 'Mobile' },
			...detailsOf(number),
			...{ ratelimit_remain: 1000, ratelimit_seconds: 60 },
		}),
		no: () => ({ status: 'INVALID' }),
	},
	calleridvalidation: {
		yes: (number) => ({
			...{ success: true, number: spaced(number), name: 'Ada', line_type: 'Mobile' },
			...{ valid: 'VALID_CONFIRMED', ...detailsOf(number) },
		}),
		no: () => ({ success: false, message: 'Invalid phone number' }),
	},
};

/** A result row of SPEC §2.4. */
const rowOf = (number: string) => ({
	...{ phone_number: number, status: 'completed' },
	...(E164.test(number)
		? {
				...{ wa_status: 'VALID_CONFIRMED', numberstatus: true, businessnumber: false },
				...{ formatted_number: number, carrier: CARRIER.carrier },
				country: countryOf(number).countrycode,
			}
		: { wa_status: 'INVALID', numberstatus: false, businessnumber: false }),
});

interface Asked {
	path: string;
	/** Of the query and the JSON body. */
	parameters: Record<string, unknown>;
}

/** Starts the service on 127.0.0.1. */
export async function startE164Service(): Promise<E164Service> {
	const received: ReceivedNumber[] = [];
	const apiKey = randomUUID();
	let batch: string[] = [];

	const note = (endpoint: string, numbers: unknown[]) => {
		const texts = numbers.map(String);
		received.push(...texts.map((number) => ({ endpoint, number })));
		return texts;
	};
	const answerTo = ({ path, parameters }: Asked): object => {
		if (parameters.api_key !== apiKey) return { status: false, error: 'Invalid API key.' };
		if (path.endsWith(`${BATCH}/${BATCH_ID}`)) return pollOf(batch);
		const endpoint = path.split('/').at(-1) ?? '';
		if (path.endsWith(BATCH)) {
			batch = note(endpoint, [parameters.phone_numbers].flat());
			return { batch_id: BATCH_ID, total_numbers: batch.length, status: 'processing' };
		}
		const { number, phone_number } = parameters;
		const [asked] = note(endpoint, [number ?? phone_number]);
		const answers = ENDPOINTS[endpoint];
		if (!answers) return { status: false, error: `No endpoint ${path}` };
		return E164.test(asked) ? answers.yes(asked) : answers.no(asked);
	};

	const server = createServer((request, response) => {
		void read(request).then((asked) => {
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(answerTo(asked)));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const api = `${root}/api/v1`;
	return {
		credential: { apiKey, baseUrl: api, lookupUrl: api, geoipUrl: root, mcpUrl: root },
		received,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

const pollOf = (batch: string[]) => ({
	...{ batch_id: BATCH_ID, status: 'completed', total_numbers: batch.length },
	...{ completed: batch.length, failed: 0, pending: 0, results: batch.map(rowOf) },
});

/** A plus sign that did not come as %2B is a space, as for every form decoder. */
async function read(request: IncomingMessage): Promise<Asked> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const text = Buffer.concat(chunks).toString();
	const [path, query] = (request.url ?? '').split('?');
	const body = text === '' ? {} : (JSON.parse(text) as object);
	return { path, parameters: { ...Object.fromEntries(new URLSearchParams(query)), ...body } };
}
