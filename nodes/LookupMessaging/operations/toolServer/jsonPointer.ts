/** Longer references are not followed: the time to read one grows with its length. */
const LONGEST = 1_000;

/**
 * The target of a reference of a JSON Schema within its own document, such as "#/$defs/Country" or "#".
 * @returns undefined for other references, and for a missing target
 */
export function targetOf(ref: string, root: unknown): unknown {
	if (!/^#(\/|$)/.test(ref) || ref.length > LONGEST) return undefined;
	let target = root;
	for (const step of stepsOf(ref.slice(1)) ?? [undefined]) {
		if (step === undefined || typeof target !== 'object' || target === null) return undefined;
		if (!Object.hasOwn(target, step)) return undefined;
		target = Reflect.get(target, step);
	}
	return target;
}

/** The names in a JSON pointer (RFC 6901) that is the fragment of a URL; undefined if it cannot be decoded. */
function stepsOf(fragment: string): string[] | undefined {
	try {
		const [, ...steps] = decodeURIComponent(fragment).split('/');
		return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
	} catch {
		return undefined;
	}
}
