/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';
import type { FaultRule, Product, RequestRecord, Sandbox, SandboxOptions } from '../sandbox';
import { startSandbox } from '../sandbox';
import { inCollections, withResultAlone } from './collections';
import { OWN_PACKAGE, runNode, runWorkflow, sourceOf } from './n8n';
import type { NodeOptions, NodeRun, RunOptions } from './n8n';
import { nodeRunOf } from './n8nRun';
import { credentialsOf, expectOnlyE164 } from './onSandbox';
import { parseReceipt, receiptOf, type Receipt } from './parseReceipt';
import { resetTime } from './time';

/** What the tests do with a run: each row of a table is one promise, in a user's words. */
export interface Story extends Omit<Act, 'items'> {
	items?: NodeOptions['items'];
	/** What the node is set to; options and limits are put into their collections. */
	node: object;
	options?: IDataObject;
	/** What goes wrong, and what the account has. */
	faults?: FaultRule[];
	balance?: Partial<Record<Product, number>>;

	status?: NodeRun['status'];
	/** Fields of the items of the first output, one value for each item; texts may be matched. */
	fields?: Record<string, unknown[]>;
	outcomes?: unknown[];
	sources?: unknown[];
	/** The inputs that each output's items are linked to. */
	links?: ReadonlyArray<readonly unknown[]>;
	/** What one item says, by its place. */
	item?: Record<number, object>;
	/** What the run fails with, and what stands below it. */
	fails?: RegExp;
	describes?: RegExp | RegExp[];
	/** What one of the hints says, and what no hint and no error does. */
	hints?: RegExp | RegExp[];
	isSilentOn?: RegExp;
	/** Parts of the receipt, of the hint or of the error. */
	receipt?: Partial<Receipt>;
	/** Requests, in all or by the last part of their path. */
	calls?: number | Record<string, number>;
	/** A parameter of each request, in order. */
	sent?: Record<string, unknown[]>;
	/** Credits by product; those that are not named are not looked at. */
	spent?: Partial<Record<Product, number>>;
	/** Recipients, in order. */
	messages?: string[];
	/** Whatever is left to check. */
	also?(run: NodeRun): Promise<void> | void;
}

/** How the node is run. */
interface Act extends Partial<Omit<NodeOptions, 'maxTries' | 'parameters' | 'retryOnFail'>> {
	/** Fields of the credential that are others, and another credential or none. */
	credential?: object;
	/** Tries in all: Retry On Fail. */
	tries?: number;
	/** Has a Loop Over Items give the node so many items at a time. */
	loopOf?: number;
	/** Called with what the node returned in each round. */
	onAnswer?(json: IDataObject): void;
}

/** Waits as n8n's Wait node does where it has the execution stored. */
const WAIT_TYPE = 'harness.wait';
const waitNode: INodeType = {
	description: {
		...{ displayName: 'Wait', name: WAIT_TYPE, group: ['organization'], version: 1 },
		...{ description: 'Waits', defaults: { name: 'Wait' }, properties: [] },
		...{ inputs: ['main'], outputs: ['main'] },
	},
	async execute() {
		await this.putExecutionToWait(new Date(Date.now() + 66_000));
		return [this.getInputData()];
	},
};

interface Loop extends RunOptions, Pick<Act, 'onAnswer' | 'onError'> {
	items: IDataObject[];
	size: number;
	retry: object;
}

/** The node in a Loop Over Items, which waits after each round if the execution is to be stored. */
async function runLoop(
	parameters: object,
	{ items, size, retry, onAnswer, onError, ...options }: Loop,
) {
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	const run = await runWorkflow({
		...options,
		startNode: 'Start',
		types: {
			nodes: {
				'harness.start': sourceOf(items.map((json) => ({ json }))),
				[WAIT_TYPE]: waitNode,
			},
		},
		onNodeFinish(name, { data }) {
			if (name === 'Node') for (const { json } of data?.main[0] ?? []) onAnswer?.(json);
		},
		workflow: {
			nodes: [
				{ name: 'Start', type: 'harness.start' },
				{
					...{ name: 'Loop', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 },
					parameters: { batchSize: size, options: {} },
				},
				{
					...{ name: 'Node', type: `${OWN_PACKAGE}.lookupMessaging`, waitBetweenTries: 1 },
					parameters: withResultAlone(parameters) as never,
					credentials: { lookupMessagingApi: { id: '1', name: 'Sandbox' } },
					...{ ...retry, onError },
				},
				{ name: 'Wait', type: WAIT_TYPE, disabled: !options.whileStored },
			],
			connections: {
				...{ Start: { main: [to('Loop')] }, Loop: { main: [[], to('Node')] } },
				...{ Node: { main: [to('Wait')] }, Wait: { main: [to('Loop')] } },
			},
		},
	});
	return nodeRunOf(run, 'Node');
}

const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);
export const column = (run: NodeRun, name: string) => jsonOf(run.items()).map((json) => json[name]);
const descriptionOf = ({ error }: NodeRun) =>
	(error as { description?: string } | undefined)?.description ?? '';
