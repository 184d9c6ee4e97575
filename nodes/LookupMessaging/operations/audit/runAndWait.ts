import type { INodeProperties } from 'n8n-workflow';
import { AUDIT_PACE_MS, pollUntilFinished } from '../../engine/jobs';
import {
	defineTalk,
	isLocalAnswer,
	type Answer,
	type AnswerRecord,
	type Reading,
} from '../../engine/operation';
import { isFailed, type Failed, type Talk } from '../../engine/talk';
import { AUDIT_FIELDS } from './auditFields';
import { AUDIT_CREDITS, pollOf, startAudit } from './job';
import { readRequest, readWords, requestFields, type AuditRequest } from './names';
import { FINISHED_WORDS } from './state';

/** The words by which a finished audit is known; shared with the trigger. */
export const finishedWhenOption: INodeProperties = {
	displayName: 'Finished When',
	name: 'finishedWhen',
	type: 'string',
	default: FINISHED_WORDS.join(', '),
	description: 'Status words that mean that the audit is finished, separated by commas',
};

interface AwaitedAudit extends AuditRequest {
	finishedWords: string[];
}

export const runAuditAndWait = defineTalk<AwaitedAudit>({
	resource: 'audit',
	value: 'runAndWait',
	name: 'Run and Wait',
	action: 'Run brand audit and wait',
	description: 'Audit how AI platforms speak of a brand: start it, wait, and give the results',
	fields: requestFields,
	options: [finishedWhenOption],
	subject: 'brandName',
	waits: true,
	rules: {
		positive: 'finished: a word of Finished When, or results without a status word',
		negative: 'failed: a status word that says so',
		unknown: 'the service named no audit ID',
		refused: 'any error that is not about the audit itself',
	},
	endpoints: ['POST main /audit_run', 'GET main /audit'],

	prepare: (given) => {
		const request = readRequest(given);
		if (isLocalAnswer(request)) return request;
		return { ...request, finishedWords: readFinishedWords(given.finishedWhen) };
	},
	credits: () => AUDIT_CREDITS,

	*talk(audits) {
		const readings: Array<Failed | Reading> = [];
		for (const audit of audits) readings.push(yield* runToTheEnd(audit));
		return readings;
	},
	output: AUDIT_FIELDS,
});

/** Reads 'Finished When'. */
export function readFinishedWords(given: unknown): string[] {
	const words = readWords(given);
	return words?.length ? words : FINISHED_WORDS;
}

/** Without an ID there is nothing to wait for. */
function* runToTheEnd({ finishedWords, ...request }: AwaitedAudit): Talk<Answer | Failed> {
	const started = yield* startAudit(request);
	const { auditId } = started.record;
	if (typeof auditId !== 'string') return started;
	const ended = yield* pollUntilFinished(
		pollOf(auditId, finishedWords),
		({ outcome }) => outcome !== 'unknown',
		AUDIT_PACE_MS,
		true,
		Infinity,
		({ reason }) => reason,
	);
	return isFailed(ended) ? ended : { ...ended, record: completed(ended.record, request) };
}

/** The record with what the request knows, where the service left it out. */
function completed(record: AnswerRecord, { brandName, brandUrl, competitors }: AuditRequest) {
	return {
		...record,
		brandName: record.brandName ?? brandName,
		brandUrl: record.brandUrl ?? brandUrl,
		competitors: record.competitors ?? competitors,
	};
}
