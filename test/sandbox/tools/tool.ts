import type { Call, Endpoint, KnownCall, Reply } from '../http/endpoint';
import { familyARefusals } from '../http/familyA';
import type { CallToolResult } from './sdk';

/** The arguments of a tool call, checked against the tool's schema. */
type ToolArguments = Record<string, unknown>;

/** One of the 19 tools of SPEC §4.3, which shows neither names nor arguments. */
export interface Tool {
	name: string;
	description: string;
	/** JSON Schema by argument name. */
	properties: Record<string, object>;
	required: string[];
	answer(args: ToolArguments, call: Call): Reply | Promise<Reply>;
	/** The result of magic arguments, in place of the answer. */
	instead?(args: ToolArguments): CallToolResult | undefined;
}

/** What a REST endpoint is asked when a tool stands in front of it. */
interface Question {
	query?: Record<string, string>;
	params?: Record<string, string>;
	json?: Record<string, unknown>;
}

/** Asks a REST endpoint by the code that serves it, on the same ledgers. */
export const askEndpoint = (endpoint: Endpoint, call: Call, question: Question) =>
	endpoint.answer({
		...call,
		method: question.json ? 'POST' : 'GET',
		query: question.query ?? {},
		params: question.params ?? {},
		json: question.json,
		form: undefined,
	});

/** A tool whose arguments are the query parameters of an endpoint. */
export const backedBy =
	(endpoint: Endpoint): Tool['answer'] =>
	(args, call) =>
		askEndpoint(endpoint, call, { query: args as Record<string, string> });

/** For a tool without an endpoint of its own: it still takes a right key. */
export const withAccount =
	(answer: (args: ToolArguments, call: KnownCall) => Reply): Tool['answer'] =>
	(args, call) => {
		const account = call.state.accounts.find(call.key);
		return account ? answer(args, { ...call, account }) : familyARefusals('').badKey();
	};

/** The reply with its body changed, unless it is an error. */
export const changed = (reply: Reply, change: (body: object) => object): Reply =>
	isError(reply) ? reply : { ...reply, body: change(reply.body as object) };

export const isError = ({ status }: Reply) => status >= 400;

/** An argument of text. */
export const text = (description: string) => ({ type: 'string', description });

export const PHONE_NUMBER = text('Phone number in E.164, such as +12025550102');

/** A listing's optional cut, for listings and searches. */
export const LIMIT = {
	type: 'integer',
	description: 'How many to return at most; all when left out',
	minimum: 1,
};

export const limited = <Item>(items: Item[], { limit }: ToolArguments) =>
	items.slice(0, (limit as number | undefined) ?? items.length);
