import { isObject } from '../accounts/apiKeys';
import { isE164OrLocal } from '../answers/phoneFacts';
import type { LooseNumber, RequestRecord } from '../types';

/** What carries phone numbers, at every endpoint and tool (SPEC §4.1, §4.2). */
const PARAMETERS = ['number', 'phone_number', 'phone_numbers'];

/** Parameters as one part of a request has them. */
interface Parameters {
	values: Record<string, unknown>;
	/** Whether a local number may stand beside `country_code` in them. */
	takesHint: boolean;
}

/**
 * The phone numbers of a request in a spelling that the sandbox does not take. They are found by the names of their
 * parameters wherever those are, so that a number is seen that no endpoint reads, or that a fault keeps from its own.
 */
export function looseNumbersIn(record: RequestRecord): LooseNumber[] {
	const { host, path, at } = record;
	return parametersIn(record).flatMap(({ values, takesHint }) => {
		const { country_code: given } = values;
		const hint = takesHint && typeof given === 'string' ? given : undefined;
		const numbers = PARAMETERS.filter((name) => name in values).flatMap((name) => values[name]);
		return numbers
			.filter((number) => typeof number !== 'string' || !isE164OrLocal(number, hint))
			.map((number) => ({ number: String(number), host, path, at }));
	});
}

function parametersIn({ path, query, body }: RequestRecord): Parameters[] {
	const takesHint = path.endsWith('/phonevalidation');
	const messages = [body].flat().filter(isObject);
	const inBody = messages.map(
		(message) => toolArguments(message) ?? { values: message, takesHint },
	);
	const inForm = messages.flatMap(({ fields }) =>
		isObject(fields) ? [{ values: fields, takesHint }] : [],
	);
	return [{ values: query, takesHint }, ...inBody, ...inForm];
}

/** The arguments of a tool call in JSON-RPC; undefined when the message is none. */
function toolArguments({ method, params }: Record<string, unknown>): Parameters | undefined {
	if (method !== 'tools/call' || !isObject(params)) return undefined;
	const values = isObject(params.arguments) ? params.arguments : {};
	return { values, takesHint: params.name === 'validate_phone' && values.detail !== 'basic' };
}
