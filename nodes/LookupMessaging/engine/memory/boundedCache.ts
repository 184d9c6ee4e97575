/** Maximum number of characters in one cache of an execution. */
export const MAX_REMEMBERED = 50_000_000;

/** Values by key. If they take too much memory, it drops the oldest. It rejects a value that is too large by itself. */
export class BoundedCache<Value> {
	/** How many values it dropped because they took too much memory. */
	dropped = 0;
	private readonly entries = new Map<string, { value: Value; weight: number }>();
	private weight = 0;

	/** @param most largest number of characters of all values and keys together */
	constructor(private readonly most = MAX_REMEMBERED) {}

	get(key: string): Value | undefined {
		return this.entries.get(key)?.value;
	}

	/** @param characters roughly how many the value takes */
	set(key: string, value: Value, characters: number) {
		this.drop(key);
		const weight = characters + key.length;
		if (weight > this.most) {
			this.dropped += 1;
			return;
		}
		this.entries.set(key, { value, weight });
		this.weight += weight;
		for (const oldest of this.entries.keys()) {
			if (this.weight <= this.most) break;
			this.drop(oldest);
			this.dropped += 1;
		}
	}

	drop(key: string) {
		this.weight -= this.entries.get(key)?.weight ?? 0;
		this.entries.delete(key);
	}
}
