import assert from 'node:assert/strict';
import { credentialData, type Fixture } from '../testEnvironment.mts';
import { CREDENTIAL_TYPE } from '../server/package.mts';

interface TestResult {
	status: 'OK' | 'Error';
	message: string;
}

const UNUSED_URL = 'http://127.0.0.1:9/api/v1';

/** The credential's test, as its dialog runs it. */
export async function checkCredential({
	n8n,
	sandbox,
	credential,
	section,
}: Fixture): Promise<void> {
	const data = credentialData(sandbox);
	const test = async (changed: Partial<typeof data>) =>
		await n8n.rest.post<TestResult>('/credentials/test', {
			credentials: { ...credential, type: CREDENTIAL_TYPE, data: { ...data, ...changed } },
		});
	const is1x = n8n.installation.release === '1.x';
	const cases: Array<
		[title: string, changed: Partial<typeof data>, message: RegExp, on1x: RegExp]
	> = [
		['wrong key', { apiKey: 'sandbox-key-wrong' }, /refused the API key/, /Authorization failed/],
		[
			'wrong URL',
			{ baseUrl: `${data.baseUrl}/other` },
			/isn't the service.*Base URL/,
			/could not be found/,
		],
		['no service there', { baseUrl: UNUSED_URL }, /ECONNREFUSED/, /refused the connection/],
	];

	await section.check('credential: the right key passes its test', async () => {
		const { status, message } = await test({});
		assert.equal(status, 'OK', message);
	});
	for (const [title, changed, message, on1x] of cases)
		await section.check(`credential: ${title} is told apart`, async () => {
			const result = await test(changed);
			assert.equal(result.status, 'Error');
			assert.match(result.message, is1x ? on1x : message);
			assert.ok(!result.message.includes(sandbox.keys.main), 'the message holds the key');
			return result.message;
		});
	await section.check('credential: its test spends nothing', async () => {
		assert.deepEqual(sandbox.debits(sandbox.keys.main), []);
	});
}
