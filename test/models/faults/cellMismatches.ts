import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { NodeRun } from '../../harness/n8n';
import type { ObservedCell } from './runCell';
import { expectedCell, type ExpectedItem, type Mode } from './expectedResults';
import { COST } from './faultClasses';
import type { Fault } from './faultList';
import type { CallUnderTest } from './callsUnderTest';

/** Returns every difference between a cell's result and the expected one. */
export function cellMismatches(
	target: CallUnderTest,
	fault: Fault,
	mode: Mode,
	observed: ObservedCell,
): string[] {
	const expected = expectedCell(target, fault, mode, observed.names);
	return [
		...differs('calls sent', observed.sent, expected.sent),
		...differs('credits charged', observed.charged, expected.charged),
		...differs('requests to another origin', observed.strays, 0),
		...itemsMismatches(target, expected.items, mode, observed.run),
		...observed.leaks.map((leak) => `the key is in ${leak}`),
	];
}

function differs(what: string, observed: unknown, expected: unknown): string[] {
	const [one, other] = [observed, expected].map((value) => JSON.stringify(value));
	return one === other ? [] : [`${what}: ${one}, expected ${other}`];
}

function itemsMismatches(
	{ keeps, started }: CallUnderTest,
	items: ExpectedItem[],
	mode: Mode,
	run: NodeRun,
): string[] {
	const first = items.findIndex(({ state }) => state === 'failed');
	const isFatal = first >= 0 && (!keeps || items.every(({ state }) => state !== 'answered'));
	if (mode === 'stopWorkflow' && isFatal) {
		const others = started && first > 0 ? [started] : [];
		const { says } = items[first] as { says: string };
		// The jobs of other items were charged
		const own =
			others.length > 0 ? says.replace(NOTHING, "You weren't charged for this call.") : says;
		const said = `${[own, ...others].join(' ')}${named(items, first)}`;
		const message = others.length > 0 ? withoutId(run.error?.message) : run.error?.message;
		const { name, context } = (run.error ?? {}) as Error & { context?: IDataObject };
		return [
			...differs('the error', message, said),
			...differs('its class', name, 'NodeApiError'),
			...differs('its item', context?.itemIndex, first),
			...differs('items', run.items().length, 0),
		];
	}
	if (run.error) return [`the node failed: ${run.error.message}`];
	return items.flatMap((_, n) => [
		...itemMismatches(items, n, mode, run).map((text) => `item ${n}: ${text}`),
	]);
}

function itemMismatches(items: ExpectedItem[], n: number, mode: Mode, run: NodeRun): string[] {
	const item = items[n];
	const isElsewhere = mode === 'continueErrorOutput' && item.state !== 'answered';
	const own = run.items(isElsewhere ? 1 : 0).filter((output) => isOf(output, n));
	if (own.length === 0) return ['is not on its output'];
	return own.flatMap(({ json }) => jsonMismatches(item, named(items, n), mode, json));
}

/** The index at the end of a message. A run of one item has none. */
const named = (items: ExpectedItem[], n: number) => (items.length > 1 ? ` [item ${n}]` : '');

function jsonMismatches(item: ExpectedItem, index: string, mode: Mode, json: IDataObject) {
	const { error, outcome, source, reason } = json;
	if (item.state === 'answered') {
		return [
			...differs('has an error', error, undefined),
			...differs('source', source, 'service'),
			...(item.outcome ? differs('outcome', outcome, item.outcome) : []),
		];
	}
	if (mode !== 'stopWorkflow') return differs('error', error, `${item.says}${index}`);
	return [
		...differs('reason', reason, item.says),
		...differs('source', source, 'failed'),
		...differs('outcome', outcome, 'unknown'),
	];
}

function isOf({ pairedItem }: INodeExecutionData, n: number): boolean {
	return [pairedItem].flat().some((link) => (typeof link === 'object' ? link.item : link) === n);
}

const NOTHING = new RegExp(`${COST.none}$`);

/** Only the service knows the ID of the job. */
const withoutId = (text = '') => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '{job}');
