import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';
import { isHandshake } from '../../sandbox/faults/faultRules';
import type { FaultEffect, RequestRecord, Sandbox } from '../../sandbox';
import { AT_ONCE, runWorkflow, sourceOf } from '../../harness/n8n';
import { resetTime } from '../../harness/time';

/** Random side effects whose failed items go back into the node, with Retry On Fail and random faults. */

export interface SideEffectLoop {
	operation: keyof typeof DEEDS;
	/** What the items ask for; few, so that some are equal. */
	items: number[];
	faults: Array<{ kind: keyof typeof FAULTS; about: number; skip: number; times: number }>;
	/** Rounds after the first one; 0 for a run whose failure ends the execution. */
	rounds: number;
	tries: number;
	atOnce: number;
	/** Whether the tool server gives its sessions an ID, so that they can expire. */
	hasSessions: boolean;
}

const phoneNumber = '={{ $json.number }}';
const message = '={{ $json.text }}';
const brand = { resource: 'audit', brandName: '={{ $json.text }}', competitors: '' };
const audit = { ...brand, brandUrl: 'https://brand.example' };

const DEEDS = {
	sendMessage: {
		parameters: { resource: 'whatsApp', operation: 'sendMessage', phoneNumber, message },
		path: 'sendwasms',
	},
	sendFile: {
		parameters: {
			...{ resource: 'whatsApp', operation: 'sendMessage', phoneNumber, message },
			...{ media: 'binaryField', binaryPropertyName: 'file' },
		},
		path: 'sendwasms',
	},
	submit: { parameters: { resource: 'batch', operation: 'submit', phoneNumber }, path: 'batch' },
	runAudit: { parameters: { ...audit, operation: 'run' }, path: 'audit_run' },
	runAuditAndWait: { parameters: { ...audit, operation: 'runAndWait' }, path: 'audit_run' },
	callTool: {
		parameters: {
			...{ resource: 'toolServer', operation: 'callTool', argumentsMode: 'json' },
			tool: { __rl: true, mode: 'name', value: 'verify_email' },
			argumentsJson: '={{ JSON.stringify({ email: $json.email }) }}',
		},
		path: 'mcp',
	},
} satisfies Record<string, { parameters: IDataObject; path: string }>;

const inWords = (status: number, error: string): FaultEffect => ({
	...{ kind: 'status', status, headers: { 'retry-after': '1' }, body: { status: false, error } },
});
const page = (status: number): FaultEffect => ({
	...{ kind: 'status', status, headers: { 'retry-after': '1' } },
	body: '<html><h1>Too many requests</h1></html>',
});
const elsewhere = (status: number): FaultEffect => ({
	...{ kind: 'redirect', to: 'https://elsewhere.example/', status, isDone: true },
});
const sessionWords = (text: string): FaultEffect => ({
	kind: 'body',
	body: { jsonrpc: '2.0', error: { code: -32001, message: text } },
});

/** Faults by whether the client can know that the service did nothing. */
const FAULTS = {
	tooFast: [inWords(429, 'Too many requests'), 'not done'],
	busyInWords: [inWords(503, 'Rate limit exceeded'), 'not done'],
	wrongKey: [inWords(401, 'Invalid API key.'), 'not done'],
	refused: [inWords(422, 'Not accepted'), 'open'],
	tooFastAfterIt: [
		{
			...{ kind: 'status', status: 429, headers: { 'retry-after': '1' } },
			body: { status: true, message: 'Done. Rate limit reached' },
		},
		'open',
	],
	unfitResult: [
		{
			kind: 'body',
			body: { jsonrpc: '2.0', error: { code: -32602, message: 'Output validation error' } },
		},
		'open',
	],
	busy: [inWords(503, 'The service is unavailable'), 'open'],
	page429: [page(429), 'open'],
	page503: [page(503), 'open'],
	error502: [{ kind: 'status', status: 502, body: '<html>Bad gateway</html>' }, 'open'],
	redirect300: [elsewhere(300), 'open'],
	redirect301: [elsewhere(301), 'open'],
	redirect302: [elsewhere(302), 'open'],
	redirect303: [elsewhere(303), 'open'],
	redirect307: [elsewhere(307), 'open'],
	redirect308: [elsewhere(308), 'open'],
	reset: [{ kind: 'resetAfterCharge' }, 'open'],
	resetBefore: [{ kind: 'resetBeforeCharge' }, 'open'],
	hang: [{ kind: 'hangAfterCharge', isAnnounced: true }, 'open'],
	html: [{ kind: 'html' }, 'open'],
	truncated: [{ kind: 'truncatedJson' }, 'open'],
	nothing: [{ kind: 'body', body: {} }, 'open'],
	list: [{ kind: 'body', body: [] }, 'open'],
	sessionExpired: [sessionWords('Session expired'), 'open'],
	sessionNotFound: [sessionWords('Session not found'), 'open'],
	large: [{ kind: 'padding', bytes: 2_000_000 }, 'done'],
} satisfies Record<string, [effect: FaultEffect, outcome: 'done' | 'not done' | 'open']>;

