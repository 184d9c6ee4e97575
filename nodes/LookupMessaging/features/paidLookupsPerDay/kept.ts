import { hashOf, isObject } from '../../engine/plan/values';

/** The count that n8n keeps with the workflow, as JSON that anything may have written: `{ day, counts }`. */
const FIELD = 'paidLookupsPerDay';
/** Maximum number of accounts of a node, if expressions give its credential many keys. */
const MAX_ACCOUNTS = 100;

/** A count that outlives the process. */
export interface Kept {
	/** The count of the day; 0 if there is none. */
	read(day: string): number;
	write(day: string, count: number): void;
}

/** @param data the static data of the node. It is stored unencrypted, so it has only a hash of key and address */
export function keptIn(data: unknown, workflow: string, account: string): Kept | undefined {
	if (!isObject(data)) return undefined;
	// Not digits alone, since an object would sort them before the others
	const name = `a${(hashOf(account, hashOf(workflow, 0)) >>> 0).toString(16)}`;
	const countsOf = (day: string) => {
		const kept = data[FIELD];
		return isObject(kept) && kept.day === day && isObject(kept.counts) ? kept.counts : {};
	};
	return {
		read(day) {
			const count = countsOf(day)[name];
			return Number.isSafeInteger(count) ? Number(count) : 0;
		},
		write(day, count) {
			const others = Object.entries(countsOf(day)).filter(([other]) => other !== name);
			const counts = Object.fromEntries([...others.slice(1 - MAX_ACCOUNTS), [name, count]]);
			data[FIELD] = { day, counts };
		},
	};
}
