import type { FeatureOpener } from '../engine/feature';
import { equalityKey } from '../engine/plan/plan';
import { hashOf } from '../engine/plan/values';
import { SLICES } from '../engine/clock';
import { BoundedCache } from '../engine/memory/boundedCache';

/**
 * The paid runs of this process, by their lookups. It keeps no results, only the execution and the time, so that the receipt can
 * say that an identical run was paid for already.
 */

const HOUR_MS = 3_600_000;
/** Maximum number of characters of all names together: those of about 10,000 runs. */
const MAX_CHARACTERS = 1_000_000;
const paid = new BoundedCache<{ execution: string; at: number }>(MAX_CHARACTERS);

const PAID_BEFORE =
	'The same run of this node was paid for within the last hour. With Stored Results on, a repeated run pays only for results that are still unknown';

/** Records a paid run. The note is about an identical one of another execution that was recorded before. */
export const equalRuns: FeatureOpener = ({ context, operation }) => ({
	async note({ plan: { tasks }, ledger, account }) {
		if (ledger.sum('priced') + ledger.sum('unpriced') === 0) return undefined;
		const execution = context.getExecutionId();
		if (execution === undefined) return undefined;
		let hash = 0;
		await SLICES.forEach(tasks, ({ questions, additional }) => {
			for (const { question, key = equalityKey(operation, question, additional) } of questions)
				hash = hashOf(key, hash);
		});
		const { resource, value } = operation;
		const node = [context.getWorkflow().id, context.getNode().id, account, resource, value];
		const name = JSON.stringify([...node, tasks.length, hash]);
		const before = paid.get(name);
		paid.set(name, { execution, at: Date.now() }, 0);
		const isRecent = before && before.execution !== execution && Date.now() - before.at < HOUR_MS;
		return isRecent ? PAID_BEFORE : undefined;
	},
});