/** Subjects: a number, a text and an address each. */
const SUBJECTS = Array.from({ length: 6 }, (_, n) => ({
	number: `+4420794601${20 + n}`,
	text: `Subject ${'abcdef'[n]}`,
	email: `subject-${'abcdef'[n]}@mail.example`,
}));

const subject = fc.nat({ max: SUBJECTS.length - 1 });

export const sideEffectLoops: fc.Arbitrary<SideEffectLoop> = fc.record({
	operation: fc.constantFrom(...(Object.keys(DEEDS) as Array<keyof typeof DEEDS>)),
	items: fc.array(subject, { minLength: 1, maxLength: 8 }),
	faults: fc.array(
		fc.record({
			kind: fc.constantFrom(...(Object.keys(FAULTS) as Array<keyof typeof FAULTS>)),
			about: subject,
			skip: fc.nat({ max: 1 }),
			times: fc.integer({ min: 1, max: 3 }),
		}),
		{ minLength: 1, maxLength: 4 },
	),
	rounds: fc.nat({ max: 3 }),
	tries: fc.integer({ min: 1, max: 3 }),
	atOnce: fc.constantFrom(1, 2, 20),
	hasSessions: fc.boolean(),
});

const FILE = { file: { data: 'aGVsbG8=', mimeType: 'text/plain', fileName: 'a.txt' } };

const NODE_TYPE = 'n8n-nodes-lookup-messaging.lookupMessaging';
const SOURCE = 'harness.source';
const GUARD = 'harness.guard';

/** Hands back the items that failed, as they were and the last one first, for so many rounds. */
function guardOf(rounds: number): INodeType {
	let left = rounds;
	return {
		description: {
			...{ displayName: 'Guard', name: GUARD, group: ['transform'], version: 1 },
			...{ description: 'Ends the loop', defaults: { name: 'Guard' }, properties: [] },
			...{ inputs: ['main'], outputs: ['main'] },
		},
		async execute() {
			left -= 1;
			const failed = this.getInputData().map(({ json }, item): INodeExecutionData => {
				const asked = { ...json };
				delete asked.error;
				return { json: asked, binary: FILE, pairedItem: { item } };
			});
			return await Promise.resolve([left < 0 ? [] : failed.reverse()]);
		},
	};
}

/** Runs the loop. Returns what must not be: the same side effect after one that may have been done, or an item that was never sent. */
export async function loopViolations(loop: SideEffectLoop, sandbox: Sandbox): Promise<string[]> {
	const { operation, items, faults, rounds, tries, atOnce } = loop;
	sandbox.reset();
	resetTime();
	const { parameters, path } = DEEDS[operation];
	for (const { kind, about, skip, times } of faults) {
		const { number, text, email } = SUBJECTS[about];
		const contains = operation === 'callTool' ? email : /^run/.test(operation) ? text : number;
		sandbox.fault({ ...FAULTS[kind][0], path, contains, skip, times });
	}
	const given = items.map((n) => ({ json: SUBJECTS[n] as IDataObject, binary: FILE }));
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	const options = { [AT_ONCE]: atOnce, maxWait: 1 };
	const credentials = { lookupMessagingApi: { apiKey: sandbox.keys.main, ...sandbox.roots } };
	await runWorkflow({
		credentials,
		startNode: 'Start',
		types: { nodes: { [SOURCE]: sourceOf(given), [GUARD]: guardOf(rounds) } },
		workflow: {
			nodes: [
				{ name: 'Start', type: SOURCE },
				{
					...{ name: 'Ask', type: NODE_TYPE, waitBetweenTries: 1 },
					parameters: { ...parameters, options } as never,
					credentials: { lookupMessagingApi: { id: '1', name: 'Sandbox' } },
					onError: rounds > 0 ? 'continueErrorOutput' : 'stopWorkflow',
					...(tries > 1 && { retryOnFail: true, maxTries: tries }),
				},
				{ name: 'Guard', type: GUARD },
			],
			connections: {
				Start: { main: [to('Ask')] },
				Ask: { main: [[], rounds > 0 ? to('Guard') : []] },
				Guard: { main: [to('Ask')] },
			},
		},
	});
	const sideEffects = sandbox.log.filter((record) => isSideEffect(record, path));
	return [
		...repeats(sideEffects),
		...doneTooOften(loop, sideEffects),
		...neverSent(loop, sideEffects),
	];
}

