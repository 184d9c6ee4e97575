import type { FaultEffect, FaultRule, RequestRecord } from '../types';

/** What the active rules do to one request. */
interface InjectedFault {
	/** The sum of all latency rules that match, in milliseconds. */
	delayMs: number;
	/** The first other rule that matches. */
	effect?: FaultEffect;
}

const KINDS: Array<FaultEffect['kind']> = [
	'latency',
	'status',
	'resetBeforeCharge',
	'resetAfterCharge',
	'hangBeforeCharge',
	'hangAfterCharge',
	'html',
	'truncatedJson',
	'emptyBody',
	'body',
	'echoKey',
	'redirect',
	'gzip',
	'charset',
	'padding',
	'headerFlood',
	'drip',
	'cutShort',
	'reshaped',
	'echo',
];

/** The active fault rules, oldest first. Each counts the requests that it matched. */
export class FaultRules {
	private rules: Array<{ rule: FaultRule; matched: number }> = [];

	/** Throws when the rule's kind is unknown. */
	add(rule: FaultRule) {
		if (!KINDS.includes(rule.kind)) {
			throw new Error(`Unknown fault kind "${rule.kind}". Known: ${KINDS.join(', ')}`);
		}
		this.rules.push({ rule, matched: 0 });
	}

	clear() {
		this.rules = [];
	}

	/**
	 * Returns the first rule that matches the request. Latency rules add up and don't end the search.
	 * `endpointPath` is the path that the request's endpoint is declared with.
	 */
	match(request: RequestRecord, endpointPath?: string): InjectedFault {
		let delayMs = 0;
		for (const entry of this.rules) {
			const { rule } = entry;
			if (!matches(rule, request, endpointPath)) continue;
			entry.matched += 1;
			if (!isDue(rule, entry.matched)) continue;
			if (rule.kind !== 'latency') return { delayMs, effect: rule };
			delayMs += rule.ms;
		}
		return { delayMs };
	}
}

const isDue = ({ skip = 0, times = Infinity }: FaultRule, matched: number) =>
	matched > skip && matched <= skip + times;

const matches = (rule: FaultRule, request: RequestRecord, endpointPath?: string) =>
	(rule.handshake === true) === isHandshake(request) &&
	(rule.host === undefined || rule.host === request.host) &&
	(rule.method === undefined || rule.method.toUpperCase() === request.method) &&
	(rule.path === undefined || rule.path === endpointPath || isAt(rule.path, request.path)) &&
	(rule.contains === undefined || textsOf(request).some((text) => text.includes(rule.contains!)));

/** Whether a request belongs to the session with the tool server and is no call: free, and once for each run of a client. */
export function isHandshake({ host, method, body }: RequestRecord): boolean {
	if (host !== 'tools') return false;
	const rpc =
		typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined;
	return method === 'DELETE' || rpc === 'initialize' || /^notifications\//.test(String(rpc));
}

const isAt = (wanted: string, path: string) => wanted === path || wanted === path.split('/').pop();

const textsOf = ({ query, body }: RequestRecord) => [
	...Object.values(query),
	typeof body === 'string' ? body : (JSON.stringify(body) ?? ''),
];
