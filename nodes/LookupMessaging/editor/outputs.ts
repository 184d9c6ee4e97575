import type { AnyOperation, OutcomeNames } from '../engine/operation';

/** The outputs of the node: one, or one for each outcome of a lookup. */

type Names = Record<string, Record<string, OutcomeNames>>;

/** An output as the editor draws it. */
interface NamedOutput {
	type: string;
	displayName?: string;
}

/**
 * The node's `outputs`: an expression, since they depend on its parameters. The function goes into it as text, with the names
 * of the outcomes, so it can use nothing else.
 */
export function outputsOf(operations: AnyOperation[]): `={{${string}}}` {
	const names: Names = {};
	for (const { resource, value, outcomes } of operations) {
		if (outcomes) names[resource] = { ...names[resource], [value]: outcomes };
	}
	// Indented, since two closing braces in a row would end the expression
	return `={{(${configureOutputs.toString()})($parameter, ${JSON.stringify(names, null, 1)})}}`;
}

interface Parameters {
	resource?: string;
	operation?: string;
	routeByResult?: boolean;
}

const configureOutputs = (parameters: Parameters, names: Names): NamedOutput[] => {
	const { resource = '', operation = '', routeByResult } = parameters;
	const outcomes = (names[resource] || {})[operation];
	if (!routeByResult || !outcomes) return [{ type: 'main' }];
	return [
		{ type: 'main', displayName: outcomes.positive },
		{ type: 'main', displayName: outcomes.negative },
		{ type: 'main', displayName: outcomes.unknown },
	];
};