function isSideEffect(record: RequestRecord, path: string): boolean {
	if (!record.path.endsWith(path) || isHandshake(record)) return false;
	if (path !== 'mcp') return true;
	return (record.body as IDataObject | undefined)?.method === 'tools/call';
}

/** Side effects with the content of an earlier one that may have been done. Each number of a batch is a side effect of its own. */
function repeats(sideEffects: RequestRecord[]): string[] {
	const open = new Map<string, string>();
	return sideEffects.flatMap((record) => {
		const { phone_numbers: numbers } = (record.body ?? {}) as { phone_numbers?: string[] };
		const contents = numbers ?? [contentOf(record)];
		const repeated = contents.filter((content) => open.has(content));
		if (outcomeOf(record) === 'open') {
			for (const content of contents) open.set(content, JSON.stringify(record.fault));
		}
		return repeated.map((content) => `${content} was sent again after ${open.get(content)}`);
	});
}

/** Side effects that were done more often than items ask for them: an item whose wait ran out comes back for the same job. */
function doneTooOften({ items, operation }: SideEffectLoop, sideEffects: RequestRecord[]) {
	const done = sideEffects.filter((record) => outcomeOf(record) === 'done').map(contentOf);
	return [...new Set(done)]
		.filter((content) => {
			const isAsked = (n: number) =>
				Object.values(SUBJECTS[n]).some((value) => content.includes(value));
			const asking = operation === 'submit' ? 1 : items.filter(isAsked).length;
			return done.filter((each) => each === content).length > asking;
		})
		.map((content) => `${content} was done more often than it was asked for`);
}

/** Each item is a call of its own, and no time runs out between them. */
const ONE_BY_ONE = new Set<SideEffectLoop['operation']>([
	'callTool',
	'runAudit',
	'sendFile',
	'sendMessage',
]);

/**
 * In a run with Retry On Fail that a failure stops, the next try sends what the first one left out. That holds where the failure is
 * about one item: no wrong key and no redirect, which every other item would meet too.
 */
function neverSent(
	{ items, faults, rounds, tries, operation }: SideEffectLoop,
	sideEffects: RequestRecord[],
) {
	const isOfAll = ({ kind }: SideEffectLoop['faults'][number]) => /^redirect|^wrongKey/.test(kind);
	if (rounds > 0 || tries < 2 || !ONE_BY_ONE.has(operation) || faults.some(isOfAll)) return [];
	const sent = JSON.stringify(sideEffects.map(contentOf));
	const isSent = ({ number, text, email }: (typeof SUBJECTS)[number]) =>
		[number, text, email].some((value) => sent.includes(value));
	return [...new Set(items)]
		.filter((n) => !isSent(SUBJECTS[n]))
		.map((n) => `${SUBJECTS[n].text} was never sent`);
}

function contentOf({ method, path, query, body }: RequestRecord): string {
	const asked = { ...query };
	delete asked.api_key;
	const { params } = (body ?? {}) as { params?: IDataObject };
	return JSON.stringify([method, path, asked, params ? [params.name, params.arguments] : body]);
}

/** What the client can know of a side effect. */
function outcomeOf({ fault }: RequestRecord): 'done' | 'not done' | 'open' {
	if (!fault) return 'done';
	const same = Object.values(FAULTS).find(([effect]) =>
		Object.entries(effect).every(
			([name, value]) => JSON.stringify(fault[name as never]) === JSON.stringify(value),
		),
	);
	return same?.[1] ?? 'open';
}
