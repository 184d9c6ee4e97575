/**
 * The structure of this package, as data. `importRules.mts` derives the import rules from it, `check.mts` holds all of it,
 * `picture.mts` draws it. Paths are relative to the project's root, with slashes.
 */

export const ENGINE = 'nodes/LookupMessaging/engine';
export const OPERATIONS = 'nodes/LookupMessaging/operations';
export const FEATURES = 'nodes/LookupMessaging/features';
export const EDITOR = 'nodes/LookupMessaging/editor';
export const TRIGGER = 'nodes/LookupMessagingTrigger';
export const TESTS = 'test';
export const SANDBOX = 'test/sandbox';

/**
 * The rooms of the engine, top to bottom. A room may import rooms on lower levels only; rooms on one level may not import
 * each other. A name that ends in `.ts` is a file, any other is a folder. Rooms need not exist.
 */
export const ROOM_ORDER: string[][] = [
	['run.ts'],
	['output', 'perform'],
	['feature.ts'],
	['network'],
	['redaction'],
	['memory'],
	['billing'],
	['refusals'],
	['plan'],
	['pacing'],
	['clock.ts'],
	['gate.ts'],
	['operation.ts'],
	['client.ts'],
	['results.ts'],
];

/** What a room is for, in a few words. Only the picture shows it. */
export const ROOM_PURPOSES: Record<string, string> = {
	'run.ts': 'runs one node',
	output: 'items, errors, receipt, hints',
	'feature.ts': 'what a feature declares',
	perform: 'runs the operations',
	network: 'layers around one call',
	redaction: 'keeps the key out of replies',
	billing: 'ledger, budget, estimate',
	refusals: 'account or question',
	plan: 'parameters, unique questions',
	memory: 'answers, journal',
	'clock.ts': 'the time, which tests replace',
	'gate.ts': 'waits for what others do',
	pacing: 'fair queue, limiter',
	'operation.ts': 'what an operation declares, and what replies mean',
	'client.ts': 'what its run() is handed',
	'results.ts': 'what calls and questions come to',
};

/** All that an operation may import from the engine. */
export const ENGINE_FOR_OPERATIONS: string[] = [
	'operation.ts',
	'gate.ts',
	'client.ts',
	'results.ts',
	'plan/values.ts',
	'refusals/done.ts',
	'refusals/refusal.ts',
	'network/credential.ts',
	'network/networkErrors.ts',
	'network/parseReply.ts',
	'redaction/redactor.ts',
];

/** Folders in which no import circle may exist. An import of a type counts as an import. */
export const WITHOUT_CIRCLES = ['nodes', 'credentials', 'scripts', 'test/sandbox'];

/** What is published. How long a file or a function may be is no rule: `npm run structure` shows the longest of the engine. */
export const SHIPPED = ['nodes', 'credentials'];

/**
 * Words that no identifier and no file name under nodes/ may contain, as camelCase words in lower case. A word stands for
 * its longer forms too: `settle` also finds `settled` and `settlements`.
 */
export const RETIRED_WORDS = [
	'courier',
	'turnstile',
	'lead alone',
	'heed',
	'crossing',
	'fate',
	'afford',
	'settle',
	'detour',
	'hang up',
	'desk',
	'shelf',
	'shelves',
];

/** Names of other people's that contain a retired word. */
export const FOREIGN_NAMES = ['allSettled', 'PromiseSettledResult'];

/** n8n's HTTP helpers. One file under nodes/ uses them. */
export const HTTP_HELPER = /^httpRequest(WithAuthentication)?$/;

/** Where values of replies are read or shown. There `textOf` and `numberIn` (plan/values.ts) read them, which never throw. */
export const WITH_REPLIES = [
	OPERATIONS,
	EDITOR,
	TRIGGER,
	`${ENGINE}/network`,
	`${ENGINE}/output`,
	`${ENGINE}/refusals`,
];

/** Files in there that see no value of a reply: they read texts and tables. */
export const WITHOUT_REPLIES = [
	`${OPERATIONS}/shared/email/punycode.ts`,
	`${OPERATIONS}/shared/ip/parseIp.ts`,
	`${OPERATIONS}/shared/ip/reachability.ts`,
	`${OPERATIONS}/shared/phone/numberingPlans.ts`,
	`${OPERATIONS}/shared/phone/spelling.ts`,
];

/** They throw for `{ "toString": 0 }`, which any reply may hold. */
export const THROWING_READERS = ['Number', 'String'];
/** Around a call of this, they do not. */
export const SAFE_READER = 'textOf';
