import type { IDataObject } from 'n8n-workflow';

const SPENDING_LIMITS = [
	...['checkBalance', 'costLog', 'dryRun', 'maxPaidLookups', 'maxPaidLookupsPerDay'],
	'minimumBalance',
];

/** Options of the node, each in its collection. */
export function inCollections(options: IDataObject) {
	const within = (isLimit: boolean): IDataObject =>
		Object.fromEntries(
			Object.entries(options).filter(([name]) => SPENDING_LIMITS.includes(name) === isLimit),
		);
	return { options: within(false), spendingLimits: within(true) };
}

/** Parameters with which the result is returned alone, as most tests read it. Include Other Input Fields would put it into a field. */
export function withResultAlone(parameters: object): object {
	return { includeOtherInputFields: false, ...parameters };
}
