import { MAX_LEVELS } from '../../engine/plan/values';

/** Whether parsed JSON is nested deeper than can be copied, by this package or by n8n. */
export function isTooDeep(json: unknown, levels = MAX_LEVELS): boolean {
	if (typeof json !== 'object' || json === null) return false;
	return levels === 0 || Object.values(json).some((inner) => isTooDeep(inner, levels - 1));
}
