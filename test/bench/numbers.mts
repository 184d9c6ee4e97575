import { createRequire } from 'node:module';

interface Numbers {
	AREAS: string[];
	/** As E.164. */
	numberAt(index: number): string;
	/** A list with `distinct` different numbers. */
	numbers(items: number, distinct: number): string[];
}

/** The peers' package is plain JavaScript, since n8n loads it as it is. */
export const { AREAS, numberAt, numbers } = createRequire(import.meta.url)(
	'./peers/numbers.js',
) as Numbers;
