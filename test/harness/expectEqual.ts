/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { isDeepStrictEqual } from 'node:util';

/** `expect(found).toEqual(expected)`, which takes longer than most of what is tested: only where the two may differ. */
export function expectEqual(found: unknown, expected: unknown) {
	if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}
