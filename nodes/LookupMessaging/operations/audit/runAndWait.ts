import type { INodeProperties } from 'n8n-workflow';
import type { Client, Endpoint } from '../../engine/client';
import type { Answer, AnswerRecord, Failed, Refusal } from '../../engine/results';
import { defineWorkflow, isFailed, isLocalAnswer } from '../../engine/operation';
import { FINISHED_WORDS } from '../shared/jobState';
import { AUDIT_PACE_MS, pollUntilFinished, waitsOn } from '../shared/polling';
import { AUDIT_FIELDS } from './auditFields';
import {
	AUDIT_CREDITS,
	pollOf,
	REPLIES,
	REQUEST_PARAMETERS,
	startAudit,
	STARTS,
	type Poll,
} from './job';
import { readRequest, readWords, requestFields, type AuditRequest } from './names';
import { STATES } from './state';

/** The status words of a finished audit. The trigger has this option too. */
export const finishedWhenOption: INodeProperties = {
	displayName: 'Finished When',
	name: 'finishedWhen',
	type: 'string',
	typeOptions: { rows: 2 },
	default: FINISHED_WORDS.join(', '),
	description: 'Status words that mean the audit is finished, separated by commas',
};

interface AwaitedAudit extends AuditRequest {
	finishedWords: string[];
}

export const runAuditAndWait = defineWorkflow<AwaitedAudit>({
	resource: 'audit',
	value: 'runAndWait',
	name: 'Run and Wait',
	action: 'Run brand audit and wait',
	description:
		'Audit how AI platforms describe a brand: start the audit, wait, and return the results',
	fields: requestFields,
	options: [finishedWhenOption],
	subject: 'brandName',
	waits: true,
	decide: [STARTS, REPLIES, STATES],
	parameterNames: REQUEST_PARAMETERS,
	endpoints: ['POST main /audit_run', 'GET main /audit'],

	prepare: (params) => {
		const request = readRequest(params);
		if (isLocalAnswer(request)) return request;
		return { ...request, finishedWords: readFinishedWords(params.finishedWhen) };
	},
	credits: () => AUDIT_CREDITS,

	run: async ([audit], client) => [await runToTheEnd(client, audit)],
	output: AUDIT_FIELDS,
});

export function readFinishedWords(value: unknown): string[] {
	const words = readWords(value);
	return words?.length ? words : FINISHED_WORDS;
}

async function runToTheEnd(
	client: Client,
	{ finishedWords, ...request }: AwaitedAudit,
): Promise<Answer | Failed> {
	const started = await startAudit(client, request);
	const { auditId } = started.record;
	// Without an ID there is nothing to wait for
	if (typeof auditId !== 'string') return started;
	const poll = pollOf(auditId, finishedWords, request);
	const ended = await pollUntilFinished(client, poll, {
		isFinished: ({ answer }) => answer.outcome !== 'unknown',
		paceMs: AUDIT_PACE_MS,
		startsWithSleep: true,
		isNew: true,
		noteOf: ({ answer }) => answer.reason,
	});
	if (isFailed(ended)) return ended;
	const { answer } = ended.isBare ? await lookAgain(client, poll, ended) : ended;
	return { ...answer, record: completed(answer.record, request) };
}

/** The results may arrive later than the word "finished". Whatever has none after another look has none that this node knows. */
async function lookAgain(
	client: Client,
	poll: Endpoint<Poll | Refusal>,
	ended: Poll,
): Promise<Poll> {
	if (!(await waitsOn(client, AUDIT_PACE_MS))) return ended;
	const again = await client.attempt({ ...poll, noRetry: true });
	return isFailed(again) || again.answer.outcome === 'unknown' ? ended : again;
}

/** Adds the values of the request that the service left out. */
function completed(record: AnswerRecord, { brandName, brandUrl, competitors }: AuditRequest) {
	return {
		...record,
		brandName: record.brandName ?? brandName,
		brandUrl: record.brandUrl ?? brandUrl,
		competitors: record.competitors ?? competitors,
	};
}
