import type { IDataObject } from 'n8n-workflow';
import type { ReplyHead } from '../../engine/client';
import type { AnswerRecord } from '../../engine/results';
import {
	defineOperation,
	isLocalAnswer,
	negative,
	positive,
	unclear,
	unknown,
} from '../../engine/operation';
import { emailField, readEmailAddress } from '../shared/email/emailAddress';
import { mailboxesOfDomain, skipCatchAllOption } from './catchAll';
import { orNull } from '../../engine/plan/values';
import { errorText, hasError, isAccountRefusal, refused } from '../../engine/refusals/refusal';

export const verifyEmail = defineOperation({
	resource: 'email',
	value: 'verify',
	name: 'Verify',
	action: 'Verify email address',
	description: 'Check whether a mailbox exists. No email is sent.',
	fields: [emailField],
	options: [skipCatchAllOption],
	subject: 'email',
	outcomes: { positive: 'Deliverable', negative: 'Undeliverable', unknown: 'Unknown' },
	repeatable: true,
	refunds: true,
	groupOption: skipCatchAllOption.name,
	group: mailboxesOfDomain,
	rules: {
		positive: '`verdict` is deliverable (or `valid` is true)',
		negative: '`verdict` is undeliverable or invalid_format (or `valid` is false)',
		unknown:
			'`verdict` is unknown, catch-all included; or `status` is false with a balance or a reason code: inconclusive, its credit given back',
		refused: 'any other `status` false; words about the key or the credits end the run',
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
		charged: (body) => (body.status === false ? 0 : 1),
	}),

	read: (body, head, { email }) => {
		const record = { ...readRecord(body), email: orNull(body.email) ?? email };
		if (isInconclusive(body, head)) {
			const reason = `${errorText(body) ?? 'the check was inconclusive'} (credit refunded)`;
			return { ...unknown(record, reason), isRefunded: true };
		}
		if (body.status === false || (hasError(body) && body.status !== true)) {
			return refused(body, head);
		}
		return judge(record);
	},
	output: [
		{
			name: 'email',
			type: 'string',
			description: 'The checked address',
			example: 'name@example.com',
			simplified: true,
		},
		{
			name: 'verdict',
			type: 'string',
			description: 'One of deliverable, undeliverable, unknown and invalid_format',
			example: 'deliverable',
			simplified: true,
		},
		{
			name: 'reasonCode',
			type: 'string',
			description:
				'Reason for the verdict, such as mailbox_accepted, mailbox_not_found or catch_all',
			example: 'mailbox_accepted',
			simplified: true,
		},
		{
			name: 'mailboxExists',
			type: 'boolean',
			description: 'Whether the mail server accepts the mailbox. A catch-all server accepts any.',
			example: true,
			simplified: true,
		},
		{
			name: 'catchAll',
			type: 'boolean',
			description: 'Whether the domain accepts every mailbox; null if unknown',
			example: false,
			simplified: true,
		},
		{
			name: 'disposable',
			type: 'boolean',
			description: 'Whether the domain offers disposable addresses; null if unknown',
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
			description: 'Whether the domain has a mail server (MX record); null if unknown',
			example: true,
		},
		{
			name: 'creditsLeft',
			type: 'number',
			description: 'Email credits left after the check',
			example: 999,
			ofCall: true,
		},
	],
});

/**
 * Whether the service could not finish the check, and gave the credit back (SPEC §4.2, §7). The list of reason codes is open
 * (SPEC §2.6), so any reply about a check counts: it has a reason code, or the balance after the refund. With a wrong key there is
 * no balance, and without credits it is 0. So beside credits that are left, no words are about the account: a mail server said
 * them.
 */
function isInconclusive(body: IDataObject, head: ReplyHead): boolean {
	const { status, balance, reason_code: code } = body;
	if (status !== false) return false;
	if (head.status < 300 && typeof balance === 'number' && balance > 0) return true;
	if (isAccountRefusal(body, head)) return false;
	if (code === 'network_timeout') return true;
	return (
		head.status < 300 && (typeof balance === 'number' || (typeof code === 'string' && code !== ''))
	);
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
		catchAll: readCatchAll(body),
		formatValid: orNull(body.emailformat),
		creditsLeft: orNull(body.balance),
	};
}

/** Only the answer of a mail server about a mailbox tells whether it takes every mailbox. */
function readCatchAll({ status, verdict, reason_code: reason }: IDataObject): boolean | null {
	if (status === false) return null;
	if (reason === 'catch_all') return true;
	const isTold = verdict === 'deliverable' || verdict === 'undeliverable';
	return isTold && typeof reason === 'string' ? false : null;
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
