import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { AnyOperation, ServiceRequest } from '../../engine';
import type { RequestRecord } from '../../sandbox';
import type { NodeRun } from '../../harness/n8n';
import { RIGHT } from '../inputFields';
import { pollution } from './hostileValues';

/** The checks on a run with hostile values or replies. */

/** Texts that must not reach the user: errors of the language or a library, or a loss that did not happen. */
const NO_MESSAGE =
	/TypeError|RangeError|SyntaxError|URIError|Cannot (?:read|convert|set|mix)|is not (?:a function|iterable|an object)|undefined|\[object |Maximum call stack|Invalid character|ERR_|unescaped|could not be made sense of|Check your balance before|unknown reason|no answer arrived|connection broke|planned but not performed|cannot be made sense of/;
/** What a quote never has: a value that was made into text without being read. */
const NO_QUOTE = /"(?:undefined|\[object [^"]*)"/;
/** A user reads the message, and n8n stores it with the execution. */
const LONGEST_MESSAGE = 2_000;

/** Headers that n8n's HTTP library adds, and those of the operations (SPEC §4.3, §5.4). */
const HEADERS = new Set([
	...['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host'],
	...['user-agent', 'transfer-encoding', 'authorization', 'mcp-protocol-version'],
]);

/** The endpoints of SPEC §4 by path, with the names allowed in their query. */
const QUERY: Record<string, string[]> = {
	'main /status': [],
	'main /checkbalance': [],
	'main /checkwanumber': ['number'],
	'main /checkapi': ['number'],
	'main /check': ['number'],
	'main /checkemail': ['email'],
	'main /checkgeoip': ['ip'],
	'main /sendwasms': ['number', 'message'],
	'main /scrapersearch': ['query'],
	'main /scraperpost': ['post_url'],
	'main /scraperxsearch': ['query'],
	'main /scraperxpost': ['post_url'],
	'main /scraperxcomment': ['post_url'],
	'main /audit_run': [],
	'main /audit': ['audit_id'],
	'main /audit_summary': ['audit_id'],
	'lookup /phonevalidation': [],
	'lookup /calleridvalidation': ['phone_number'],
	'lookup /wavalidation/batch': [],
	'lookup /wavalidation/batch/{id}': [],
	'geoip /': ['ip'],
	'tools /mcp': [],
	'tools /healthz': [],
};
/** A batch may have any ID, as long as it is one segment of the path. */
const BATCH = /^\/wavalidation\/batch\/(?!\.{1,2}$)(?:[\w.~!*'()-]|%[\dA-F]{2})+$/;

interface CheckedRun {
	operation: AnyOperation;
	run: NodeRun;
	/** Names of the input items, by index. */
	names: string[];
	log: RequestRecord[];
	/** Whether the balance may be checked first. */
	checksBalance?: boolean;
	/** Whether the user may have added names to the query. */
	added?: boolean;
}

/** Returns every violation, as a sentence. */
export function runViolations({
	operation,
	run,
	names,
	log,
	added,
	checksBalance,
}: CheckedRun): string[] {
	const items = run.outputs().flat();
	const violations = [
		...(run.status === 'success' ? [] : [`the run is ${run.status}: ${run.error?.message}`]),
		...run.hints().flatMap((hint) => messageViolations(hint, 'a hint')),
		...pollution().map((name) => `every object has "${name}"`),
		...log
			.filter(({ path }) => !(checksBalance && path === '/api/v1/checkbalance'))
			.flatMap((record) => requestViolations(record, operation, added)),
	];
	const answered = new Map<number, INodeExecutionData[]>();
	for (const item of items) {
		for (const index of indexesOf(item)) {
			answered.set(index, [...(answered.get(index) ?? []), item]);
		}
		// A batch goes on without its invalid numbers, and lists them with the reason
		for (const { item: index, reason } of leftOutOf(item)) {
			const listed = { json: { outcome: 'unknown', reason } };
			answered.set(index, [...(answered.get(index) ?? []), listed]);
		}
	}
	for (const [index, name] of names.entries()) {
		const own = answered.get(index);
		if (run.status === 'success' && !own) violations.push(`${name}: no item came out`);
		if (run.status !== 'success') continue;
		for (const item of own ?? []) {
			violations.push(...itemViolations(item).map((violation) => `${name}: ${violation}`));
		}
	}
	return violations;
}

function leftOutOf({ json: { leftOut } }: INodeExecutionData) {
	return Array.isArray(leftOut) ? (leftOut as Array<{ item: number; reason: string }>) : [];
}

function indexesOf({ pairedItem }: INodeExecutionData): number[] {
	return [pairedItem ?? []].flat().map((pair) => (typeof pair === 'number' ? pair : pair.item));
}

/** An item is an answer with its outcome, or an error that a user can read. */
function itemViolations({ json, error }: INodeExecutionData): string[] {
	const message = error?.message ?? json.error;
	if (message !== undefined) return messageViolations(String(message), 'an error');
	const stored = storageViolation(json);
	if (stored !== undefined) return [stored];
	// No field was selected
	if (Object.keys(json).length === 0) return [];
	if (!isResult(json)) return ['neither answer nor error'];
	const { reason } = json;
	return typeof reason === 'string' ? messageViolations(reason, 'a reason') : [];
}

/** A result, a plan, a row of Cost Log, or a result beside the fields of the input. */
function isResult(json: IDataObject): boolean {
	if ([json.outcome, json.dryRun, json.charged].some((field) => field !== undefined)) return true;
	return Object.values(json).some(
		(value) => typeof value === 'object' && value !== null && 'outcome' in value,
	);
}

/** n8n stores items as JSON. */
function storageViolation(json: object): string | undefined {
	try {
		JSON.stringify(json);
		return undefined;
	} catch (error) {
		return `cannot be stored: ${(error as Error).message}`;
	}
}

function messageViolations(text: string, what: string, most = LONGEST_MESSAGE): string[] {
	const shown = text.slice(0, 300);
	// The message names the IDs of everything that is paid for
	if (text.replace(/[\da-f-]{36},? ?/g, '').length > most)
		return [`${what} of ${text.length} characters: ${shown}`];
	// What it quotes are the user's words, which may be an expression's
	const isUnreadable = NO_MESSAGE.test(text.replace(/"[^"]*"/g, '')) || NO_QUOTE.test(text);
	if (isUnreadable) return [`${what} that nobody can read: ${shown}`];
	return !/\p{Cs}/u.test(text) ? [] : [`${what} with half a character: ${shown}`];
}

/** Where a request differs from its operation's own path, query and headers. */
function requestViolations(
	record: RequestRecord,
	operation: AnyOperation,
	added = false,
): string[] {
	const { host, path, url, method, query, headers } = record;
	const own = host === 'geoip' || host === 'tools' ? path : path.replace(/^\/api\/v1/, '');
	const known = `${host} ${BATCH.test(own) ? '/wavalidation/batch/{id}' : own}`;
	const violations: string[] = [];
	if (!(known in QUERY)) violations.push('to no path of the service');
	else if (!pathsOf(operation).has(known)) violations.push('to the path of another operation');
	const allowed = new Set([...(QUERY[known] ?? []), 'api_key']);
	for (const name of Object.keys(query)) {
		if (!allowed.has(name) && !added) violations.push(`with "${name}" in its query`);
	}
	for (const name of Object.keys(headers)) {
		if (!HEADERS.has(name)) violations.push(`with the header "${name}"`);
	}
	return violations.map((violation) => `a request ${violation}: ${method} ${url.slice(0, 200)}`);
}

/** The paths of an operation, including those of the operations that it uses. */
function pathsOf(operation: AnyOperation): Set<string> {
	if ('run' in operation) return new Set(operation.endpoints.map(fromEndpoint));
	const both = ['detailed', 'basic'].flatMap((responseDetail) => {
		const question = operation.prepare({ ...RIGHT, responseDetail });
		return fromRequest(operation.request(question));
	});
	return new Set(both);
}

const fromRequest = ({ service, path }: ServiceRequest) =>
	`${service === 'mcp' ? 'tools' : service} ${path}`;

function fromEndpoint(endpoint: string): string {
	const [, service, path = '/'] = endpoint.split(' ');
	return `${service === 'mcp' ? 'tools' : service} ${path.replace('{batch_id}', '{id}')}`;
}
