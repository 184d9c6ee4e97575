import type { IDataObject } from 'n8n-workflow';
import type { AnswerRecord } from '../../engine/client';
import {
	defineOperation,
	isLocalAnswer,
	negative,
	positive,
	unclear,
	unknown,
} from '../../engine/operation';
import { emailField, readEmailAddress } from '../shared/email/emailAddress';
import { orNull } from '../../engine/plan/values';
import { errorText, hasError, isAccountRefusal, refused } from '../shared/refusal';

/** The reply to a check that the service could not finish; its credit was given back (SPEC §4.2, §7). */
const INCONCLUSIVE = 'network_timeout';

export const verifyEmail = defineOperation({
	resource: 'email',
	value: 'verify',
	name: 'Verify',
	action: 'Verify email address',
	description: 'Check whether a mailbox exists, without sending it an email',
	fields: [emailField],
	subject: 'email',
	outcomes: { positive: 'Deliverable', negative: 'Undeliverable', unknown: 'Unknown' },
	repeatable: true,
	refunds: true,
	rules: {
		positive: '`verdict` is deliverable (or `valid` is true)',
		negative: '`verdict` is undeliverable or invalid_format (or `valid` is false)',
		unknown: '`verdict` is unknown, catch-all included; or network_timeout, its credit given back',
		refused: 'any other `status` false; HTTP 401 and 402 end the run',
	},

	prepare: (params) => {
		const email = readEmailAddress(params.email);
		return isLocalAnswer(email) ? email : { email };
	},

	request: ({ email }) => ({
		service: 'main',
		method: 'GET',
		path: '/checkemail',
		query: { email },
	}),
	credits: () => ({
		balance: 'email',
		atMost: 1,
		charged: (body) => (isRefunded(body) ? 0 : 1),
	}),

	read: (body, status, { email }) => {
		const record = { ...readRecord(body), email: orNull(body.email) ?? email };
		if (isRefunded(body) && !isAccountRefusal(body, status)) {
			const reason = `${errorText(body) ?? 'the check was inconclusive'} (credit refunded)`;
			return { ...unknown(record, reason), isRefunded: true };
		}
		if (body.status === false || (hasError(body) && body.status !== true)) {
			return refused(body, status);
		}
		return judge(record);
	},
	output: [
		{
			name: 'email',
			type: 'string',
			description: 'The address checked',
			example: 'name@example.com',
			simplified: true,
		},
		{
			name: 'verdict',
			type: 'string',
			description: 'One of deliverable, undeliverable, unknown, invalid_format',
			example: 'deliverable',
			simplified: true,
		},
		{
			name: 'reasonCode',
			type: 'string',
			description: 'Such as mailbox_accepted, mailbox_not_found, catch_all, network_timeout',
			example: 'mailbox_accepted',
			simplified: true,
		},
		{
			name: 'mailboxExists',
			type: 'boolean',
			description: 'Whether the mail server accepts the mailbox (a catch-all server accepts any)',
			example: true,
			simplified: true,
		},
		{
			name: 'catchAll',
			type: 'boolean',
			description: 'Whether the domain accepts every mailbox, so that nothing can be told',
			example: false,
			simplified: true,
		},
		{
			name: 'disposable',
			type: 'boolean',
			description: 'Whether the domain gives out throw-away addresses; null where not told',
			example: false,
			simplified: true,
		},
		{
			name: 'formatValid',
			type: 'boolean',
			description: 'Whether the syntax is valid',
			example: true,
		},
		{
			name: 'mxFound',
			type: 'boolean',
			description: 'Whether the domain has a mail exchanger (MX); null where not told',
			example: true,
		},
		{
			name: 'creditsLeft',
			type: 'number',
			description: 'Email credits left after the check',
			example: 999,
		},
	],
});

function isRefunded(body: IDataObject): boolean {
	return body.status === false && body.reason_code === INCONCLUSIVE;
}

/** Both declared shapes: the detailed record (SPEC §2.6) and EmailCheckResponse (SPEC §2.1). */
function readRecord(body: IDataObject): AnswerRecord {
	if (body.verdict === undefined && typeof body.valid === 'boolean') {
		return {
			verdict: body.valid ? 'deliverable' : 'undeliverable',
			mailboxExists: orNull(body.smtp_check),
			disposable: orNull(body.disposable),
			mxFound: orNull(body.mx_found),
		};
	}
	return {
		verdict: orNull(body.verdict),
		reasonCode: orNull(body.reason_code),
		mailboxExists: orNull(body.emailexist),
		catchAll: typeof body.reason_code === 'string' ? body.reason_code === 'catch_all' : null,
		formatValid: orNull(body.emailformat),
		creditsLeft: orNull(body.balance),
	};
}

function judge(record: AnswerRecord) {
	const reason = typeof record.reasonCode === 'string' ? record.reasonCode : undefined;
	switch (record.verdict) {
		case 'deliverable':
			return positive(record, reason);
		case 'undeliverable':
		case 'invalid_format':
			return negative(record, reason);
		default: {
			const why = reason ?? 'the service gave no verdict';
			return record.verdict ? unknown(record, why) : unclear(record, why);
		}
	}
}
