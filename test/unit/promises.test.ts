/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import killedBy from '../promises/killedBy.json';
import { PROMISES } from '../promises/promises';

const root = join(__dirname, '../..');
const killed: Record<string, unknown[]> = killedBy;

describe.each(PROMISES)('$promise', ({ promise, file, from, to, heldBy }) => {
	test('can still be broken at one place of the package (npm run promises)', () => {
		const text = readFileSync(join(root, 'nodes', file), 'utf8');
		expect([file, text.split(from).length - 1, from === to]).toEqual([file, 1, false]);
	});

	test('is held by tests that exist, and that noticed when it was broken', () => {
		const missing = heldBy.filter((name) => !existsSync(join(root, 'test', name)));
		expect([missing, (killed[promise] ?? []).length > 0]).toEqual([[], true]);
	});
});

test('The page of promises has no other promise than the list.', () => {
	expect(Object.keys(killed)).toEqual(PROMISES.map(({ promise }) => promise));
});
