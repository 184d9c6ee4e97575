import { takesKnownAnswers, type AnyOperation, type OutcomeNames } from '../engine/operation';

/**
 * The inputs and outputs of the node. Results have one output, or one for each outcome of a lookup; New Answers comes after them.
 * Known Answers is the second input.
 */

type Names = Record<string, Record<string, OutcomeNames & { takesKnown?: true }>>;

/** An input or output as the editor draws it. */
interface NamedConnection {
	type: string;
	displayName?: string;
}

/**
 * The node's `outputs`: an expression, since they depend on its parameters. The function goes into it as text, with the names
 * of the outcomes, so it can use nothing else.
 */
export function outputsOf(operations: AnyOperation[]): `={{${string}}}` {
	const names: Names = {};
	for (const operation of operations) {
		const { resource, value, outcomes } = operation;
		const takesKnown = takesKnownAnswers(operation) && { takesKnown: true as const };
		if (outcomes) names[resource] = { ...names[resource], [value]: { ...outcomes, ...takesKnown } };
	}
	// Indented, since two closing braces in a row would end the expression
	return `={{(${configureOutputs.toString()})($parameter, ${JSON.stringify(names, null, 1)})}}`;
}

/** The node's `inputs`, an expression for the same reason. */
export function inputsOf(operations: AnyOperation[]): `={{${string}}}` {
	const takers = operations
		.filter(takesKnownAnswers)
		.map(({ resource, value }) => `${resource}.${value}`);
	return `={{(${configureInputs.toString()})($parameter, ${JSON.stringify(takers)})}}`;
}

interface Parameters {
	resource?: string;
	operation?: string;
	routeByResult?: boolean;
	knownAnswers?: boolean;
}

const configureInputs = (parameters: Parameters, takers: string[]): NamedConnection[] => {
	const { resource = '', operation = '', knownAnswers } = parameters;
	const takesKnown = knownAnswers && takers.indexOf(resource + '.' + operation) >= 0;
	if (!takesKnown) return [{ type: 'main' }];
	return [{ type: 'main' }, { type: 'main', displayName: 'Known Answers' }];
};

const configureOutputs = (parameters: Parameters, names: Names): NamedConnection[] => {
	const { resource = '', operation = '', routeByResult, knownAnswers } = parameters;
	const outcomes = (names[resource] || {})[operation];
	const side: string[] = [];
	if (knownAnswers && outcomes && outcomes.takesKnown) side.push('New Answers');
	let results = side.length > 0 ? ['Results'] : [];
	if (routeByResult && outcomes) {
		results = [outcomes.positive, outcomes.negative, outcomes.unknown];
	}
	if (results.length === 0) return [{ type: 'main' }];
	return results.concat(side).map((displayName) => ({ type: 'main', displayName }));
};
