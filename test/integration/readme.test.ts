/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { release, runNode } from '../harness/n8n';
import { credentialsOf } from '../harness/onSandbox';
import { startSandbox } from '../sandbox';

const README = readFileSync(join(__dirname, '../../README.md'), 'utf8');

test(`the sample in README.md is what the node returns for one row of a list, n8n ${release}`, async () => {
	const sandbox = await startSandbox();
	const { lookupMessagingApi } = credentialsOf(sandbox);
	const row = { Name: 'Ada', Mobile: '020 7946 0121', 'Work Email': 'ada@example.com' };
	const { items } = await runNode({
		credentials: {
			lookupMessagingApi: { ...lookupMessagingApi, lookupUrl: '', geoipUrl: '', mcpUrl: '' },
		},
		parameters: {
			...{ resource: 'contact', operation: 'enrich', includeOtherInputFields: true },
			...{ phoneNumber: '={{ $json.Mobile }}', country: 'GB' },
			email: '={{ $json["Work Email"] }}',
		},
		items: [row],
	});
	await sandbox.close();

	const [, sample = ''] = README.match(/```json\n([^]*?)```/) ?? [];
	expect(items().map(({ json }) => json)).toEqual([JSON.parse(sample)]);
});
