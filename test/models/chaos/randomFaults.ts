import fc from 'fast-check';
import type { FaultEffect, FaultRule } from '../../sandbox';
import { endpoint } from './endpoints';
import { operationOf, partFor, type OperationName } from './operations';

/** The faults of a random schedule, as plain data. */

export interface Fault {
	kind: FaultName;
	/** Affects questions about this subject; or calls of a kind, after that many. */
	at: { about: number } | { after: number; of: 'any' | 'free' | 'paid' };
	/** How many calls it affects. */
	times: number;
	/** The pause that a refusal asks for, in seconds. */
	seconds: number;
}

export type FaultName = keyof typeof EFFECTS;

const refusal = (status: number, error: string, headers?: Record<string, string>): FaultEffect => ({
	...{ kind: 'status', status, headers, body: { status: false, error } },
});
const inSeconds = (seconds: number) => ({ 'retry-after': String(seconds) });

const EFFECTS = {
	tooFast: (seconds) => refusal(429, 'Too many requests', inSeconds(seconds / 2)),
	tooFastUntil: (seconds) => {
		const date = new Date(Date.now() + 1_000 * seconds).toUTCString();
		return refusal(429, 'Too many requests', { 'retry-after': date });
	},
	tooFastNoTime: () => refusal(429, 'Too many requests'),
	busy: (seconds) => refusal(503, 'Busy', inSeconds(seconds)),
	busyOddly: (seconds) => refusal(503, 'Busy', { 'retry-after': `+${seconds}` }),
	error500: () => refusal(500, 'Internal error'),
	error502: () => ({ kind: 'status', status: 502, body: '<html>Bad gateway</html>' }),
	error503: () => refusal(503, 'Unavailable'),
	wrongKey: () => refusal(401, 'Invalid API key.'),
	noCredits: () => refusal(402, 'Please recharge'),
	refused: () => refusal(422, 'This cannot be looked up.'),
	refusedInText: () => ({ kind: 'status', status: 400, body: 'Bad request' }),
	// 404 is about the URL or the value, by what came before: the fault matrix has both
	notFound: () => refusal(410, 'Not found'),
	redirect: () => ({ kind: 'redirect', to: 'https://elsewhere.example/' }),
	seeOther: () => ({
		...{ kind: 'redirect', to: 'https://elsewhere.example/', status: 303, isDone: true },
	}),
	echoKey: () => ({ kind: 'echoKey' }),
	resetBeforeCharge: () => ({ kind: 'resetBeforeCharge' }),
	resetAfterCharge: () => ({ kind: 'resetAfterCharge' }),
	hangBeforeCharge: () => ({ kind: 'hangBeforeCharge', isAnnounced: true }),
	hangAfterCharge: () => ({ kind: 'hangAfterCharge', isAnnounced: true }),
	html: () => ({ kind: 'html' }),
	truncatedJson: () => ({ kind: 'truncatedJson' }),
	emptyBody: () => ({ kind: 'emptyBody' }),
	jsonArray: () => ({ kind: 'body', body: [] }),
	nothing: () => ({ kind: 'body', body: {} }),
	onlyStatus: () => ({ kind: 'body', body: { status: true } }),
	nulls: () => ({ kind: 'body', body: { status: null, success: null, data: null, id: null } }),
	latency: (seconds) => ({ kind: 'latency', ms: Math.min(seconds, 5) }),
} satisfies Record<string, (seconds: number) => FaultEffect>;

/** Faults that cost an item only time, as long as they affect few calls. */
const TRANSIENT = new Set<FaultName>([
	'tooFast',
	'tooFastUntil',
	'tooFastNoTime',
	'busy',
	'latency',
]);

export function isTransient({ kind }: Fault): boolean {
	return TRANSIENT.has(kind);
}

export const faultNames = Object.keys(EFFECTS) as FaultName[];

export function effectOf(kind: FaultName, seconds: number): FaultEffect {
	return EFFECTS[kind](seconds);
}

/** The sandbox's rule for a fault. */
export function ruleOf({ kind, at, times, seconds }: Fault, operation: OperationName): FaultRule {
	const effect = effectOf(kind, seconds);
	const { subjects, endpoints, freePath = 'checkbalance' } = operationOf(operation);
	if ('about' in at) {
		const all = subjects(0);
		const { mark } = partFor(all[at.about % all.length], endpoints[at.about % endpoints.length]);
		return { ...effect, times, contains: mark };
	}
	const paid = endpoint(endpoints[at.after % endpoints.length]).path;
	const paths = { any: undefined, free: freePath, paid };
	return { ...effect, path: paths[at.of], times, skip: at.after };
}

/** Few subjects, so that many items are equal, or all. */
export const subjectIndexes = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 19 }));

/** Faults of all kinds. */
export const faults: fc.Arbitrary<Fault> = fc.record({
	kind: fc.constantFrom(...faultNames),
	at: fc.oneof(
		fc.record({ about: subjectIndexes }),
		fc.record({
			after: fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 10 })),
			of: fc.constantFrom('any' as const, 'free' as const, 'paid' as const),
		}),
	),
	times: fc.oneof(
		{ arbitrary: fc.integer({ min: 1, max: 3 }), weight: 5 },
		{ arbitrary: fc.constant(1_000), weight: 1 },
	),
	seconds: fc.integer({ min: 0, max: 20 }),
});
