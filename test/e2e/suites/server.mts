import { withFixture, type TestEnvironment } from '../testEnvironment.mts';
import { startExamples } from './examples.mts';
import { checkKeptAnswers } from './keptAnswers.mts';
import { checkLedger } from './ledger.mts';
import { checkKeyIsNowhere } from './keyLeak.mts';
import { checkUpload } from './upload.mts';
import { checkWebhook } from './webhook.mts';
import { checkWeekly } from './weekly.mts';

/** What users do over n8n's own interface: examples, a webhook that was activated. */
export async function serverSuite(environment: TestEnvironment): Promise<void> {
	await withFixture(environment, 'server', async (fixture) => {
		const examples = await startExamples(fixture);
		await examples.expectItems();
		await checkUpload(fixture);
		await checkKeptAnswers(fixture);
		await checkLedger(fixture);
		await checkWeekly(fixture);
		await checkWebhook(fixture);
		await checkKeyIsNowhere(fixture, '+12025550102');
	});
}
