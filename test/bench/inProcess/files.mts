import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type * as Core from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

const TWO_MB = 2_097_152;

/** Files in n8n's storage on disk, as an earlier node of the workflow would have left them; gone with the process. */
export async function storeFiles(count: number): Promise<IBinaryData[]> {
	const require = createRequire(import.meta.url);
	const { BinaryDataConfig, BinaryDataService } = require('n8n-core') as typeof Core;
	const di = require.resolve('@n8n/di', { paths: [dirname(require.resolve('n8n-core'))] });
	const { Container } = require(di) as {
		Container: { get<T>(type: new (...args: never[]) => T): T };
	};
	const folder = mkdtempSync(join(tmpdir(), 'bench-files-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	Object.assign(Container.get(BinaryDataConfig), {
		mode: 'filesystem',
		availableModes: ['filesystem'],
		localStoragePath: folder,
	});
	const store = Container.get(BinaryDataService);
	await store.init();
	const location = { type: 'execution', workflowId: 'workflow', executionId: '1' } as const;
	const files: IBinaryData[] = [];
	for (let index = 0; index < count; index += 1) {
		const described = { data: '', fileName: `${index}.pdf`, mimeType: 'application/pdf' };
		files.push(await store.store(location, Buffer.alloc(TWO_MB, index), described));
	}
	return files;
}
