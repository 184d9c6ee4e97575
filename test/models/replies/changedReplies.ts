import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import {
	type AnyOperation,
	classify,
	CLOCK,
	SLICES,
	isFailed,
	outputItems,
	type Params,
	type Plan,
	presented,
	redactor,
	type ServiceRequest,
	type Settings,
	type SlotResult,
} from '../../engine';
import { magic, startSandbox, type Sandbox } from '../../sandbox';
import { KEYS } from '../../sandbox/answers/magicInputs';
import { FakeClock, FakeTransport, perform } from '../../unit/fakes/fakeSend';
import { fetchTransport } from '../../unit/fakes/fetchTransport';

/** Runs an operation on the sandbox whose replies are changed on their way, from the text of the reply to the items. */

const RIGHT: Params = {
	...{ phoneNumber: magic.PHONE.onWhatsApp, email: 'ada@example.com', ipAddress: '8.8.8.8' },
	...{ message: 'Hello', brandName: 'Example', brandUrl: 'https://example.com', query: 'coffee' },
	...{ lookups: ['callerId', 'email', 'geoIp', 'phone', 'whatsApp'], tool: 'locate_ip' },
	...{ argumentsMode: 'json', argumentsJson: '{ "ip": "8.8.8.8" }', returnAll: true },
};
const POSTS: Record<string, string> = {
	getForumPost: 'https://www.reddit.com/r/coffee/comments/abc123/example_post/',
};
const POST = 'https://x.com/example_user/status/1234567890';

/** Different numbers, for operations that take several. */
export const NUMBERS = [magic.PHONE.onWhatsApp, '+442079460123', '+61491570006'];

/** Of the messages to a tool server, the ones whose replies say something. */
const TELLING = ['tools/call', 'tools/list'];

/** A clock whose turns are n8n's own, and whose waits are over at once. */
class TurnClock extends FakeClock {
	nextTick = async () => {
		await CLOCK.nextTick();
		return undefined;
	};
}

/** How the result of a reply is shown. */
export type Shown = Partial<Pick<Settings, 'layout' | 'output'>>;

interface ComeOut {
	items: INodeExecutionData[];
	/** What this package's own code could not process. */
	faults: unknown[];
}

export class ChangedReplies {
	private constructor(
		private readonly sandbox: Sandbox,
		private readonly jobs: Params,
	) {}

	static async start(): Promise<ChangedReplies> {
		const sandbox = await startSandbox({
			...{ batchNumbersPerSecond: 0, auditSeconds: 0 },
			toolServer: { responses: 'json' },
		});
		const transport = fetchTransport(sandbox, KEYS.main);
		const bodyOf = async (path: string, service: 'lookup' | 'main', body: IDataObject) => {
			const reply = await transport.send({ service, method: 'POST', path, body }, 10_000);
			return 'body' in reply ? (reply.body ?? {}) : {};
		};
		const batch = await bodyOf('/wavalidation/batch', 'lookup', {
			phone_numbers: NUMBERS,
		});
		const audit = await bodyOf('/audit_run', 'main', {
			...{ brand_name: 'Example', brand_url: 'https://example.com' },
		});
		const jobs = { batchId: batch.batch_id, auditId: audit.audit_id } as Params;
		return new ChangedReplies(sandbox, jobs);
	}

	async close() {
		await this.sandbox.close();
	}

	/**
	 * @param change makes the text of a reply from its body
	 * @param more parameters of each item; one item unless set
	 * @returns the output of the items
	 */
	async comeOut(
		operation: AnyOperation,
		change: (body: IDataObject, nth: number, request: ServiceRequest) => string,
		shown: Shown = {},
		more: Params[] = [{}],
	): Promise<ComeOut> {
		const transport = fetchTransport(this.sandbox, KEYS.main);
		let nth = 0;
		const service = new FakeTransport(
			async (request) => {
				const reply = await transport.send(request, 60_000);
				const { method } = (request.body ?? {}) as { method?: string };
				const isTelling = request.service !== 'mcp' || TELLING.includes(method ?? '');
				if ('cause' in reply || reply.kind !== 'ok' || !isTelling) return reply;
				const body = change(reply.body, (nth += 1) - 1, request);
				const response = { statusCode: 200, headers: reply.headers, body };
				return await SLICES.finish(classify(response, redactor(KEYS.main), request));
			},
			() => {
				this.sandbox.finishBatches();
				this.sandbox.finishAudits();
				return undefined;
			},
		);
		const postUrl = POSTS[operation.value] ?? POST;
		const questions = more.map((given) => {
			const prepared = operation.prepare({ ...RIGHT, postUrl, ...this.jobs, ...given }) as {
				parts?: Iterable<{ question: unknown }>;
			};
			return (prepared.parts ? [...prepared.parts][0].question : prepared) as string;
		});
		const isOneTask = 'run' in operation && operation.questionsPerTask !== undefined;
		const tasks = isOneTask ? [questions] : questions;
		const run = await perform(operation, tasks, service, { maxWaitMs: 20_000 } as never, {
			clock: new TurnClock(),
		});
		const fault = (where: string, error: Error) => run.faults.push([where, error]);
		const slots = run.results.map((result, index): SlotResult => {
			const slot = { item: 0, input: 'x' };
			if (!result || isFailed(result))
				return { ...slot, kind: 'failure', ...(result ?? { failure: undefined as never }) };
			const answer = presented(operation, result, questions[index], fault);
			return { ...slot, kind: 'answer', ...result, answer };
		});
		const context = {
			getInputData: () => [{ json: {} }],
			helpers: { prepareBinaryData: async () => ({ data: '', mimeType: 'a/b' }) },
			getExecutionCancelSignal: () => undefined,
		} as unknown as IExecuteFunctions;
		const settings = { output: 'simplified', selectedFields: [], onFailure: 'unknown', ...shown };
		const presentedRun = {
			...{
				context,
				operation,
				plan: { slots: [], tasks: [], known: new Map() } as unknown as Plan,
			},
			...{ settings: settings as unknown as Settings, ledger: run.ledger, log: { fault } },
		};
		const fail = () => new Error('files');
		const operationOfEach = { ...operation, oneItemPerTask: undefined, executesOnce: undefined };
		const [items] = await outputItems(
			{ ...presentedRun, operation: operationOfEach as AnyOperation },
			slots,
			fail,
		);
		return { items, faults: run.faults };
	}
}
