import { EMAIL } from './magicInputs';

/** What a check of one address comes to (SPEC §2.6), or `inconclusive`. */
type EmailFinding =
	| {
			kind: 'record';
			emailformat: boolean;
			emailexist: boolean;
			verdict: 'deliverable' | 'undeliverable' | 'unknown' | 'invalid_format';
			reason_code: string;
	  }
	/** The shape that Family A declares (SPEC §2.1). */
	| {
			kind: 'declared';
			valid: boolean;
			disposable: boolean;
			mx_found: boolean;
			smtp_check: boolean;
	  }
	| { kind: 'inconclusive'; onlyOnce: boolean };

const ADDRESS =
	/^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+(?:[a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])$/i;

/** Judges an address by its syntax and by the magic inputs alone. */
export function judgeEmail(email: string): EmailFinding {
	if (!ADDRESS.test(email)) return record(false, false, 'invalid_format', 'invalid_syntax');
	const address = email.toLowerCase();
	if (address.startsWith(EMAIL.declared)) return declared(address);
	if (address.startsWith(EMAIL.timeout)) {
		return { kind: 'inconclusive', onlyOnce: address.startsWith(EMAIL.timeoutOnce) };
	}
	if (address.startsWith(EMAIL.missing)) {
		return record(true, false, 'undeliverable', 'mailbox_not_found');
	}
	if (address.startsWith(EMAIL.greylisted)) return record(true, false, 'unknown', 'greylisted');
	if (address.endsWith(`@${EMAIL.catchAllDomain}`)) {
		return record(true, true, 'unknown', 'catch_all');
	}
	return deliverable;
}

const record = (
	emailformat: boolean,
	emailexist: boolean,
	verdict: 'deliverable' | 'undeliverable' | 'unknown' | 'invalid_format',
	reason_code: string,
): EmailFinding => ({ kind: 'record', emailformat, emailexist, verdict, reason_code });

export const deliverable = record(true, true, 'deliverable', 'mailbox_accepted');

function declared(address: string): EmailFinding {
	const valid = !address.startsWith(EMAIL.declaredMissing);
	const disposable = address.startsWith(EMAIL.declaredDisposable);
	return { kind: 'declared', valid, disposable, mx_found: true, smtp_check: valid };
}
