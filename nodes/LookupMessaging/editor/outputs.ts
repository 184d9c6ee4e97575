import { takesStoredResults, type AnyOperation, type OutcomeNames } from '../engine/operation';

/**
 * The inputs and outputs of the node. Results have one output, or one for each outcome of a lookup. After them come New Results
 * and Cost Log. Stored Results is the second input.
 */

/** What the outputs of an operation depend on. */
interface Facts {
	outcomes?: OutcomeNames;
	takesStored?: true;
	isPaid?: true;
}
type FactsByName = Record<string, Record<string, Facts>>;

/** An input or output as the editor draws it. */
interface NamedConnection {
	type: string;
	displayName?: string;
}

/**
 * The node's `outputs`: an expression, since they depend on its parameters. The function is inserted as text, together with the
 * facts about operations that it needs. It can use nothing else.
 */
export function outputsOf(operations: AnyOperation[]): `={{${string}}}` {
	const facts: FactsByName = {};
	for (const operation of operations) {
		const { resource, value, outcomes, free } = operation;
		const own: Facts = {
			...(outcomes && { outcomes }),
			...(takesStoredResults(operation) && { takesStored: true }),
			...(!free && { isPaid: true }),
		};
		facts[resource] = { ...facts[resource], [value]: own };
	}
	// Indented, since two closing braces in a row would end the expression
	return `={{(${configureOutputs.toString()})($parameter, ${JSON.stringify(facts, null, 1)})}}`;
}

/** The node's `inputs`, an expression for the same reason. */
export function inputsOf(operations: AnyOperation[]): `={{${string}}}` {
	const takers = operations
		.filter(takesStoredResults)
		.map(({ resource, value }) => `${resource}.${value}`);
	return `={{(${configureInputs.toString()})($parameter, ${JSON.stringify(takers)})}}`;
}

interface Parameters {
	resource?: string;
	operation?: string;
	/** Switches as written; engine/plan/settings.ts reads them in the same way. */
	routeByResult?: boolean | number | string;
	storedResults?: boolean | number | string;
	spendingLimits?: { costLog?: string };
}

const configureInputs = (parameters: Parameters, takers: string[]): NamedConnection[] => {
	const isOn = (value: unknown) =>
		value === true ||
		value === 1 ||
		(typeof value === 'string' &&
			['true', 'yes', 'on', 'y', '1'].indexOf(value.trim().toLowerCase()) >= 0);
	const { resource = '', operation = '', storedResults } = parameters;
	const takesStored = isOn(storedResults) && takers.indexOf(resource + '.' + operation) >= 0;
	if (!takesStored) return [{ type: 'main' }];
	return [{ type: 'main' }, { type: 'main', displayName: 'Stored Results' }];
};

const configureOutputs = (parameters: Parameters, facts: FactsByName): NamedConnection[] => {
	const isOn = (value: unknown) =>
		value === true ||
		value === 1 ||
		(typeof value === 'string' &&
			['true', 'yes', 'on', 'y', '1'].indexOf(value.trim().toLowerCase()) >= 0);
	const {
		resource = '',
		operation = '',
		routeByResult,
		storedResults,
		spendingLimits,
	} = parameters;
	const { outcomes, takesStored, isPaid } = (facts[resource] || {})[operation] || {};
	const side: string[] = [];
	if (isOn(storedResults) && takesStored) side.push('New Results');
	if (isPaid && spendingLimits && spendingLimits.costLog !== undefined) side.push('Cost Log');
	let results = side.length > 0 ? ['Results'] : [];
	if (isOn(routeByResult) && outcomes) {
		results = [outcomes.positive, outcomes.negative, outcomes.unknown];
	}
	if (results.length === 0) return [{ type: 'main' }];
	return results.concat(side).map((displayName) => ({ type: 'main', displayName }));
};
