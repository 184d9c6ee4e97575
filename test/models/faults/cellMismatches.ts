import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { NodeRun } from '../../harness/n8n';
import type { CellSeen } from './runCell';
import { cellExpected, type ItemExpected, type Mode } from './expectedResults';
import type { Fault } from './faultList';
import type { Subject } from './callsUnderTest';

/** What is wrong with a cell: nothing, where the list is empty. */
export function complaintsAbout(
	subject: Subject,
	fault: Fault,
	mode: Mode,
	seen: CellSeen,
): string[] {
	const expected = cellExpected(subject, fault, mode, seen.names);
	return [
		...differs('calls sent', seen.sent, expected.sent),
		...differs('credits charged', seen.charged, expected.charged),
		...differs('requests to another origin', seen.strays, 0),
		...complaintsAboutItems(subject, expected.items, mode, seen.run),
		...seen.leaks.map((leak) => `the key is in ${leak}`),
	];
}

function differs(what: string, seen: unknown, expected: unknown): string[] {
	const [one, other] = [seen, expected].map((value) => JSON.stringify(value));
	return one === other ? [] : [`${what}: ${one}, expected ${other}`];
}

function complaintsAboutItems(
	{ keeps, started }: Subject,
	items: ItemExpected[],
	mode: Mode,
	run: NodeRun,
): string[] {
	const first = items.findIndex(({ state }) => state === 'failed');
	const isFatal = first >= 0 && (!keeps || items.every(({ state }) => state !== 'answered'));
	if (mode === 'stopWorkflow' && isFatal) {
		const others = started && first > 0 ? [started] : [];
		const { says } = items[first] as { says: string };
		const said = [`Item ${first}: ${says}`, ...others].join(' ');
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
	return items.flatMap((item, n) => [
		...complaintsAboutItem(item, n, mode, run).map((text) => `item ${n}: ${text}`),
	]);
}

function complaintsAboutItem(item: ItemExpected, n: number, mode: Mode, run: NodeRun): string[] {
	const isElsewhere = mode === 'continueErrorOutput' && item.state !== 'answered';
	const own = run.items(isElsewhere ? 1 : 0).filter((output) => isOf(output, n));
	if (own.length === 0) return ['is not on its output'];
	return own.flatMap(({ json }) => complaintsAboutJson(item, n, mode, json));
}

function complaintsAboutJson(item: ItemExpected, n: number, mode: Mode, json: IDataObject) {
	const { error, outcome, source, reason } = json;
	if (item.state === 'answered') {
		return [
			...differs('has an error', error, undefined),
			...differs('source', source, 'service'),
			...(item.outcome ? differs('outcome', outcome, item.outcome) : []),
		];
	}
	if (mode !== 'stopWorkflow') return differs('error', error, `Item ${n}: ${item.says}`);
	return [
		...differs('reason', reason, item.says),
		...differs('source', source, 'failed'),
		...differs('outcome', outcome, 'unknown'),
	];
}

function isOf({ pairedItem }: INodeExecutionData, n: number): boolean {
	return [pairedItem].flat().some((link) => (typeof link === 'object' ? link.item : link) === n);
}

/** Which job it is, only the service knows. */
const withoutId = (text = '') => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '{job}');