const nameOf = ({ path }: RequestRecord) => path.split('/').pop() || 'geoip';

/** Returns as soon as something is so. */
export async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** A value that is to be found: a pattern matches a text, and everything else is equal. */
export const wanted = (value: unknown): unknown => {
	if (value instanceof RegExp) return expect.stringMatching(value);
	if (Array.isArray(value)) return value.map(wanted);
	if (typeof value !== 'object' || value === null || 'asymmetricMatch' in value) return value;
	return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, wanted(each)]));
};

/** A service for the tests of a file, what they may do with it, and the stories told about it. */
export function storiesOn(options: SandboxOptions = {}) {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox(options);
	});
	const asNew = () => {
		sandbox.reset();
		resetTime();
	};
	beforeEach(asNew);
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);

	const act = async (
		parameters: object,
		{ credential, tries = 1, loopOf, items, onAnswer, ...more }: Act = {},
	): Promise<NodeRun> => {
		const credentials = more.credentials ?? credentialsOf(sandbox, credential);
		const retry = tries > 1 && { retryOnFail: true, maxTries: tries };
		if (loopOf === undefined)
			return await runNode({ ...more, ...retry, credentials, parameters, items });
		const { mode, signal, whileStored, onError } = more;
		return await runLoop(parameters, {
			...{ credentials, mode, signal, whileStored, onError, onAnswer, retry: retry || {} },
			...{ items: (items ?? [{}]) as IDataObject[], size: loopOf },
		});
	};
	const calls = (name: string) => sandbox.log.filter((record) => nameOf(record) === name);
	const counts = () => {
		const all: Record<string, number> = {};
		for (const record of sandbox.log) all[nameOf(record)] = (all[nameOf(record)] ?? 0) + 1;
		return all;
	};
	const spent = () => sandbox.spent(sandbox.keys.main);
	const messages = () => sandbox.messages(sandbox.keys.main).map(({ number }) => number);

	/** The run of a story. */
	const play = async ({ node, options, faults = [], balance = {}, ...story }: Story) => {
		for (const fault of faults) sandbox.fault(fault);
		for (const [product, credits] of Object.entries(balance))
			sandbox.setBalance(sandbox.keys.main, product as Product, credits);
		const collections = options ? inCollections(options) : {};
		return await act({ ...node, ...collections }, story);
	};

	const check = async (run: NodeRun, story: Story) => {
		if (story.status) {
			const why = story.status === 'success' ? run.error?.message : undefined;
			expect([run.status, why]).toEqual([story.status, undefined]);
		}
		if (story.fails) expect(run.error?.message).toMatch(story.fails);
		for (const words of [story.describes ?? []].flat()) expect(descriptionOf(run)).toMatch(words);
		const { outcomes: outcome, sources: source } = story;
		for (const [name, values] of Object.entries({ ...story.fields, outcome, source }))
			if (values) expect([name, column(run, name)]).toEqual([name, wanted(values)]);
		for (const [place, json] of Object.entries(story.item ?? {}))
			expect(run.items()[Number(place)].json).toMatchObject(wanted(json) as object);
		for (const [output, items] of (story.links ?? []).entries())
			expect(linksOf(run.items(output))).toEqual(items);
		for (const words of [story.hints ?? []].flat())
			expect(run.hints()).toContainEqual(expect.stringMatching(words));
		if (story.isSilentOn)
			expect(JSON.stringify([run.error, run.hints()])).not.toMatch(story.isSilentOn);
		if (story.receipt) {
			const receipt = run.error ? parseReceipt(descriptionOf(run)) : receiptOf(run.hints());
			expect(receipt).toMatchObject(wanted(story.receipt) as object);
		}
		if (typeof story.calls === 'number') expect(sandbox.log).toHaveLength(story.calls);
		else if (story.calls) expect(counts()).toEqual(story.calls);
		for (const [name, values] of Object.entries(story.sent ?? {}))
			expect(
				sandbox.log.map(({ query, body }) => ({ ...query, ...(body as object) })[name]),
			).toEqual(values);
		if (story.spent) expect(spent()).toMatchObject(story.spent);
		if (story.messages) expect(messages()).toEqual(story.messages);
		await story.also?.(run);
	};

	return {
		service: () => sandbox,
		...{ act, play, check, calls, counts, spent, messages },
		credentials: (credential?: object) => credentialsOf(sandbox, credential),
		/** Plays one story within a test. */
		see: async (story: Story) => {
			const run = await play(story);
			await check(run, story);
			return run;
		},
		/** One test for each title: a story, or several of the same promise, which know nothing of each other. */
		tell: (stories: Record<string, Told | (() => Told)>) =>
			it.each(Object.entries(stories))('%s', async (_, told) => {
				for (const story of [typeof told === 'function' ? told() : told].flat()) {
					if (Array.isArray(told)) asNew();
					await check(await play(story), story);
				}
			}),
	};
}

type Told = Story | Story[];

const linksOf = (items: INodeExecutionData[]) =>
	items.map(({ pairedItem }) => (pairedItem as { item?: number }).item ?? pairedItem);
