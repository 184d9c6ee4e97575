import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { AnyOperation, ServiceRequest } from '../../../nodes/LookupMessaging/engine/operation';
import { operations } from '../../../nodes/LookupMessaging/operations';
import type { RequestRecord } from '../../sandbox';
import type { NodeRun } from '../../harness/n8n';
import { pollution } from './hostileValues';

/** What must hold of a run whatever it was given. */

/** Words that a person was not meant to see: of the language, of a library, or of a loss that was none. */
const NO_MESSAGE =
	/TypeError|RangeError|SyntaxError|URIError|Cannot (?:read|convert|set|mix)|is not (?:a function|iterable|an object)|undefined|\[object |Maximum call stack|Invalid character|ERR_|unescaped|could not be made sense of|The call may have been charged|unknown reason|no answer came|connection broke|planned but not performed|cannot be made sense of/;
/** A message is read by people, and stored with the execution. */
const LONGEST_MESSAGE = 2_000;

/** Headers that n8n's HTTP library sends of its own accord, and those of the operations (SPEC §4.3, §5.4). */
const HEADERS = new Set([
	...['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host'],
	...['user-agent', 'transfer-encoding', 'authorization', 'mcp-protocol-version'],
]);

/** The endpoints of SPEC §4 by their own paths, and what each may be sent in its query. */
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
/** A batch has whatever ID the service gave it, as long as that is one step of the path. */
const BATCH = /^\/wavalidation\/batch\/(?!\.{1,2}$)(?:[\w.~!*'()-]|%[\dA-F]{2})+$/;

export interface Checked {
	operation: AnyOperation;
	run: NodeRun;
	/** Of the items that went in, by index. */
	names: string[];
	log: RequestRecord[];
	/** Whether the balance may have been looked at first. */
	checksBalance?: boolean;
	/** Whether the user may have added names to a query. */
	added?: boolean;
}

/** What did not hold, in sentences; nothing is well. */
export function violationsOf({
	operation,
	run,
	names,
	log,
	added,
	checksBalance,
}: Checked): string[] {
	const items = run.outputs().flat();
	const problems = [
		...(run.status === 'success' ? [] : [`the run is ${run.status}: ${run.error?.message}`]),
		...run.hints().flatMap((hint) => poorMessage(hint, 'a hint')),
		...pollution().map((name) => `every object has "${name}"`),
		...log
			.filter(({ path }) => !(checksBalance && path === '/api/v1/checkbalance'))
			.flatMap((record) => straying(record, operation, added)),
	];
	const answered = new Map<number, INodeExecutionData[]>();
	for (const item of items) {
		for (const index of indexesOf(item)) {
			answered.set(index, [...(answered.get(index) ?? []), item]);
		}
	}
	for (const [index, name] of names.entries()) {
		const own = answered.get(index);
		if (run.status === 'success' && !own) problems.push(`${name}: no item came out`);
		if (run.status !== 'success') continue;
		for (const item of own ?? []) {
			problems.push(...poorItem(item).map((problem) => `${name}: ${problem}`));
		}
	}
	return problems;
}

/**
 * What did not hold of a run whose replies made no sense, in sentences. Losses are in order; a crash, an item that cannot be
 * stored and a request astray are not.
 */
export function repliesThatHold(operation: AnyOperation, run: NodeRun, log: RequestRecord[]) {
	const items = run.outputs().flat();
	const messages = items.flatMap(({ json }) => [json.error, json.reason]);
	return [
		...(run.status === 'success' ? [] : [`the run is ${run.status}: ${run.error?.message}`]),
		...(items.length > 0 ? [] : ['no item came out']),
		...pollution().map((name) => `every object has "${name}"`),
		...log.flatMap((record) => straying(record, operation)),
		...items.flatMap(({ json }) => storable(json) ?? []),
		...items.flatMap(({ json }) => ('polluted' in json ? ['an item is polluted'] : [])),
		// A contact has the words of five lookups, each cut
		...[...messages, ...run.hints()].flatMap((text) =>
			typeof text === 'string'
				? poorMessage(text.replace(LOSSES, ''), 'a message', 5 * LONGEST_MESSAGE)
				: [],
		),
	];
}

/** What is said of a reply that cannot be read, rightly here. */
const LOSSES = /could not be made sense of|The call may have been charged|unknown reason/g;

function indexesOf({ pairedItem }: INodeExecutionData): number[] {
	return [pairedItem ?? []].flat().map((pair) => (typeof pair === 'number' ? pair : pair.item));
}

/** An item is an answer with its outcome, or an error that a person can read. */
function poorItem({ json, error }: INodeExecutionData): string[] {
	const message = error?.message ?? json.error;
	if (message !== undefined) return poorMessage(String(message), 'an error');
	const stored = storable(json);
	if (stored !== undefined) return [stored];
	// Nothing was selected
	if (Object.keys(json).length === 0) return [];
	if (!isResult(json)) return ['neither answer nor error'];
	const { reason } = json;
	return typeof reason === 'string' ? poorMessage(reason, 'a reason') : [];
}

/** A result, a plan, or a result beside the fields of the input. */
function isResult(json: IDataObject): boolean {
	if (json.outcome !== undefined || json.dryRun !== undefined) return true;
	return Object.values(json).some(
		(value) => typeof value === 'object' && value !== null && 'outcome' in value,
	);
}

/** n8n stores items as JSON. */
function storable(json: object): string | undefined {
	try {
		JSON.stringify(json);
		return undefined;
	} catch (error) {
		return `cannot be stored: ${(error as Error).message}`;
	}
}

function poorMessage(text: string, what: string, most = LONGEST_MESSAGE): string[] {
	const shown = text.slice(0, 300);
	// IDs of what was paid for are all named
	if (text.replace(/[\da-f-]{36},? ?/g, '').length > most)
		return [`${what} of ${text.length} characters: ${shown}`];
	if (NO_MESSAGE.test(text)) return [`${what} that nobody can read: ${shown}`];
	return !/\p{Cs}/u.test(text) ? [] : [`${what} with half a character: ${shown}`];
}

/** Where a request went beyond its operation's own path, query and headers. */
function straying(
	{ host, path, url, method, query, headers }: RequestRecord,
	operation: AnyOperation,
	added = false,
): string[] {
	const own = host === 'geoip' || host === 'tools' ? path : path.replace(/^\/api\/v1/, '');
	const known = `${host} ${BATCH.test(own) ? '/wavalidation/batch/{id}' : own}`;
	const problems: string[] = [];
	if (!(known in QUERY)) problems.push('to no path of the service');
	else if (!pathsOf(operation).has(known)) problems.push('to the path of another operation');
	const allowed = new Set([...(QUERY[known] ?? []), 'api_key']);
	for (const name of Object.keys(query)) {
		if (!allowed.has(name) && !added) problems.push(`with "${name}" in its query`);
	}
	for (const name of Object.keys(headers)) {
		if (!HEADERS.has(name)) problems.push(`with the header "${name}"`);
	}
	return problems.map((problem) => `a request ${problem}: ${method} ${url.slice(0, 200)}`);
}

/** The paths of an operation, with those of the operations that it asks. */
function pathsOf(operation: AnyOperation): Set<string> {
	if ('talk' in operation) return new Set(operation.endpoints.map(fromEndpoint));
	const both = ['detailed', 'basic'].flatMap((responseDetail) => {
		const question = operation.prepare({ ...SAMPLE, responseDetail });
		return fromRequest(operation.request(question));
	});
	return new Set(both);
}

const SAMPLE = {
	...{ phoneNumber: '+442079460123', email: 'a@b.example', ipAddress: '8.8.8.8', auditId: '1' },
	...{
		query: 'q',
		postUrl: 'https://example.com/p',
		brandName: 'x',
		brandUrl: 'https://b.example',
	},
};

const fromRequest = ({ service, path }: ServiceRequest) =>
	`${service === 'mcp' ? 'tools' : service} ${path}`;

function fromEndpoint(endpoint: string): string {
	const [, service, path = '/'] = endpoint.split(' ');
	return `${service === 'mcp' ? 'tools' : service} ${path.replace('{batch_id}', '{id}')}`;
}

/** Every operation of the catalog is at hand to be checked. */
export const checkable = operations.filter((operation) => pathsOf(operation).size > 0);
