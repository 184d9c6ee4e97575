/** How deep values may be nested that come from outside: deeper, they exhaust the stack of whoever copies them. */
export const MOST_LEVELS = 500;
/** The name by which an object would change all objects, were it ever copied carelessly. Nobody needs it. */
export const FORBIDDEN_NAME = '__proto__';

/** Whether parsed JSON is nested deeper than can be copied, by this package or by n8n. */
export function isTooDeep(json: unknown, levels = MOST_LEVELS): boolean {
	if (typeof json !== 'object' || json === null) return false;
	return levels === 0 || Object.values(json).some((inner) => isTooDeep(inner, levels - 1));
}
