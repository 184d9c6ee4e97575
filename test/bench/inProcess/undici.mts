import { Pool } from 'undici';
import type { SandboxRoots } from '../../sandbox/index.ts';
import type { Load } from '../loads.mts';
import { numbers } from '../numbers.mts';
import type { Run } from './sample.mts';

const DEFAULT_CONNECTIONS = 64;

/** The limit: the same questions with no n8n around them, each reply read and parsed. */
export function prepareUndici(
	{ connections = DEFAULT_CONNECTIONS }: Load,
	roots: SandboxRoots,
): Run {
	const { origin, pathname } = new URL(roots.baseUrl);
	const pool = new Pool(origin, { connections });
	return async (items, distinct) => {
		const answers = await Promise.all(
			numbers(items, distinct).map(async (number) => {
				const query = new URLSearchParams({ number, api_key: 'sandbox-key-main' });
				const path = `${pathname}/checkwanumber?${query}`;
				const { body } = await pool.request({ path, method: 'GET' });
				return (await body.json()) as { whatsapp?: boolean };
			}),
		);
		return answers.filter(({ whatsapp }) => typeof whatsapp === 'boolean').length;
	};
}
