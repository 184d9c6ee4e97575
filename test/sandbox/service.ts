import { insteadOfAnswer, plain, spoiled, type Delivery } from './delivery';
import { refusedAlways, type Call, type Endpoint, type World } from './endpoint';
import { Faults } from './faults';
import { Ledger } from './ledger';
import { RateWindows } from './rateWindow';
import type { RateLimit, RequestRecord, SandboxOptions } from './types';
import { Waiting } from './waiting';

/** SPEC §8 leaves the size of the rate-limit window open; this is the sandbox's. */
const DEFAULT_RATE_LIMIT: RateLimit = { calls: 5000, windowSeconds: 60 };

/** The service behind the four hosts: it turns a noted request into what goes over the wire. */
export class Service {
	readonly faults = new Faults();

	readonly waiting = new Waiting();

	readonly world: World;

	private readonly latencyMs: number;

	private readonly errorStatus: 'http' | 'ok';

	constructor({ latencyMs = 0, errorStatus = 'http', rateLimit }: SandboxOptions) {
		this.latencyMs = latencyMs;
		this.errorStatus = errorStatus;
		this.world = {
			ledger: new Ledger(),
			phoneWindows: new RateWindows(rateLimit ?? DEFAULT_RATE_LIMIT),
			inconclusiveOnce: new Set(),
		};
	}

	/** Answers one request; `endpoint` is undefined where SPEC has none. */
	async serve(endpoint: Endpoint | undefined, record: RequestRecord): Promise<Delivery> {
		const { delayMs, effect } = this.faults.judge(record);
		const lapsed = await this.waiting.wait((endpoint ? this.latencyMs : 0) + delayMs);
		if (!lapsed) return 'reset';
		const instead = insteadOfAnswer(effect, anyKeyOf(record), record.url);
		if (instead) return instead;
		const reply = endpoint ? await endpoint.answer(this.callOf(endpoint, record)) : noSuchEndpoint;
		return spoiled(effect, plain(reply, this.errorStatus));
	}

	reset() {
		this.waiting.dropAll();
		this.faults.clear();
		this.world.ledger.reset();
		this.world.phoneWindows.reset();
		this.world.inconclusiveOnce.clear();
	}

	private callOf({ keyInBody }: Endpoint, record: RequestRecord): Call {
		const { method, path, query, body } = record;
		const json = isObject(body) ? body : undefined;
		const keyOfBody = keyInBody && method === 'POST' ? json?.api_key : undefined;
		const key = query.api_key ?? (typeof keyOfBody === 'string' ? keyOfBody : undefined);
		return {
			world: this.world,
			method,
			path,
			query,
			json,
			key,
			charge: (product, amount, question) => {
				const entry = { product, amount, endpoint: path, question, at: Date.now() };
				this.world.ledger.find(key)?.move(entry);
				record.charged += amount;
			},
		};
	}
}

const noSuchEndpoint = refusedAlways(404, { status: false, error: 'Not found' });

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The key wherever a client may have put it, right or wrong, for the fault that repeats it. */
function anyKeyOf({ query, body, headers }: RequestRecord): string | undefined {
	const inBody = isObject(body) ? body.api_key : undefined;
	const bearer = headers.authorization?.toString().replace(/^Bearer /i, '');
	return query.api_key ?? inBody?.toString() ?? bearer ?? headers['x-api-key']?.toString();
}
