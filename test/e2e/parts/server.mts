import { withScene, type Stage } from '../stage.mts';
import { checkCredential } from './credential.mts';
import { startExamples } from './examples.mts';
import { checkKeptAnswers } from './keptAnswers.mts';
import { checkKeyIsNowhere } from './key.mts';
import { checkWebhook } from './webhook.mts';

/** What users do over n8n's own interface: credential, examples, a webhook that was activated. */
export async function serverPart(stage: Stage): Promise<void> {
	await withScene(stage, 'server', async (scene) => {
		await checkCredential(scene);
		const examples = await startExamples(scene);
		await examples.expectItems();
		await checkKeptAnswers(scene);
		await checkWebhook(scene);
		await checkKeyIsNowhere(scene, '+12025550102');
	});
}
